/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * leftovers: a rank cannot even post one of its receives (inject.so), and where its message would
 * have arrived there is user data of the call before, every word odd: as flags they say that the
 * call is to be native, as a length that there are blocks. None of that may be taken for a message:
 * the rank has an error, and the others the right bytes or one as well. Of four ranks.
 */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#include "inject.h"

enum { RANKS = 4, COUNT = 16, WORDS = RANKS * COUNT, VICTIM = 0 };

static struct {
    int (*points)(void);
    const char *(*name)(int point);
    void (*arm)(int point, long at);
    int (*disarm)(void);
} inject;

static int find_injector(void)
{
    *(void **)&inject.points = dlsym(RTLD_DEFAULT, "inject_points");
    *(void **)&inject.name = dlsym(RTLD_DEFAULT, "inject_name");
    *(void **)&inject.arm = dlsym(RTLD_DEFAULT, "inject_arm");
    *(void **)&inject.disarm = dlsym(RTLD_DEFAULT, "inject_disarm");
    return inject.points && inject.name && inject.arm && inject.disarm;
}

static int point_of(const char *name)
{
    for (int i = 0; i < inject.points(); i++)
        if (strcmp(inject.name(i), name) == 0)
            return i;
    return -1;
}

int main(int argc, char **argv)
{
    static int send[WORDS], recv[WORDS];
    int rank, counts[RANKS], places[RANKS], wrong = 0, all = 0, struck = 0;
    MPI_Comm comm;
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_rank(comm, &rank);
    if (!find_injector())
        MPI_Abort(MPI_COMM_WORLD, 99);
    for (int p = 0; p < RANKS; p++) {
        counts[p] = COUNT;
        places[p] = p * COUNT;
    }
    for (int i = 0; i < WORDS; i++)
        send[i] = 2 * rank + 1;
    for (int call = 0; call < 3; call++) /* so that the agreement goes with the blocks */
        MPI_Alltoallv(send, counts, places, MPI_INT, recv, counts, places, MPI_INT, comm);
    MPI_Alltoall(send, COUNT, MPI_INT, recv, COUNT, MPI_INT, comm);
    memset(recv, 0x7f, sizeof recv);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == VICTIM)
        inject.arm(point_of("Irecv"), 1);
    const int status =
        MPI_Alltoallv(send, counts, places, MPI_INT, recv, counts, places, MPI_INT, comm);
    if (rank == VICTIM)
        struck = inject.disarm();
    for (int i = 0; status == MPI_SUCCESS && i < WORDS; i++)
        wrong |= recv[i] != 2 * (i / COUNT) + 1;
    wrong |= rank == VICTIM && (!struck || status == MPI_SUCCESS);
    MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%s\n", all ? "FAIL: wrong bytes, or no error where a receive failed"
                           : "PASS: nothing left over was taken for a message");
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return all;
}
