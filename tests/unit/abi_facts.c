/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * abi_facts.c: what a header says of its MPI ABI, a line "NAME VALUE" for each fact; the first
 * names the ABI, and one that begins with # the library. Compiled by test_abi.sh with a header of
 * src/pmpi and with a library's own. No library is called.
 */
#ifndef HEADER
#define HEADER <mpi.h>
#endif
#include HEADER

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* What it stands for. */
#define TEXT(...) #__VA_ARGS__
#define NUMBER(name) printf(#name " %lld\n", (long long)(name))
#define ADDRESS(name) printf(#name " %lld\n", (long long)(intptr_t)(name))
#define SIZE(type) printf("sizeof(" #type ") %zu\n", sizeof(type))
#define SIGN(type) printf("signed(" #type ") %d\n", (type)-1 < (type)1)
#define PLACE(member)                                                                              \
    printf("MPI_Status." #member " at %zu, %zu bytes\n", offsetof(MPI_Status, member),             \
           sizeof((MPI_Status){0}.member))
#if defined(OPEN_MPI) || defined(SHUNT_ABI_OPEN_MPI)
#define HANDLE(name) symbol(#name, TEXT(name))
#else
#define HANDLE(name) printf(#name " %lld\n", (long long)(intptr_t)(name))
#endif

#if defined(OPEN_MPI) || defined(SHUNT_ABI_OPEN_MPI)
/* The variable of the library in what stands for a handle. */
static void symbol(const char *name, const char *text)
{
    const char *begin = strstr(text, "ompi_");
    const size_t length =
        begin ? strspn(begin, "abcdefghijklmnopqrstuvwxyz_0123456789") : strlen(text);
    printf("%s %.*s\n", name, (int)length, begin ? begin : text);
}
#endif

static void which(void)
{
#if defined(SHUNT_ABI_OPEN_MPI)
    puts("ABI open-mpi");
#elif defined(SHUNT_ABI_STANDARD)
    puts("ABI standard");
#elif defined(SHUNT_ABI_MPICH)
    puts("ABI mpich");
#elif defined(OPEN_MPI)
    puts("ABI open-mpi");
    printf("# Open MPI %d.%d.%d\n", OMPI_MAJOR_VERSION, OMPI_MINOR_VERSION, OMPI_RELEASE_VERSION);
#elif defined(MPICH_VERSION)
    puts("ABI mpich");
    puts("# MPICH " MPICH_VERSION);
#elif defined(MPI_ABI_VERSION)
    puts("ABI standard");
    printf("# standard ABI %d.%d\n", MPI_ABI_VERSION, MPI_ABI_SUBVERSION);
#else
    puts("ABI unknown");
#endif
}

static void types(void)
{
    SIZE(MPI_Comm);
    SIZE(MPI_Datatype);
    SIZE(MPI_Errhandler);
    SIZE(MPI_Group);
    SIZE(MPI_Info);
    SIZE(MPI_Op);
    SIZE(MPI_Request);
    SIZE(MPI_Aint);
    SIZE(MPI_Count);
    SIZE(MPI_Offset);
    SIGN(MPI_Aint);
    SIGN(MPI_Count);
    SIGN(MPI_Offset);
    SIZE(MPI_Status);
    printf("alignof(MPI_Status) %zu\n", _Alignof(MPI_Status));
    PLACE(MPI_SOURCE);
    PLACE(MPI_TAG);
    PLACE(MPI_ERROR);
}

static void handles(void)
{
    HANDLE(MPI_COMM_NULL);
    HANDLE(MPI_COMM_WORLD);
    HANDLE(MPI_COMM_SELF);
    HANDLE(MPI_GROUP_NULL);
    HANDLE(MPI_REQUEST_NULL);
    HANDLE(MPI_INFO_NULL);
    HANDLE(MPI_ERRHANDLER_NULL);
    HANDLE(MPI_ERRORS_ARE_FATAL);
    HANDLE(MPI_ERRORS_RETURN);
#ifdef MPI_ERRORS_ABORT /* Open MPI 4.1 has none */
    HANDLE(MPI_ERRORS_ABORT);
#endif
    HANDLE(MPI_DATATYPE_NULL);
    HANDLE(MPI_BYTE);
    HANDLE(MPI_PACKED);
    HANDLE(MPI_INT64_T);
    HANDLE(MPI_MAX);
    HANDLE(MPI_MIN);
    HANDLE(MPI_SUM);
#ifdef SHUNT_NULL_COPY
    printf("MPI_COMM_NULL_COPY_FN %s\n", SHUNT_NULL_COPY);
#else
    HANDLE(MPI_COMM_NULL_COPY_FN);
#endif
}

static void addresses(void)
{
    ADDRESS(MPI_BOTTOM);
    ADDRESS(MPI_IN_PLACE);
    ADDRESS(MPI_STATUS_IGNORE);
    ADDRESS(MPI_STATUSES_IGNORE);
}

static void error_classes(void)
{
    NUMBER(MPI_SUCCESS);
    NUMBER(MPI_ERR_BUFFER);
    NUMBER(MPI_ERR_COUNT);
    NUMBER(MPI_ERR_TYPE);
    NUMBER(MPI_ERR_COMM);
    NUMBER(MPI_ERR_ARG);
    NUMBER(MPI_ERR_TRUNCATE);
    NUMBER(MPI_ERR_OTHER);
    NUMBER(MPI_ERR_IN_STATUS);
    NUMBER(MPI_ERR_NO_MEM);
}

static void numbers(void)
{
    NUMBER(MPI_COMBINER_NAMED);
    NUMBER(MPI_COMBINER_DUP);
    NUMBER(MPI_COMBINER_CONTIGUOUS);
    NUMBER(MPI_COMBINER_F90_REAL);
    NUMBER(MPI_COMBINER_F90_COMPLEX);
    NUMBER(MPI_COMBINER_F90_INTEGER);
    NUMBER(MPI_UNDEFINED);
    NUMBER(MPI_ANY_SOURCE);
    NUMBER(MPI_ANY_TAG);
    NUMBER(MPI_KEYVAL_INVALID);
    NUMBER(MPI_TAG_UB);
    NUMBER(MPI_THREAD_SINGLE);
    NUMBER(MPI_THREAD_FUNNELED);
    NUMBER(MPI_THREAD_SERIALIZED);
    NUMBER(MPI_THREAD_MULTIPLE);
    NUMBER(MPI_MAX_ERROR_STRING);
    NUMBER(MPI_MAX_LIBRARY_VERSION_STRING);
    NUMBER(MPI_MAX_OBJECT_NAME);
}

int main(void)
{
    which();
    types();
    handles();
    addresses();
    error_classes();
    numbers();
    return 0;
}
