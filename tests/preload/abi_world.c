/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Of the stand-in for an MPI library (abi_library.c) what the program calls: one rank alone; and
 * what tells its ABI. VERSION_TEXT: what it says of itself; ABI_VERSION: of the standard ABI; NAME:
 * a function that it has besides; FORTRAN: conversions of handles.
 */
#include <stdlib.h>
#include <string.h>

int PMPI_Alltoall(const void *send, int count, void *type, void *recv, int recv_count,
                  void *recv_type, void *comm);
int PMPI_Alltoallw(void);
int PMPI_Get_library_version(char *text, int *length);

int PMPI_Alltoallw(void)
{
    abort();
}

#ifndef VERSION_TEXT
#define VERSION_TEXT "Another MPI 1.0"
#endif
#define WORLD ((void *)0x101)
#define INTEGER ((void *)0x209)

int PMPI_Alltoall(const void *send, int count, void *type, void *recv, int recv_count,
                  void *recv_type, void *comm)
{
    if (comm != WORLD || type != INTEGER || recv_type != INTEGER || count != recv_count)
        abort();
    memcpy(recv, send, (size_t)count * sizeof(int));
    return 0;
}

int PMPI_Get_library_version(char *text, int *length)
{
    strcpy(text, VERSION_TEXT);
    *length = (int)strlen(text);
    return 0;
}

#ifdef ABI_VERSION
int PMPI_Abi_get_version(int *major, int *minor);
int PMPI_Abi_get_version(int *major, int *minor)
{
    *major = ABI_VERSION;
    *minor = 0;
    return 0;
}
#endif

/* What programs of one ABI alone need; nobody calls it here. */
#ifdef NAME
void NAME(void);
void NAME(void)
{
    abort();
}
#endif
#ifdef FORTRAN
void PMPI_Comm_c2f(void);
void PMPI_Comm_c2f(void)
{
    abort();
}
#endif
