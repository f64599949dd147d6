/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * log.c: the log of this process: its options, its buffer, its lock.
 *
 * A signal handler that calls exit() may interrupt a call that holds the lock: the lock checks for
 * that, nobody waits for it for ever, and the summary is given up. In a forked child the log is not
 * open: it touches neither lock nor buffer. A handler of fork() sees to that, because getpid() at
 * every call would cost more than the rest; children made without handlers are found out before
 * anything is written.
 */
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/environment.h"
#include "log/clock.h"
#include "log/elapsed.h"
#include "log/event.h"
#include "log/guard.h"
#include "log/line.h"
#include "log/log.h"
#include "log/output.h"
#include "log/passed.h"
#include "log/site.h"
#include "log/summary.h"
#include "log/text.h"

#define BUFFER_SIZE 65536
/* The line that tells of the cap always fits into this. */
#define CAP_LINE_MAX 256
#define NOT_OURS (-1)

static struct {
    pthread_mutex_t lock;
    _Atomic pid_t opener; /* 0: closed; NOT_OURS: a parent's */
    _Atomic bool calls;
    bool json;
    bool sites;        /* calls are written with their sites */
    bool fallen_back;  /* the file failed: the summary goes to stderr */
    bool summary_here; /* this rank writes its summary to `output` */
    bool speaks;       /* this rank warns about the log: rank 0, or a process without a world */
    int64_t size;      /* cap, 0: none */
    uint64_t written;  /* bytes put into the buffer so far */
    bool header_due;   /* the first line is still to be written */
    int64_t base;      /* from CLOCK_MONOTONIC to this process's time since 1970, nanoseconds */
    int64_t offset;    /* from that to the time of the job */
    struct shunt_log_header header;
    struct timespec flushed;
    struct shunt_log_output output; /* fd -1: none */
    char path[PATH_MAX];
    struct shunt_log_summary summary;
    size_t used;
    char buffer[BUFFER_SIZE];
} state = {.output = {.fd = -1}};

/* Calls that found the lock taken for too long. */
static _Atomic uint64_t missed;

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void after_fork(void)
{
    if (atomic_load(&state.opener) != 0)
        atomic_store(&state.opener, NOT_OURS);
}

static void prepare(void)
{
    shunt_log_guard_prepare(&state.lock);
    pthread_atfork(NULL, NULL, after_fork);
}

static bool is_open(void)
{
    return atomic_load_explicit(&state.opener, memory_order_acquire) > 0;
}

/* Also in a child of _Fork() or clone(). */
static bool is_ours(void)
{
    return is_open() && atomic_load(&state.opener) == getpid();
}

/* Gives up the output after an error, which is told once. */
static void fail(int error, const char *consequence)
{
    if (state.output.owned && state.speaks)
        shunt_log_say("cannot write the log %s: %s; %s", state.path, strerror(error), consequence);
    shunt_log_output_close(&state.output);
    state.fallen_back = true;
    state.calls = false;
    state.used = 0;
}

static void flush(void)
{
    clock_gettime(CLOCK_MONOTONIC, &state.flushed);
    const int error =
        is_ours() ? shunt_log_output_write(&state.output, state.buffer, state.used) : 0;
    state.used = 0;
    if (error != 0)
        fail(error, "calls are no longer logged");
}

static void open_file(const char *pattern)
{
    char unknown;
    int error =
        shunt_log_path(pattern, state.summary.rank, state.path, sizeof state.path, &unknown);
    if (unknown != '\0' && state.speaks)
        shunt_log_say(
            "the name of the log, %s, has %%%c, which is none of %%j %%s %%t %%h %%r %%p %%%%: "
            "kept as it is",
            pattern, unknown);
    if (error == 0)
        error = shunt_log_output_open(&state.output, state.path);
    if (error == 0)
        return;
    if (state.speaks)
        shunt_log_say("cannot open the log %s: %s; the summary comes here, calls are not logged",
                      state.path, strerror(error));
    state.fallen_back = true;
    state.calls = false;
}

static void open_log(const struct shunt_log_options *options)
{
    const int rank = options->world_rank >= 0 ? options->world_rank : shunt_environment_rank();
    const bool own_file = options->file && shunt_log_path_is_own(options->file);
    state.summary.rank = rank;
    state.summary.ranks = options->world_size;
    state.summary.suggests = options->suggests;
    state.calls = options->level >= 2 && options->calls_here;
    state.json = options->json;
    state.sites = options->sites && options->json && state.calls;
    state.size = options->size > 0 ? options->size : 0;
    state.speaks = rank <= 0;
    state.summary_here = own_file || rank <= 0;
    state.fallen_back = false;
    state.written = 0;
    state.used = 0;
    state.base = shunt_log_clock_find();
    state.offset = 0;
    state.header_due = state.calls || (state.summary_here && options->file);
    if (state.header_due)
        shunt_log_header_fill(&state.header, rank, options->world_size, options->library);
    if (state.sites)
        shunt_log_site_prepare();
    clock_gettime(CLOCK_MONOTONIC, &state.flushed);
    if (!options->file)
        shunt_log_output_stderr(&state.output);
    else if (state.calls || state.summary_here)
        open_file(options->file);
    atomic_store(&state.opener, getpid());
}

void shunt_log_open(const struct shunt_log_options *options)
{
    struct shunt_log_guard guard;
    pthread_once(&once, prepare);
    if (options->level <= 0 || atomic_load(&state.opener) != 0 ||
        !shunt_log_enter(&state.lock, &guard))
        return;
    if (atomic_load(&state.opener) == 0) /* no other thread was first */
        open_log(options);
    shunt_log_leave(&state.lock, &guard);
}

/* Room for one line at the end of the buffer. */
static struct shunt_log_text room(void)
{
    if (BUFFER_SIZE - state.used < SHUNT_LOG_LINE_MAX)
        flush();
    return (struct shunt_log_text){.bytes = state.buffer + state.used,
                                   .capacity = SHUNT_LOG_LINE_MAX};
}

static void keep(size_t count)
{
    state.used += count;
    state.written += count;
}

/* Also in a log that is to be empty by its cap, as the line that tells of that. */
static void write_header(void)
{
    struct shunt_log_text text = room();
    (state.json ? shunt_log_header_json : shunt_log_header_human)(&text, &state.header);
    state.header_due = false;
    keep(text.used);
}

/* Whether a line of so many bytes is too much; then one that tells so takes its place. */
static bool reaches_cap(size_t count)
{
    if (state.size <= 0 || state.written + count + CAP_LINE_MAX <= (uint64_t)state.size)
        return false;
    struct shunt_log_text text = room();
    if (state.json)
        shunt_log_cap_json(&text, state.summary.rank, state.size);
    else
        shunt_log_cap_human(&text, state.size);
    keep(text.used);
    state.calls = false;
    flush();
    return true;
}

/* A line that may be longer than the buffer. */
static void write_long(const struct shunt_log_text *text)
{
    if (reaches_cap(text->used))
        return;
    if (BUFFER_SIZE - state.used < text->used)
        flush();
    if (text->used <= BUFFER_SIZE) {
        memcpy(state.buffer + state.used, text->bytes, text->used);
        keep(text->used);
        return;
    }
    state.written += text->used;
    const int error =
        is_ours() ? shunt_log_output_write(&state.output, text->bytes, text->used) : 0;
    if (error != 0)
        fail(error, "calls are no longer logged");
}

/* Nanoseconds since 1970, of those by CLOCK_MONOTONIC; 0: not known. */
static int64_t time_of(int64_t arrival)
{
    return arrival > 0 ? arrival + state.base + state.offset : -1;
}

/* By the process's own clock, as the date is: otherwise a difference between the clocks of two
 * hosts would look like time that has passed. */
static int64_t since_header(int64_t time)
{
    return time >= 0 ? time - state.offset - INT64_C(1000000000) * state.header.date : -1;
}

static void put_call(struct shunt_log_text *text, const struct shunt_record *record)
{
    const int64_t time = time_of(record->arrival);
    if (state.json)
        shunt_log_line_json(text, record, state.summary.rank, time);
    else
        /* By its own clock, as the date is: a difference between hosts would look like a time. */
        shunt_log_line_human(text, record, since_header(time));
}

/* A list of bytes has as many numbers as there are ranks. False: no memory for the line. */
static bool write_long_call(const struct shunt_record *record)
{
    struct shunt_log_text text = {.grows = true};
    put_call(&text, record);
    if (!text.cut)
        write_long(&text);
    free(text.bytes);
    return !text.cut;
}

/* Formats straight into the buffer, which always has room for one line more. */
static void write_short_call(const struct shunt_record *record)
{
    struct shunt_log_text text = room();
    put_call(&text, record);
    if (!reaches_cap(text.used))
        keep(text.used);
}

static void write_call(const struct shunt_record *record)
{
    struct shunt_record placed = *record;
    const struct shunt_log_site *site = state.sites ? shunt_log_site_find() : NULL;
    if (site) {
        placed.site = site->address;
        placed.symbol = site->symbol;
        record = &placed;
    }
    if (state.header_due)
        write_header();
    if (!record->send_bytes || !state.json) {
        write_short_call(record);
    } else if (!write_long_call(record)) {
        struct shunt_record shorter = *record;
        shorter.send_bytes = NULL;
        write_short_call(&shorter);
    }
    if (shunt_log_clock_second(&state.flushed))
        flush();
}

bool shunt_log_takes_details(void)
{
    return is_open() && state.json && atomic_load_explicit(&state.calls, memory_order_relaxed);
}

void shunt_log_call(const struct shunt_record *record)
{
    struct shunt_log_guard guard;
    if (!is_open())
        return;
    if (!shunt_log_enter(&state.lock, &guard)) {
        atomic_fetch_add(&missed, 1);
        return;
    }
    shunt_log_summary_add(&state.summary, record);
    if (state.calls)
        write_call(record);
    shunt_log_leave(&state.lock, &guard);
}

void shunt_log_table(const struct shunt_log_table *table)
{
    struct shunt_log_guard guard;
    if (!is_open() || !shunt_log_enter(&state.lock, &guard))
        return;
    state.header.table = *table;
    state.header.table_known = true;
    shunt_log_leave(&state.lock, &guard);
}

void shunt_log_communicator(const struct shunt_log_communicator *communicator)
{
    struct shunt_log_text text = {.grows = true};
    struct shunt_log_guard guard;
    if (!is_open() || !shunt_log_enter(&state.lock, &guard))
        return;
    state.summary.oversubscribed = state.summary.oversubscribed || communicator->oversubscribed;
    if (state.calls && state.header_due)
        write_header();
    if (state.calls && state.json)
        shunt_log_communicator_json(&text, communicator, state.summary.rank,
                                    time_of(communicator->arrival));
    else if (state.calls)
        shunt_log_communicator_human(&text, communicator);
    if (!text.cut && text.used > 0)
        write_long(&text);
    shunt_log_leave(&state.lock, &guard);
    free(text.bytes);
}

int64_t shunt_log_clock_base(void)
{
    return is_open() ? state.base : 0;
}

void shunt_log_clock(int64_t offset, int64_t uncertainty)
{
    struct shunt_log_guard guard;
    if (!is_open() || !shunt_log_enter(&state.lock, &guard))
        return;
    state.offset = offset;
    if (state.calls && state.header_due)
        write_header();
    if (state.calls) {
        struct shunt_log_text text = room();
        if (state.json)
            shunt_log_clock_json(&text, state.summary.rank, offset, uncertainty);
        else
            shunt_log_clock_human(&text, offset, uncertainty);
        if (!reaches_cap(text.used))
            keep(text.used);
    }
    shunt_log_leave(&state.lock, &guard);
}

void shunt_log_rule_known(const char *rule_file, int rule_line, const char *rule_id,
                          const char *operation)
{
    struct shunt_log_guard guard;
    if (!is_open() || !shunt_log_enter(&state.lock, &guard))
        return;
    shunt_log_summary_rule(&state.summary, rule_file, rule_line, rule_id, operation);
    shunt_log_leave(&state.lock, &guard);
}

void shunt_log_table_known(const struct shunt_log_table *table, bool used)
{
    struct shunt_log_guard guard;
    if (!is_open() || !shunt_log_enter(&state.lock, &guard))
        return;
    shunt_log_summary_table(&state.summary, table, used);
    shunt_log_leave(&state.lock, &guard);
}

void shunt_log_left(const struct shunt_log_left *one, bool left)
{
    struct shunt_log_guard guard;
    if (!is_open() || !shunt_log_enter(&state.lock, &guard))
        return;
    shunt_log_lefts_set(&state.summary.lefts, one, left);
    shunt_log_leave(&state.lock, &guard);
}

void shunt_log_suggest_nothing(void)
{
    struct shunt_log_guard guard;
    if (!is_open() || !shunt_log_enter(&state.lock, &guard))
        return;
    state.summary.suggests = false;
    shunt_log_leave(&state.lock, &guard);
}

void shunt_log_flush(void)
{
    struct shunt_log_guard guard;
    if (!is_ours() || !shunt_log_enter(&state.lock, &guard))
        return;
    if (state.used > 0)
        flush();
    shunt_log_leave(&state.lock, &guard);
}

static void write_summary(void)
{
    struct shunt_log_passed list[SHUNT_LOG_PASSED_MAX];
    const size_t count = shunt_log_passed_take(list);
    state.summary.missed = atomic_exchange(&missed, 0);
    state.summary.elapsed = shunt_log_elapsed();
    const struct shunt_log_entry total = shunt_log_summary_finish(&state.summary);
    struct shunt_log_text text = {.grows = true};
    if (state.summary_here && !state.fallen_back) {
        (state.json ? shunt_log_summary_json : shunt_log_summary_human)(&text, &state.summary,
                                                                        &total, list, count);
        const int error = shunt_log_output_write(&state.output, text.bytes, text.used);
        if (error != 0)
            fail(error, "the summary comes here");
    }
    /* For a person's eyes now, whatever the format of the file was to be. */
    if (state.fallen_back && state.speaks) {
        text.used = 0;
        shunt_log_summary_human(&text, &state.summary, &total, list, count);
        shunt_log_output_stderr(&state.output);
        (void)shunt_log_output_write(&state.output, text.bytes, text.used);
    }
    free(text.bytes);
}

void shunt_log_close(void)
{
    struct shunt_log_guard guard;
    if (!is_ours() || !shunt_log_enter(&state.lock, &guard))
        return;
    if (is_ours()) { /* no other thread closed it meanwhile */
        if (state.header_due && !state.fallen_back)
            write_header();
        flush();
        write_summary();
        shunt_log_output_close(&state.output);
        shunt_log_summary_clear(&state.summary);
        atomic_store(&state.opener, 0);
    }
    shunt_log_leave(&state.lock, &guard);
}
