/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plain.c: an ordinary MPI program. Prints one line from rank 0 and ends with status 7, or 1 when a
 * value was wrong.
 *
 * With the argument "children", every rank forks between two exchanges: one child that executes
 * another program, one that only leaves, one that runs its exit handlers.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "exchange.h"

/* A status that no tool makes up. */
#define STATUS 7

static void end_quickly(void)
{
    _exit(0);
}

static void end_with_handlers(void)
{
    exit(0);
}

static void execute(void)
{
    execl("/bin/sh", "sh", "-c", "exit 0", (char *)NULL);
    _exit(1);
}

static int child_status(void (*body)(void))
{
    int status = -1;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        body();
        _exit(1);
    }
    if (child < 0 || waitpid(child, &status, 0) != child)
        return -1;
    return status;
}

int main(int argc, char **argv)
{
    long wrong, all = 0;
    int rank, size;
    if (MPI_Init(&argc, &argv) != MPI_SUCCESS)
        return 2;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    wrong = exchange_rounds(MPI_COMM_WORLD, 5, MPI_Alltoallv);
    if (argc > 1 && strcmp(argv[1], "children") == 0) {
        wrong += child_status(execute) != 0;
        wrong += child_status(end_quickly) != 0;
        wrong += child_status(end_with_handlers) != 0;
        wrong += exchange_rounds(MPI_COMM_WORLD, 5, MPI_Alltoallv);
    }
    MPI_Allreduce(&wrong, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("ranks %d wrong %ld\n", size, all);
    MPI_Finalize();
    return all == 0 ? STATUS : 1;
}
