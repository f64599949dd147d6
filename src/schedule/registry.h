/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * registry.h: every algorithm that can be named in a decision table, one row each.
 *
 * What is valid in a table and in SHUNT_FORCE, the candidates of `shunt bench`, the sweeps of tests/unit/test_schedule.c and the lists of
 * `shunt algorithms` follow from these rows; the manual pages are written by hand. No MPI here: how an algorithm is executed follows from
 * `kind`.
 */
#ifndef SHUNT_SCHEDULE_REGISTRY_H
#define SHUNT_SCHEDULE_REGISTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "schedule/layout.h"
#include "schedule/schedule.h"

enum shunt_op { SHUNT_OP_ALLTOALL, SHUNT_OP_ALLTOALLV, SHUNT_OP_COUNT };

/* "alltoall", "alltoallv": as written in tables, FORCE and records. */
const char *shunt_op_name(enum shunt_op op);

enum shunt_param {
    SHUNT_PARAM_RADIX,
    SHUNT_PARAM_BATCH_SIZE,
    SHUNT_PARAM_METADATA,
    SHUNT_PARAM_LEADERS,
    SHUNT_PARAM_FRAGMENT, /* bytes */
    SHUNT_PARAM_COUNT
};

/*
 * Values of a rule, and of a set of parameters: one per parameter, then the radices of digit 1 and up, where each digit has its own.
 */
enum { SHUNT_VALUE_COUNT = (int)SHUNT_PARAM_COUNT + (int)SHUNT_RADIX_MOST - 1 };

/* Index of the radix of a digit, 0..SHUNT_RADIX_MOST-1. */
static inline int shunt_radix_index(int digit)
{
    return digit == 0 ? (int)SHUNT_PARAM_RADIX : (int)SHUNT_PARAM_COUNT + digit - 1;
}

/* "radix", "batch_size", "metadata", "leaders", "fragment". */
const char *shunt_param_name(enum shunt_param param);

/* Whether its values are sizes in bytes, printed with K, M or G. */
static inline bool shunt_param_is_size(enum shunt_param param)
{
    return param == SHUNT_PARAM_FRAGMENT;
}

/* How the lengths of forwarded blocks travel; values of SHUNT_PARAM_METADATA. */
enum shunt_metadata {
    SHUNT_METADATA_FUSED,   /* in front of the data, in the same message */
    SHUNT_METADATA_SEPARATE /* in a message of their own before it, as published */
};

/*
 * The values of a parameter that is chosen from words, in their order: value i is words[i]. NULL (and *count 0) for a parameter that is a
 * number. In a struct shunt_value a word is SHUNT_FORMULA_NUMBER with its place in this list.
 */
const char *const *shunt_param_words(enum shunt_param param, size_t *count);

/* The word for a value; NULL where the parameter is a number. */
const char *shunt_param_word(enum shunt_param param, int64_t value);

/* A number that may depend on the layout. Q is ppn_max. Square roots are rounded up. */
enum shunt_formula {
    SHUNT_FORMULA_NUMBER,
    SHUNT_FORMULA_P,
    SHUNT_FORMULA_Q,
    SHUNT_FORMULA_N,
    SHUNT_FORMULA_SQRT_P,
    SHUNT_FORMULA_SQRT_Q,
    SHUNT_FORMULA_P_LESS_1, /* bounds only: P - 1 */
    SHUNT_FORMULA_N_LESS_1, /* bounds only: N - 1 */
    SHUNT_FORMULA_REMOTE,   /* bounds only: (N - 1) * Q */
    SHUNT_FORMULA_GIB       /* bounds only: 1 GiB, the longest message */
};

struct shunt_value {
    enum shunt_formula formula;
    int64_t number; /* for SHUNT_FORMULA_NUMBER */
};

int64_t shunt_value_eval(struct shunt_value value, const struct shunt_layout *layout);

/* For a parameter that is chosen from words only `used` and `preset` are given; `min` stays 0, the first word. */
struct shunt_param_spec {
    bool used;
    bool list;                 /* one value per digit may be given */
    int64_t min;               /* smallest value; smaller numbers are errors in a table, formulas that come out smaller are raised to it */
    enum shunt_formula max;    /* largest useful value; larger ones are lowered to max(min, it) when a communicator is set up */
    struct shunt_value preset; /* when a rule does not name the parameter */
};

/* Parameter values after evaluation and clipping; 0 where the algorithm does not use the parameter. */
struct shunt_params {
    int64_t value[SHUNT_VALUE_COUNT];
};

/* The radices of an algorithm that takes them. */
struct shunt_radices shunt_params_radices(const struct shunt_params *params);

/* One parameter as it is written in SHUNT_FORCE: "16", "4x2x8", "fused". Returns the length, as snprintf. */
int shunt_param_print(const struct shunt_params *params, enum shunt_param param, char *text, size_t room);

enum shunt_kind {
    SHUNT_KIND_NATIVE,  /* the library's own, through PMPI */
    SHUNT_KIND_DIRECT,  /* every message is one user block: user datatypes go straight to the library, no agreement needed */
    SHUNT_KIND_SEGMENT, /* through memory shared by the ranks of a node; the schedule is one of nodes: their bundles are its blocks */
    SHUNT_KIND_COLLECT, /* the same inside nodes; between them messages from rank to rank; a place to send from is a neighbour */
    SHUNT_KIND_READ,    /* straight from the memory of the neighbour; the schedule is that of messages, should the system refuse */
    SHUNT_KIND_FORWARD, /* blocks travel in aggregated messages through other ranks; Alltoallv agrees on the largest block first */
    SHUNT_KIND_PADDED,  /* the same with every block padded to the largest, so that no lengths travel */
    SHUNT_KIND_LIBRARY, /* the library's own Alltoall of padded copies: no schedule */
    SHUNT_KIND_DATATYPE /* messages are datatypes over the places of their blocks; Alltoall only; rounds read no send block of the user */
};

/* Whether the kind needs memory that the ranks of a node share. */
bool shunt_kind_shares(enum shunt_kind kind);
/* Whether the agreement of an Alltoallv can travel with the blocks of this kind. */
bool shunt_kind_joins(enum shunt_kind kind);
/* Whether an Alltoallv of this kind needs an agreement on sizes: before it, or, where the kind joins, with the blocks. */
bool shunt_kind_agrees(enum shunt_kind kind);

struct shunt_algorithm {
    const char *name;     /* unique; lower case, dashes */
    const char *alias;    /* another name under which tables may know it, or NULL */
    const char *summary;  /* one line, no full stop */
    const char *when;     /* when to use it, one line */
    const char *citation; /* paper and section */
    enum shunt_kind kind;
    bool in_slots; /* by definition blocks wait in slots and lengths have messages of their own: there is no parameter metadata */
    unsigned ops;  /* bit (1 << op) set: can serve the operation */
    struct shunt_param_spec params[SHUNT_PARAM_COUNT];
    /* Schedule of one rank; NULL where the library has its own. Same returns as the builders of schedule.h. */
    int (*build)(struct shunt_schedule *schedule, const struct shunt_layout *layout, int rank, const struct shunt_params *params);
    /*
     * Why the algorithm cannot serve this layout, a constant string, or NULL when it can. Evaluates only what is equal on all ranks.
     * A NULL pointer: always feasible.
     */
    const char *(*infeasible)(const struct shunt_layout *layout, const struct shunt_params *params);
    /*
     * Upper bound over all ranks of the scratch memory that one call can touch, in bytes, for blocks of at most `block` bytes: temporary
     * slots plus one round's messages; or, where this is less, the messages that are kept instead of slots, plus one round's. Equal on all
     * ranks and never decreasing in `block`; INT64_MAX when it does not fit. NULL: none.
     */
    int64_t (*memory)(const struct shunt_layout *layout, const struct shunt_params *params, int64_t block);
    /*
     * For forwarding rows that can keep messages where they arrived: upper bound over all ranks of the blocks that are kept and of one
     * round's messages. Where shunt_registry_kept says that these are more than allowed, blocks wait in slots. NULL: always in slots.
     */
    int64_t (*kept)(const struct shunt_layout *layout, const struct shunt_params *params);
};

/* Most scratch bytes that go with each kept block for its length, which is in front of the data: 8 and a bit. */
enum { SHUNT_LENGTH_FUSED = 9 };

/* Bytes of a length in a message of its own: 4 as published, where that is enough for the largest block. */
static inline int64_t shunt_length_bytes(int64_t block)
{
    return block <= UINT32_MAX ? (int64_t)sizeof(uint32_t) : (int64_t)sizeof(int64_t);
}

/* Scratch bytes that go with each block of a message for its length where blocks wait in slots: 0 where all have the same. */
int64_t shunt_registry_length(const struct shunt_algorithm *algorithm, int64_t block);

/* The largest block with which no more than `memory` bytes of kept messages are touched; -1: none, as for rows that work in slots only. */
int64_t shunt_registry_kept(const struct shunt_algorithm *algorithm, const struct shunt_layout *layout, const struct shunt_params *params,
                            int64_t memory);

/* Whether forwarded blocks are copied into slots (and lengths, where any travel, have messages of their own), as published. */
bool shunt_registry_separate(const struct shunt_algorithm *algorithm, const struct shunt_params *params);

/* The same in all builds whose rows have the same names, order, kinds and parameters; positive. */
int64_t shunt_registry_fingerprint(void);

/* All rows; the first is "native". */
const struct shunt_algorithm *shunt_registry_rows(size_t *count);

/* The row of that name or alias, or NULL. */
const struct shunt_algorithm *shunt_registry_find(const char *name);

/* Index of a row, for storing in tables; and back (NULL when out of range). */
int shunt_registry_index(const struct shunt_algorithm *algorithm);
const struct shunt_algorithm *shunt_registry_row(int index);

/*
 * Evaluates and clips: value[i] is given[i] where `present` has bit i, the preset otherwise; then lowered to max(spec.min, max) and
 * raised to spec.min. Unused parameters become 0.
 * A list of radices: values below 2 are left out (a digit with one value says nothing: "Q" on one rank per node), each is lowered to what
 * the digits below leave to do, and what comes after the last digit needed is left out.
 */
struct shunt_params shunt_registry_params(const struct shunt_algorithm *algorithm, unsigned present, const struct shunt_value *given,
                                          const struct shunt_layout *layout);

#endif
