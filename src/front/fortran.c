/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fortran.c: Open MPI's Fortran bindings call PMPI_Alltoall and PMPI_Alltoallv of C, with the
 * sentinels of Fortran translated already. So libshunt.so has these names as well: from the
 * bindings they are routed like the MPI_ names, from anybody else (tools, MPI-IO within a library)
 * they are the library's own, and no call that Shunt knows of.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "front/front.h"

#define EXPORT __attribute__((visibility("default")))
#define NAMED(symbol) __asm__(symbol)

static bool is_binding(const char *file)
{
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
    return strncmp(name, "libmpi_mpifh", 12) == 0 || strncmp(name, "libmpi_usempi", 13) == 0;
}

/*
 * Objects that called. Programs have one or two; what does not fit is looked for each time. An
 * entry is complete before the count tells of it.
 */
enum { OBJECTS = 16 };
static struct {
    uintptr_t from, to;
    bool binding;
} objects[OBJECTS];
static _Atomic int object_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static bool look(void *caller)
{
    const struct shunt_object object = shunt_library_object(caller);
    const bool binding = is_binding(object.file);
    pthread_mutex_lock(&lock);
    const int count = atomic_load(&object_count);
    if (count < OBJECTS) {
        objects[count].from = (uintptr_t)object.from;
        objects[count].to = (uintptr_t)object.to;
        objects[count].binding = binding;
        atomic_store_explicit(&object_count, count + 1, memory_order_release);
    }
    pthread_mutex_unlock(&lock);
    return binding;
}

static bool from_binding(void *caller)
{
    const uintptr_t at = (uintptr_t)caller;
    const int count = atomic_load_explicit(&object_count, memory_order_acquire);
    for (int i = 0; i < count; i++)
        if (at >= objects[i].from && at < objects[i].to)
            return objects[i].binding;
    return look(caller);
}

/* The function behind ours; looked up once. A tool that comes before us may have called. */
static void *own(const char *name, void *caller, _Atomic(void *) *known)
{
    void *function = atomic_load_explicit(known, memory_order_acquire);
    if (!function) {
        function = shunt_library_behind(shunt_front_library(caller), name);
        atomic_store_explicit(known, function, memory_order_release);
    }
    return function;
}

#define PROFILING(name, n)                                                                         \
    EXPORT int profiling_##name SHUNT_LIST##n NAMED("P" #name);                                    \
    EXPORT int profiling_##name SHUNT_LIST##n                                                      \
    {                                                                                              \
        static _Atomic(void *) known;                                                              \
        int(*function) SHUNT_TYPES##n = NULL; /* NOLINT(bugprone-macro-parentheses) */             \
        if (from_binding(__builtin_return_address(0)))                                             \
            return shunt_front_##name SHUNT_VALUES##n;                                             \
        *(void **)&function = own("P" #name, __builtin_return_address(0), &known);                 \
        return function ? function SHUNT_VALUES##n : SHUNT_NO_FUNCTION;                            \
    }
SHUNT_ROUTED(PROFILING)
