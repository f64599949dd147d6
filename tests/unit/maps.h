/* SPDX-License-Identifier: BSD-3-Clause */
/* maps.h: what the tests of decisions by block size share. */
#ifndef SHUNT_TESTS_MAPS_H
#define SHUNT_TESTS_MAPS_H

#include <stdint.h>

#include "route/route.h"

/* `ranks` on `nodes`, block by block. */
void blocks(struct shunt_layout *layout, int ranks, int nodes);

/* The decisions, of MPI_Alltoallv if no operation is named; to be cleared. */
void build_for(struct shunt_map *map, const struct shunt_table *table, enum shunt_op op,
               const struct shunt_layout *layout, int64_t cap);
void build(struct shunt_map *map, const struct shunt_table *table,
           const struct shunt_layout *layout, int64_t cap);

/* The text of `count` rules for table_of; to be freed. */
char *random_rules(uint32_t *seed, int count);

#endif
