/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tables.c: the decision tables of this process.
 *
 * Files are read at most once per process, and only where a communicator's rank 0 needs its table; everybody else receives it. The parser
 * and libconfig live in a module that is loaded at that moment, so a node without libconfig still runs the program. Tables are few and live
 * as long as the process: maps of communicators point into them.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "communicator/comm.h"
#include "log/log.h"
#include "route/parse.h"

struct known {
    struct known *next;
    struct shunt_table *table;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* never held across a PMPI call */
static struct known *tables;
static const struct shunt_table *own, *own_force;
static enum shunt_table_state own_state = SHUNT_TABLE_NONE, force_state = SHUNT_TABLE_NONE;
static bool own_tried, force_tried;

static void say_problems(const struct shunt_problems *problems)
{
    for (size_t i = 0; i < problems->count; i++)
        fprintf(stderr, "shunt: %s\n", problems->text[i]);
}

/* The caller holds the lock. */
static const struct shunt_table *keep(struct shunt_table *table)
{
    for (const struct known *k = tables; k; k = k->next) {
        if (k->table->fingerprint == table->fingerprint && k->table->bytes == table->bytes) {
            free(table);
            return k->table;
        }
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

/* The module's search function. It lies beside libshunt.so (build tree) or in its folder "shunt" (installed). */
static shunt_parse_search_fn load_parser(void)
{
    Dl_info info;
    char directory[4096] = SHUNT_LIBDIR;
    if (dladdr((const void *)(uintptr_t)&shunt_tables_find, &info) && info.dli_fname && strrchr(info.dli_fname, '/'))
        snprintf(directory, sizeof directory, "%.*s", (int)(strrchr(info.dli_fname, '/') - info.dli_fname), info.dli_fname);
    static const char *const places[] = {"shunt/shunt-table.so", "shunt-table.so"};
    char reason[1024] = "";
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        char path[4200];
        snprintf(path, sizeof path, "%s/%s", directory, places[i]);
        if (access(path, F_OK) != 0 && i == 0)
            continue;
        void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        const shunt_parse_search_fn *search = module ? (const shunt_parse_search_fn *)dlsym(module, SHUNT_PARSE_SYMBOL) : NULL;
        if (search)
            return *search;
        const char *error = dlerror();
        snprintf(reason, sizeof reason, "%s", error ? error : "of another version");
    }
    fprintf(stderr, "shunt: no decision table can be read, what SHUNT_FORCE does not name stays native: %s\n", reason);
    return NULL;
}

/* The caller holds the lock. */
static void read_own(void)
{
    struct shunt_problems problems = {0};
    char host[256] = "", user[4096] = "";
    const char *home = getenv("HOME"), *xdg = getenv("XDG_CONFIG_HOME");
    gethostname(host, sizeof host - 1);
    if (xdg && *xdg)
        snprintf(user, sizeof user, "%s/shunt", xdg);
    else if (home && *home)
        snprintf(user, sizeof user, "%s/.config/shunt", home);
    const struct shunt_parse_request request = {shunt_process_settings()->config, host, *user ? user : NULL, SHUNT_SYSCONFDIR "/shunt"};
    const shunt_parse_search_fn search = load_parser();
    if (!search)
        return; /* said already; as good as no table */
    own_state = SHUNT_TABLE_BAD;
    struct shunt_table *table = search(&request, &problems);
    if (table)
        own = keep(table);
    if (own)
        own_state = SHUNT_TABLE_READ;
    else if (shunt_process_settings()->strict != SHUNT_STRICT_OFF)
        say_problems(&problems);
    shunt_problems_clear(&problems);
}

const struct shunt_table *shunt_tables_own(enum shunt_table_state *state)
{
    pthread_mutex_lock(&lock);
    if (!own && !own_tried)
        read_own();
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
        struct shunt_problems problems = {0};
        struct shunt_table *table = shunt_table_from_force(text, &problems);
        own_force = table ? keep(table) : NULL;
        force_state = own_force ? SHUNT_TABLE_READ : SHUNT_TABLE_BAD;
        if (!own_force && shunt_process_settings()->strict != SHUNT_STRICT_OFF)
            say_problems(&problems);
        shunt_problems_clear(&problems);
    }
    force_tried = true;
    *state = force_state;
    const struct shunt_table *table = own_force;
    pthread_mutex_unlock(&lock);
    return table;
}

const struct shunt_table *shunt_tables_find(uint64_t fingerprint)
{
    const struct shunt_table *found = NULL;
    pthread_mutex_lock(&lock);
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
    if (kept && as_own && !own && !own_tried) {
        own = kept;
        own_state = SHUNT_TABLE_READ;
    }
    pthread_mutex_unlock(&lock);
    return kept;
}

const struct shunt_table *shunt_tables_builtin(void)
{
    return NULL;
}
