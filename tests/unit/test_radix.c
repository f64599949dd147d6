/* SPDX-License-Identifier: BSD-3-Clause */
/* test_radix.c: radices, one for all digits or one for each: rounds, slots, roots and lists. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "radices.h"
#include "schedule/radix.h"

/* Values other than 0 in the mixed-radix notation of an offset; *top is the last of them as a
 * number (digit, value). */
static int values_of(int64_t offset, struct shunt_radices radices, char seen[][256])
{
    int values = 0;
    for (int x = 0; offset > 0; x++) {
        const int64_t r = radices.radix[x < radices.count ? x : radices.count - 1];
        if (offset % r != 0) {
            values++;
            seen[x][offset % r] = 1;
        }
        offset /= r;
    }
    return values;
}

/* Rounds are the pairs (digit, value) that occur, slots belong to the offsets with more than one
 * value, one to one. */
static void mixed_radix_formulas_hold(void **state)
{
    (void)state;
    for (int64_t P = 2; P <= 200; P += thin()) {
        for (int number = 0; number < LISTS; number++) {
            const struct shunt_radices radices = list(number);
            char seen[16][256] = {{0}}, used[256] = {0};
            int64_t rounds = 0, slots = 0;
            for (int64_t o = 1; o < P; o++) {
                if (values_of(o, radices, seen) < 2)
                    continue;
                const int64_t slot = shunt_radix_slot(o, &radices);
                assert_true(slot >= 0 && slot < P);
                assert_int_equal(used[slot], 0);
                used[slot] = 1;
                slots++;
            }
            for (int x = 0; x < 16; x++)
                for (int v = 0; v < 256; v++)
                    rounds += seen[x][v];
            assert_int_equal(shunt_radix_rounds(P, &radices), rounds);
            assert_int_equal(slots, P - rounds - 1);
            for (int64_t i = 0; i < slots; i++)
                assert_int_equal(used[i], 1);
        }
    }
}

/* Fan and Kumar: K = (w-1)(r-1) + ceil(P / r^(w-1)) - 1. Fan 2025, section 3.3: P - K - 1 slots,
 * used one to one. */
static void radix_formulas_hold(void **state)
{
    (void)state;
    for (int64_t P = 2; P <= 200; P += thin()) {
        for (int64_t r = 2; r <= P; r++) {
            const struct shunt_radices radices = one(r);
            const int64_t K = paper_rounds(P, r);
            assert_int_equal(shunt_radix_rounds(P, &radices), K);
            char *used = calloc((size_t)P, 1);
            int64_t count = 0;
            for (int64_t o = 1; o < P; o++) {
                const int64_t high = power_of(r, digits(o, r) - 1);
                if (o % high == 0)
                    continue;
                const int64_t slot = shunt_radix_slot(o, &radices);
                assert_true(slot >= 0 && slot < P - K - 1);
                assert_int_equal(used[slot], 0);
                used[slot] = 1;
                count++;
            }
            assert_int_equal(count, P - K - 1);
            free(used);
        }
    }
}

/* A radix of sqrt(P) tells all ranks apart with two digits, and no smaller radix does. */
static void roots_need_two_digits(void **state)
{
    (void)state;
    for (int n = 2; n <= 70000; n += n < 20000 ? 1 : 97) {
        const struct shunt_layout layout = {.ranks = n, .nodes = 1, .ppn_min = n, .ppn_max = n};
        const int64_t root =
            shunt_value_eval((struct shunt_value){SHUNT_FORMULA_SQRT_P, 0}, &layout);
        assert_int_equal(shunt_value_eval((struct shunt_value){SHUNT_FORMULA_SQRT_Q, 0}, &layout),
                         root);
        assert_true(root >= 2 && root <= n);
        assert_true(digits(n - 1, root) >= 1 && digits(n - 1, root) <= 2);
        assert_true(root == 2 || digits(n - 1, root - 1) > 2);
    }
    const struct shunt_layout alone = {.ranks = 1, .nodes = 1, .ppn_min = 1, .ppn_max = 1};
    assert_int_equal(shunt_value_eval((struct shunt_value){SHUNT_FORMULA_SQRT_P, 0}, &alone), 1);
}

static void lists_are_shortened_to_what_is_needed(void **state)
{
    (void)state;
    static const struct {
        struct shunt_radices given;
        int nodes;
        const char *text;
    } cases[] = {
        {{3, {4, 2, 8}}, 1, "4x2x8"}, /* P = 64: all of it */
        {{3, {4, 2, 99}}, 1, "4x2x8"}, {{2, {4, 2}}, 1, "4x2"},  {{4, {8, 8, 2, 2}}, 1, "8x8"},
        {{2, {1, 64}}, 1, "64"},       {{1, {99}}, 1, "64"},     {{2, {99, 3}}, 1, "64"},
        {{2, {1, 1}}, 1, "2"},         {{3, {1, 5, 1}}, 1, "5"},
    };
    const struct shunt_algorithm *bruck = shunt_registry_find("bruck");
    struct shunt_layout layout;
    char text[64];
    assert_int_equal(shunt_layout_blocks(&layout, 64, 1), 0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct shunt_params params =
            params_of(bruck, &layout, cases[i].given, 1, SHUNT_METADATA_FUSED);
        shunt_param_print(&params, SHUNT_PARAM_RADIX, text, sizeof text);
        assert_string_equal(text, cases[i].text);
    }
    assert_int_equal(shunt_param_print(&(struct shunt_params){{12, 7}}, SHUNT_PARAM_RADIX, text, 2),
                     2);
    assert_string_equal(text, "1");
    shunt_layout_clear(&layout);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(radix_formulas_hold),
        cmocka_unit_test(mixed_radix_formulas_hold),
        cmocka_unit_test(roots_need_two_digits),
        cmocka_unit_test(lists_are_shortened_to_what_is_needed),
    };
    return cmocka_run_group_tests_name("radix", tests, NULL, NULL);
}
