/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * settings.h: what the variables SHUNT_* say. libshunt.so reads them once per process, the command
 * `shunt` where it asks.
 */
#ifndef SHUNT_ROUTE_SETTINGS_H
#define SHUNT_ROUTE_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/size.h"
#include "route/table.h"

enum shunt_strict { SHUNT_STRICT_OFF, SHUNT_STRICT_WARN, SHUNT_STRICT_ERROR };
enum shunt_log_level { SHUNT_LOG_OFF, SHUNT_LOG_SUMMARY, SHUNT_LOG_CALLS };
enum shunt_log_format { SHUNT_LOG_HUMAN, SHUNT_LOG_JSON };

#define SHUNT_LAYOUT_MAX 64

struct shunt_settings {
    /* of the communicator's rank 0, when it is set up; disable: of any rank */
    bool disable;             /* SHUNT_DISABLE=1 */
    bool verify;              /* SHUNT_VERIFY=1 */
    enum shunt_strict strict; /* SHUNT_STRICT=off|warn|error: what a bad table or SHUNT_FORCE does;
                                 off: silent, native */
    int64_t warmup;           /* SHUNT_WARMUP=calls; -1: as the table's policy says */
    int64_t memory;           /* SHUNT_MEMORY=bytes (K/M/G); -1: as the table's policy says */
    int learn;                /* SHUNT_LEARN=off|suggest|on: enum shunt_learning; -1: as the table's
                                 policy says */
    int guard;                /* SHUNT_GUARD=0|1; -1: as the table's policy says */
    int layout_count;         /* SHUNT_TEST_LAYOUT=3,5,8,1; 0: not set */
    int layout[SHUNT_LAYOUT_MAX];
    bool layout_cyclic;        /* SHUNT_TEST_LAYOUT=cyclic:3,5: ranks are dealt in turn */
    const char *communicators; /* SHUNT_TEST_COMMUNICATORS, or NULL: comm/named.h */
    const char *force;         /* SHUNT_FORCE, or NULL; points into `environment` */
    const char *config;        /* SHUNT_CONFIG, or NULL */
    /* local */
    bool ptracer; /* SHUNT_PTRACER=any: neighbours may read this process where the system lets only
                     parents do so */
    double watchdog; /* SHUNT_WATCHDOG=seconds before a wait is reported; default 30; 0: never */
    /* SHUNT_LOG=off|start|summary|calls; default off; start is off, but for `start`: the path of
     * calls sees no difference. Where rank 0 has calls, clocks are compared, whatever others have
     */
    enum shunt_log_level log;
    bool start; /* any other SHUNT_LOG than off: rank 0 says at its first call what is active */
    enum shunt_log_format log_format; /* SHUNT_LOG_FORMAT=human|json; default: json when the file
                                         pattern ends in .json or .jsonl */
    const char *log_file;             /* SHUNT_LOG_FILE=pattern, log/output.h; NULL: stderr */
    const char *log_ranks; /* SHUNT_LOG_RANKS=0,3-7,all (world ranks whose calls are logged; default
                              all in files with %r or %p, 0 otherwise) */
    bool log_phases;       /* SHUNT_LOG_PHASES=1: what the time of each call went into */
    bool log_counts;       /* SHUNT_LOG_COUNTS=1: the bytes that each call sends to each rank */
    bool log_sites;        /* SHUNT_LOG_SITES=1: where in the program each call was made */
    int64_t log_size;      /* SHUNT_LOG_SIZE=bytes (K/M/G) per file; default 64M */
};

/*
 * Reads `environment` (base/environment.h). Every wrong value and every unknown SHUNT_ variable
 * (with the nearest known name) adds a problem; a wrong value leaves the default. Strings point
 * into `environment`.
 */
void shunt_settings_read(struct shunt_settings *settings, char *const *environment,
                         struct shunt_diagnostics *diagnostics);

/* One variable, for people. */
struct shunt_setting {
    const char *name;
    const char *expects; /* which values it may have */
    const char *preset;  /* what counts where it is not set */
    const char *meaning; /* in one line */
};

/* Those that there are, in the order of the manual; NULL behind the last one. */
const struct shunt_setting *shunt_setting_row(size_t index);
/* Whether a row's variable may have that value. */
bool shunt_setting_understood(const struct shunt_setting *setting, const char *value);

/* "4K" -> 4096: digits with an optional K, M or G (binary). Returns false when it is anything else
 * or too large. */
bool shunt_size_parse(const char *text, int64_t *bytes);
/* "0,3-7" or "all": whether `rank` is in it; a NULL list has everything. */
bool shunt_ranks_contain(const char *list, int rank);

#endif
