/* SPDX-License-Identifier: BSD-3-Clause */
/* maps.c: decisions by block size, and rules for them. */
#include "maps.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "rules.h"

void blocks(struct shunt_layout *layout, int ranks, int nodes)
{
    assert_int_equal(shunt_layout_blocks(layout, ranks, nodes), 0);
}

void build_for(struct shunt_map *map, const struct shunt_table *table, enum shunt_op op,
               const struct shunt_layout *layout, int64_t cap)
{
    assert_int_equal(shunt_map_build(map, table, op, layout, cap), 0);
    assert_true(map->count >= 1);
    assert_int_equal(map->from[0], 0);
}

void build(struct shunt_map *map, const struct shunt_table *table,
           const struct shunt_layout *layout, int64_t cap)
{
    build_for(map, table, SHUNT_OP_ALLTOALLV, layout, cap);
}

char *random_rules(uint32_t *seed, int count)
{
    static const char *const algorithms[] = {"native", "parlogna", "scattered", "pairwise",
                                             "parlinna-coalesced"};
    char *text = malloc((size_t)count * 200 + 1), *at = text;
    assert_non_null(text);
    *at = '\0';
    for (int i = 0; i < count; i++) {
        uint32_t low = next_random(seed) % 2000, high = low + next_random(seed) % 2000;
        at += sprintf(at, "%s{ block = \"%u-%u\"; ", i > 0 ? "," : "", low, high);
        if (next_random(seed) % 4 == 0)
            at += sprintf(at, "ranks = \"%u-\"; ", next_random(seed) % 128);
        if (next_random(seed) % 8 == 0)
            at += sprintf(at, "density = \"%u-%u\"; ", next_random(seed) % 50,
                          50 + next_random(seed) % 51);
        if (next_random(seed) % 8 == 0)
            at += sprintf(at, "oversubscribed = %s; ", next_random(seed) % 2 ? "true" : "false");
        if (next_random(seed) % 4 == 0)
            at += sprintf(at, "memory = %u; ", next_random(seed) % 400000);
        at += sprintf(at, "algorithm = \"%s\"; }", algorithms[next_random(seed) % 5]);
    }
    return text;
}
