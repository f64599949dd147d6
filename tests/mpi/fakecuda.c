/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A stand-in for libcuda.so.1: two functions of the driver's interface, and a hook with which a
 * test declares memory to be the device's. With FAKE_DEVICES=0 there is none.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define ATTRIBUTE_MEMORY_TYPE 2 /* CU_POINTER_ATTRIBUTE_MEMORY_TYPE */
#define MEMORY_HOST 1           /* CU_MEMORYTYPE_HOST */
#define MEMORY_DEVICE 2         /* CU_MEMORYTYPE_DEVICE */
#define SUCCESS 0
#define INVALID_VALUE 1
#define NO_DEVICE 100

__attribute__((visibility("default"))) void fakecuda_device(const void *memory, size_t bytes);
__attribute__((visibility("default"))) void fakecuda_host(const void *memory, size_t bytes);
__attribute__((visibility("default"))) unsigned long fakecuda_asked(void);
__attribute__((visibility("default"))) int cuPointerGetAttribute(void *data, int attribute,
                                                                 unsigned long long pointer);
__attribute__((visibility("default"))) int cuDeviceGetCount(int *count);

struct range {
    uintptr_t first, end;
};

static struct range device, host;
static unsigned long asked;

static struct range range(const void *memory, size_t bytes)
{
    return (struct range){(uintptr_t)memory, (uintptr_t)memory + bytes};
}

void fakecuda_device(const void *memory, size_t bytes)
{
    device = range(memory, bytes);
}

/* Memory that the runtime knows, but on the host's side. Other host memory is unknown to it: an
 * error, as from the real one. */
void fakecuda_host(const void *memory, size_t bytes)
{
    host = range(memory, bytes);
}

unsigned long fakecuda_asked(void)
{
    return asked;
}

int cuDeviceGetCount(int *count)
{
    const char *devices = getenv("FAKE_DEVICES");

    *count = devices ? atoi(devices) : 1;
    return *count > 0 ? SUCCESS : NO_DEVICE;
}

int cuPointerGetAttribute(void *data, int attribute, unsigned long long pointer)
{
    unsigned *type = data;

    asked++;
    if (attribute != ATTRIBUTE_MEMORY_TYPE)
        return INVALID_VALUE;
    if (pointer >= device.first && pointer < device.end)
        *type = MEMORY_DEVICE;
    else if (pointer >= host.first && pointer < host.end)
        *type = MEMORY_HOST;
    else
        return INVALID_VALUE;
    return SUCCESS;
}
