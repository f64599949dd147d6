/* SPDX-License-Identifier: BSD-3-Clause */
/* test_layout.c: layouts number nodes and ranks of a node, and can be divided into pieces. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "schedule/layout.h"

static void layouts_number_nodes_by_lowest_rank(void **state)
{
    (void)state;
    const int keys[] = {9, 4, 9, 1, 4, 4};
    struct shunt_layout layout;
    assert_int_equal(shunt_layout_from_keys(&layout, 6, keys), 0);
    const int nodes[] = {0, 1, 0, 2, 1, 1}, locals[] = {0, 0, 1, 0, 1, 2};
    assert_memory_equal(layout.node_of, nodes, sizeof nodes);
    assert_memory_equal(layout.local_of, locals, sizeof locals);
    assert_int_equal(layout.ppn_min, 1);
    assert_int_equal(layout.ppn_max, 3);
    assert_int_equal(shunt_layout_rank(&layout, 1, 2), 5);
    const int pieces[] = {2, 1};
    assert_int_equal(shunt_layout_subdivide(&layout, pieces, 2, false), 0);
    assert_int_equal(layout.nodes,
                     4); /* {0,2}, {1}, {4,5}, {3}: a piece never spans two real nodes */
    assert_int_equal(layout.node_of[4], layout.node_of[5]);
    assert_int_not_equal(layout.node_of[1], layout.node_of[4]);
    shunt_layout_clear(&layout);
}

static void ranks_can_be_dealt_to_pieces(void **state)
{
    (void)state;
    struct shunt_layout layout;
    const int pieces[] = {3, 1, 2};
    /* 9 ranks: 3, 1, 2 and again 3; the piece of 1 is full after its first. */
    const int nodes[] = {0, 1, 2, 3, 0, 2, 3, 0, 3};
    assert_int_equal(shunt_layout_blocks(&layout, 9, 1), 0);
    assert_int_equal(shunt_layout_subdivide(&layout, pieces, 3, true), 0);
    assert_int_equal(layout.nodes, 4);
    assert_memory_equal(layout.node_of, nodes, sizeof nodes);
    shunt_layout_clear(&layout);
    /* Two real nodes of 4: 3 and 1; then the list goes on: 2, and 2 of 3. */
    const int pairs[] = {0, 1, 0, 0, 2, 3, 2, 3};
    assert_int_equal(shunt_layout_blocks(&layout, 8, 2), 0);
    assert_int_equal(shunt_layout_subdivide(&layout, pieces, 3, true), 0);
    assert_memory_equal(layout.node_of, pairs, sizeof pairs);
    shunt_layout_clear(&layout);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layouts_number_nodes_by_lowest_rank),
        cmocka_unit_test(ranks_can_be_dealt_to_pieces),
    };
    return cmocka_run_group_tests_name("layout", tests, NULL, NULL);
}
