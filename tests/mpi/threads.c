/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MPI_THREAD_MULTIPLE. First, two communicators whose first calls come in opposite order: on even
 * ranks the thread of A starts first, on odd ranks the thread of B, each well before the other.
 * Then many threads, each with a communicator of its own, and some that create and free
 * communicators meanwhile.
 *
 * A set-up that takes a lock while it waits for the other ranks does not survive this.
 */
#include <pthread.h>
#include <stdio.h>
#include <time.h>

#include "exchange.h"

#define MOST_THREADS 6

struct job {
    MPI_Comm comm;
    int delay_ms, calls, salt;
};

static void *work(void *argument)
{
    const struct job *job = argument;
    struct timespec pause = {.tv_nsec = job->delay_ms * 1000000L};

    nanosleep(&pause, NULL);
    exchange_both(job->comm, job->calls, job->salt);
    return NULL;
}

/* Every thread makes, uses and frees communicators of its own out of a parent of its own. */
static void *churn(void *argument)
{
    const struct job *job = argument;

    for (int i = 0; i < 5; i++) {
        MPI_Comm comm;

        MPI_Comm_dup(job->comm, &comm);
        exchange_both(comm, job->calls, job->salt + i);
        MPI_Comm_free(&comm);
    }
    return NULL;
}

static void run_all(struct job *jobs, int count, void *(*body)(void *))
{
    pthread_t threads[MOST_THREADS];

    for (int i = 0; i < count; i++)
        EXCHANGE_REQUIRE(pthread_create(&threads[i], NULL, body, &jobs[i]) == 0, "no thread");
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
}

static void opposite(int rank, int round)
{
    struct job jobs[2];

    for (int i = 0; i < 2; i++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &jobs[i].comm);
        jobs[i].delay_ms = (rank + i) % 2 * 20;
        jobs[i].calls = 4;
        jobs[i].salt = 10 * round + i;
    }
    run_all(jobs, 2, work);
    MPI_Comm_free(&jobs[0].comm);
    MPI_Comm_free(&jobs[1].comm);
}

static void many(void *(*body)(void *), int calls)
{
    struct job jobs[MOST_THREADS];

    for (int i = 0; i < MOST_THREADS; i++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &jobs[i].comm);
        jobs[i].delay_ms = 0;
        jobs[i].calls = calls;
        jobs[i].salt = 100 * i;
    }
    run_all(jobs, MOST_THREADS, body);
    for (int i = 0; i < MOST_THREADS; i++)
        MPI_Comm_free(&jobs[i].comm);
}

int main(int argc, char **argv)
{
    int rank, provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    EXCHANGE_REQUIRE(provided == MPI_THREAD_MULTIPLE, "no MPI_THREAD_MULTIPLE");
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    exchange_both(MPI_COMM_WORLD, 1, 0);
    for (int round = 0; round < 5; round++)
        opposite(rank, round);
    many(work, 8);
    many(churn, 4);
    if (rank == 0)
        printf("PASS: two orders of set-up, %d threads at once\n", MOST_THREADS);
    MPI_Finalize();
    return 0;
}
