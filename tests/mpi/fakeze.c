/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A stand-in for libze_loader.so.1, the loader of Level Zero: as without a driver, or, with
 * FAKE_DEVICES in the environment, as with one that has so many devices.
 */
#include <stdint.h>
#include <stdlib.h>

#define SUCCESS 0
#define UNINITIALIZED 0x78000001 /* ZE_RESULT_ERROR_UNINITIALIZED */

__attribute__((visibility("default"))) int zeDriverGet(uint32_t *count, void **drivers);
__attribute__((visibility("default"))) int zeDeviceGet(void *driver, uint32_t *count,
                                                       void **devices);

int zeDriverGet(uint32_t *count, void **drivers)
{
    static int driver;

    if (!getenv("FAKE_DEVICES"))
        return UNINITIALIZED;
    if (*count > 0 && drivers)
        drivers[0] = &driver;
    *count = 1;
    return SUCCESS;
}

int zeDeviceGet(void *driver, uint32_t *count, void **devices)
{
    const char *number = getenv("FAKE_DEVICES");

    (void)driver;
    (void)devices;
    *count = number ? (uint32_t)atoi(number) : 0;
    return SUCCESS;
}
