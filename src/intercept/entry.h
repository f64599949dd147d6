/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * entry.h: the functions of a back end, one for each that the front has. Arguments are machine
 * words; they are called when the library is known.
 */
#ifndef SHUNT_INTERCEPT_ENTRY_H
#define SHUNT_INTERCEPT_ENTRY_H

#include "pmpi/back_end.h"

#define SHUNT_COLD __attribute__((noinline))

#define SHUNT_ENTRY_DECLARE(name, n) int shunt_entry_##name SHUNT_LIST##n;
SHUNT_ROUTED(SHUNT_ENTRY_DECLARE)
SHUNT_PASSED(SHUNT_ENTRY_DECLARE)

#endif
