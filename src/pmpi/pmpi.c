/* SPDX-License-Identifier: BSD-3-Clause */
/* pmpi.c: the table of the library's own functions and, where they are variables, handles. */
#include "pmpi/pmpi.h"

#include <stdio.h>

struct shunt_pmpi shunt_pmpi;

static struct shunt_library used;
static bool hides_errors;
bool shunt_pmpi_open_mpi;

void *shunt_pmpi_symbol(const char *name)
{
    return shunt_library_symbol(&used, name);
}

void *shunt_pmpi_next(const void *caller, const char *name)
{
    return used.next ? used.next(caller, name) : NULL;
}

/* Our own mpi.h for Open MPI: its handles are addresses of variables of the library. */
#if defined(SHUNT_HANDLES)
struct shunt_handles shunt_handles;

#define LOAD_HANDLE(name) shunt_handles.name = shunt_library_variable(&used, #name);

static void load_handles(void)
{
    SHUNT_HANDLES(LOAD_HANDLE)
    *(void **)&shunt_handles.null_copy = shunt_pmpi_symbol(SHUNT_NULL_COPY);
}
#else
static void load_handles(void)
{
}
#endif

/* POSIX lets a function pointer be stored through the object pointer that dlsym returns. */
#define LOAD(name) *(void **)&shunt_pmpi.name = shunt_pmpi_symbol("PMPI_" #name);
#define CHECK(name) complete = complete && shunt_pmpi.name;

/* What the first call of a program uses of the library and nothing does before it: a page that is
 * touched first within a call takes a microsecond there. */
static void touch(void)
{
    void *const first[] = {*(void **)&shunt_pmpi.Iallreduce, *(void **)&shunt_pmpi.Test,
                           *(void **)&shunt_pmpi.Comm_get_errhandler};
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        if (first[i])
            (void)*(const volatile char *)first[i];
}

bool shunt_pmpi_use(const struct shunt_library *library)
{
    bool complete = true;
    used = *library;
    load_handles();
    SHUNT_PMPI_NEEDED(LOAD)
    SHUNT_PMPI_OPTIONAL(LOAD)
    SHUNT_PMPI_NEEDED(CHECK)
    shunt_pmpi_open_mpi = library->open_mpi;
    hides_errors = !library->open_mpi && shunt_pmpi_symbol("PMPI_Abi_get_version") != NULL;
    touch();
    return complete;
}

bool shunt_pmpi_resolve(void *caller)
{
    struct shunt_library library;
    const char *problem = NULL;
    if (!shunt_library_find(caller, NULL, &library))
        problem = "no MPI library, or more than one, was found";
    else if (library.abi != SHUNT_PMPI_ABI)
        problem = "this program was built for another MPI library than it is run with";
    else if (!shunt_pmpi_use(&library))
        problem = "the MPI library is too old: MPI 3.1 is needed";
    if (problem)
        fprintf(stderr, "shunt: %s\n", problem);
    return !problem;
}

bool shunt_pmpi_hides_errors(void)
{
    return hides_errors;
}
