/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * library.h: the MPI library of this process: where it is, and which ABI it has.
 *
 * Needs no mpi.h. libshunt.so is not linked with any MPI: a preloaded shell must not load one, and
 * one file serves every MPI library. What is asked for is a name that libshunt.so does not have
 * itself.
 */
#ifndef SHUNT_PMPI_LIBRARY_H
#define SHUNT_PMPI_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

enum shunt_library_abi {
    SHUNT_LIBRARY_UNKNOWN,
    SHUNT_LIBRARY_MPICH,    /* MPICH, Intel MPI, MVAPICH, Cray MPICH */
    SHUNT_LIBRARY_STANDARD, /* MPI 5.0, appendix A: libmpi_abi of MPICH 5 and of Open MPI 6 */
    SHUNT_LIBRARY_OPEN_MPI
};

struct shunt_library {
    enum shunt_library_abi abi;
    void *(*lookup)(const struct shunt_library *library, const char *name);
    void *(*next)(const void *caller, const char *name); /* shunt_library_next */
    void *handle;                                        /* of dlopen; never given back */
    const char *file;                                    /* "" for the program itself */
    bool open_mpi;                                       /* it is Open MPI, whichever ABI it has */
    bool global;      /* the process finds its names without a handle */
    const char *tool; /* an object that intercepts MPI_Alltoallv after us, or NULL */
};

/* What the process has when it begins, in the global scope. False: nothing, or nothing that names
 * alone tell the ABI of: functions of the library are not called yet. */
bool shunt_library_at_start(struct shunt_library *library);

/*
 * The function `name` that the code at `caller` (a return address) would call if the object that
 * this is a part of were not there, or NULL: the next one in the scope of the whole process, or in
 * the caller's own; where it is hidden from both, the first that any object has.
 */
void *shunt_library_next(const void *caller, const char *name);

/*
 * The library that the code at `caller` uses; next: what it calls in place of our function, or
 * NULL, which is not looked at then. False: there is none, or there are several and nothing tells
 * which, or what it calls has no PMPI_ functions: stand-ins of MPI for a single process.
 */
bool shunt_library_find(const void *caller, const void *next, struct shunt_library *library);

/*
 * Address of a function of the library by its full name ("PMPI_Alltoall"), or NULL. Where the
 * process finds the library without a handle it is the first that the process has of that name, but
 * for those of the object that has found the library: tools may have put theirs there.
 */
void *shunt_library_symbol(const struct shunt_library *library, const char *name);

/* The same, of what comes behind the object that this is a part of: for a function of that name
 * there, which a tool before it may have called. */
void *shunt_library_behind(const struct shunt_library *library, const char *name);

/* Address of a variable of the library, or NULL: where the program has a copy of it, which is the
 * one that the library uses then, that of the copy. */
void *shunt_library_variable(const struct shunt_library *library, const char *name);

/* Whether an object named like an MPI library is loaded now, into whatever scope. Looks no symbol
 * up, so it costs next to nothing in a process that has none. */
bool shunt_library_loaded(void);

/* Whether this process has any MPI library now. Looks for none, and may be asked at any time. */
bool shunt_library_present(void);

/* An object file of the process, and where its code and data lie. */
struct shunt_object {
    const char *file;      /* "" for the program itself, and where no object has the address */
    const void *from, *to; /* first byte, and the one after the last */
};
struct shunt_object shunt_library_object(const void *address);

#endif
