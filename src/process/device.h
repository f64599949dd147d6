/* SPDX-License-Identifier: BSD-3-Clause */
/* device.h: memory of accelerators. */
#ifndef SHUNT_PROCESS_DEVICE_H
#define SHUNT_PROCESS_DEVICE_H

#include <stdatomic.h>
#include <stdbool.h>

enum shunt_device {
    SHUNT_DEVICE_NONE,  /* no device, whatever libraries are loaded */
    SHUNT_DEVICE_TOLD,  /* there may be one, and its memory can be told from the host's */
    SHUNT_DEVICE_OPAQUE /* there may be one, and any memory may be its */
};

/* What devices this process may have. A runtime is asked once; those loaded later are found. */
enum shunt_device shunt_device_runtime(void);
/* Whether this machine has devices at all, as far as files tell, once shunt_device_runtime was
 * called: else no runtime that is loaded later need be looked for. */
extern atomic_bool shunt_device_possible;
/* Why calls are native where they are so because of device memory: names this rank's runtime. */
const char *shunt_device_reason(void);
/* Whether the pointer is memory of a device; for those that can tell. */
bool shunt_device_pointer(const void *pointer);

#endif
