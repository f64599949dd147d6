/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shuffle.h: relations whose pairs are dealt to the ranks by a hash, and the exchange of new pairs
 * in each iteration of a fixpoint: MPI_Alltoall for their numbers, then MPI_Alltoallv. What paths
 * and points share; plain MPI that knows nothing of Shunt.
 *
 * An iteration calls shuffle_emit for every pair twice, in the same order: between shuffle_count
 * and shuffle_place, when pairs are counted, and between shuffle_place and shuffle_exchange, when
 * they are written where they belong. Then in.pairs are those that arrived.
 */
#ifndef SHUNT_TESTS_SHUFFLE_H
#define SHUNT_TESTS_SHUFFLE_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pairs.h"

/* A set of pairs: open addressing, linear probing, at most 5/8 full. */
struct set {
    pair_t *slots; /* SET_EMPTY where nothing is */
    size_t mask;   /* slots - 1; their number is a power of two */
    size_t count;
};

#define SET_EMPTY UINT64_MAX

struct shuffle {
    MPI_Comm comm;
    const char *program; /* for messages */
    int rank, size;
    struct list out;  /* by destination */
    struct list in;   /* what arrived */
    bool placing;     /* whether pairs are written, or only counted */
    size_t *fill;     /* per rank: pairs, then where the next one goes */
    int *counts[2];   /* per rank, in pairs: [0] to send, [1] to receive */
    int *displs[2];   /* likewise */
    uint64_t calls;   /* of all-to-all */
    double exchanged; /* seconds of this rank in them */
};

/* Ends the job: for what cannot be agreed on beforehand, such as lack of memory on one rank. */
void shuffle_die(const struct shuffle *shuffle, const char *format, ...)
    __attribute__((noreturn, format(printf, 2, 3)));
/* Ends the job where `memory` is NULL; else returns it. */
void *shuffle_need(const struct shuffle *shuffle, void *memory);

void shuffle_open(struct shuffle *shuffle, MPI_Comm comm, const char *program);
void shuffle_close(struct shuffle *shuffle);

/* The rank that owns what has this number. */
static inline int shuffle_owner(const struct shuffle *shuffle, uint32_t number)
{
    return (int)(hash64(number) % (uint64_t)shuffle->size);
}

void shuffle_count(struct shuffle *shuffle);
void shuffle_place(struct shuffle *shuffle);
void shuffle_exchange(struct shuffle *shuffle);

static inline void shuffle_emit(struct shuffle *shuffle, int to, pair_t pair)
{
    size_t at = shuffle->fill[to]++;
    if (shuffle->placing)
        shuffle->out.pairs[at] = pair;
}

/* Over all ranks. */
uint64_t shuffle_sum(const struct shuffle *shuffle, uint64_t value);

/* Rank 0, which alone has pairs, sends them to all in pieces: returns how many are in the next one
 * (0: no more) and sets *piece to them. *done counts from 0; `room` has SHUFFLE_PIECE pairs. */
#define SHUFFLE_PIECE ((size_t)1 << 17)
size_t shuffle_share(const struct shuffle *shuffle, pair_t *pairs, uint64_t count, uint64_t *done,
                     pair_t *room, pair_t **piece);

/* Seconds of `mine` and in all-to-all, as rank 0 prints them: the most of any rank of the first,
 * the mean over the ranks of the second. Every rank calls it. */
void shuffle_print_seconds(const struct shuffle *shuffle, double mine);

void list_add(const struct shuffle *shuffle, struct list *list, pair_t pair);
void set_make(const struct shuffle *shuffle, struct set *set);
/* Whether the pair is new. */
bool set_add(const struct shuffle *shuffle, struct set *set, pair_t pair);
/* Sum of hash64 over the pairs, modulo 2^64: does not depend on order. */
uint64_t set_checksum(const struct set *set);

#endif
