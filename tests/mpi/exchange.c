/* SPDX-License-Identifier: BSD-3-Clause */
/* exchange.c: what the MPI test programs share: exchanges with known contents, checked byte by
 * byte. */
#include "exchange.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define GAP (-77)

void exchange_fail(const char *file, int line, const char *format, ...)
{
    va_list arguments;
    int rank = -1, started = 0;

    MPI_Initialized(&started);
    if (started)
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    fprintf(stderr, "FAIL: %s:%d: rank %d: ", file, line, rank);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    if (started)
        MPI_Abort(MPI_COMM_WORLD, 1);
    exit(1);
}

void *exchange_need(size_t bytes)
{
    void *memory = malloc(bytes > 0 ? bytes : 1);

    EXCHANGE_REQUIRE(memory, "out of memory");
    return memory;
}

static int value(int from, int to, int i, int salt)
{
    return (from * 7919 + to * 104729 + i * 31 + salt * 13) & 0x7fffffff;
}

/* From 0 to count, zero for every third pair. */
static int length(int from, int to, int count, int salt)
{
    int mix = value(from, to, 3, salt);

    return mix % 3 == 0 ? 0 : mix % (count + 1);
}

static void check(const int *got, int expected, int from, const char *call)
{
    EXCHANGE_REQUIRE(*got == expected, "%s: wrong value from rank %d: %d instead of %d", call, from,
                     *got, expected);
}

void exchange_alltoall(MPI_Comm comm, int count, int salt)
{
    int ranks, me, error;
    int *send, *recv;

    MPI_Comm_size(comm, &ranks);
    MPI_Comm_rank(comm, &me);
    send = exchange_need((size_t)ranks * (size_t)count * sizeof *send);
    recv = exchange_need((size_t)ranks * (size_t)count * sizeof *recv);
    for (int i = 0; i < ranks * count; i++) {
        send[i] = value(me, i / count, i % count, salt);
        recv[i] = GAP;
    }
    error = MPI_Alltoall(send, count, MPI_INT, recv, count, MPI_INT, comm);
    EXCHANGE_REQUIRE(error == MPI_SUCCESS, "MPI_Alltoall returned %d", error);
    for (int i = 0; i < ranks * count; i++)
        check(&recv[i], value(i / count, me, i % count, salt), i / count, "MPI_Alltoall");
    free(send);
    free(recv);
}

void exchange_alltoallv(MPI_Comm comm, int count, int salt)
{
    int ranks, me, error, capacity;
    int *send, *recv, *arguments, *scounts, *rcounts, *places;

    MPI_Comm_size(comm, &ranks);
    MPI_Comm_rank(comm, &me);
    capacity = ranks * (count + 1);
    send = exchange_need((size_t)capacity * sizeof *send);
    recv = exchange_need((size_t)capacity * sizeof *recv);
    arguments = exchange_need(3 * (size_t)ranks * sizeof *arguments);
    scounts = arguments;
    rcounts = arguments + ranks;
    places = rcounts + ranks;
    for (int i = 0; i < capacity; i++)
        recv[i] = GAP;
    for (int j = 0; j < ranks; j++) {
        scounts[j] = length(me, j, count, salt);
        rcounts[j] = length(j, me, count, salt);
        places[j] = j * (count + 1);
        for (int i = 0; i <= count; i++)
            send[places[j] + i] = value(me, j, i, salt);
    }
    error = MPI_Alltoallv(send, scounts, places, MPI_INT, recv, rcounts, places, MPI_INT, comm);
    EXCHANGE_REQUIRE(error == MPI_SUCCESS, "MPI_Alltoallv returned %d", error);
    for (int j = 0; j < ranks; j++) {
        for (int i = 0; i <= count; i++)
            check(&recv[places[j] + i], i < rcounts[j] ? value(j, me, i, salt) : GAP, j,
                  "MPI_Alltoallv");
    }
    free(send);
    free(recv);
    free(arguments);
}

void exchange_both(MPI_Comm comm, int calls, int salt)
{
    static const int sizes[] = {1, 5, 64, 700, 2};

    for (int call = 0; call < calls; call++) {
        exchange_alltoall(comm, sizes[call % 5], salt + call);
        exchange_alltoallv(comm, sizes[(call + 1) % 5], salt + call);
    }
}
