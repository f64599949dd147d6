/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * coincide: MPI_THREAD_MULTIPLE, and two threads whose first calls come at the same moment, each on
 * a communicator of its own. With slow.so the moment lasts long enough for both to be in the middle
 * of it.
 */
#include <pthread.h>
#include <stdio.h>

#include "exchange.h"

static pthread_barrier_t together;

struct job {
    MPI_Comm comm;
    int salt;
};

static void *work(void *argument)
{
    const struct job *job = argument;

    pthread_barrier_wait(&together);
    exchange_both(job->comm, 6, job->salt);
    return NULL;
}

int main(int argc, char **argv)
{
    int rank, provided;
    struct job jobs[2];
    pthread_t threads[2];

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    EXCHANGE_REQUIRE(provided == MPI_THREAD_MULTIPLE, "no MPI_THREAD_MULTIPLE");
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    pthread_barrier_init(&together, NULL, 2);
    for (int i = 0; i < 2; i++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &jobs[i].comm);
        jobs[i].salt = 50 * i;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 2; i++)
        EXCHANGE_REQUIRE(pthread_create(&threads[i], NULL, work, &jobs[i]) == 0, "no thread");
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < 2; i++) {
        exchange_both(jobs[i].comm, 4, 7 + i);
        MPI_Comm_free(&jobs[i].comm);
    }
    exchange_both(MPI_COMM_WORLD, 6, 3);
    if (rank == 0)
        printf("PASS: two first calls at once\n");
    MPI_Finalize();
    return 0;
}
