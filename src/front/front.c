/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * front.c: the MPI functions that libshunt.so has. Each is a jump: at the first call to what looks
 * for the MPI library of the caller, from then on to the back end of its ABI. Where there is no
 * back end that can serve it, to the function that the caller would call without us, with the
 * arguments as they came.
 *
 * A jump leaves the return address as it is: functions behind it see the program's.
 */
#include "front/front.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/environment.h"
#include "front/open.h"
#include "front/witness.h"

#define EXPORT __attribute__((visibility("default")))
#define NAMED(symbol) __asm__(symbol)

static shunt_function find(const void *caller, enum shunt_entry entry, const char *name);

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
        return ((type_##name)find(__builtin_return_address(0), SHUNT_ENTRY_##name,                 \
                                  #name))SHUNT_VALUES##n;                                          \
    }
SHUNT_ROUTED(ENTRY)
SHUNT_PASSED(ENTRY)

#define ROUTE(name, n)                                                                             \
    int shunt_front_##name SHUNT_LIST##n                                                           \
    {                                                                                              \
        return atomic_load_explicit(&to_##name, memory_order_acquire) SHUNT_VALUES##n;             \
    }
SHUNT_ROUTED(ROUTE)

/* What the process has had since it began; of the first caller that has one, if it had none then.
 */
static struct shunt_library library;
static const struct shunt_back_end *back_end;
static bool tried;          /* whether a back end for it was looked for */
static bool located;        /* both are known and stay as they are */
static atomic_bool settled; /* the same, and they are those of every caller */
/* The last objects whose MPI functions are those of the library, and of none or of another one;
 * from NULL to NULL: none yet. */
static struct shunt_object served, stranger;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of all that is looked for */

/* The function that a call goes on to; caller: a return address. Without a back end the one that it
 * would call without us. */
static shunt_function behind(const void *caller, enum shunt_entry entry, const char *name,
                             const struct shunt_back_end *to)
{
    shunt_function own = to ? to->entries[entry] : NULL;
    if (!own)
        *(void **)&own = shunt_library_next(caller, name);
    return own ? own : (shunt_function)no_function;
}

#define SET(name, n)                                                                               \
    atomic_store(&to_##name, (type_##name)behind(caller, SHUNT_ENTRY_##name, #name, back_end));

/* Where a caller has been seen that the library is not for, each call is looked at. */
static void set_entries(const void *caller)
{
    if (stranger.from)
        return;
    SHUNT_ROUTED(SET)
    SHUNT_PASSED(SET)
}

static void open_now(void)
{
    tried = true;
    back_end = shunt_open_back_end(&library);
}

/* In a program that is linked with MPI everything is found before its first call, which would have
 * to wait for that on all ranks. Shells and launchers have no MPI, and get no back end. A
 * constructor of another library may have called before this one. */
__attribute__((constructor(201))) static void look_ahead(void)
{
    const int error = errno;
    pthread_mutex_lock(&lock);
    if (!located && shunt_library_at_start(&library))
        open_now();
    else if (!located)
        library = (struct shunt_library){.abi = SHUNT_LIBRARY_UNKNOWN};
    pthread_mutex_unlock(&lock);
    errno = error;
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

/* Whether a variable asks for what this process cannot have. */
static bool asked(void)
{
    static const char *const variables[] = {"SHUNT_CONFIG", "SHUNT_FORCE",  "SHUNT_LEARN",
                                            "SHUNT_STRICT", "SHUNT_VERIFY", "SHUNT_WARMUP"};
    const char *log = shunt_environment_value("SHUNT_LOG");
    if (log)
        return strcmp(log, "off") != 0;
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        if (shunt_environment_value(variables[i]))
            return true;
    return false;
}

static void say_none(const char *file)
{
    static bool said;
    if (!said && asked() && shunt_environment_first_of_job())
        fprintf(stderr,
                "shunt: the MPI functions that the program calls (%s) are not those of an MPI "
                "library with PMPI_ names: nothing is routed, the program runs as it is\n",
                *file ? file : "in no file that could be found");
    said = true;
}

static bool is_within(const void *address, const struct shunt_object *object)
{
    return (uintptr_t)address >= (uintptr_t)object->from &&
           (uintptr_t)address < (uintptr_t)object->to;
}

/* The library of the caller need not be the one that was there at the beginning. */
static void use(const struct shunt_library *now)
{
    if (now->handle != library.handle || now->abi != library.abi || !tried) {
        library = *now;
        back_end = NULL;
        if (library.abi == SHUNT_LIBRARY_UNKNOWN)
            say_unknown();
        else
            open_now();
    }
    located = true;
}

/* Whether the library is known and the caller's; next: what the code at `caller` would call without
 * us. */
static bool locate(const void *caller, const void *next)
{
    struct shunt_library now;
    if (!next || is_within(next, &stranger))
        return false;
    if (atomic_load(&settled) || is_within(next, &served))
        return true;
    const bool found = shunt_library_find(caller, next, &now);
    if (!found)
        say_none(shunt_library_object(next).file);
    if (!found || (located && now.handle != library.handle)) {
        stranger = shunt_library_object(next);
        return false;
    }
    if (!located)
        use(&now);
    served = shunt_library_object(next);
    atomic_store_explicit(&settled, !stranger.from, memory_order_release);
    return true;
}

/* A library may lack the function that is called, where the program looks before it calls. */
static void *next_known(const void *caller, const char *name)
{
    void *next = shunt_library_next(caller, name);
    return next ? next : shunt_library_next(caller, "MPI_Alltoall");
}

const struct shunt_back_end *shunt_front_back_end(const void *caller, const char *name)
{
    if (atomic_load_explicit(&settled, memory_order_acquire))
        return back_end;
    pthread_mutex_lock(&lock);
    const bool known = locate(caller, next_known(caller, name));
    pthread_mutex_unlock(&lock);
    return known ? back_end : NULL;
}

static void no_answer(void)
{
    if (shunt_environment_first_of_job())
        fprintf(stderr,
                "shunt: %s has names of an ABI that libshunt.so knows, but other handles: nothing "
                "is routed, the program runs as it is\n",
                library.file);
    back_end = NULL;
}

static void begin(const void *caller)
{
    static bool begun;
    if (!begun && back_end) {
        say_tool();
        if (!back_end->first_call())
            no_answer();
    }
    begun = true;
    set_entries(caller);
}

/* What a call of our function `name` goes on to. */
static shunt_function find(const void *caller, enum shunt_entry entry, const char *name)
{
    static bool seen;
    pthread_mutex_lock(&lock);
    if (!seen)
        shunt_witness_call();
    seen = true;
    const bool known = locate(caller, next_known(caller, name));
    if (known)
        begin(caller);
    const shunt_function function = behind(caller, entry, name, known ? back_end : NULL);
    pthread_mutex_unlock(&lock);
    return function;
}
