/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Many communicators.
 *
 * churn CYCLES CALLS       create, CALLS exchanges, free, CYCLES times; memory must not grow with
 * the number of cycles churn --held COUNT CALLS COUNT communicators open at once, CALLS exchanges
 * on each in turn, then all freed
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "exchange.h"

/* Per rank, for so many cycles: 40 bytes each, and no less than what a heap may take anyhow. */
static long most_growth(int cycles)
{
    const long kib = 40L * cycles / 1024, least = 256;
    return kib > least ? kib : least;
}

/* Resident memory of this process in KiB. */
static long resident(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    long total = 0, pages = 0;

    EXCHANGE_REQUIRE(file && fscanf(file, "%ld %ld", &total, &pages) == 2,
                     "cannot read /proc/self/statm");
    fclose(file);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static void cycles(int first, int last, int calls)
{
    for (int i = first; i < last; i++) {
        MPI_Comm comm;

        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        for (int call = 0; call < calls; call++)
            exchange_alltoallv(comm, 3, i + call);
        MPI_Comm_free(&comm);
    }
}

static void held(int count, int calls)
{
    MPI_Comm *comms = exchange_need((size_t)count * sizeof *comms);

    for (int i = 0; i < count; i++) {
        int error = MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);

        EXCHANGE_REQUIRE(error == MPI_SUCCESS, "communicator %d: error %d", i, error);
    }
    for (int call = 0; call < calls; call++) {
        for (int i = 0; i < count; i++)
            exchange_alltoallv(comms[i], 3, i + call);
    }
    for (int i = 0; i < count; i++)
        MPI_Comm_free(&comms[i]);
    free(comms);
}

int main(int argc, char **argv)
{
    int rank, all_held, count, calls;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    all_held = argc > 1 && strcmp(argv[1], "--held") == 0;
    EXCHANGE_REQUIRE(argc == 3 + all_held, "usage: churn [--held] COUNT CALLS");
    count = atoi(argv[1 + all_held]);
    calls = atoi(argv[2 + all_held]);
    if (all_held) {
        held(count, calls);
    } else {
        long before, growth, most = 0;

        cycles(0, count / 10, calls);
        before = resident();
        cycles(count / 10, count, calls);
        growth = resident() - before;
        MPI_Allreduce(&growth, &most, 1, MPI_LONG, MPI_MAX, MPI_COMM_WORLD);
        EXCHANGE_REQUIRE(most <= most_growth(count - count / 10),
                         "memory grew by %ld KiB over %d cycles", most, count - count / 10);
        if (rank == 0)
            printf("memory grew by %ld KiB\n", most);
    }
    if (rank == 0)
        printf("PASS: %d communicators, %d calls on each\n", count, calls);
    MPI_Finalize();
    return 0;
}
