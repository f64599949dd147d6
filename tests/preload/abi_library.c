/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A stand-in for an MPI library: it has every function that libshunt.so looks for, and handles are
 * pointers. Only what the program calls does anything, and whoever calls another function means
 * another ABI: the process aborts.
 */
#include <stdlib.h>

#include "pmpi/pmpi.h"

#define STUB(name)                                                                                 \
    int stub_##name(void) __asm__("PMPI_" #name);                                                  \
    __attribute__((weak)) int stub_##name(void)                                                    \
    {                                                                                              \
        abort();                                                                                   \
    }
SHUNT_PMPI_NEEDED(STUB)
SHUNT_PMPI_OPTIONAL(STUB)
