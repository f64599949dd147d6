/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * builtin.h: the table of conf/default.cfg, as the parser made it when Shunt was built
 * (src/tools/make_builtin.c): its bytes are constants, so it costs nothing to have and needs no
 * libconfig.
 */
#ifndef SHUNT_ROUTE_BUILTIN_H
#define SHUNT_ROUTE_BUILTIN_H

#include "route/table.h"

/* Always the same pointer, not to be freed. Its source is "built-in". */
const struct shunt_table *shunt_builtin_table(void);

#endif
