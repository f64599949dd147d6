/* SPDX-License-Identifier: BSD-3-Clause */
/* process.c: what is known once per process: settings, rank in the world, log, numbers that it
 * gives to communicators. */
#include "process/process.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "base/arithmetic.h"
#include "base/environment.h"
#include "base/hash.h"
#include "base/notice.h"
#include "log/log.h"
#include "pmpi/pmpi.h"
#include "pmpi/version.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct shunt_settings settings;
static int world_rank = -1, world_size;
static bool records_calls;
static int64_t watchdog;

static void find_world(void)
{
    int initialized = 0;
    if (shunt_pmpi.Initialized(&initialized) != MPI_SUCCESS || !initialized) {
        /* Sessions: there is no world, but messages and files want a number. */
        world_rank = shunt_environment_rank();
        return;
    }
    if (shunt_pmpi.Comm_rank(MPI_COMM_WORLD, &world_rank) != MPI_SUCCESS ||
        shunt_pmpi.Comm_size(MPI_COMM_WORLD, &world_size) != MPI_SUCCESS)
        world_rank = -1;
}

static void open_log(void)
{
    char library[SHUNT_PMPI_VERSION_MAX];
    shunt_pmpi_version(library, sizeof library);
    const bool calls_here =
        shunt_ranks_contain(settings.log_ranks, world_rank < 0 ? 0 : world_rank);
    records_calls = settings.log == SHUNT_LOG_CALLS && calls_here;
    const struct shunt_log_options options = {
        .level = (int)settings.log,
        .json = settings.log_format == SHUNT_LOG_JSON,
        .file = settings.log_file,
        .calls_here = calls_here,
        .sites = settings.log_sites,
        .size = settings.log_size,
        .world_rank = world_rank,
        .world_size = world_size,
        .suggests = settings.learn < 0 || settings.learn == SHUNT_LEARNING_SUGGEST,
        .library = library,
    };
    shunt_log_open(&options);
}

static void read_process(void)
{
    struct shunt_diagnostics diagnostics = {0};
    struct shunt_arithmetic arithmetic;
    static char *const *environment; /* kept: settings point into it */
    environment = shunt_environment_copy("SHUNT_");
    find_world();
    shunt_arithmetic_enter(&arithmetic);
    shunt_settings_read(&settings, environment, &diagnostics);
    watchdog =
        settings.watchdog > 0 && settings.watchdog < 9e9 ? (int64_t)(1e9 * settings.watchdog) : 0;
    shunt_arithmetic_leave(&arithmetic);
    const char *told = shunt_environment_find(shunt_environment(), SHUNT_TOLD_VARIABLE);
    for (size_t i = 0; i < diagnostics.count; i++)
        if (shunt_process_first_of_job() && !shunt_told_has(told, diagnostics.text[i]))
            fprintf(stderr, "shunt: %s\n", diagnostics.text[i]);
    shunt_diagnostics_clear(&diagnostics);
    if (settings.log != SHUNT_LOG_OFF)
        open_log();
}

const struct shunt_settings *shunt_process_settings(void)
{
    pthread_once(&once, read_process);
    return &settings;
}

int64_t shunt_process_watchdog(void)
{
    (void)shunt_process_settings();
    return watchdog;
}

bool shunt_process_records_calls(void)
{
    return records_calls;
}

bool shunt_process_first_of_job(void)
{
    return world_rank <= 0;
}

int shunt_process_world_rank(void)
{
    return world_rank;
}

int shunt_process_world_size(void)
{
    return world_size;
}

int64_t shunt_process_settings_hash(void)
{
    const struct shunt_settings *s = shunt_process_settings();
    const int64_t numbers[] = {s->disable, s->verify,        (int64_t)s->strict, s->warmup,
                               s->memory,  s->layout_cyclic, s->learn,           s->guard};
    uint64_t hash = SHUNT_HASH_EMPTY;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        hash = shunt_hash_value(hash, (uint64_t)numbers[i]);
    for (int i = 0; i < s->layout_count; i++)
        hash = shunt_hash_value(hash, (uint64_t)s->layout[i]);
    hash = shunt_hash_text(shunt_hash_text(hash, s->force), s->config);
    if (s->communicators)
        hash = shunt_hash_text(hash, s->communicators);
    return (
        int64_t)(hash >>
                 1); /* never negative: it is compared through a maximum and a negated maximum */
}

static atomic_bool duplicates;

void shunt_process_note_duplicate(void)
{
    atomic_store(&duplicates, true);
}

bool shunt_process_has_duplicates(void)
{
    return atomic_load(&duplicates);
}

static uint64_t id_base;

/* Random, for jobs grow: two worlds that are joined later have the same ranks. */
static void seed_ids(void)
{
    struct timespec t;
    if (getrandom(&id_base, sizeof id_base, GRND_NONBLOCK) == (ssize_t)sizeof id_base)
        return;
    clock_gettime(CLOCK_MONOTONIC, &t);
    id_base = ((uint64_t)t.tv_nsec << 32 ^ (uint64_t)t.tv_sec ^ (uint64_t)getpid() << 16) +
              (uint64_t)world_rank;
}

int64_t shunt_process_new_id(void)
{
    static _Atomic uint64_t given;
    static pthread_once_t seeded = PTHREAD_ONCE_INIT;
    pthread_once(&seeded, seed_ids);
    const uint64_t id = shunt_hash_mix(id_base + atomic_fetch_add(&given, 1)) >> 1;
    return (int64_t)(id ? id : 1);
}
