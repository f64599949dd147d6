/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * device.c: telling device memory from host memory, without linking any GPU runtime.
 *
 * Host copies of device pointers crash, so when a runtime is loaded on any rank, each call agrees
 * on whether a device pointer takes part.
 */
#include "communicator/device.h"

#include <dlfcn.h>
#include <link.h>
#include <stdatomic.h>
#include <string.h>

#include "communicator/comm.h"

/* Signature and numbers shared by the CUDA driver (cuPointerGetAttribute) and HIP
 * (hipPointerGetAttribute). */
typedef int (*pointer_attribute_fn)(void *data, int attribute, unsigned long long pointer);
enum { ATTRIBUTE_MEMORY_TYPE = 2 };

static const struct {
    const char *soname, *symbol;
    unsigned host; /* the memory type that means host memory */
} runtimes[] = {
    {"libcuda.so.1", "cuPointerGetAttribute", 1},
    {"libamdhip64.so.7", "hipPointerGetAttribute", 1},
    {"libamdhip64.so.6", "hipPointerGetAttribute", 1},
    {"libamdhip64.so.5", "hipPointerGetAttribute", 0}, /* renumbered in ROCm 6 */
    {"libze_loader.so.1", NULL,
     0}, /* Level Zero cannot be asked without the application's context */
};
enum { RUNTIMES = sizeof runtimes / sizeof runtimes[0] };

static _Atomic(pointer_attribute_fn) ask;
static atomic_bool loaded;
static atomic_uint host_type;

/* Files may carry more of the version than the name under which they are loaded: libcuda.so.1 may
 * be libcuda.so.1.1. */
static bool is_soname(const char *file, const char *soname)
{
    const size_t length = strlen(soname);
    return strncmp(file, soname, length) == 0 && (file[length] == '\0' || file[length] == '.');
}

struct look {
    bool first;
    size_t found; /* RUNTIMES: none */
};

/* The first runtime among the objects of the process. Asking the dynamic linker for each by name
 * makes it search its folders: far dearer.
 */
static int visit_object(struct dl_phdr_info *info, size_t size, void *data)
{
    static _Atomic unsigned long long seen; /* objects that had been loaded at the last look */
    const char *name = info->dlpi_name ? info->dlpi_name : "", *slash = strrchr(name, '/');
    struct look *look = data;
    (void)size;
    if (look->first && atomic_exchange(&seen, info->dlpi_adds) == info->dlpi_adds)
        return 1;
    look->first = false;
    for (size_t i = 0; i < RUNTIMES; i++) {
        if (is_soname(slash ? slash + 1 : name, runtimes[i].soname)) {
            look->found = i;
            return 1;
        }
    }
    return 0;
}

static void remember_runtime(size_t i)
{
    void *handle = dlopen(runtimes[i].soname, RTLD_NOLOAD | RTLD_LAZY);
    pointer_attribute_fn function = NULL;
    if (handle && runtimes[i].symbol)
        *(void **)&function = dlsym(handle, runtimes[i].symbol);
    atomic_store(&host_type, runtimes[i].host);
    if (function)
        atomic_store(&ask, function);
    /* The handle is kept: the runtime must not be unloaded while its function may be called. */
}

bool shunt_device_runtime(void)
{
    struct look look = {.first = true, .found = RUNTIMES};
    if (atomic_load(&loaded))
        return true;
    dl_iterate_phdr(visit_object, &look);
    if (look.found == RUNTIMES)
        return false;
    remember_runtime(look.found);
    atomic_store(&loaded, true);
    return true;
}

bool shunt_device_pointer(const void *pointer)
{
    const pointer_attribute_fn function = atomic_load_explicit(&ask, memory_order_relaxed);
    if (!function)
        return atomic_load_explicit(
            &loaded, memory_order_relaxed); /* a runtime that cannot be asked: be careful */
    if (!pointer)
        return false;
    unsigned type = 0;
    if (function(&type, ATTRIBUTE_MEMORY_TYPE, (unsigned long long)(uintptr_t)pointer) != 0)
        return false; /* memory the runtime does not know: host */
    return type != atomic_load_explicit(&host_type, memory_order_relaxed);
}
