/* SPDX-License-Identifier: BSD-3-Clause */
/* test_arithmetic.c: what the program has asked of floating point does not meet our arithmetic, and
 * nothing of ours is left. */
#include <fenv.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arithmetic.h"

/* Every exception, of numbers that the compiler does not know. */
static double all_exceptions(void)
{
    volatile double zero = 0, one = 1, large = 1e300, small = 1e-310;
    return one / zero + zero / zero + large * large + small * small + one / 3 + small / 2;
}

static void what_is_set_comes_back(void **state)
{
    struct shunt_arithmetic arithmetic;
    (void)state;
    feclearexcept(FE_ALL_EXCEPT);
    feraiseexcept(FE_OVERFLOW);
    const int before = fetestexcept(FE_ALL_EXCEPT);
    assert_int_equal(fesetround(FE_UPWARD), 0);
    shunt_arithmetic_enter(&arithmetic);
    assert_int_equal(fegetround(), FE_TONEAREST);
    (void)all_exceptions();
    shunt_arithmetic_leave(&arithmetic);
    assert_int_equal(fegetround(), FE_UPWARD);
    assert_int_equal(fetestexcept(FE_ALL_EXCEPT), before);
    fesetround(FE_TONEAREST);
    feclearexcept(FE_ALL_EXCEPT);
}

static void nothing_is_trapped(void **state)
{
    struct shunt_arithmetic arithmetic;
    (void)state;
    if (feenableexcept(FE_ALL_EXCEPT) == -1)
        skip();
    shunt_arithmetic_enter(&arithmetic);
    const int trapped = fegetexcept();
    (void)all_exceptions();
    shunt_arithmetic_leave(&arithmetic);
    const int after = fegetexcept();
    fedisableexcept(FE_ALL_EXCEPT);
    assert_int_equal(trapped, 0);
    assert_int_equal(after, FE_ALL_EXCEPT);
}

/* As -ffast-math has it: programs that are linked by it flush numbers near 0. */
static void numbers_near_zero_are_there(void **state)
{
#ifdef __SSE2__
    struct shunt_arithmetic arithmetic;
    volatile double little = 1e-310;
    (void)state;
    const unsigned usual = __builtin_ia32_stmxcsr();
    __builtin_ia32_ldmxcsr(usual | 0x8040);
    shunt_arithmetic_enter(&arithmetic);
    const double half = little / 2;
    shunt_arithmetic_leave(&arithmetic);
    const unsigned after = __builtin_ia32_stmxcsr();
    __builtin_ia32_ldmxcsr(usual);
    assert_true(half > 0);
    assert_int_equal(after & 0x8040, 0x8040);
#else
    (void)state;
    skip();
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_set_comes_back),
        cmocka_unit_test(nothing_is_trapped),
        cmocka_unit_test(numbers_near_zero_are_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
