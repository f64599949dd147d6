/* SPDX-License-Identifier: BSD-3-Clause */
/* lose.c: on rank 0 the message that completes as number LOSE_AT is reported as lost; to be
 * preloaded. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* Counts a message that is complete; whether it is the one to be lost. */
static int lost(void)
{
    static int completed;
    const char *rank = getenv("PMI_RANK"), *at = getenv("LOSE_AT");
    if (!rank || !at || atoi(rank) != 0 || ++completed != atoi(at))
        return 0;
    fputs("LOST\n", stderr);
    return 1;
}

__attribute__((visibility("default"))) int PMPI_Test(MPI_Request *request, int *done,
                                                     MPI_Status *status)
{
    static int (*test)(MPI_Request *, int *, MPI_Status *);

    if (!test)
        *(void **)&test = dlsym(RTLD_NEXT, "PMPI_Test");
    const int result = test(request, done, status);
    return result == MPI_SUCCESS && *done && lost() ? MPI_ERR_OTHER : result;
}

__attribute__((visibility("default"))) int
PMPI_Testsome(int count, MPI_Request *requests, int *done, int *which, MPI_Status *statuses)
{
    static int (*testsome)(int, MPI_Request *, int *, int *, MPI_Status *);
    int result, one = -1;

    if (!testsome)
        *(void **)&testsome = dlsym(RTLD_NEXT, "PMPI_Testsome");
    result = testsome(count, requests, done, which, statuses);
    for (int i = 0; result == MPI_SUCCESS && i < *done; i++)
        one = lost() ? i : one;
    for (int i = 0; one >= 0 && i < *done; i++)
        statuses[i].MPI_ERROR = i == one ? MPI_ERR_OTHER : MPI_SUCCESS;
    return one >= 0 ? MPI_ERR_IN_STATUS : result;
}
