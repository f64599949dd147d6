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
enum { OBJECTS = 16, FUNCTIONS = SHUNT_ENTRY_MPI_Alltoallv_c + 1 };
struct object {
    uintptr_t from, to;
    bool binding;
    _Atomic(void *) behind[FUNCTIONS]; /* NULL: not looked for yet, or there is none */
};
static struct object objects[OBJECTS];
static _Atomic int object_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct object *add(const struct shunt_object *found, bool binding)
{
    struct object *object = NULL;
    pthread_mutex_lock(&lock);
    const int count = atomic_load(&object_count);
    if (count < OBJECTS) {
        object = &objects[count];
        object->from = (uintptr_t)found->from;
        object->to = (uintptr_t)found->to;
        object->binding = binding;
        atomic_store_explicit(&object_count, count + 1, memory_order_release);
    }
    pthread_mutex_unlock(&lock);
    return object;
}

/* The object that called, or NULL: it does not fit. */
static struct object *object_of(const void *caller, bool *binding)
{
    const uintptr_t at = (uintptr_t)caller;
    const int count = atomic_load_explicit(&object_count, memory_order_acquire);
    for (int i = 0; i < count; i++)
        if (at >= objects[i].from && at < objects[i].to) {
            *binding = objects[i].binding;
            return &objects[i];
        }
    const struct shunt_object found = shunt_library_object(caller);
    *binding = is_binding(found.file);
    return add(&found, *binding);
}

/* Whether the call is routed: of a binding, where there is a back end. Otherwise *function is the
 * one behind ours, or NULL. */
static bool is_routed(const void *caller, enum shunt_entry entry, const char *name, void **function)
{
    bool binding = false;
    struct object *object = object_of(caller, &binding);
    if (binding && shunt_front_back_end(caller, name))
        return true;
    *function = object ? atomic_load_explicit(&object->behind[entry], memory_order_acquire) : NULL;
    if (*function)
        return false;
    *function = shunt_library_next(caller, name);
    if (object)
        atomic_store_explicit(&object->behind[entry], *function, memory_order_release);
    return false;
}

#define PROFILING(name, n)                                                                         \
    EXPORT int profiling_##name SHUNT_LIST##n NAMED("P" #name);                                    \
    EXPORT int profiling_##name SHUNT_LIST##n                                                      \
    {                                                                                              \
        int(*function) SHUNT_TYPES##n = NULL; /* NOLINT(bugprone-macro-parentheses) */             \
        if (is_routed(__builtin_return_address(0), SHUNT_ENTRY_##name, "P" #name,                  \
                      (void **)&function))                                                         \
            return shunt_front_##name SHUNT_VALUES##n;                                             \
        return function ? function SHUNT_VALUES##n : SHUNT_NO_FUNCTION;                            \
    }
SHUNT_ROUTED(PROFILING)
