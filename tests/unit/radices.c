/* SPDX-License-Identifier: BSD-3-Clause */
/* radices.c: parameters and radices that the tests of schedules try, and the rounds they make. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "radices.h"

int thin(void)
{
    const char *text = getenv("SHUNT_TEST_THIN");
    const int step = text ? (int)strtol(text, NULL, 10) : 1;
    return step > 1 ? step : 1;
}

bool full(void)
{
    const char *text = getenv("SHUNT_TEST_FULL");
    return text && strcmp(text, "1") == 0;
}

int next_size(int P)
{
    static const int beyond[] = {35, 36, 37, 48, 49, 50, 64};
    const int next = P + thin();
    if (next <= 32 || full())
        return next;
    for (size_t i = 0; i < sizeof beyond / sizeof beyond[0]; i++)
        if (beyond[i] >= next)
            return beyond[i];
    return next;
}

struct shunt_radices one(int64_t radix)
{
    return (struct shunt_radices){1, {radix}};
}

struct shunt_params params_of(const struct shunt_algorithm *algorithm,
                              const struct shunt_layout *layout, struct shunt_radices radices,
                              int64_t batch, enum shunt_metadata metadata)
{
    struct shunt_value given[SHUNT_VALUE_COUNT] = {{SHUNT_FORMULA_NUMBER, 0}};
    unsigned present = 1u << SHUNT_PARAM_BATCH_SIZE | 1u << SHUNT_PARAM_METADATA;
    given[SHUNT_PARAM_BATCH_SIZE].number = batch;
    given[SHUNT_PARAM_METADATA].number = metadata;
    for (int i = 0; i < radices.count; i++) {
        given[shunt_radix_index(i)].number = radices.radix[i];
        present |= 1u << shunt_radix_index(i);
    }
    return shunt_params_evaluate(algorithm, present, given, layout);
}

static const int64_t digits_tried[TRIED] = {2, 3, 4, 5, 8, 11};

struct shunt_radices list(int number)
{
    struct shunt_radices radices = {.count = number < TRIED                   ? 1
                                             : number < TRIED + TRIED * TRIED ? 2
                                                                              : 3};
    for (int i = 0; i < radices.count; i++, number /= TRIED)
        radices.radix[i] = digits_tried[number % TRIED];
    return radices;
}

int64_t digits(int64_t n, int64_t radix)
{
    int64_t w = 0;
    for (; n > 0; n /= radix)
        w++;
    return w;
}

int64_t power_of(int64_t radix, int64_t exponent)
{
    int64_t power = 1;
    while (exponent-- > 0)
        power *= radix;
    return power;
}

int64_t paper_rounds(int64_t P, int64_t r)
{
    const int64_t w = digits(P - 1, r), top = power_of(r, w - 1);
    const int64_t K = (w - 1) * (r - 1) + (P + top - 1) / top - 1;
    assert_int_equal(K, w * (r - 1) - (power_of(r, w) - P) / top);
    return K;
}
