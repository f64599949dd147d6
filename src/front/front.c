/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * front.c: the MPI functions that libshunt.so has. Each is a jump: at the first call to what looks
 * for the MPI library of the caller, from then on to the back end of its ABI. Where there is no
 * back end that can serve it, to the library's own function, with the arguments as they came.
 *
 * A jump leaves the return address as it is: functions behind it see the program's.
 */
#include "front/front.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#include "base/environment.h"
#include "front/open.h"
#include "front/witness.h"

#define EXPORT __attribute__((visibility("default")))
#define NAMED(symbol) __asm__(symbol)

static void find(void *caller);

static int no_function(void)
{
    return SHUNT_NO_FUNCTION;
}

/* C names of our own, since several of these have other types in an mpi.h. */
#define ENTRY(name, n)                                                                             \
    typedef int(*type_##name) SHUNT_TYPES##n;                                                      \
    static int first_##name SHUNT_LIST##n;                                                         \
    static _Atomic(type_##name) to_##name = first_##name;                                          \
    EXPORT int front_##name SHUNT_LIST##n NAMED(#name);                                            \
    EXPORT int front_##name SHUNT_LIST##n                                                          \
    {                                                                                              \
        return atomic_load_explicit(&to_##name, memory_order_acquire) SHUNT_VALUES##n;             \
    }                                                                                              \
    static int first_##name SHUNT_LIST##n                                                          \
    {                                                                                              \
        find(__builtin_return_address(0));                                                         \
        return atomic_load(&to_##name) SHUNT_VALUES##n;                                            \
    }
SHUNT_ROUTED(ENTRY)
SHUNT_PASSED(ENTRY)

#define ROUTE(name, n)                                                                             \
    int shunt_front_##name SHUNT_LIST##n                                                           \
    {                                                                                              \
        return atomic_load_explicit(&to_##name, memory_order_acquire) SHUNT_VALUES##n;             \
    }
SHUNT_ROUTED(ROUTE)

/* What the process has had since it began; of the first caller, if it had none then. */
static struct shunt_library library;
static const struct shunt_back_end *back_end;
static bool tried; /* whether a back end for it was looked for */

static shunt_function behind(enum shunt_entry entry, const char *name)
{
    shunt_function own = back_end ? back_end->entries[entry] : NULL;
    if (!own)
        *(void **)&own = shunt_library_symbol(&library, name);
    return own ? own : (shunt_function)no_function;
}

#define SET(name, n) atomic_store(&to_##name, (type_##name)behind(SHUNT_ENTRY_##name, "P" #name));

static void set_entries(void)
{
    SHUNT_ROUTED(SET)
    SHUNT_PASSED(SET)
}

static void open_now(void)
{
    tried = true;
    back_end = shunt_open_back_end(&library);
}

/* In a program that is linked with MPI everything is found before its first call, which would have
 * to wait for that on all ranks. Shells and launchers have no MPI, and get no back end. */
__attribute__((constructor(201))) static void look_ahead(void)
{
    if (shunt_library_at_start(&library))
        open_now();
    else
        library = (struct shunt_library){.abi = SHUNT_LIBRARY_UNKNOWN};
}

static void say_unknown(void)
{
    if (shunt_environment_first_of_job())
        fprintf(stderr,
                "shunt: %s has none of the ABIs that libshunt.so knows (MPICH's, Open MPI's, that "
                "of MPI 5): nothing is routed, the program runs as it is\n",
                library.file);
}

static void say_tool(void)
{
    if (library.tool && shunt_environment_first_of_job())
        fprintf(stderr,
                "shunt: %s also intercepts MPI_Alltoallv and comes after libshunt.so: it will not "
                "see these calls (libshunt(7) tells what can be combined)\n",
                library.tool);
}

/* The library of the caller need not be the one that was there at the beginning. */
static void open_for(void *caller)
{
    struct shunt_library now;
    if (!shunt_library_find(caller, &now)) {
        fprintf(stderr, "shunt: the program called MPI_Alltoall(v), but no MPI library that "
                        "defines PMPI_Alltoall could be identified; "
                        "run it without libshunt.so\n");
        _exit(5);
    }
    if (now.handle == library.handle && tried)
        return;
    library = now;
    back_end = NULL;
    if (library.abi == SHUNT_LIBRARY_UNKNOWN)
        say_unknown();
    else
        open_now();
}

static _Thread_local void *first_caller __attribute__((tls_model("initial-exec")));

static void locate_once(void)
{
    open_for(first_caller);
}

const struct shunt_library *shunt_front_library(void *caller)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    first_caller = caller;
    pthread_once(&once, locate_once);
    return &library;
}

static void find_once(void)
{
    shunt_witness_call();
    (void)shunt_front_library(first_caller);
    if (back_end) {
        say_tool();
        back_end->first_call();
    }
    set_entries();
}

static void find(void *caller)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    first_caller = caller;
    pthread_once(&once, find_once);
}

const struct shunt_back_end *shunt_front_back_end(void)
{
    return back_end;
}
