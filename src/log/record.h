/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record.h: what the log is told: of a call, of a table, of a communicator. Strings and arrays are
 * the caller's; they have to stay until the function that takes the record returns, unless it says
 * more.
 */
#ifndef SHUNT_LOG_RECORD_H
#define SHUNT_LOG_RECORD_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* The first exchanges of the library on a communicator are slower than later ones, up to
 * twentyfold: it connects, and its queues lie in pages that are new. (MPICH 4.0.2 with UCX, two
 * ranks of a node, 1 KiB: 20 us up to the 64th, then 1 us; Open MPI 4.1.4 up to the 20th.) */
enum { SHUNT_LOG_SETTLED = 64 };

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

/* The reason of calls that are routed although no rule took them. */
#define SHUNT_LOG_MODEL "model"
#define SHUNT_LOG_LEARNED "learned"
/* What the reason of native calls begins with that no rule of the table took. */
#define SHUNT_LOG_NO_RULE "no rule matched"
/* The reasons of native calls that are made in turn with routed ones, to compare their times. */
#define SHUNT_LOG_IN_TURN "native is timed beside what the table chose"
#define SHUNT_LOG_TRIALS SHUNT_LOG_NO_RULE ", and trials are under way"

struct shunt_record {
    int64_t arrival;          /* when this rank came to the call: nanoseconds, CLOCK_MONOTONIC */
    uint64_t call;            /* number of the call on its communicator, from 1 */
    const char *operation;    /* "alltoall", "alltoallv" */
    const char *communicator; /* its name, or "" */
    /* of the communicator: the same on all its ranks, no other of the job has it; for processes
     * without a common MPI_COMM_WORLD see comm_log.h */
    uint64_t communicator_id;
    int ranks, nodes, ppn; /* P, N, Q (largest); 0 when not known (before set-up) */
    /* bytes of the largest block; Alltoallv without agreement: of this rank; -1 unknown */
    int64_t max;
    double mean;           /* mean bytes per block; -1 unknown */
    double filled;         /* share of the blocks this rank sends that are not empty; -1 unknown */
    int density;           /* of all ranks' blocks, percent, as rules test it; -1 unknown */
    uint64_t bytes;        /* sent by this rank */
    const char *algorithm; /* "native", ... */
    const char *params;    /* "radix=4 batch_size=16" or "" */
    const char *rule_file; /* NULL: no rule */
    int rule_line;
    const char *rule_id;
    /* why native although no rule said so ("warm-up", "counts do not match", ...); SHUNT_LOG_MODEL:
     * routed by the model; SHUNT_LOG_LEARNED: by what was learned; or NULL */
    const char *reason;
    /* native, as the last rule says: without conditions, it stands for what nobody thought of */
    bool rest;
    double gain; /* with that: so many times less than native is predicted; 0: not known */
    bool warmup; /* before the communicator was set up: native by design */
    /* the library made SHUNT_LOG_SETTLED exchanges on the communicator before: its times are those
     * of a long run */
    bool settled;
    double seconds; /* of the whole call */
    double native;  /* seconds of the library's own exchange, made to compare; 0: not made */
    /* seconds of the agreement within it; 0 when there was none, -1 unknown: it came with the
     * blocks */
    double agreement;
    int64_t memory;                            /* scratch bytes in use for this communicator */
    int error;                                 /* MPI error class returned; 0: success */
    const struct shunt_log_rejected *rejected; /* array of rejected_count, or NULL */
    int rejected_count;
    const struct shunt_log_phase *phases; /* array of phase_count; NULL: nobody asked */
    int phase_count;
    const int64_t *send_bytes; /* array of `ranks`: bytes to each; NULL: nobody asked */
    /* bytes of the largest block that this rank sends, whatever others send; -1 unknown */
    int64_t largest_sent;
    /* of `seconds`, those that are not the exchange itself: checking, what rank 0 says before
     * set-up */
    double aside;
    double set_up; /* seconds of set-up just before the call, which are not in `seconds` */
    /* where the program made the call, as in log/site.h; NULL: nobody asked, or not known */
    const char *site, *symbol;
};

/* Whether an algorithm of ours carried the call out. */
static inline bool shunt_record_is_routed(const struct shunt_record *record)
{
    return record->algorithm && strcmp(record->algorithm, "native") != 0;
}

/* Seconds that no native run would have spent: set-up, and what rank 0 says before it. */
static inline double shunt_record_cost(const struct shunt_record *record)
{
    return record->set_up + (record->warmup ? record->aside : 0);
}

/* Whether its time is one of the library's own that routed calls may be held against. */
static inline bool shunt_record_is_in_turn(const struct shunt_record *record)
{
    return record->reason && (strcmp(record->reason, SHUNT_LOG_IN_TURN) == 0 ||
                              strcmp(record->reason, SHUNT_LOG_TRIALS) == 0);
}

/* A decision table. Strings are kept as pointers. */
struct shunt_log_table {
    const char *source, *machine; /* machine: "" without a name */
    uint64_t fingerprint;
};

/* A communicator that was set up. */
struct shunt_log_communicator {
    int64_t arrival;  /* of this rank at the call that set it up: as in struct shunt_record */
    const char *name; /* or "" */
    uint64_t id;      /* as in struct shunt_record */
    int ranks, nodes, ppn_min, ppn_max;
    bool oversubscribed;   /* some node has more ranks than processors that they may use */
    const int *node_first; /* array of nodes + 1: sums of the ranks of the nodes */
    const struct shunt_log_table *table; /* that decides; NULL: none */
};

#endif
