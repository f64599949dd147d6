/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gain: how much faster MPI_Alltoall is than the library's own, both in one run (scripts/mpis). For
 * each size of block, after the calls that set-up takes, rounds of calls of MPI_Alltoall and of
 * PMPI_Alltoall follow each other; the slowest rank's time counts. Prints "gain:" and, for each
 * size, the bytes and the median over the rounds of own / routed. Natively all are near 1.
 * usage: gain BYTES...
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { WARM_UP = 3000, ROUNDS = 21, CALLS = 200 };

typedef int alltoall_function(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm);

static char *out, *in;

static double seconds_of(alltoall_function *alltoall, int bytes, int calls)
{
    double mine, most;

    MPI_Barrier(MPI_COMM_WORLD);
    mine = MPI_Wtime();
    for (int i = 0; i < calls; i++)
        alltoall(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, MPI_COMM_WORLD);
    mine = MPI_Wtime() - mine;
    MPI_Allreduce(&mine, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return most;
}

static int upwards(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double gain_of(int bytes)
{
    double ratios[ROUNDS];

    seconds_of(MPI_Alltoall, bytes, WARM_UP);
    for (int round = 0; round < ROUNDS; round++) {
        const double routed = seconds_of(MPI_Alltoall, bytes, CALLS);

        ratios[round] = seconds_of(PMPI_Alltoall, bytes, CALLS) / routed;
    }
    qsort(ratios, ROUNDS, sizeof *ratios, upwards);
    return ratios[ROUNDS / 2];
}

int main(int argc, char **argv)
{
    int rank, ranks, most = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 1; i < argc; i++)
        if (atoi(argv[i]) > most)
            most = atoi(argv[i]);
    out = calloc((size_t)ranks, (size_t)most + 1);
    in = calloc((size_t)ranks, (size_t)most + 1);
    if (!out || !in)
        MPI_Abort(MPI_COMM_WORLD, 1);
    if (rank == 0)
        printf("gain:");
    for (int i = 1; i < argc; i++) {
        const double gain = gain_of(atoi(argv[i]));

        if (rank == 0)
            printf(" %d %.2f", atoi(argv[i]), gain);
    }
    if (rank == 0)
        printf("\n");
    free(out);
    free(in);
    return MPI_Finalize();
}
