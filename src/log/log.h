/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * log.h: one record per call, a summary at the end. Purely local: never communicates, never changes
 * a decision, never fails the application.
 *
 * Thread safe. With the level off nothing here is called on the hot path.
 */
#ifndef SHUNT_LOG_LOG_H
#define SHUNT_LOG_LOG_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* A rule that was passed over, for JSON records. */
struct shunt_log_rejected {
    const char *rule_file, *rule_id;
    int rule_line;
    const char *reason;
};

/* A part of a call's time: "agreement", "copy", ... */
struct shunt_log_phase {
    const char *name;
    double seconds;
};

struct shunt_record {
    double arrival;           /* when this rank came to the call: seconds, CLOCK_MONOTONIC */
    uint64_t call;            /* number of the call on its communicator, from 1 */
    const char *operation;    /* "alltoall", "alltoallv" */
    const char *communicator; /* its name, or "" */
    /* of the communicator: the same on all its ranks, no other of the job has it; for processes
     * without a common MPI_COMM_WORLD see journal.h */
    uint64_t communicator_id;
    int ranks, nodes, ppn; /* P, N, Q (largest); 0 when not known (before set-up) */
    /* bytes of the largest block; Alltoallv without agreement: of this rank; -1 unknown */
    int64_t max;
    double mean;           /* mean bytes per block; -1 unknown */
    double filled;         /* share of the blocks this rank sends that are not empty; -1 unknown */
    uint64_t bytes;        /* sent by this rank */
    const char *algorithm; /* "native", ... */
    const char *params;    /* "radix=4 batch_size=16" or "" */
    const char *rule_file; /* NULL: no rule */
    int rule_line;
    const char *rule_id;
    const char *reason; /* why native although no rule said so ("warm-up", "counts do not match",
                           ...), or NULL */
    bool warmup;        /* before the communicator was set up: native by design */
    double seconds;     /* of the whole call */
    double native;      /* seconds of the library's own exchange, made to compare; 0: not made */
    double agreement;   /* seconds of the agreement within it; 0 when there was none */
    int64_t memory;     /* scratch bytes in use for this communicator */
    int error;          /* MPI error class returned; 0: success */
    const struct shunt_log_rejected *rejected; /* array of rejected_count, or NULL */
    int rejected_count;
    const struct shunt_log_phase *phases; /* array of phase_count; NULL: nobody asked */
    int phase_count;
    const int64_t *send_bytes; /* array of `ranks`: bytes to each; NULL: nobody asked */
    /* bytes of the largest block that this rank sends, whatever others send; -1 unknown */
    int64_t largest_sent;
    /* of `seconds`, those that are not the exchange itself: checking, announcements */
    double aside;
    double set_up; /* seconds of set-up just before the call, which are not in `seconds` */
};

/* Whether an algorithm of ours carried the call out. */
static inline bool shunt_record_is_routed(const struct shunt_record *record)
{
    return record->algorithm && strcmp(record->algorithm, "native") != 0;
}

/* A decision table. Strings are kept as pointers. */
struct shunt_log_table {
    const char *source, *machine; /* machine: "" without a name */
    uint64_t fingerprint;
};

struct shunt_log_options {
    int level; /* enum shunt_log_level as int: 0 off, 1 summary, 2 calls */
    bool json;
    const char *file; /* pattern, NULL: stderr. %j job, %h host, %r world rank, %p pid, %% */
    bool calls_here;  /* this rank's calls are to be written (SHUNT_LOG_RANKS already evaluated) */
    int64_t size;   /* cap in bytes of what this process writes, the summary not counted; 0: none */
    int world_rank; /* -1 when there is no world */
    int world_size;
    const char *library; /* the MPI library and its version, NULL: not known */
};

/* Opens the log of this process; copies what it needs. A file that cannot be opened costs one
 * warning on stderr; the summary goes there. */
void shunt_log_open(const struct shunt_log_options *options);

/* The table of this process, for the first line of the log; before anything is written. */
void shunt_log_table(const struct shunt_log_table *table);

/* A communicator that was set up. */
struct shunt_log_communicator {
    double arrival;   /* of this rank at the call that set it up: as in struct shunt_record */
    const char *name; /* or "" */
    uint64_t id;      /* as in struct shunt_record */
    int ranks, nodes, ppn_min, ppn_max;
    const int *node_first;               /* array of nodes + 1: sums of the ranks of the nodes */
    const struct shunt_log_table *table; /* that decides; NULL: none */
};
void shunt_log_communicator(const struct shunt_log_communicator *communicator);

/*
 * Clocks, in nanoseconds. What is to be added to CLOCK_MONOTONIC for the time since 1970 by this
 * process's clock, as it was when the log was opened; 0 without a log. From the call of
 * shunt_log_clock on, `offset` is added to that, so that it agrees with the clock of another
 * process but for `uncertainty`.
 */
int64_t shunt_log_clock_base(void);
void shunt_log_clock(int64_t offset, int64_t uncertainty);

/* One call. Adds it to the summary; writes it when the level is calls and calls_here. */
void shunt_log_call(const struct shunt_record *record);

/* A call that Shunt passes through without looking: counted by MPI function name (a constant
 * string, kept as pointer). Lock free. */
void shunt_log_passed(const char *function);

/* Rules of a table in use, so that the summary can name those that never matched. May be called
 * often with the same rule. */
void shunt_log_rule_known(const char *rule_file, int rule_line, const char *rule_id,
                          const char *operation);

/* A table of this process, for the summary. `used`: some communicator goes by it. May be told
 * often. */
void shunt_log_table_known(const struct shunt_log_table *table, bool used);

/* One line for the user, on stderr, prefixed "shunt: "; said at most once per process for the same
 * text. */
void shunt_log_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Writes what is buffered. */
void shunt_log_flush(void);

/*
 * Writes the summary (once; world rank 0 on stderr, every rank into its own file) and closes. Does
 * nothing in a process other than the one that opened the log (forked children).
 */
void shunt_log_close(void);

#endif
