/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * handlers [ROUNDS]: while one thread makes the calls that lead to the set-up of a communicator,
 * another one changes the communicator's error handler all the time. It always has to find the one
 * that it has set, and so has whoever looks afterwards.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "exchange.h"

enum { ROUNDS = 12 };

struct job {
    MPI_Comm comm;
    MPI_Errhandler mine[2];
    atomic_int done;
    long changes;
    int last;
};

static void quiet(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    (void)code;
}

static void expect(MPI_Comm comm, MPI_Errhandler wanted, const char *when)
{
    MPI_Errhandler found;

    MPI_Comm_get_errhandler(comm, &found);
    EXCHANGE_REQUIRE(found == wanted, "%s: another error handler than the one that was set", when);
    MPI_Errhandler_free(&found);
}

static void *change(void *argument)
{
    struct job *job = argument;

    while (!atomic_load(&job->done)) {
        job->last = !job->last;
        MPI_Comm_set_errhandler(job->comm, job->mine[job->last]);
        for (int i = 0; i < 3; i++)
            expect(job->comm, job->mine[job->last], "meanwhile");
        job->changes++;
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int rank, provided;
    long changes = 0;
    const int rounds = argc > 1 ? atoi(argv[1]) : ROUNDS;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    EXCHANGE_REQUIRE(provided == MPI_THREAD_MULTIPLE, "no MPI_THREAD_MULTIPLE");
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int round = 0; round < rounds; round++) {
        struct job job = {.last = 0};
        pthread_t thread;

        MPI_Comm_dup(MPI_COMM_WORLD, &job.comm);
        for (int i = 0; i < 2; i++)
            MPI_Comm_create_errhandler(quiet, &job.mine[i]);
        MPI_Comm_set_errhandler(job.comm, job.mine[0]);
        EXCHANGE_REQUIRE(pthread_create(&thread, NULL, change, &job) == 0, "no thread");
        exchange_both(job.comm, 5, round);
        atomic_store(&job.done, 1);
        pthread_join(thread, NULL);
        expect(job.comm, job.mine[job.last], "afterwards");
        for (int i = 0; i < 2; i++)
            MPI_Errhandler_free(&job.mine[i]);
        MPI_Comm_free(&job.comm);
        changes += job.changes;
    }
    EXCHANGE_REQUIRE(changes > rounds, "the other thread never came to run");
    if (rank == 0)
        printf("PASS: %d set-ups, %ld changes of the handler\n", rounds, changes);
    MPI_Finalize();
    return 0;
}
