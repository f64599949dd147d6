/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * device.c: telling device memory from host memory, without linking any GPU runtime.
 *
 * Host copies of device pointers crash, so when a runtime is loaded on any rank, each call agrees on whether a device pointer takes part.
 */
#include <dlfcn.h>
#include <stdatomic.h>

#include "communicator/comm.h"

/* Signature and numbers shared by the CUDA driver (cuPointerGetAttribute) and HIP (hipPointerGetAttribute). */
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
    {"libze_loader.so.1", NULL, 0},                    /* Level Zero cannot be asked without the application's context */
};

static _Atomic(pointer_attribute_fn) ask;
static atomic_bool loaded;
static atomic_uint host_type;

bool shunt_device_runtime(void)
{
    for (size_t i = 0; i < sizeof runtimes / sizeof runtimes[0]; i++) {
        void *handle = dlopen(runtimes[i].soname, RTLD_NOLOAD | RTLD_LAZY);
        if (!handle)
            continue;
        atomic_store(&loaded, true);
        pointer_attribute_fn function = NULL;
        if (runtimes[i].symbol)
            *(void **)&function = dlsym(handle, runtimes[i].symbol);
        atomic_store(&host_type, runtimes[i].host);
        if (function)
            atomic_store(&ask, function);
        /* The handle is kept: the runtime must not be unloaded while its function may be called. */
        return true;
    }
    return atomic_load(&loaded);
}

bool shunt_device_pointer(const void *pointer)
{
    const pointer_attribute_fn function = atomic_load_explicit(&ask, memory_order_relaxed);
    if (!function)
        return atomic_load_explicit(&loaded, memory_order_relaxed); /* a runtime that cannot be asked: be careful */
    if (!pointer)
        return false;
    unsigned type = 0;
    if (function(&type, ATTRIBUTE_MEMORY_TYPE, (unsigned long long)(uintptr_t)pointer) != 0)
        return false; /* memory the runtime does not know: host */
    return type != atomic_load_explicit(&host_type, memory_order_relaxed);
}
