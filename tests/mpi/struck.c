/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * struck: exchanges, in the middle of one of which something befalls a rank.
 * usage: struck kill|stop RANK WAITING|MICROSECONDS
 *
 * The rank is killed, or stopped, by a signal of its own timer: while it waits in the call for the
 * others, who arrive late ("WAITING"), or so long after all have begun. A line says first which
 * process it was. What is left of the job goes on; every integer is compared.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "exchange.h"

enum { BEFORE = 4, CALLS = 6, MOMENT_US = 20000 };

static int deed;
static char told[64];
static size_t length;

static void strike(int number)
{
    (void)number;
    if (write(STDOUT_FILENO, told, length) < 0)
        _exit(4);
    kill(getpid(), deed);
}

static void timer(long us)
{
    const struct itimerval once = {.it_value = {.tv_sec = us / 1000000, .tv_usec = us % 1000000}};

    EXCHANGE_REQUIRE(setitimer(ITIMER_REAL, &once, NULL) == 0, "no timer");
}

int main(int argc, char **argv)
{
    int me;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    EXCHANGE_REQUIRE(argc == 4, "usage: struck kill|stop RANK WAITING|MICROSECONDS");
    const int victim = atoi(argv[2]), waiting = strcmp(argv[3], "WAITING") == 0;

    deed = strcmp(argv[1], "kill") == 0 ? SIGKILL : SIGSTOP;
    length = (size_t)snprintf(told, sizeof told, "STRUCK %ld\n", (long)getpid());
    signal(SIGALRM, strike);
    exchange_both(MPI_COMM_WORLD, BEFORE, 1); /* routed from the first one on, by SHUNT_FORCE */
    for (int call = 0; call < CALLS; call++) {
        const int now = call == CALLS / 2;

        MPI_Barrier(MPI_COMM_WORLD);
        if (now && me == victim)
            timer(waiting ? MOMENT_US : atol(argv[3]));
        else if (now && waiting)
            nanosleep(&(struct timespec){.tv_nsec = 3000L * MOMENT_US}, NULL);
        exchange_alltoall(MPI_COMM_WORLD, 2000 + call, 10 + call);
        exchange_alltoallv(MPI_COMM_WORLD, 3000 + call, 20 + call);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (me == 0)
        printf("PASS: %d exchanges\n", 2 * (BEFORE + CALLS));
    MPI_Finalize();
    return 0;
}
