/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tables.c: the decision tables of this process.
 *
 * Files are read at most once per process, and only where a communicator's rank 0 needs its table;
 * everybody else receives it. The parser and libconfig live in a module that is loaded only if
 * there may be a file to read: the built-in table, which every process has, needs neither. Tables
 * are few and live as long as the process: maps of communicators point into them.
 */
#include "process/tables.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arithmetic.h"
#include "base/environment.h"
#include "base/room.h"
#include "log/log.h"
#include "pmpi/version.h"
#include "process/process.h"
#include "route/builtin.h"
#include "route/learned.h"
#include "route/parse.h"

struct known {
    struct known *next;
    const struct shunt_table *table;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* never held across a PMPI call */
static struct known *tables;
static const struct shunt_table *own, *own_force;
static enum shunt_table_state own_state = SHUNT_TABLE_NONE, force_state = SHUNT_TABLE_NONE;
static bool own_tried, force_tried;
/* What the files say, whether it is the process's own table or not: they are read once. */
static const struct shunt_table *from_files;
static enum shunt_table_state files_state = SHUNT_TABLE_NONE;
static bool searched;

static bool same(const struct shunt_table *a, const struct shunt_table *b)
{
    return a->fingerprint == b->fingerprint && a->bytes == b->bytes;
}

static void say_diagnostics(const struct shunt_diagnostics *diagnostics)
{
    for (size_t i = 0; i < diagnostics->count; i++)
        fprintf(stderr, "shunt: %s\n", diagnostics->text[i]);
}

/* The caller holds the lock. */
static const struct shunt_table *keep(struct shunt_table *table)
{
    const struct shunt_table *have =
        same(shunt_builtin_table(), table) ? shunt_builtin_table() : NULL;
    for (const struct known *k = tables; k && !have; k = k->next)
        have = same(k->table, table) ? k->table : NULL;
    if (have) {
        free(table);
        return have;
    }
    struct known *entry = malloc(sizeof *entry);
    if (!entry) {
        free(table);
        return NULL;
    }
    *entry = (struct known){tables, table};
    tables = entry;
    return table;
}

/* The module's search function. It lies beside libshunt.so (build tree) or in its folder "shunt"
 * (installed). */
static shunt_parse_search_fn load_parser(void)
{
    Dl_info info;
    char directory[4096] = SHUNT_LIBDIR;
    if (dladdr((const void *)(uintptr_t)&shunt_tables_find, &info) && info.dli_fname &&
        strrchr(info.dli_fname, '/'))
        snprintf(directory, sizeof directory, "%.*s",
                 (int)(strrchr(info.dli_fname, '/') - info.dli_fname), info.dli_fname);
    static const char *const names[] = {"shunt/shunt-table.so", "shunt-table.so"};
    char reason[1024] = "";
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[4200];
        snprintf(path, sizeof path, "%s/%s", directory, names[i]);
        if (access(path, F_OK) != 0 && i == 0)
            continue;
        void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        const shunt_parse_search_fn *search =
            module ? (const shunt_parse_search_fn *)dlsym(module, SHUNT_PARSE_SYMBOL) : NULL;
        if (search)
            return *search;
        const char *error = dlerror();
        snprintf(reason, sizeof reason, "%s", error ? error : "of another version");
    }
    fprintf(
        stderr,
        "shunt: no decision table can be read, what SHUNT_FORCE does not name stays native: %s\n",
        reason);
    return NULL;
}

/* Files may have numbers with a point. */
static enum shunt_parse_outcome look(shunt_parse_search_fn search,
                                     const struct shunt_parse_request *request,
                                     struct shunt_table **table,
                                     struct shunt_diagnostics *diagnostics)
{
    struct shunt_arithmetic arithmetic;
    shunt_arithmetic_enter(&arithmetic);
    const enum shunt_parse_outcome outcome = search(request, table, diagnostics);
    shunt_arithmetic_leave(&arithmetic);
    return outcome;
}

/* What the module finds. The caller holds the lock. */
static void read_files(const struct shunt_parse_request *request)
{
    struct shunt_diagnostics diagnostics = {0};
    struct shunt_table *table = NULL;
    const bool loud = shunt_process_settings()->strict != SHUNT_STRICT_OFF;
    const shunt_parse_search_fn search = load_parser();
    if (!search)
        return; /* said already; as good as no table */
    const enum shunt_parse_outcome outcome = look(search, request, &table, &diagnostics);
    if (outcome == SHUNT_PARSE_NOTHING)
        from_files = shunt_builtin_table();
    else if (outcome == SHUNT_PARSE_FOUND)
        from_files = keep(table);
    files_state = from_files ? SHUNT_TABLE_READ : SHUNT_TABLE_BAD;
    if (loud && shunt_process_first_of_job())
        say_diagnostics(request->notes);
    if (loud && !from_files)
        say_diagnostics(&diagnostics);
    shunt_diagnostics_clear(&diagnostics);
}

/* Whether the file has no byte but zeros, as a full disk or a crash leaves it: nothing is lost
 * where it is replaced. */
static bool is_blank(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
        return false;
    FILE *stream = fopen(path, "re");
    if (!stream)
        return false;
    int byte = 0;
    while (byte == 0)
        byte = getc(stream);
    const bool blank = byte == EOF && !ferror(stream);
    fclose(stream);
    return blank;
}

/* Whether this process can open another file at all. */
static bool can_open(void)
{
    const int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

bool shunt_tables_trusted(const char *path)
{
    static atomic_bool said;
    if (shunt_learned_trusted(path))
        return true;
    if (!atomic_exchange(&said, true) && shunt_process_first_of_job() &&
        shunt_process_settings()->strict != SHUNT_STRICT_OFF)
        fprintf(stderr,
                "shunt: learned rules in %s are neither read nor written: that file or its folder "
                "belongs to another user, or any user may write it\n",
                path);
    return false;
}

/* Of what was learned. The caller holds the lock. */
static const struct shunt_table *read_one(const char *path, bool *bad)
{
    const struct shunt_parse_request request = {.config = path, .by_name = true};
    struct shunt_diagnostics diagnostics = {0};
    struct shunt_table *table = NULL;
    *bad = false;
    if (access(path, F_OK) != 0 || is_blank(path))
        return NULL;
    *bad = !can_open();
    if (*bad)
        return NULL; /* nothing is wrong with the file */
    const shunt_parse_search_fn search = load_parser();
    *bad = !search || look(search, &request, &table, &diagnostics) != SHUNT_PARSE_FOUND;
    if (shunt_process_first_of_job() && shunt_process_settings()->strict != SHUNT_STRICT_OFF)
        say_diagnostics(&diagnostics);
    shunt_diagnostics_clear(&diagnostics);
    const struct shunt_table *kept = table ? keep(table) : NULL;
    *bad = *bad || !kept;
    return kept;
}

const struct shunt_table *shunt_tables_read(const char *path, bool *bad)
{
    pthread_mutex_lock(&lock);
    const struct shunt_table *table = read_one(path, bad);
    pthread_mutex_unlock(&lock);
    return table;
}

/* What earlier runs learned fills the gaps. A file of that which is wrong does no harm: it is said
 * and left. The caller holds the lock. */
static void add_learned(void)
{
    const int64_t asked = shunt_process_settings()->learn;
    char path[4096], hosts[SHUNT_LEARNED_HOSTS];
    bool bad = false;
    if (!from_files || (asked >= 0 ? asked : from_files->policy.learn) == SHUNT_LEARNING_OFF ||
        !shunt_learned_path(from_files, NULL, shunt_environment(), path, sizeof path, hosts))
        return;
    if (!shunt_tables_trusted(path))
        return;
    const struct shunt_table *learned = read_one(path, &bad);
    if (learned && shunt_learned_expects(learned) && shunt_process_first_of_job() &&
        shunt_process_settings()->strict != SHUNT_STRICT_OFF)
        fprintf(stderr,
                "shunt: %s: rules with \"expected = true\", of an earlier version, are ignored\n",
                path);
    struct shunt_table *joined = learned ? shunt_learned_join(from_files, learned) : NULL;
    const struct shunt_table *kept = joined ? keep(joined) : NULL;
    from_files = kept ? kept : from_files;
}

/* Paths take kilobytes of the stack. */
static void search(void *unused)
{
    struct shunt_parse_path path;
    struct shunt_diagnostics notes = {0};
    (void)unused;
    char library[SHUNT_PMPI_VERSION_MAX];
    shunt_parse_here(&path, shunt_process_settings()->config, shunt_environment());
    shunt_pmpi_version(library, sizeof library);
    path.request.library = library;
    path.request.notes = &notes;
    if (shunt_parse_needed(&path.request)) {
        read_files(&path.request);
    } else {
        from_files = shunt_builtin_table();
        files_state = SHUNT_TABLE_READ;
    }
    shunt_diagnostics_clear(&notes);
    add_learned();
}

/* The caller holds the lock. */
static void search_once(void)
{
    if (!searched)
        shunt_room_run(search, NULL);
    searched = true;
}

const struct shunt_table *shunt_tables_own(enum shunt_table_state *state)
{
    pthread_mutex_lock(&lock);
    if (!own && !own_tried) {
        search_once();
        own = from_files;
        own_state = files_state;
    }
    own_tried = true;
    const struct shunt_table *table = own;
    *state = table ? SHUNT_TABLE_READ : own_state;
    pthread_mutex_unlock(&lock);
    return table;
}

const struct shunt_table *shunt_tables_force(enum shunt_table_state *state)
{
    const char *text = shunt_process_settings()->force;
    pthread_mutex_lock(&lock);
    if (text && !force_tried) {
        struct shunt_diagnostics diagnostics = {0};
        struct shunt_table *table = shunt_table_from_force(text, &diagnostics);
        own_force = table ? keep(table) : NULL;
        force_state = own_force ? SHUNT_TABLE_READ : SHUNT_TABLE_BAD;
        if (!own_force && shunt_process_settings()->strict != SHUNT_STRICT_OFF)
            say_diagnostics(&diagnostics);
        shunt_diagnostics_clear(&diagnostics);
    }
    force_tried = true;
    *state = force_state;
    const struct shunt_table *table = own_force;
    pthread_mutex_unlock(&lock);
    return table;
}

const struct shunt_table *shunt_tables_look(void)
{
    enum shunt_table_state state;
    const struct shunt_table *force = shunt_tables_force(&state);
    if (state == SHUNT_TABLE_BAD || (force && force->rule_count[0] && force->rule_count[1]))
        return force;
    pthread_mutex_lock(&lock);
    if (!own && !own_tried)
        search_once();
    const struct shunt_table *table = own ? own : own_tried ? NULL : from_files;
    pthread_mutex_unlock(&lock);
    return table;
}

/* Makes it the process's own table if there is none yet. The caller holds the lock. */
static void adopt(const struct shunt_table *table)
{
    if (!own && !own_tried) {
        own = table;
        own_state = SHUNT_TABLE_READ;
    }
}

const struct shunt_table *shunt_tables_find(uint64_t fingerprint)
{
    const struct shunt_table *found = NULL;
    pthread_mutex_lock(&lock);
    if (shunt_builtin_table()->fingerprint == fingerprint) {
        found = shunt_builtin_table();
        adopt(found); /* it is never sent, so this is where it comes from elsewhere */
    }
    for (const struct known *k = tables; k && !found; k = k->next)
        if (k->table->fingerprint == fingerprint)
            found = k->table;
    pthread_mutex_unlock(&lock);
    return found;
}

const struct shunt_table *shunt_tables_adopt(struct shunt_table *table, bool as_own)
{
    pthread_mutex_lock(&lock);
    const struct shunt_table *kept = keep(table);
    if (kept && as_own)
        adopt(kept);
    pthread_mutex_unlock(&lock);
    return kept;
}

struct shunt_log_table shunt_tables_describe(const struct shunt_table *table)
{
    return (struct shunt_log_table){.source = shunt_table_string(table, table->source),
                                    .machine = shunt_table_string(table, table->machine),
                                    .fingerprint = table->fingerprint};
}

void shunt_tables_tell(const struct shunt_table *table, bool used)
{
    const struct shunt_log_table told = shunt_tables_describe(table);
    shunt_log_table_known(&told, used);
}

/* At the end of the process, perhaps in a handler of a signal that came while the lock was held. */
void shunt_tables_tell_own(void)
{
    if (pthread_mutex_trylock(&lock) != 0)
        return;
    const struct shunt_table *tables_here[] = {own, own_force};
    pthread_mutex_unlock(&lock);
    for (int t = 0; t < 2; t++)
        if (tables_here[t])
            shunt_tables_tell(tables_here[t], false);
}

void shunt_tables_choose(const struct shunt_table **table, const struct shunt_table **force,
                         enum shunt_table_state *state)
{
    enum shunt_table_state forced = SHUNT_TABLE_NONE;
    *table = NULL;
    *state = SHUNT_TABLE_NONE;
    *force = shunt_tables_force(&forced);
    /* With both operations forced no table is needed, nor libconfig. */
    const bool all_forced = *force && (*force)->rule_count[0] && (*force)->rule_count[1];
    if (!all_forced && forced != SHUNT_TABLE_BAD)
        *table = shunt_tables_own(state);
    if (forced == SHUNT_TABLE_BAD)
        *state = SHUNT_TABLE_BAD;
    else if (*state == SHUNT_TABLE_BAD && *force &&
             shunt_process_settings()->strict != SHUNT_STRICT_ERROR)
        *state = SHUNT_TABLE_NONE; /* what is forced can still run */
}

int64_t shunt_tables_warmup(const struct shunt_table *table, const struct shunt_table *force)
{
    const struct shunt_settings *s = shunt_process_settings();
    const struct shunt_policy policy = table ? table->policy : shunt_policy_default();
    return s->warmup >= 0 ? s->warmup : force ? 0 : policy.warmup;
}
