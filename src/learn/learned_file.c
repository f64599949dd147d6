/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * learned_file.c: see learned_file.h.
 *
 * The file is read again under a lock, for other jobs may end now, and replaced as a whole by
 * rename: readers see the old one or the new one. What this job learned is given up where another
 * holds the lock for a second. A file system without locks is done without: then one of two jobs
 * may lose what it learned, and nothing else.
 */
#include "learn/learned_file.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/arithmetic.h"
#include "base/environment.h"
#include "base/growth.h"
#include "base/output.h"
#include "base/size.h"
#include "config.h"
#include "log/log.h"
#include "process/process.h"
#include "process/tables.h"
#include "route/words.h"
#include "route/write.h"

enum { NOTES_MOST = 256 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct shunt_learned *notes;
static size_t note_count;

/* Its conditions, which make it unlike all others of the file, and its evidence: an id is in
 * messages and tables alike. */
static void print_id(struct shunt_learned *note, const struct shunt_lesson *lesson)
{
    const struct shunt_learn *learn = &lesson->learn;
    const double native = 1e-3 * (double)shunt_learn_median(learn, 0),
                 ours = 1e-3 * (double)shunt_learn_median(learn, learn->current);
    char range[48], block[64];
    shunt_range_print(note->rule.ppn, range, sizeof range);
    shunt_range_spell(note->rule.block, block, sizeof block);
    snprintf(note->id, sizeof note->id,
             "learned: %lld ranks, %lld x %s, %s B%s: %.3g us, native %.3g us",
             (long long)note->rule.ranks.low, (long long)note->rule.nodes.low, range, block,
             note->rule.oversubscribed == SHUNT_CROWD_YES ? ", oversubscribed" : "", ours, native);
}

static void note_lesson(const struct shunt_comm *comm, const struct shunt_lesson *lesson)
{
    const struct shunt_learn *learn = &lesson->learn;
    const struct shunt_layout *layout = &comm->layout;
    if (lesson->routed || !shunt_process_first_of_job() || shunt_learn_median(learn, 0) == 0 ||
        (learn->current == 0 && learn->phase != SHUNT_LEARN_REST))
        return;
    struct shunt_learned note = {.op = lesson->op, .native = learn->current == 0};
    if (!note.native)
        note.rule = lesson->rule[learn->current];
    note.rule.ranks = (struct shunt_range){layout->ranks, layout->ranks};
    note.rule.nodes = (struct shunt_range){layout->nodes, layout->nodes};
    note.rule.ppn = (struct shunt_range){layout->ppn_min, layout->ppn_max};
    note.rule.block = lesson->block;
    note.rule.density = (struct shunt_range){0, INT64_MAX};
    note.rule.oversubscribed = layout->oversubscribed ? SHUNT_CROWD_YES : SHUNT_CROWD_NO;
    note.rule.calls = learn->calls > 0 ? learn->calls : 1;
    note.rule.native_us = (uint32_t)(shunt_learn_median(learn, 0) / 1000 + 1);
    note.rule.expected = 0;
    print_id(&note, lesson);
    shunt_learned_keep(&note);
}

void shunt_learned_keep(const struct shunt_learned *note)
{
    pthread_mutex_lock(&lock);
    size_t at = 0;
    while (at < note_count &&
           !(notes[at].op == note->op && shunt_learned_same(&notes[at].rule, &note->rule)))
        at++;
    if (!notes)
        notes = calloc(NOTES_MOST, sizeof *notes);
    if (notes && at < NOTES_MOST) {
        /* Of communicators alike, those that see fewest calls tell when set-up pays. */
        const int64_t before = at < note_count ? notes[at].rule.calls : INT64_MAX;
        notes[at] = *note;
        if (before < note->rule.calls)
            notes[at].rule.calls = before;
        note_count += at == note_count;
    }
    pthread_mutex_unlock(&lock);
}

void shunt_learned_note(const struct shunt_comm *comm)
{
    const struct shunt_lessons *lessons = comm->lessons;
    for (int op = 0; op < SHUNT_OP_COUNT && lessons; op++)
        for (int i = 0; i < lessons->count[op]; i++)
            note_lesson(comm, &lessons->lesson[op][i]);
}

/* The folder and those above it, as far as they are lacking. */
static bool make_folders(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        const bool there = mkdir(path, 0700) == 0 || errno == EEXIST;
        const int error = errno;
        *slash = '/';
        errno = error;
        if (!there)
            return false;
    }
    return true;
}

/* Returns 0 or an errno: EWOULDBLOCK where another job holds it. A link is not followed. */
static int take_lock(const char *path, int *descriptor)
{
    const struct timespec moment = {.tv_nsec = 10000000};
    char name[4200];
    snprintf(name, sizeof name, "%s.lock", path);
    *descriptor = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (*descriptor < 0)
        return errno;
    for (int tries = 0; tries < 100; tries++) {
        if (flock(*descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
            return 0;
        nanosleep(&moment, NULL);
    }
    close(*descriptor);
    return EWOULDBLOCK;
}

/* The whole file anew, which no other user may write. Returns 0 or an errno. */
static int replace(const char *path, const struct shunt_table *table, const char *hosts)
{
    struct shunt_output output;
    struct shunt_growth growth;
    struct stat status;
    int error = shunt_output_open(&output, path);
    if (error != 0)
        return error;
    shunt_growth_begin(&growth);
    fputs("# Learned by " PACKAGE_STRING " while programs ran with SHUNT_LEARN=on; see "
          "shunt.cfg(5), Learned rules.\n# Later runs complete it; remove it to forget.\n",
          output.stream);
    shunt_table_write(table, &hosts, hosts[0] != '\0', output.stream);
    if (fstat(fileno(output.stream), &status) == 0)
        (void)fchmod(fileno(output.stream), status.st_mode & 07755);
    error = shunt_output_close(&output, true);
    shunt_growth_end(&growth);
    return error;
}

static void say_lost(const char *path, int error)
{
    shunt_log_say("what this run learned cannot be written to %s: %s", path,
                  error == EWOULDBLOCK ? "another job holds its lock" : strerror(error));
}

/* What is there, and what is new. A file that cannot be read stays as it is. */
static void merge(const char *path, const char *hosts, const char *machine)
{
    bool bad = false;
    const struct shunt_table *old = shunt_tables_read(path, &bad);
    if (bad) {
        shunt_log_say("%s cannot be read, so what this run learned is lost: correct or remove it",
                      path);
        return;
    }
    struct shunt_table *table = shunt_learned_add(old, notes, note_count, machine);
    const int error = table ? replace(path, table, hosts) : ENOMEM;
    if (error != 0)
        say_lost(path, error);
    free(table);
}

/* The file is named after the machine. */
static void name_of(const char *path, char *machine, size_t capacity)
{
    const char *name = strrchr(path, '/') + 1;
    snprintf(machine, capacity, "%.*s", (int)(strlen(name) - strlen(".cfg")), name);
}

static bool anything_new(void)
{
    for (size_t i = 0; i < note_count; i++)
        if (!notes[i].native)
            return true;
    return false;
}

static void write_file(void)
{
    static bool written;
    char path[4096], hosts[SHUNT_LEARNED_HOSTS], folder[4096], machine[SHUNT_LEARNED_HOSTS];
    enum shunt_table_state state;
    if (written || !shunt_process_first_of_job())
        return;
    shunt_lessons_visit(note_lesson);
    if (note_count == 0)
        return;
    written = true;
    const struct shunt_table *table = shunt_tables_own(&state);
    if (!shunt_learned_path(table, NULL, shunt_environment(), path, sizeof path, hosts)) {
        shunt_log_say("what this run learned is lost: neither XDG_CACHE_HOME nor HOME names a "
                      "folder");
        return;
    }
    if (!anything_new() && access(path, F_OK) != 0)
        return; /* nothing to add, and nothing to take back */
    snprintf(folder, sizeof folder, "%s", path);
    if (!make_folders(folder)) {
        say_lost(path, errno);
        return;
    }
    if (!shunt_tables_trusted(path))
        return;
    name_of(path, machine, sizeof machine);
    int held, error = take_lock(path, &held);
    if (error != 0) {
        say_lost(path, error);
        return;
    }
    merge(path, hosts, machine);
    close(held);
}

void shunt_learning_finish(void)
{
    struct shunt_arithmetic arithmetic;
    shunt_arithmetic_enter(&arithmetic);
    write_file();
    shunt_arithmetic_leave(&arithmetic);
}
