/* SPDX-License-Identifier: BSD-3-Clause */
/* rules.h: what the tests of decisions and of findings on rules share. */
#ifndef SHUNT_TESTS_RULES_H
#define SHUNT_TESTS_RULES_H

#include <stdint.h>

#include "route/table.h"

/* The table of these rules for MPI_Alltoallv, which must be right; to be freed. */
struct shunt_table *table_of(const char *rules);

/* Deterministic, so that a failure can be repeated. */
uint32_t next_random(uint32_t *seed);

#endif
