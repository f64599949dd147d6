/* SPDX-License-Identifier: BSD-3-Clause */
/* shuffle.c: relations dealt by a hash, and the exchange of their new pairs. */
#include "shuffle.h"

#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void shuffle_die(const struct shuffle *shuffle, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(stderr, "%s: rank %d of %d: %s\n", shuffle->program, shuffle->rank, shuffle->size,
            text);
    MPI_Abort(shuffle->comm, 1);
    exit(1);
}

void *shuffle_need(const struct shuffle *shuffle, void *memory)
{
    if (!memory)
        shuffle_die(shuffle, "out of memory; use more ranks or a smaller input");
    return memory;
}

static void list_reserve(const struct shuffle *shuffle, struct list *list, size_t capacity)
{
    if (capacity <= list->capacity)
        return;
    if (capacity < 2 * list->capacity)
        capacity = 2 * list->capacity;
    if (capacity > SIZE_MAX / sizeof *list->pairs)
        shuffle_need(shuffle, NULL);
    list->pairs = shuffle_need(shuffle, realloc(list->pairs, capacity * sizeof *list->pairs));
    list->capacity = capacity;
}

void list_add(const struct shuffle *shuffle, struct list *list, pair_t pair)
{
    list_reserve(shuffle, list, list->count + 1);
    list->pairs[list->count++] = pair;
}

static void set_empty(const struct shuffle *shuffle, struct set *set, size_t slots)
{
    set->slots = shuffle_need(shuffle, malloc(slots * sizeof *set->slots));
    for (size_t i = 0; i < slots; i++)
        set->slots[i] = SET_EMPTY;
    set->mask = slots - 1;
    set->count = 0;
}

void set_make(const struct shuffle *shuffle, struct set *set)
{
    set_empty(shuffle, set, 1024);
}

/* The slot that holds the pair, or the empty one where it belongs. */
static pair_t *set_slot(const struct set *set, pair_t pair)
{
    size_t i = hash64(pair) & set->mask;
    while (set->slots[i] != SET_EMPTY && set->slots[i] != pair)
        i = (i + 1) & set->mask;
    return &set->slots[i];
}

static void set_grow(const struct shuffle *shuffle, struct set *set)
{
    struct set larger;
    set_empty(shuffle, &larger, 2 * (set->mask + 1));
    for (size_t i = 0; i <= set->mask; i++)
        if (set->slots[i] != SET_EMPTY)
            *set_slot(&larger, set->slots[i]) = set->slots[i];
    larger.count = set->count;
    free(set->slots);
    *set = larger;
}

bool set_add(const struct shuffle *shuffle, struct set *set, pair_t pair)
{
    pair_t *slot = set_slot(set, pair);
    if (*slot == pair)
        return false;
    *slot = pair;
    if (++set->count > (set->mask + 1) / 8 * 5)
        set_grow(shuffle, set);
    return true;
}

uint64_t set_checksum(const struct set *set)
{
    uint64_t checksum = 0;
    for (size_t i = 0; i <= set->mask; i++)
        if (set->slots[i] != SET_EMPTY)
            checksum += hash64(set->slots[i]);
    return checksum;
}

void shuffle_open(struct shuffle *shuffle, MPI_Comm comm, const char *program)
{
    *shuffle = (struct shuffle){.comm = comm, .program = program};
    MPI_Comm_rank(comm, &shuffle->rank);
    MPI_Comm_size(comm, &shuffle->size);
    shuffle->fill = shuffle_need(shuffle, calloc((size_t)shuffle->size, sizeof *shuffle->fill));
    for (int i = 0; i < 2; i++) {
        shuffle->counts[i] = shuffle_need(shuffle, calloc((size_t)shuffle->size, sizeof(int)));
        shuffle->displs[i] = shuffle_need(shuffle, calloc((size_t)shuffle->size, sizeof(int)));
    }
}

void shuffle_close(struct shuffle *shuffle)
{
    for (int i = 0; i < 2; i++) {
        free(shuffle->counts[i]);
        free(shuffle->displs[i]);
    }
    free(shuffle->fill);
    free(shuffle->in.pairs);
    free(shuffle->out.pairs);
}

void shuffle_count(struct shuffle *shuffle)
{
    memset(shuffle->fill, 0, (size_t)shuffle->size * sizeof *shuffle->fill);
    shuffle->placing = false;
}

/* Turns counts of ranks into displacements; returns the total. MPI's counts are ints, so the total
 * must be one. */
static size_t displace(const struct shuffle *shuffle, const int *counts, int *displs,
                       const char *what)
{
    size_t total = 0;
    for (int i = 0; i < shuffle->size; i++) {
        if (total + (size_t)counts[i] > INT_MAX)
            shuffle_die(shuffle, "more than %d pairs to %s in one exchange; use more ranks",
                        INT_MAX, what);
        displs[i] = (int)total;
        total += (size_t)counts[i];
    }
    return total;
}

void shuffle_place(struct shuffle *shuffle)
{
    for (int i = 0; i < shuffle->size; i++) {
        if (shuffle->fill[i] > INT_MAX)
            shuffle_die(shuffle, "more than %d pairs to send to one rank; use more ranks", INT_MAX);
        shuffle->counts[0][i] = (int)shuffle->fill[i];
    }
    shuffle->out.count = displace(shuffle, shuffle->counts[0], shuffle->displs[0], "send");
    list_reserve(shuffle, &shuffle->out, shuffle->out.count);
    for (int i = 0; i < shuffle->size; i++)
        shuffle->fill[i] = (size_t)shuffle->displs[0][i];
    shuffle->placing = true;
}

void shuffle_exchange(struct shuffle *shuffle)
{
    double start = MPI_Wtime();
    MPI_Alltoall(shuffle->counts[0], 1, MPI_INT, shuffle->counts[1], 1, MPI_INT, shuffle->comm);
    shuffle->exchanged += MPI_Wtime() - start;
    shuffle->in.count = displace(shuffle, shuffle->counts[1], shuffle->displs[1], "receive");
    list_reserve(shuffle, &shuffle->in, shuffle->in.count);
    start = MPI_Wtime();
    MPI_Alltoallv(shuffle->out.pairs, shuffle->counts[0], shuffle->displs[0], MPI_UINT64_T,
                  shuffle->in.pairs, shuffle->counts[1], shuffle->displs[1], MPI_UINT64_T,
                  shuffle->comm);
    shuffle->exchanged += MPI_Wtime() - start;
    shuffle->calls += 2;
}

uint64_t shuffle_sum(const struct shuffle *shuffle, uint64_t value)
{
    uint64_t total;
    MPI_Allreduce(&value, &total, 1, MPI_UINT64_T, MPI_SUM, shuffle->comm);
    return total;
}

size_t shuffle_share(const struct shuffle *shuffle, pair_t *pairs, uint64_t count, uint64_t *done,
                     pair_t *room, pair_t **piece)
{
    uint64_t left = count - *done;
    size_t some = left < SHUFFLE_PIECE ? (size_t)left : SHUFFLE_PIECE;
    *piece = shuffle->rank == 0 ? pairs + *done : room;
    if (some > 0)
        MPI_Bcast(*piece, (int)some, MPI_UINT64_T, 0, shuffle->comm);
    *done += some;
    return some;
}

void shuffle_print_seconds(const struct shuffle *shuffle, double mine)
{
    double most, exchanged;
    MPI_Reduce(&mine, &most, 1, MPI_DOUBLE, MPI_MAX, 0, shuffle->comm);
    MPI_Reduce(&shuffle->exchanged, &exchanged, 1, MPI_DOUBLE, MPI_SUM, 0, shuffle->comm);
    if (shuffle->rank == 0)
        printf("seconds    %.6f\n"
               "seconds-all-to-all %.6f (%" PRIu64 " calls)\n",
               most, exchanged / shuffle->size, shuffle->calls);
}
