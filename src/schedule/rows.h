/* SPDX-License-Identifier: BSD-3-Clause */
/* rows.h: the rows themselves; for registry.c, everybody else asks registry.h. */
#ifndef SHUNT_SCHEDULE_ROWS_H
#define SHUNT_SCHEDULE_ROWS_H

#include "schedule/registry.h"

extern const struct shunt_algorithm shunt_registry_table[];
extern const size_t shunt_registry_table_count;

#endif
