/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * back_end.h: what libshunt.so, the front, and a back end know of each other.
 *
 * The front has MPI's names. A back end is everything behind them, compiled for one ABI; the front
 * opens the one of the library that the process has. Neither is linked with MPI.
 */
#ifndef SHUNT_PMPI_BACK_END_H
#define SHUNT_PMPI_BACK_END_H

#include <stdbool.h>
#include <stdint.h>

#include "pmpi/library.h"

/* One argument, as it comes in a register or a stack slot: handles are ints (MPICH) or pointers,
 * and every supported calling convention passes either in one word. */
typedef uintptr_t word;

/* What a function returns that the library lacks: MPI_ERR_OTHER of MPICH, an error everywhere. */
enum { SHUNT_NO_FUNCTION = 15 };

#define SHUNT_LIST7 (word a, word b, word c, word d, word e, word f, word g)
#define SHUNT_TYPES7 (word, word, word, word, word, word, word)
#define SHUNT_VALUES7 (a, b, c, d, e, f, g)
#define SHUNT_LIST8 (word a, word b, word c, word d, word e, word f, word g, word h)
#define SHUNT_TYPES8 (word, word, word, word, word, word, word, word)
#define SHUNT_VALUES8 (a, b, c, d, e, f, g, h)
#define SHUNT_LIST9 (word a, word b, word c, word d, word e, word f, word g, word h, word i)
#define SHUNT_TYPES9 (word, word, word, word, word, word, word, word, word)
#define SHUNT_VALUES9 (a, b, c, d, e, f, g, h, i)
#define SHUNT_LIST10                                                                               \
    (word a, word b, word c, word d, word e, word f, word g, word h, word i, word j)
#define SHUNT_TYPES10 (word, word, word, word, word, word, word, word, word, word)
#define SHUNT_VALUES10 (a, b, c, d, e, f, g, h, i, j)
#define SHUNT_LIST11                                                                               \
    (word a, word b, word c, word d, word e, word f, word g, word h, word i, word j, word k)
#define SHUNT_TYPES11 (word, word, word, word, word, word, word, word, word, word, word)
#define SHUNT_VALUES11 (a, b, c, d, e, f, g, h, i, j, k)

/* The functions that are routed: X(name, its number of arguments). */
#define SHUNT_ROUTED(X)                                                                            \
    X(MPI_Alltoall, 7)                                                                             \
    X(MPI_Alltoall_c, 7)                                                                           \
    X(MPI_Alltoallv, 9)                                                                            \
    X(MPI_Alltoallv_c, 9)

/* Their relatives, which are counted for the summary and passed on. */
#define SHUNT_PASSED(X)                                                                            \
    SHUNT_BOTH(X, MPI_Alltoallw, 9)                                                                \
    SHUNT_BOTH(X, MPI_Ialltoall, 8)                                                                \
    SHUNT_BOTH(X, MPI_Ialltoallv, 10)                                                              \
    SHUNT_BOTH(X, MPI_Ialltoallw, 10)                                                              \
    SHUNT_BOTH(X, MPI_Alltoall_init, 9)                                                            \
    SHUNT_BOTH(X, MPI_Alltoallv_init, 11)                                                          \
    SHUNT_BOTH(X, MPI_Alltoallw_init, 11)                                                          \
    SHUNT_BOTH(X, MPI_Neighbor_alltoall, 7)                                                        \
    SHUNT_BOTH(X, MPI_Neighbor_alltoallv, 9)                                                       \
    SHUNT_BOTH(X, MPI_Neighbor_alltoallw, 9)                                                       \
    SHUNT_BOTH(X, MPI_Ineighbor_alltoall, 8)                                                       \
    SHUNT_BOTH(X, MPI_Ineighbor_alltoallv, 10)                                                     \
    SHUNT_BOTH(X, MPI_Ineighbor_alltoallw, 10)
#define SHUNT_BOTH(X, name, arguments) X(name, arguments) X(name##_c, arguments)

#define SHUNT_ENTRY_NUMBER(name, arguments) SHUNT_ENTRY_##name,
enum shunt_entry {
    SHUNT_ROUTED(SHUNT_ENTRY_NUMBER) SHUNT_PASSED(SHUNT_ENTRY_NUMBER) SHUNT_ENTRY_COUNT
};

/* Any function; cast back to its own type before it is called. */
typedef void (*shunt_function)(void);

/* The one symbol of a back end. */
#define SHUNT_BACK_END "shunt_back_end"
struct shunt_back_end {
    const char *version; /* of the package: front and back end belong together */
    enum shunt_library_abi abi;
    /* Before any other function. environment: as shunt_environment has it; stays the front's.
     * False: the library lacks functions that are needed. */
    bool (*begin)(const struct shunt_library *library, char *const *environment);
    /* Once, with the first call: says what is active. False: the library has not the ABI that its
     * names are of. */
    bool (*first_call)(void);
    /* MPI_Comm_idup is about to be called on this communicator. */
    void (*duplicates)(word comm);
    shunt_function entries[SHUNT_ENTRY_COUNT];
};

#endif
