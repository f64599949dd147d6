/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ranks that describe the same data differently: contiguous on one, a vector on the next, a struct,
 * a type at MPI_BOTTOM, in static, heap and stack memory. MPI asks for equal type signatures and
 * nothing else, so no decision may depend on any of it. Before that, every rank has used
 * communicators of its own, another number of them and another number of times each.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exchange.h"

#define MOST_RANKS 64
#define PAIR_CAPACITY 4 /* integers that a pair takes at most */

static int static_memory[MOST_RANKS * PAIR_CAPACITY];

/* Pairs of integers: where the second one is, and how far it is to the next pair, in integers. */
struct kind {
    MPI_Datatype type;
    int second, stride;
};

static struct kind kind_make(int number)
{
    struct kind kind = {.second = 1, .stride = 2};

    if (number % 4 == 0) {
        MPI_Type_contiguous(2, MPI_INT, &kind.type);
    } else if (number % 4 == 1) {
        kind.second = 3;
        kind.stride = 4;
        MPI_Type_vector(2, 1, 3, MPI_INT, &kind.type);
    } else if (number % 4 == 2) {
        kind.second = 2;
        kind.stride = 3;
        MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 8},
                               (MPI_Datatype[]){MPI_INT, MPI_INT}, &kind.type);
    } else {
        MPI_Datatype pair;

        kind.stride = 3;
        MPI_Type_contiguous(2, MPI_INT, &pair);
        MPI_Type_create_resized(pair, 0, 12, &kind.type);
        MPI_Type_free(&pair);
    }
    MPI_Type_commit(&kind.type);
    return kind;
}

static void bottom(struct kind *kind, const int *memory)
{
    MPI_Datatype absolute;
    MPI_Aint address;

    MPI_Get_address(memory, &address);
    MPI_Type_create_hindexed(1, (int[]){1}, &address, kind->type, &absolute);
    MPI_Type_free(&kind->type);
    MPI_Type_commit(&absolute);
    kind->type = absolute;
}

/* One call in which every rank has its own kinds; `v`: MPI_Alltoallv. */
static void call(MPI_Comm comm, int round, int v)
{
    int stack_memory[MOST_RANKS * PAIR_CAPACITY];
    int ones[MOST_RANKS], places[MOST_RANKS];
    int ranks, me, error;
    int *heap = exchange_need(sizeof stack_memory), *send, *recv;
    struct kind from, to;

    MPI_Comm_size(comm, &ranks);
    MPI_Comm_rank(comm, &me);
    from = kind_make(me + round);
    to = kind_make(2 * me + round / 2);
    send = round % 3 == me % 3 ? static_memory : heap;
    recv = stack_memory;
    memset(recv, 0x55, sizeof stack_memory);
    for (int j = 0; j < ranks; j++) {
        int *pair = send + (ptrdiff_t)j * from.stride;

        ones[j] = 1;
        places[j] = j;
        pair[0] = 1000 * me + j + round;
        pair[from.second] = -pair[0];
    }
    if ((me + round) % 3 == 1)
        bottom(&from, send);
    if ((me + round) % 4 == 1)
        bottom(&to, recv);
    if (v)
        error =
            MPI_Alltoallv((me + round) % 3 == 1 ? MPI_BOTTOM : send, ones, places, from.type,
                          (me + round) % 4 == 1 ? MPI_BOTTOM : recv, ones, places, to.type, comm);
    else
        error = MPI_Alltoall((me + round) % 3 == 1 ? MPI_BOTTOM : send, 1, from.type,
                             (me + round) % 4 == 1 ? MPI_BOTTOM : recv, 1, to.type, comm);
    EXCHANGE_REQUIRE(error == MPI_SUCCESS, "round %d: error %d", round, error);
    for (int j = 0; j < ranks; j++) {
        int expected = 1000 * j + me + round, *pair = recv + (ptrdiff_t)j * to.stride;

        EXCHANGE_REQUIRE(pair[0] == expected && pair[to.second] == -expected,
                         "round %d: %d, %d from rank %d instead of %d, %d", round, pair[0],
                         pair[to.second], j, expected, -expected);
    }
    MPI_Type_free(&from.type);
    MPI_Type_free(&to.type);
    free(heap);
}

/* Histories of different length: calls on communicators that other ranks are not in. */
static void history(int me)
{
    MPI_Comm own, pair;

    MPI_Comm_dup(MPI_COMM_SELF, &own);
    exchange_both(own, me % 5, 1);
    exchange_both(MPI_COMM_SELF, (me + 2) % 3, 2);
    MPI_Comm_free(&own);
    MPI_Comm_split(MPI_COMM_WORLD, me / 2, me, &pair);
    exchange_both(pair, me / 2 % 4 * 2, 3);
    MPI_Comm_free(&pair);
}

int main(int argc, char **argv)
{
    int rank, ranks;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    EXCHANGE_REQUIRE(ranks <= MOST_RANKS, "at most %d ranks", MOST_RANKS);
    history(rank);
    for (int round = 0; round < 24; round++) {
        call(MPI_COMM_WORLD, round, 0);
        call(MPI_COMM_WORLD, round, 1);
    }
    if (rank == 0)
        printf("PASS: 48 calls on %d ranks\n", ranks);
    MPI_Finalize();
    return 0;
}
