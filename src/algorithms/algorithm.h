/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * algorithm.h: what is said of an algorithm. Each has a file of its own in this folder, which ends
 * with its row; how rows are executed follows from their kind. No MPI here.
 */
#ifndef SHUNT_ALGORITHMS_ALGORITHM_H
#define SHUNT_ALGORITHMS_ALGORITHM_H

#include <stdbool.h>
#include <stdint.h>

#include "algorithms/operation.h"
#include "algorithms/parameter.h"
#include "schedule/layout.h"
#include "schedule/schedule.h"

enum shunt_kind {
    SHUNT_KIND_NATIVE,  /* the library's own, through PMPI */
    SHUNT_KIND_DIRECT,  /* every message is one user block: user datatypes go straight to the
                           library, no agreement needed */
    SHUNT_KIND_SEGMENT, /* through memory shared by the ranks of a node; the schedule is one of
                           nodes: their bundles are its blocks */
    SHUNT_KIND_COLLECT, /* the same inside nodes; between them messages from rank to rank; a place
                           to send from is a neighbour */
    SHUNT_KIND_READ, /* straight from the memory of the neighbour; the schedule is that of messages,
                        should the system refuse */
    SHUNT_KIND_FORWARD, /* blocks travel in aggregated messages through other ranks; Alltoallv
                           agrees on the largest block first */
    SHUNT_KIND_PADDED, /* the same with every block padded to the largest, so that no lengths travel
                        */
    SHUNT_KIND_LIBRARY, /* the library's own Alltoall of padded copies: no schedule */
    SHUNT_KIND_DATATYPE /* messages are datatypes over the places of their blocks; Alltoall only;
                           rounds read no send block of the user */
};

/* Whether the kind needs memory that the ranks of a node share. */
static inline bool shunt_kind_shares(enum shunt_kind kind)
{
    return kind == SHUNT_KIND_SEGMENT || kind == SHUNT_KIND_COLLECT || kind == SHUNT_KIND_READ;
}

/* Whether the agreement of an Alltoallv can go with the blocks of this kind. */
static inline bool shunt_kind_joins(enum shunt_kind kind)
{
    return kind == SHUNT_KIND_SEGMENT || kind == SHUNT_KIND_COLLECT;
}

/* Whether an Alltoallv of this kind needs an agreement on sizes: before it, or, where the kind
 * joins, with the blocks. */
static inline bool shunt_kind_agrees(enum shunt_kind kind)
{
    return kind != SHUNT_KIND_NATIVE && kind != SHUNT_KIND_DIRECT;
}

struct shunt_algorithm {
    const char *name;     /* unique; lower case, dashes */
    const char *alias;    /* another name under which tables may know it, or NULL */
    const char *summary;  /* one line, no full stop */
    const char *when;     /* when to use it, one line */
    const char *citation; /* paper and section */
    enum shunt_kind kind;
    bool in_slots; /* by definition blocks wait in slots and lengths have messages of their own:
                      there is no parameter metadata */
    unsigned ops;  /* bit (1 << op) set: can serve the operation */
    struct shunt_param_spec params[SHUNT_PARAM_COUNT];
    /* Schedule of one rank; NULL where the library has its own. Same returns as the builders of
     * schedule.h. */
    int (*build)(struct shunt_schedule *schedule, const struct shunt_layout *layout, int rank,
                 const struct shunt_params *params);
    /*
     * Why the algorithm cannot serve this layout, a constant string, or NULL when it can. Evaluates
     * only what is equal on all ranks. A NULL pointer: always feasible.
     */
    const char *(*infeasible)(const struct shunt_layout *layout, const struct shunt_params *params);
    /*
     * Upper bound over all ranks of the scratch memory that one call can touch, in bytes, for
     * blocks of at most `block` bytes: temporary slots plus one round's messages; or, where this is
     * less, the messages that are kept instead of slots, plus one round's. Equal on all ranks and
     * never decreasing in `block`; INT64_MAX when it does not fit. NULL: none.
     */
    int64_t (*memory)(const struct shunt_layout *layout, const struct shunt_params *params,
                      int64_t block);
    /*
     * For forwarding rows that can keep messages where they arrived: upper bound over all ranks of
     * the blocks that are kept and of one round's messages. Where shunt_algorithm_kept says that
     * these are more than allowed, blocks wait in slots. NULL: always in slots.
     */
    int64_t (*kept)(const struct shunt_layout *layout, const struct shunt_params *params);
};

/* Most scratch bytes that go with each kept block for its length, which is in front of the data: 8
 * and a bit. */
enum { SHUNT_LENGTH_FUSED = 9 };

/* Whether blocks are exchanged inside nodes first, in rounds of a radix among the ranks of a node,
 * and between nodes then. */
static inline bool shunt_algorithm_by_node(const struct shunt_algorithm *algorithm)
{
    return algorithm->params[SHUNT_PARAM_RADIX].used &&
           algorithm->params[SHUNT_PARAM_RADIX].max == SHUNT_FORMULA_Q;
}

/* Bytes of a length in a message of its own: 4 as published, where that is enough for the largest
 * block. */
static inline int64_t shunt_length_bytes(int64_t block)
{
    return block <= UINT32_MAX ? (int64_t)sizeof(uint32_t) : (int64_t)sizeof(int64_t);
}

/* Scratch bytes that go with each block of a message for its length where blocks wait in slots: 0
 * where all have the same. */
int64_t shunt_algorithm_length(const struct shunt_algorithm *algorithm, int64_t block);

/* The largest block with which no more than `memory` bytes of kept messages are touched; -1: none,
 * as for rows that work in slots only. */
int64_t shunt_algorithm_kept(const struct shunt_algorithm *algorithm,
                             const struct shunt_layout *layout, const struct shunt_params *params,
                             int64_t memory);

/* Whether forwarded blocks are copied into slots (and lengths, where any travel, have messages of
 * their own), as published. */
bool shunt_algorithm_separate(const struct shunt_algorithm *algorithm,
                              const struct shunt_params *params);

#endif
