/* SPDX-License-Identifier: BSD-3-Clause */
/* test_shapes.c: rounds, blocks, slots and copies of schedules are those of the papers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "radices.h"

/* Fan and Kumar: numD, the blocks sent in substep z of digit x. */
static int64_t paper_blocks(int64_t P, int64_t r, int64_t x, int64_t z)
{
    const int64_t unit = power_of(r, x), least = P / (unit * r) * unit, rest = P % (unit * r),
                  t = rest - z * unit;
    if (t <= 0)
        return least;
    return t / unit > 0 ? least + unit : least + t % unit;
}

/* Rounds, their blocks and, for SLOAV, their sum, of a schedule that tells P ranks apart by one
 * radix; every block counts `times`. */
static int64_t check_rounds(const struct shunt_schedule *schedule, uint32_t first, int64_t P,
                            int64_t r, int64_t times)
{
    int64_t round = first, total = 0;
    for (int64_t x = 0; power_of(r, x) < P; x++) {
        for (int64_t z = 1; z < r && z * power_of(r, x) < P; z++) {
            assert_true(round >= 0 && round < schedule->round_count);
            const uint32_t at = schedule->round_first[round++];
            assert_int_equal(schedule->round_first[round], at + 1);
            assert_int_equal(schedule->steps[at].send_count, times * paper_blocks(P, r, x, z));
            assert_int_equal(schedule->steps[at].recv_count, times * paper_blocks(P, r, x, z));
            total += paper_blocks(P, r, x, z);
        }
    }
    assert_int_equal(round - first, P > 1 ? paper_rounds(P, r) : 0);
    return total;
}

/* name, radix (0: any), slots, copies before and after, as functions of P: -1 stands for P - 1, -2
 * for P - K - 1, -3 for all blocks sent.
 */
struct shape {
    const char *name;
    int64_t radix;
    int slots, before, after;
};

static int64_t amount(int code, int64_t P, int64_t r, int64_t sent)
{
    return code == -1   ? P - 1
           : code == -2 ? P - paper_rounds(P, r) - 1
           : code == -3 ? sent
           : code == -4 ? P
                        : code;
}

static void bruck_family_has_the_shape_of_the_papers(void **state)
{
    (void)state;
    static const struct shape shapes[] = {
        {"bruck", 0, -2, 0, 0},
        {"bruck-zero-rotation", 0, -2, 0, 0},
        {"parlogna", 0, -2, 0, 0},
        {"bruck-basic", 0, -1, -1, -1},
        {"bruck-modified", 0, -1, -1, 0},
        {"padded-bruck", 0, -2, 0, 0},
        {"two-phase-bruck", 2, -4, 0, 0},
        {"sloav", 2, -3, 0, -1},
        {"bruck-basic-dt", 2, -1, -1, -1},
        {"bruck-modified-dt", 2, -1, -1, 0},
        {"bruck-zero-copy", 2, -1, -1, 0},
    };
    for (int P = 2; P <= 64; P += thin()) {
        struct shunt_layout layout;
        assert_int_equal(shunt_layout_blocks(&layout, P, 1), 0);
        for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
            const struct shunt_algorithm *algorithm = shunt_registry_find(shapes[i].name);
            assert_non_null(algorithm);
            for (int64_t r = 2; r <= (shapes[i].radix ? shapes[i].radix : P); r++) {
                const struct shunt_params params =
                    params_of(algorithm, &layout, one(r), 1, SHUNT_METADATA_SEPARATE);
                struct shunt_schedule schedule;
                assert_int_equal(algorithm->build(&schedule, &layout, P / 3, &params), 0);
                const int64_t sent = check_rounds(&schedule, 0, P, r, 1);
                assert_int_equal(schedule.round_count, paper_rounds(P, r));
                assert_int_equal(schedule.slots, amount(shapes[i].slots, P, r, sent));
                assert_int_equal(schedule.before_count, amount(shapes[i].before, P, r, sent));
                assert_int_equal(schedule.after_count, amount(shapes[i].after, P, r, sent));
                shunt_schedule_clear(&schedule);
            }
        }
        shunt_layout_clear(&layout);
    }
}

/*
 * Fan 2025, section 4: the node phase is a radix-r schedule among Q with N blocks in place of one;
 * then N-1 messages of Q blocks, or (N-1)Q of one, `batch` of them per round. Slots: one for each
 * block that is collected for another node, (N-1)(Q-1), and Q-K-1 for those of the own node that
 * are passed on. All memory that is asked for is for them and for the messages of a round.
 */
static void check_parlinna(int N, int Q, int64_t r, int64_t batch, int staggered)
{
    const struct shunt_algorithm *algorithm =
        shunt_registry_find(staggered ? "parlinna-staggered" : "parlinna-coalesced");
    const int64_t messages = staggered ? (int64_t)(N - 1) * Q : N - 1;
    struct shunt_layout layout;
    struct shunt_schedule schedule;
    assert_int_equal(shunt_layout_blocks(&layout, N * Q, N), 0);
    const struct shunt_params params =
        params_of(algorithm, &layout, one(r), batch, SHUNT_METADATA_SEPARATE);
    assert_int_equal(algorithm->build(&schedule, &layout, N * Q / 2, &params), 0);
    const int64_t inside = Q > 1 ? paper_rounds(Q, r) : 0;
    assert_int_equal(schedule.slots, (N - 1) * (Q - 1) + Q - inside - 1);
    assert_int_equal(algorithm->memory(&layout, &params, 100),
                     100 * (int64_t)schedule.slots +
                         104 * ((int64_t)schedule.max_round_send + schedule.max_round_recv));
    check_rounds(&schedule, 0, Q, r, N);
    assert_int_equal(schedule.round_count, inside + (messages + batch - 1) / batch);
    assert_int_equal(schedule.step_count, inside + messages);
    for (uint32_t i = (uint32_t)inside; i < schedule.step_count; i++)
        assert_int_equal(schedule.steps[i].send_count, staggered ? 1 : Q);
    shunt_schedule_clear(&schedule);
    shunt_layout_clear(&layout);
}

static void parlinna_has_the_shape_of_the_paper(void **state)
{
    (void)state;
    for (int N = 1; N <= 6; N++)
        for (int Q = 1; Q <= 8; Q++)
            for (int64_t r = 2; r == 2 || r <= Q; r++)
                for (int batch = 1; batch <= (N - 1) * Q; batch++) {
                    check_parlinna(N, Q, r, batch, 1);
                    if (batch < N)
                        check_parlinna(N, Q, r, batch, 0);
                }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bruck_family_has_the_shape_of_the_papers),
        cmocka_unit_test(parlinna_has_the_shape_of_the_paper),
    };
    return cmocka_run_group_tests_name("shapes", tests, NULL, NULL);
}
