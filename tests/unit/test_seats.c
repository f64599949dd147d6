/* SPDX-License-Identifier: BSD-3-Clause */
/* test_seats.c: whether ranks have a processor each, however they are bound and wherever they see
 * themselves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "process/seats.h"

enum { MOST = 64 };

/* `ranks` ranks of one system, each bound to `each` processors of `processors`, in turn. */
static int seat(struct shunt_seat *seats, uint64_t system, int ranks, int here, int processors,
                int each)
{
    for (int i = 0; i < ranks; i++)
        seats[i] = (struct shunt_seat){.system = system,
                                       .ranks_here = here,
                                       .online = processors,
                                       .processors = (int16_t)each,
                                       .processor = (int16_t)(i * each % processors)};
    return ranks;
}

static bool crowded(int ranks, int here, int processors, int each)
{
    struct shunt_seat seats[MOST];
    return shunt_seats_crowded(seats, seat(seats, 7, ranks, here, processors, each));
}

static void ranks_are_counted_against_their_processors(void **state)
{
    (void)state;
    assert_false(crowded(16, 16, 16, 16)); /* bound to none */
    assert_true(crowded(17, 17, 16, 16));
    assert_false(crowded(16, 16, 16, 1)); /* each to its own */
    assert_true(crowded(17, 17, 16, 1));
    assert_false(crowded(8, 8, 16, 2));
    assert_false(crowded(16, 16, 16, 8)); /* to two sockets in turn */
    assert_true(crowded(24, 24, 16, 8));
    assert_true(crowded(2, 2, 1, 1));
    assert_false(crowded(1, 0, 1, 1));
}

/* A communicator of one rank per node, each bound to a processor: the others have theirs. */
static void ranks_beside_the_communicator_count(void **state)
{
    (void)state;
    assert_false(crowded(1, 16, 16, 1));
    assert_true(crowded(1, 32, 16, 1));
    assert_true(crowded(2, 4, 2, 2));
}

static void one_crowded_system_is_enough(void **state)
{
    (void)state;
    struct shunt_seat seats[MOST];
    int count = seat(seats, 9, 4, 4, 4, 4);
    count += seat(seats + count, 3, 4, 4, 4, 1);
    assert_false(shunt_seats_crowded(seats, count));
    count += seat(seats + count, 5, 5, 5, 4, 4);
    assert_true(shunt_seats_crowded(seats, count));
}

/* Containers see few ranks each, and the processors of all. */
static void hosts_of_one_system_share_its_processors(void **state)
{
    (void)state;
    struct shunt_seat seats[MOST];
    int count = 0;
    for (int host = 0; host < 4; host++)
        count += seat(seats + count, 7, 4, 4, 16, 16);
    assert_false(shunt_seats_crowded(seats, count));
    count += seat(seats + count, 7, 4, 4, 16, 16);
    assert_true(shunt_seats_crowded(seats, count));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_are_counted_against_their_processors),
        cmocka_unit_test(ranks_beside_the_communicator_count),
        cmocka_unit_test(one_crowded_system_is_enough),
        cmocka_unit_test(hosts_of_one_system_share_its_processors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
