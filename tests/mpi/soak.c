/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * soak: a random mix of communicators, calls, datatypes, patterns and threads, for as long as
 * wished; every byte of every call is compared with what must be there.
 *
 * soak [--seconds N | --steps N] [--seed S] [--threads T] [--interrupts]
 *   --seconds N    ends after about so long; default 5
 *   --steps N      ends after so many steps of each thread, which is the same every time
 *   --seed S       other steps
 *   --threads T    so many threads, each with communicators of its own (MPI_THREAD_MULTIPLE)
 *   --interrupts   a signal every millisecond, whose handler does not restart system calls
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "exchange.h"
#include "pairwise.h"
#include "soak.h"

enum { MOST_THREADS = 8, NUMBERS = 10 };

struct options {
    double seconds;
    long steps;
    uint64_t seed;
    int threads;
    bool interrupts;
};

static struct options options = {.seconds = 5, .seed = 1, .threads = 1};
static double begin;
static volatile sig_atomic_t signals;

static void tick(int number)
{
    (void)number;
    signals++;
}

static bool options_read(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const bool more = i + 1 < argc;

        if (strcmp(argv[i], "--interrupts") == 0)
            options.interrupts = true;
        else if (strcmp(argv[i], "--seconds") == 0 && more)
            options.seconds = strtod(argv[++i], NULL);
        else if (strcmp(argv[i], "--steps") == 0 && more)
            options.steps = strtol(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--seed") == 0 && more)
            options.seed = strtoull(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--threads") == 0 && more)
            options.threads = (int)strtol(argv[++i], NULL, 10);
        else
            return false;
    }
    return options.threads >= 1 && options.threads <= MOST_THREADS && options.seconds > 0;
}

/* All ranks end together: rank 0 says when. */
static bool over(const struct soak_thread *thread)
{
    int done = MPI_Wtime() - begin >= options.seconds;

    if (options.steps > 0)
        return thread->counts.steps >= options.steps;
    if (thread->counts.steps % 16 != 0)
        return false;
    MPI_Bcast(&done, 1, MPI_INT, 0, thread->parent);
    return done;
}

static void *work(void *argument)
{
    struct soak_thread *thread = argument;

    do
        soak_step(thread);
    while (!over(thread));
    soak_free_all(thread);
    return NULL;
}

static void start(struct soak_thread *threads)
{
    pthread_t others[MOST_THREADS];

    for (int i = 0; i < options.threads; i++) {
        threads[i] = (struct soak_thread){.number = i, .seed = options.seed};
        threads[i].dice = pairwise_hash(options.seed * UINT64_C(1000003) + (uint64_t)i);
        MPI_Comm_dup(MPI_COMM_WORLD, &threads[i].parent);
    }
    for (int i = 1; i < options.threads; i++)
        EXCHANGE_REQUIRE(pthread_create(&others[i], NULL, work, &threads[i]) == 0, "no thread");
    work(&threads[0]);
    for (int i = 1; i < options.threads; i++)
        pthread_join(others[i], NULL);
    for (int i = 0; i < options.threads; i++)
        MPI_Comm_free(&threads[i].parent);
}

/* Over threads and ranks; steps are those of rank 0. */
static bool tell(const struct soak_thread *threads, int rank)
{
    long sums[NUMBERS] = {0};
    int ranks;

    for (int i = 0; i < options.threads; i++) {
        const struct soak_counts *counts = &threads[i].counts;

        sums[0] += rank == 0 ? counts->steps : 0;
        for (int op = 0; op < 4; op++)
            sums[1 + op] += counts->compared[op];
        sums[5] += counts->nonblocking;
        sums[6] += counts->others;
        sums[7] += counts->communicators;
        sums[8] += counts->failures;
    }
    sums[9] = signals;
    MPI_Allreduce(MPI_IN_PLACE, sums, NUMBERS, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (rank == 0)
        printf("%s: %ld steps, seed %llu, %d ranks, %d threads; on all ranks: %ld MPI_Alltoall, "
               "%ld _c, %ld MPI_Alltoallv, %ld _c, %ld nonblocking, %ld others, %ld "
               "communicators, %ld wrong, %ld signals\n",
               sums[8] == 0 ? "PASS" : "FAIL", sums[0], (unsigned long long)options.seed, ranks,
               options.threads, sums[1], sums[2], sums[3], sums[4], sums[5], sums[6], sums[7],
               sums[8], sums[9]);
    return sums[8] == 0;
}

int main(int argc, char **argv)
{
    struct soak_thread threads[MOST_THREADS];
    const bool good = options_read(argc, argv);
    const int level = options.threads > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE;
    int rank, provided;

    MPI_Init_thread(&argc, &argv, level, &provided);
    EXCHANGE_REQUIRE(good && provided >= level,
                     "usage: soak [--seconds N | --steps N] [--seed S] [--threads T] "
                     "[--interrupts], T up to %d",
                     MOST_THREADS);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    begin = MPI_Wtime();
    if (options.interrupts) {
        const struct sigaction action = {.sa_handler = tick};
        const struct itimerval often = {{.tv_usec = 1000}, {.tv_usec = 1000}};

        sigaction(SIGALRM, &action, NULL);
        setitimer(ITIMER_REAL, &often, NULL);
    }
    start(threads);
    if (options.interrupts)
        setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
    const bool right = tell(threads, rank);
    MPI_Finalize();
    return right ? 0 : 1;
}
