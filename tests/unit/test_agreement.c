/* SPDX-License-Identifier: BSD-3-Clause */
/* How ranks agree, by pure simulation: how values are combined, and that after recursive doubling
 * among any number of members each has what all have, with nobody waiting for ever. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "shm/agreement.h"
#include "shm/doubling.h"

enum { MOST = 70 };

/* Messages between members; a sender waits until its message is taken, as long ones may. */
struct world {
    int count;
    struct shunt_agreement values[MOST];
    struct shunt_doubling doubling[MOST];
    struct shunt_meeting meeting[MOST];
    bool busy[MOST], sent[MOST], received[MOST]; /* of the meeting that a member is in */
    int meetings[MOST];
    struct shunt_agreement message[MOST][MOST]; /* from, to */
    bool waiting[MOST][MOST];
};

static uint64_t some(uint64_t number)
{
    number += UINT64_C(0x9e3779b97f4a7c15);
    number = (number ^ number >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    number = (number ^ number >> 27) * UINT64_C(0x94d049bb133111eb);
    return number ^ number >> 31;
}

static struct shunt_agreement value_of(int member, int count)
{
    const uint64_t seed = (uint64_t)(member * 1000 + count) * 4;
    return (struct shunt_agreement){.largest = (int64_t)(some(seed) >> 1),
                                    .total = some(seed + 1),
                                    .checksum = some(seed + 2),
                                    .flags = UINT32_C(1) << (some(seed + 3) % 32),
                                    .blocks = some(seed + 2) >> 20};
}

/* What all together have, without shunt_agreement_add. */
static struct shunt_agreement combination(int count)
{
    struct shunt_agreement all = {0};
    for (int i = 0; i < count; i++) {
        const struct shunt_agreement one = value_of(i, count);
        if (one.largest > all.largest)
            all.largest = one.largest;
        all.total += one.total;
        all.checksum += one.checksum;
        all.flags |= one.flags;
        all.blocks += one.blocks;
    }
    return all;
}

/* Enters the next meeting. A pair never has two messages under way in one direction. */
static bool begin_meeting(struct world *w, int i)
{
    struct shunt_meeting *meeting = &w->meeting[i];
    if (!shunt_doubling_next(&w->doubling[i], meeting))
        return false;
    assert_true(meeting->partner >= 0 && meeting->partner < w->count);
    assert_int_not_equal(meeting->partner, i);
    assert_true(meeting->sends || meeting->receives);
    w->meetings[i]++;
    w->busy[i] = true;
    w->sent[i] = !meeting->sends;
    w->received[i] = !meeting->receives;
    if (meeting->sends) {
        assert_false(w->waiting[i][meeting->partner]);
        w->message[i][meeting->partner] = w->values[i];
        w->waiting[i][meeting->partner] = true;
    }
    return true;
}

/* Takes the message of the meeting, if it is there. */
static bool receive(struct world *w, int i)
{
    const struct shunt_meeting *meeting = &w->meeting[i];
    if (w->received[i] || !w->waiting[meeting->partner][i])
        return false;
    const struct shunt_agreement *message = &w->message[meeting->partner][i];
    w->waiting[meeting->partner][i] = false;
    w->received[i] = true;
    if (meeting->result)
        w->values[i] = *message;
    else
        shunt_agreement_add(&w->values[i], message);
    return true;
}

/* One look at a member; whether anything happened. */
static bool advance(struct world *w, int i)
{
    bool happened = false;
    if (!w->busy[i])
        return begin_meeting(w, i);
    happened = receive(w, i);
    if (!w->sent[i] && !w->waiting[i][w->meeting[i].partner])
        happened = w->sent[i] = true;
    if (w->sent[i] && w->received[i])
        w->busy[i] = false;
    return happened || !w->busy[i];
}

static void run(struct world *w, int count)
{
    *w = (struct world){.count = count};
    for (int i = 0; i < count; i++) {
        w->values[i] = value_of(i, count);
        w->doubling[i] = shunt_doubling_begin(i, count);
    }
    for (bool happened = true; happened;) {
        happened = false;
        for (int i = 0; i < count; i++) /* the last ones first, so that all orders occur */
            happened = advance(w, count % 2 ? i : count - 1 - i) || happened;
    }
}

static int rounds_of(int count)
{
    int rounds = 0;
    while (1 << rounds < count)
        rounds++;
    return rounds;
}

static void all_members_have_the_combination_of_all(void **state)
{
    (void)state;
    static struct world w;
    for (int count = 1; count <= MOST; count++) {
        const struct shunt_agreement all = combination(count);
        run(&w, count);
        for (int i = 0; i < count; i++) {
            if (w.busy[i])
                fail_msg("member %d of %d waits for %d", i, count, w.meeting[i].partner);
            if (memcmp(&w.values[i], &all, sizeof all) != 0)
                fail_msg("member %d of %d has another result", i, count);
            for (int j = 0; j < count; j++)
                if (w.waiting[i][j])
                    fail_msg("nobody takes what %d sent to %d of %d", i, j, count);
        }
    }
}

static void nobody_meets_more_often_than_promised(void **state)
{
    (void)state;
    static struct world w;
    for (int count = 1; count <= MOST; count++) {
        const int power = 1 << rounds_of(count);
        run(&w, count);
        const int most = rounds_of(count) + (power == count ? 0 : 1);
        for (int i = 0; i < count; i++)
            assert_true(w.meetings[i] >= (count > 1) && w.meetings[i] <= most);
    }
}

static void members_that_had_all_meetings_get_no_more(void **state)
{
    (void)state;
    for (int count = 1; count <= MOST; count++) {
        for (int i = 0; i < count; i++) {
            struct shunt_doubling doubling = shunt_doubling_begin(i, count);
            struct shunt_meeting meeting;
            while (shunt_doubling_next(&doubling, &meeting))
                ;
            for (int again = 0; again < 3; again++)
                assert_false(shunt_doubling_next(&doubling, &meeting));
        }
    }
}

static void values_are_combined_each_in_its_way(void **state)
{
    (void)state;
    struct shunt_agreement all = {.largest = 5, .total = UINT64_MAX, .flags = SHUNT_FLAG_NATIVE};
    shunt_agreement_add(&all,
                        &(struct shunt_agreement){
                            .largest = 3, .total = 2, .checksum = 7, .flags = SHUNT_FLAG_DEVICE});
    assert_int_equal(all.largest, 5);
    assert_int_equal(all.total, 1); /* modulo 2^64 */
    assert_int_equal(all.checksum, 7);
    assert_int_equal(all.flags, SHUNT_FLAG_NATIVE | SHUNT_FLAG_DEVICE);
    shunt_agreement_add(&all, &(struct shunt_agreement){.largest = INT64_MAX,
                                                        .checksum = -UINT64_C(7),
                                                        .flags = SHUNT_FLAG_DEVICE});
    assert_true(all.largest == INT64_MAX);
    assert_int_equal(all.checksum, 0); /* what one rank adds and another takes away */
    assert_int_equal(all.flags, SHUNT_FLAG_NATIVE | SHUNT_FLAG_DEVICE);
}

/* Any order, any grouping, and a rank with nothing to say: the same. */
static void the_order_of_combining_does_not_matter(void **state)
{
    (void)state;
    for (int n = 0; n < 100; n++) {
        const struct shunt_agreement a = value_of(n, 1), b = value_of(n, 2), c = value_of(n, 3);
        struct shunt_agreement left = a, right = c, inner = b;
        shunt_agreement_add(&left, &b);
        shunt_agreement_add(&left, &c);
        shunt_agreement_add(&inner, &a);
        shunt_agreement_add(&right, &inner);
        shunt_agreement_add(&right, &(struct shunt_agreement){0});
        assert_memory_equal(&left, &right, sizeof left);
    }
}

static void flags_are_one_bit_each(void **state)
{
    (void)state;
    static const unsigned flags[] = {SHUNT_FLAG_NATIVE,    SHUNT_FLAG_IN_PLACE, SHUNT_FLAG_DEVICE,
                                     SHUNT_FLAG_NO_MEMORY, SHUNT_FLAG_REFUSED,  SHUNT_FLAG_FAILED};
    unsigned seen = 0;
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        assert_true(flags[i] != 0 && (flags[i] & (flags[i] - 1)) == 0);
        assert_int_equal(seen & flags[i], 0);
        seen |= flags[i];
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_members_have_the_combination_of_all),
        cmocka_unit_test(nobody_meets_more_often_than_promised),
        cmocka_unit_test(members_that_had_all_meetings_get_no_more),
        cmocka_unit_test(values_are_combined_each_in_its_way),
        cmocka_unit_test(the_order_of_combining_does_not_matter),
        cmocka_unit_test(flags_are_one_bit_each),
    };
    return cmocka_run_group_tests_name("agreement", tests, NULL, NULL);
}
