/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * astray [CALL [world|later]]: before call CALL (0: the first), one rank makes a call that the
 * library rejects, and all ranks go on with other collectives, blocking and not, before they make
 * the call. The library keeps nobody waiting there, and every byte is right. On a copy of
 * MPI_COMM_WORLD, or on that itself, or on a copy after many calls on that.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS = 64, CALLS = 40, MANY = 3000, CULPRIT = 1 };

static int rank, ranks, wrong;

static void reject(MPI_Comm comm)
{
    int send[RANKS] = {0}, recv[RANKS] = {0}, counts[RANKS] = {-1}, places[RANKS] = {0};
    wrong |= MPI_Alltoall(send, -1, MPI_INT, recv, -1, MPI_INT, comm) == MPI_SUCCESS;
    wrong |= MPI_Alltoallv(send, counts, places, MPI_INT, recv, counts, places, MPI_INT, comm) ==
             MPI_SUCCESS;
}

static void others(MPI_Comm comm)
{
    int one = 1, sum = 0;
    MPI_Request request;
    MPI_Barrier(comm);
    MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    wrong |= sum != ranks;
}

static void exchange(MPI_Comm comm, int call)
{
    int send[RANKS], recv[RANKS];
    for (int p = 0; p < ranks; p++) {
        send[p] = (call * RANKS + rank) * RANKS + p;
        recv[p] = -1;
    }
    wrong |= MPI_Alltoall(send, 1, MPI_INT, recv, 1, MPI_INT, comm) != MPI_SUCCESS;
    for (int p = 0; p < ranks; p++)
        wrong |= recv[p] != (call * RANKS + p) * RANKS + rank;
}

int main(int argc, char **argv)
{
    int all = 0;
    MPI_Comm comm = MPI_COMM_WORLD;
    const int when = argc > 1 ? atoi(argv[1]) : 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    for (int call = 0; argc > 2 && strcmp(argv[2], "later") == 0 && call < MANY; call++)
        exchange(comm, call);
    if (argc < 3 || strcmp(argv[2], "later") == 0)
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    for (int call = 0; call < CALLS; call++) {
        if (call == when) {
            if (rank == CULPRIT)
                reject(comm);
            others(comm);
        }
        exchange(comm, call);
    }
    MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%s\n", all ? "FAIL" : "PASS: other collectives after a rejected call");
    if (comm != MPI_COMM_WORLD)
        MPI_Comm_free(&comm);
    MPI_Finalize();
    return all;
}
