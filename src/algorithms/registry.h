/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * registry.h: every algorithm that can be named in a decision table.
 *
 * What is valid in a table and in SHUNT_FORCE, the candidates of `shunt bench`, the sweeps of
 * tests/unit/test_schedule.c and the lists of `shunt algorithms` follow from the rows; the manual
 * pages are written by hand, and compared by tests/unit/test_lists.sh.
 */
#ifndef SHUNT_ALGORITHMS_REGISTRY_H
#define SHUNT_ALGORITHMS_REGISTRY_H

#include <stddef.h>
#include <stdint.h>

#include "algorithms/algorithm.h"

/* The same in all builds whose rows have the same names, order, kinds and parameters; positive. */
int64_t shunt_registry_fingerprint(void);

/* All rows (array of *count pointers, static); the first is "native". */
const struct shunt_algorithm *const *shunt_registry_rows(size_t *count);

/* The row of that name or alias, or NULL. */
const struct shunt_algorithm *shunt_registry_find(const char *name);

/* Index of a row, for storing in tables; and back (NULL when out of range). */
int shunt_registry_index(const struct shunt_algorithm *algorithm);
const struct shunt_algorithm *shunt_registry_row(int index);

#endif
