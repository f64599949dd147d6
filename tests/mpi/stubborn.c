/* SPDX-License-Identifier: BSD-3-Clause */
/* stubborn.c: no communicator of several ranks is freed but by the name of "again". To be
 * preloaded. */
#include <dlfcn.h>
#include <mpi.h>
#include <string.h>

__attribute__((visibility("default"))) int MPI_Comm_free(MPI_Comm *comm)
{
    static int (*comm_free)(MPI_Comm *);
    char name[MPI_MAX_OBJECT_NAME];
    int size = 0, length = 0;

    if (!comm_free)
        *(void **)&comm_free = dlsym(RTLD_NEXT, "MPI_Comm_free");
    PMPI_Comm_size(*comm, &size);
    PMPI_Comm_get_name(*comm, name, &length);
    return size > 1 && strcmp(name, "again") != 0 ? MPI_ERR_OTHER : comm_free(comm);
}
