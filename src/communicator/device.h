/* SPDX-License-Identifier: BSD-3-Clause */
/* device.h: memory of accelerators. */
#ifndef SHUNT_COMMUNICATOR_DEVICE_H
#define SHUNT_COMMUNICATOR_DEVICE_H

#include <stdbool.h>

/* Whether a GPU runtime is loaded in this process. */
bool shunt_device_runtime(void);
/* Whether the pointer is (or may be) device memory. */
bool shunt_device_pointer(const void *pointer);

#endif
