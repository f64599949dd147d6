/* SPDX-License-Identifier: BSD-3-Clause */
/* lose.c: on rank 0 the message that completes as number LOSE_AT is reported as lost; to be preloaded. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((visibility("default"))) int PMPI_Test(MPI_Request *request, int *done, MPI_Status *status)
{
    static int (*test)(MPI_Request *, int *, MPI_Status *);
    static int completed;
    const char *rank = getenv("PMI_RANK"), *at = getenv("LOSE_AT");

    if (test == NULL)
        *(void **)&test = dlsym(RTLD_NEXT, "PMPI_Test");
    const int result = test(request, done, status);
    if (result != MPI_SUCCESS || !*done || rank == NULL || at == NULL || atoi(rank) != 0 || ++completed != atoi(at))
        return result;
    fputs("LOST\n", stderr);
    return MPI_ERR_OTHER;
}
