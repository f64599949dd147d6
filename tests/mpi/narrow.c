/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * narrow.c: "narrow BYTES CALLS": all-to-all calls of a thread whose stack has so many bytes, on
 * the world and on a copy of it. PASS, or what a stack that is too small comes to.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "exchange.h"

static MPI_Comm comms[2];
static int calls;

/* What exchange.h has takes more of the stack than the calls themselves. */
static void *make_calls(void *unused)
{
    static int sent[64], got[64], ones[64], at[64];
    int ranks, rank;
    (void)unused;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int call = 0; call < calls; call++) {
        for (int i = 0; i < ranks; i++) {
            sent[i] = 1000 * rank + i + call;
            ones[i] = 1;
            at[i] = i;
        }
        MPI_Comm comm = comms[call / 2 % 2];
        if (call % 2)
            MPI_Alltoall(sent, 1, MPI_INT, got, 1, MPI_INT, comm);
        else
            MPI_Alltoallv(sent, ones, at, MPI_INT, got, ones, at, MPI_INT, comm);
        for (int i = 0; i < ranks; i++)
            if (got[i] != 1000 * i + rank + call)
                return comms; /* wrong */
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    pthread_attr_t attributes;
    void *wrong = comms;
    int provided, rank;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    EXCHANGE_REQUIRE(argc == 3 && provided == MPI_THREAD_MULTIPLE, "narrow BYTES CALLS");
    comms[0] = MPI_COMM_WORLD;
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
    calls = atoi(argv[2]);
    pthread_attr_init(&attributes);
    EXCHANGE_REQUIRE(pthread_attr_setstacksize(&attributes, (size_t)atol(argv[1])) == 0,
                     "no stack of %s bytes", argv[1]);
    EXCHANGE_REQUIRE(pthread_create(&thread, &attributes, make_calls, NULL) == 0, "no thread");
    pthread_join(thread, &wrong);
    EXCHANGE_REQUIRE(!wrong, "wrong bytes");
    MPI_Comm_free(&comms[1]);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        puts("PASS: narrow");
    MPI_Finalize();
    return 0;
}
