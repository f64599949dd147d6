/* SPDX-License-Identifier: BSD-3-Clause */
/* test_model.c: what calls cost is what the papers' closed forms say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "costs.h"

/* Of the machine in Hoefler and Moor 2014, section 4.2. */
static const double L = 6e-6, o = 4.7e-6, G = 0.73e-9, e = 16.5e-12, E = 8.1e-9, W = 0.5;
enum { D = 32 };

/* But for the rounding of sums. */
static const double EXACT = 1e-12;

static int log2_of(int64_t P)
{
    int exponent = 0;
    while (INT64_C(1) << exponent < P)
        exponent++;
    return exponent;
}

static struct shunt_cost cost_of(int P, const char *name, int64_t radix, int64_t block)
{
    struct costed costed;
    costed_begin(&costed, P, P);
    costed_algorithm(&costed, name, SHUNT_OP_ALLTOALL, radix, block);
    const struct shunt_cost cost = costed_predict(&costed);
    costed_end(&costed);
    return cost;
}

/* The card sends one message after the other, each o behind the last or as long as its bytes take,
 * while it takes others in. The paper, table 2, row DS: L + (P - 1)(o + sG). */
static void direct_exchange_is_the_closed_form(void **state)
{
    (void)state;
    static const int ranks[] = {2, 3, 16, 100, 1024};
    static const int64_t blocks[] = {1, 8, 4096, 1 << 20};
    for (size_t i = 0; i < 5; i++)
        for (size_t k = 0; k < 4; k++) {
            const double P = ranks[i], s = (double)blocks[k], each = s * G > o ? s * G : o;
            const struct shunt_cost cost = cost_of(ranks[i], "spread-out", 0, blocks[k]);
            expect_near(cost.time, o + (P - 2) * each + s * G + L + o, EXACT);
            expect_near(cost.dynamic_energy, P * (P - 1) * (e + s * E), EXACT);
            assert_int_equal(cost.descriptors, D * (ranks[i] - 1));
            assert_int_equal(cost.messages, (uint64_t)ranks[i] * (uint64_t)(ranks[i] - 1));
            if (s * G < o / 100 && ranks[i] > 2)
                expect_near(cost.time, L + (P - 1) * (o + s * G), 0.01 + 1 / P);
        }
}

/* One rank's processor takes what comes, too, once all is sent. */
static void a_processor_sends_and_then_receives(void **state)
{
    (void)state;
    struct costed costed;
    costed_begin(&costed, 1024, 1024);
    costed.machine.offload = false;
    costed_algorithm(&costed, "spread-out", SHUNT_OP_ALLTOALL, 0, 8);
    expect_near(costed_predict(&costed).time, 2 * 1023 * o, EXACT);
    costed_end(&costed);
}

/* P = r^w: (r - 1) w rounds, in each P / r blocks. Table 2, row BF, has sGP for the bytes: it does
 * not count what is forwarded. */
static void bruck_is_the_closed_form(void **state)
{
    (void)state;
    static const int shapes[][3] = {
        {2, 2, 1}, {16, 2, 4}, {1024, 2, 10}, {64, 4, 3}, {1024, 32, 2}};
    static const char *const names[] = {"bruck", "bruck-basic", "bruck-modified"};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
            const double P = shapes[i][0], r = shapes[i][1], rounds = (r - 1) * shapes[i][2], s = 8;
            const struct shunt_cost cost = cost_of(shapes[i][0], names[k], shapes[i][1], 8);
            expect_near(cost.time, rounds * (2 * o + L + s * G * P / r), EXACT);
            expect_near(cost.dynamic_energy, P * rounds * (e + s * E * P / r), EXACT);
            assert_int_equal(cost.descriptors, D * (int)rounds);
            assert_int_equal(cost.rounds, (int)rounds);
        }
}

static void at_1024_ranks_the_figures_are_known(void **state)
{
    (void)state;
    const struct shunt_cost direct = cost_of(1024, "spread-out", 0, 8),
                            bruck = cost_of(1024, "bruck", 2, 8),
                            radix32 = cost_of(1024, "bruck", 32, 8);
    expect_near(direct.time, 4820e-6, 1e-3);
    expect_near(direct.dynamic_energy, 0.068, 2e-3);
    expect_near((double)direct.descriptors, 32.7e3, 2e-3);
    expect_near(bruck.time, 184e-6, 1e-3);
    expect_near(bruck.dynamic_energy, 0.340, 1e-3);
    assert_int_equal(bruck.descriptors, 320);
    expect_near(radix32.time, 966e-6, 1e-3);
    expect_near(radix32.dynamic_energy, 0.132, 3e-3);
    assert_int_equal(radix32.descriptors, 1984);
}

static double energy_of(const char *name, enum shunt_power power)
{
    struct costed costed;
    costed_begin(&costed, 1024, 1024);
    costed.machine.power = power;
    costed_algorithm(&costed, name, SHUNT_OP_ALLTOALL, 0, 8);
    const struct shunt_cost cost = costed_predict(&costed);
    const double cards = power == SHUNT_POWER_CARD ? 1024 : 1;
    assert_true(cost.energy == cost.dynamic_energy + W * cards * cost.time);
    costed_end(&costed);
    return cost.energy;
}

/* Read one way direct exchange takes least energy, read the other way Bruck's algorithm. */
static void static_power_is_of_the_job_or_of_every_card(void **state)
{
    (void)state;
    expect_near(energy_of("spread-out", SHUNT_POWER_JOB), 0.070, 0.01);
    expect_near(energy_of("bruck", SHUNT_POWER_JOB), 0.340, 0.01);
    expect_near(energy_of("spread-out", SHUNT_POWER_CARD), 2.54, 0.01);
    expect_near(energy_of("bruck", SHUNT_POWER_CARD), 0.434, 0.01);
}

/* The agreement about sizes is an allreduce by a butterfly: an MPI_Alltoallv of nothing. */
static struct shunt_cost butterfly(int P)
{
    struct costed costed;
    costed_begin(&costed, P, P);
    costed_algorithm(&costed, "parlogna", SHUNT_OP_ALLTOALLV, 0, 0);
    costed.call.call.agrees = true;
    const struct shunt_cost cost = costed_predict(&costed);
    costed_end(&costed);
    return cost;
}

/* Tables 1 and 2: a reduction and a broadcast of s bytes along trees: binomial, and with two
 * children. */
struct tree {
    double time, energy, memory;
};

static struct tree two_trees(int P, bool binomial)
{
    const double s = SHUNT_AGREEMENT_BYTES, lg = log2_of(P), p = P;
    const double time = 2 * (L + 2 * o + (binomial ? 1 : 2) * s * G) * lg;
    return (struct tree){time, 2 * p * (e + s * E) + W * time, binomial ? 2 * D * lg : 4 * D};
}

/* Figure 5, with the bytes of an agreement: in each of time, energy and memory another one is the
 * best of the three; in energy the butterfly is, as long as time is what costs it. */
static void no_allreduce_is_best_in_everything(void **state)
{
    (void)state;
    for (int P = 2; P <= 512; P *= 2) {
        const struct tree binomial = two_trees(P, true), regular = two_trees(P, false);
        const struct shunt_cost fly = butterfly(P);
        const double s = SHUNT_AGREEMENT_BYTES, lg = log2_of(P), p = P;
        expect_near(fly.time, (2 * o + s * G + L) * lg, EXACT);
        expect_near(fly.dynamic_energy, (e + s * E) * p * lg, EXACT);
        assert_int_equal(fly.descriptors, D * (int)lg);
        assert_true(fly.time < binomial.time && binomial.time < regular.time);
        assert_int_equal(fly.energy < binomial.energy, P < 64);
        assert_true(binomial.energy < regular.energy);
        assert_int_equal((double)fly.descriptors <= regular.memory, P <= 16);
        assert_true((double)fly.descriptors < binomial.memory);
    }
}

/* Text behind table 2: Bruck's algorithm for small blocks of many, direct exchange for large ones
 * of few; in energy without static power never Bruck's. */
static void bruck_is_for_small_blocks_of_many(void **state)
{
    (void)state;
    assert_true(cost_of(256, "bruck", 2, 8).time < cost_of(256, "spread-out", 0, 8).time);
    assert_true(cost_of(256, "bruck", 2, 65536).time > cost_of(256, "spread-out", 0, 65536).time);
    assert_true(cost_of(8, "bruck", 2, 65536).time > cost_of(8, "spread-out", 0, 65536).time);
    assert_true(cost_of(256, "bruck", 2, 8).dynamic_energy >
                cost_of(256, "spread-out", 0, 8).dynamic_energy);
    assert_true(cost_of(256, "bruck", 2, 8).descriptors <
                cost_of(256, "spread-out", 0, 8).descriptors);
}

/* Blocks that are half as long as the largest, `most`, on average. */
static double uneven(const char *name, int P, int64_t most)
{
    struct costed costed;
    int64_t *counts = calloc((size_t)P * (size_t)P, sizeof *counts);
    assert_non_null(counts);
    for (int i = 0; i < P * P; i++)
        counts[i] = most / 2;
    counts[0] = most;
    costed_begin(&costed, P, P);
    costed_algorithm(&costed, name, SHUNT_OP_ALLTOALLV, 0, most);
    costed.call.counts = counts;
    const double time = costed_predict(&costed).time;
    costed_end(&costed);
    free(counts);
    return time;
}

/* Fan 2022, equations 1 to 3, with the blocks that are sent, P/2 for (P + 1)/2; no lengths go
 * before blocks that arrive, those of the last round. */
static void padded_and_two_phase_bruck_cross_where_the_paper_says(void **state)
{
    (void)state;
    enum { P = 128, HALF = P / 2, LOG = 7 };
    const double alpha = 2 * o + L, beta = G;
    const double cross = 8 + 4 * alpha / ((P + 1) * beta);
    for (int64_t N = 16; N <= 4096; N *= 2) {
        const double padded = uneven("padded-bruck", P, N),
                     two_phase = uneven("two-phase-bruck", P, N), n = (double)N;
        expect_near(padded, alpha * LOG + beta * LOG * HALF * n, EXACT);
        expect_near(two_phase,
                    alpha * (2 * LOG - 1) + 4 * beta * (LOG - 1) * HALF + n / 2 * beta * LOG * HALF,
                    EXACT);
        if (n < 0.8 * cross || n > 1.2 * cross)
            assert_int_equal(padded < two_phase, n < cross);
    }
}

/* Fan and Kumar, figures 2a and 3: of small blocks a radix in the middle is best. */
static void time_over_the_radix_has_its_least_in_the_middle(void **state)
{
    (void)state;
    enum { P = 256 };
    const double two = cost_of(P, "bruck", 2, 512).time, most = cost_of(P, "bruck", P, 512).time;
    double least = two;
    for (int64_t r = 3; r < P; r++) {
        const double time = cost_of(P, "bruck-basic", r, 512).time;
        least = time < least ? time : least;
    }
    assert_true(least < two && least < most);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(direct_exchange_is_the_closed_form),
        cmocka_unit_test(a_processor_sends_and_then_receives),
        cmocka_unit_test(bruck_is_the_closed_form),
        cmocka_unit_test(at_1024_ranks_the_figures_are_known),
        cmocka_unit_test(static_power_is_of_the_job_or_of_every_card),
        cmocka_unit_test(no_allreduce_is_best_in_everything),
        cmocka_unit_test(bruck_is_for_small_blocks_of_many),
        cmocka_unit_test(padded_and_two_phase_bruck_cross_where_the_paper_says),
        cmocka_unit_test(time_over_the_radix_has_its_least_in_the_middle),
    };
    return cmocka_run_group_tests_name("model", tests, NULL, NULL);
}
