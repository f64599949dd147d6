/* SPDX-License-Identifier: BSD-3-Clause */
/* exchange.c: one exchange with known contents, for programs that know nothing of the library. */
#include <stdlib.h>

#include "exchange.h"

struct side {
    int *counts, *at, *data;
};

static int count_of(int from, int to, int round)
{
    return (3 * from + 5 * to + round) % 7;
}

static int value_of(int from, int to, int index, int round)
{
    return from * 1000003 + to * 1009 + index * 17 + round;
}

static void *allocate(size_t count)
{
    void *memory = calloc(count, sizeof(int));
    if (!memory)
        abort();
    return memory;
}

static struct side make_side(int size)
{
    return (struct side){allocate((size_t)size), allocate((size_t)size),
                         allocate(7 * (size_t)size)};
}

static void free_side(struct side *side)
{
    free(side->counts);
    free(side->at);
    free(side->data);
}

static void place(struct side *side, int size)
{
    int end = 0;
    for (int i = 0; i < size; i++) {
        side->at[i] = end;
        end += side->counts[i];
    }
}

static long one_round(MPI_Comm communicator, int round, exchange_function *exchange,
                      struct side *out, struct side *in)
{
    int rank, size;
    long wrong = 0;
    MPI_Comm_rank(communicator, &rank);
    MPI_Comm_size(communicator, &size);
    for (int i = 0; i < size; i++)
        out->counts[i] = count_of(rank, i, round);
    place(out, size);
    for (int i = 0; i < size; i++)
        for (int k = 0; k < out->counts[i]; k++)
            out->data[out->at[i] + k] = value_of(rank, i, k, round);
    if (MPI_Alltoall(out->counts, 1, MPI_INT, in->counts, 1, MPI_INT, communicator) != MPI_SUCCESS)
        return 1;
    for (int i = 0; i < size; i++)
        wrong += in->counts[i] != count_of(i, rank, round);
    if (wrong > 0)
        return wrong;
    place(in, size);
    if (exchange(out->data, out->counts, out->at, MPI_INT, in->data, in->counts, in->at, MPI_INT,
                 communicator) != MPI_SUCCESS)
        return 1;
    for (int i = 0; i < size; i++)
        for (int k = 0; k < in->counts[i]; k++)
            wrong += in->data[in->at[i] + k] != value_of(i, rank, k, round);
    return wrong;
}

long exchange_rounds(MPI_Comm communicator, int rounds, exchange_function *exchange)
{
    int size;
    long wrong = 0;
    MPI_Comm_size(communicator, &size);
    struct side out = make_side(size), in = make_side(size);
    for (int round = 0; round < rounds; round++)
        wrong += one_round(communicator, round, exchange, &out, &in);
    free_side(&out);
    free_side(&in);
    return wrong;
}
