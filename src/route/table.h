/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * table.h: a decision table in memory.
 *
 * A table is one contiguous, position-independent piece of memory without pointers, so that it can
 * be sent to another process as bytes and compared by fingerprint. It is made by route/parse.h
 * (libconfig) or by shunt_table_from_force, and never changed afterwards.
 */
#ifndef SHUNT_ROUTE_TABLE_H
#define SHUNT_ROUTE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "algorithms/registry.h"
#include "model/choose.h"
#include "model/machine.h"

/* Inclusive. Open ends are 0 and INT64_MAX. */
struct shunt_range {
    int64_t low, high;
};

/*
 * How many of the P * P blocks of a call are not empty, in percent, rounded up: 0 only where
 * nothing is sent at all, and at most 50 where at most half of the blocks have something in them.
 * The same on all ranks, for `blocks` is agreed. Integers alone; P below 2^28.
 */
enum { SHUNT_DENSITY_FULL = 100 };
static inline int shunt_density(uint64_t blocks, int ranks)
{
    const uint64_t all = (uint64_t)ranks * (uint64_t)ranks;
    return blocks >= all ? SHUNT_DENSITY_FULL
                         : (int)((SHUNT_DENSITY_FULL * blocks + all - 1) / all);
}

/* Calls that a rule takes: all; those of jobs with a processor for each rank; the others. */
enum shunt_crowd { SHUNT_CROWD_ANY, SHUNT_CROWD_NO, SHUNT_CROWD_YES, SHUNT_CROWD_COUNT };

struct shunt_rule {
    /* offset in the table's bytes of a NUL-terminated string; "" when the rule has none */
    uint32_t id;
    uint32_t file;     /* likewise: full name of the file the rule was read from */
    int32_t line;      /* line of the rule in that file; 0: not from a file */
    int32_t algorithm; /* shunt_registry_index */
    struct shunt_range ranks, nodes, ppn, block; /* ppn: every node must lie within; block: bytes
                                                    per destination, Alltoallv: the largest */
    struct shunt_range density; /* percent, see shunt_density; of an Alltoallv alone */
    int64_t memory;             /* cap in bytes for this rule, INT64_MAX: none of its own */
    /* Learnt while programs ran: as many calls of its kind came on a communicator; 0: written by
     * people or `shunt tune`. */
    int64_t calls;
    uint32_t present; /* bit per value given */
    /* With that: the library took so many microseconds for one of them, on rank 0; 0: not known. */
    uint32_t native_us;
    /* 1: nobody has tried it, the model expects it to gain: no call follows it but those of
     * programs that learn. */
    uint16_t expected;
    /* 1: of a file that was made for this host by measurements with this MPI library. */
    uint16_t measured;
    uint32_t oversubscribed;                     /* enum shunt_crowd */
    struct shunt_value given[SHUNT_VALUE_COUNT]; /* see shunt_radix_index */
};

struct shunt_policy {
    int64_t warmup; /* calls of a communicator that stay native before it is set up; -1 (default):
                       until set-up pays */
    /* teams, and so private communicators, of a process; default 16 */
    int64_t max_communicators;
    int64_t memory;   /* scratch bytes per rank and communicator; default 256 MiB */
    int64_t no_match; /* enum shunt_no_match; default native */
    int64_t learn;    /* enum shunt_learning; default suggest */
    int64_t guard;    /* 1 (default): rules prove themselves against native, learn/learn_guard.h */
    int64_t adapt;    /* 1 (default): calls may be native without an agreement, comm/adapt.h */
    /* For the model's choice, see model/choose.h; default 3, and time alone. */
    double margin;
    double objective[SHUNT_OBJECTIVE_COUNT];
};

/* What becomes of calls that no rule takes. */
enum shunt_no_match { SHUNT_NO_MATCH_NATIVE, SHUNT_NO_MATCH_MODEL };

/* What is done about calls that stay native for want of a rule: nothing; the summary says what may
 * be gained; algorithms are tried, and what wins is kept. */
enum shunt_learning {
    SHUNT_LEARNING_OFF,
    SHUNT_LEARNING_SUGGEST,
    SHUNT_LEARNING_ON,
    SHUNT_LEARNING_COUNT
};

/* "off", "suggest", "on". */
const char *shunt_learning_name(enum shunt_learning learning);

struct shunt_table {
    uint64_t bytes;       /* of the whole table, this header included */
    uint64_t fingerprint; /* of everything after this field; equal tables have equal fingerprints */
    uint32_t format;      /* SHUNT_TABLE_FORMAT */
    uint32_t machine;     /* string offset: `machine.name`, or "" */
    uint32_t source;      /* string offset: where it came from: a path, "built-in", "SHUNT_FORCE" */
    uint32_t modelled;    /* 1: `model` describes the machine; 0: nothing does, and it is all 0 */
    struct shunt_policy policy;
    struct shunt_machine model; /* `machine.model`; every byte is set, also between its members */
    uint32_t rule_first[SHUNT_OP_COUNT]; /* index into rules[] */
    uint32_t rule_count[SHUNT_OP_COUNT];
    struct shunt_rule rules[]; /* then the strings */
};

#define SHUNT_TABLE_FORMAT 10u

static inline const char *shunt_table_string(const struct shunt_table *table, uint32_t offset)
{
    return (const char *)table + offset;
}

/* Whether `bytes` bytes at `table` (received from elsewhere) are a well-formed table with a right
 * fingerprint. */
bool shunt_table_valid(const struct shunt_table *table, size_t bytes);

/*
 * Whether the model chooses for calls of `op` that no rule takes. Only for MPI_Alltoall: how much
 * an MPI_Alltoallv moves is not known before its ranks have agreed on it, and by its largest block
 * alone a sparse or skewed one is predicted to take many times what it takes.
 */
bool shunt_table_chooses(const struct shunt_table *table, enum shunt_op op);

/* A default policy (the values documented above). */
struct shunt_policy shunt_policy_default(void);

/*
 * Assembles a table. Strings are copied, and the model (NULL: none) is; rules[op] are arrays of
 * rule_count[op] whose id and file fields index `strings` (array of string_count C strings; index 0
 * must be ""). The result is one malloc block; NULL when memory is short.
 */
struct shunt_table *shunt_table_make(const struct shunt_policy *policy, const char *machine,
                                     const struct shunt_machine *model, const char *source,
                                     const struct shunt_rule *const rules[SHUNT_OP_COUNT],
                                     const uint32_t rule_count[SHUNT_OP_COUNT],
                                     const char *const *strings, uint32_t string_count);

/* A list of problems found in user input. Each text is one line without newline: "site.cfg:9:
 * alltoallv rule \"middle\": unknown key ...".
 */
struct shunt_diagnostics {
    size_t count;
    char **text;
    const char *name; /* of the file whose problems are limited; NULL: none is being read */
    size_t limit;     /* with a name: so many texts at most, and one that says so */
};
/*
 * The problems of one file, until shunt_diagnostics_end: of the first 50 each gets its text, then
 * one says that there are more, for a file with so many is of another kind. Any problem adds to
 * `count` after the outermost begin. A file within one counts as part of it. `name` must stay.
 */
bool shunt_diagnostics_begin(struct shunt_diagnostics *diagnostics, const char *name);
/* began: what shunt_diagnostics_begin returned. */
void shunt_diagnostics_end(struct shunt_diagnostics *diagnostics, bool began);
/* Whether the last text says that there are more: reading on helps nobody. */
bool shunt_diagnostics_full(const struct shunt_diagnostics *diagnostics);
void shunt_diagnostics_add(struct shunt_diagnostics *diagnostics, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void shunt_diagnostics_clear(struct shunt_diagnostics *diagnostics);

/* The nearest of `count` names to `word` by edit distance, or NULL when none is near enough to
 * suggest. */
const char *shunt_nearest(const char *word, const char *const *names, size_t count);

/*
 * SHUNT_FORCE, "alltoall=bruck:radix=4,alltoallv=parlinna-coalesced:radix=4x2:batch_size=8": a
 * table with one rule per operation named (id "SHUNT_FORCE", no conditions, policy defaults). NULL
 * with problems added when the text is wrong; problems name SHUNT_FORCE, the word and the nearest
 * valid spelling.
 */
struct shunt_table *shunt_table_from_force(const char *text, struct shunt_diagnostics *diagnostics);

#endif
