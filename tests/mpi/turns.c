/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * turns SEED [threads]: communicators of the same and of some of the processes take turns, call by
 * call, in an order that all ranks draw alike. Blocks are large, and what some ranks receive lies
 * in pieces of a byte, so that they are still copying when others are calls ahead on other
 * communicators, and must not have written over what these have not read yet. Every byte is
 * checked. With threads each of two threads does so with communicators of its own.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exchange.h"

enum { COMMS = 5, ROUNDS = 300, LARGE = 30000, RANKS = 64, THREADS = 2 };

struct player {
    MPI_Comm world, comms[COMMS];
    unsigned state;
    int wrong;
};

static unsigned drawn(struct player *player, unsigned below)
{
    player->state = player->state * 1664525U + 1013904223U;
    return (player->state >> 8) % below;
}

static unsigned char byte_of(int from, int to, int round, int i)
{
    return (unsigned char)(31 * from + 7 * to + 13 * round + i + i / 251);
}

/* Of `ranks` blocks, each byte `step` bytes after the last. */
static int count_wrong(const unsigned char *got, int rank, int ranks, int round, int block,
                       int step)
{
    int wrong = 0;
    for (int p = 0; p < ranks; p++)
        for (int i = 0; i < block; i++)
            wrong += got[((size_t)p * (size_t)block + (size_t)i) * (size_t)step] !=
                     byte_of(p, rank, round, i);
    return wrong;
}

static MPI_Datatype bytes_apart(int step)
{
    MPI_Datatype type;
    MPI_Type_create_resized(MPI_BYTE, 0, step, &type);
    MPI_Type_commit(&type);
    return type;
}

static int call(MPI_Comm comm, int round, int block, unsigned slow, unsigned listed)
{
    int rank, ranks, counts[RANKS], displs[RANKS];
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    EXCHANGE_REQUIRE(ranks <= RANKS, "%d ranks are too many", ranks);
    const int step = slow == (unsigned)rank ? 3 : 1;
    MPI_Datatype type = bytes_apart(step);
    const size_t bytes = (size_t)ranks * (size_t)block;
    unsigned char *send = exchange_need(bytes), *recv = exchange_need(3 * bytes);
    for (int p = 0; p < ranks; p++) {
        counts[p] = block;
        displs[p] = p * block;
        for (int i = 0; i < block; i++)
            send[(size_t)displs[p] + (size_t)i] = byte_of(rank, p, round, i);
    }
    memset(recv, 0, 3 * bytes);
    if (listed)
        MPI_Alltoallv(send, counts, displs, MPI_BYTE, recv, counts, displs, type, comm);
    else
        MPI_Alltoall(send, block, MPI_BYTE, recv, block, type, comm);
    const int wrong = count_wrong(recv, rank, ranks, round, block, step);
    MPI_Type_free(&type);
    free(send);
    free(recv);
    return wrong;
}

static void begin(struct player *player, unsigned seed)
{
    int rank;
    MPI_Comm_dup(MPI_COMM_WORLD, &player->world);
    MPI_Comm_rank(player->world, &rank);
    player->state = seed;
    player->wrong = 0;
    MPI_Comm_dup(player->world, &player->comms[0]);
    MPI_Comm_dup(player->world, &player->comms[1]);
    MPI_Comm_split(player->world, rank / 2, rank, &player->comms[2]);
    MPI_Comm_split(player->world, rank % 2, -rank, &player->comms[3]);
    MPI_Comm_split(player->world, rank == 0 || rank > 1, rank, &player->comms[4]);
}

static void *play(void *context)
{
    struct player *player = context;
    int ranks;
    MPI_Comm_size(player->world, &ranks);
    for (int round = 0; round < ROUNDS; round++) {
        const unsigned which = drawn(player, COMMS), large = drawn(player, 3) == 0,
                       small = drawn(player, 200) + 1, slow = drawn(player, (unsigned)ranks),
                       listed = drawn(player, 2);
        if (round == ROUNDS / 2) { /* another takes the place of one that is freed */
            MPI_Comm_free(&player->comms[1]);
            MPI_Comm_dup(player->world, &player->comms[1]);
        }
        player->wrong +=
            call(player->comms[which], round, large ? LARGE : (int)small, slow, listed);
    }
    return NULL;
}

static void end(struct player *player)
{
    for (int i = 0; i < COMMS; i++)
        MPI_Comm_free(&player->comms[i]);
    MPI_Comm_free(&player->world);
}

int main(int argc, char **argv)
{
    const unsigned seed = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 1;
    const int threads = argc > 2 ? THREADS : 1;
    int rank, level, wrong = 0, all;
    struct player players[THREADS];
    pthread_t others[THREADS];

    MPI_Init_thread(&argc, &argv, threads > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int t = 0; t < threads; t++)
        begin(&players[t], seed + (unsigned)t);
    for (int t = 1; t < threads; t++)
        EXCHANGE_REQUIRE(pthread_create(&others[t], NULL, play, &players[t]) == 0, "no thread");
    play(&players[0]);
    for (int t = 1; t < threads; t++)
        pthread_join(others[t], NULL);
    for (int t = 0; t < threads; t++) {
        end(&players[t]);
        wrong += players[t].wrong;
    }
    MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    EXCHANGE_REQUIRE(all == 0, "%d bytes are wrong", all);
    if (rank == 0)
        printf("PASS: communicators in turn\n");
    MPI_Finalize();
    return 0;
}
