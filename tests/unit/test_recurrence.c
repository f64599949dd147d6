/* SPDX-License-Identifier: BSD-3-Clause */
/* How often keys came before: counted apart up to a limit, in memory that does not grow beyond. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/hash.h"
#include "comm/recurrence.h"

/* Bytes asked for, by the linker's --wrap. */
static size_t allocated;
void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size)
{
    allocated += count * size;
    return __real_calloc(count, size);
}

/* In one test, for the counters are the process's. */
static void keys_are_counted_up_to_a_limit(void **unused)
{
    (void)unused;
    for (uint64_t i = 0; i < 3; i++) {
        assert_int_equal(shunt_recurrence(0), i);
        assert_int_equal(shunt_recurrence(UINT64_MAX), i);
        assert_int_equal(shunt_recurrence(64), i); /* may meet 0 in a small table */
    }
    for (uint64_t key = 1; key <= SHUNT_RECURRENCE_MAX - 3; key++)
        assert_int_equal(shunt_recurrence(shunt_hash_mix(key)), 0);
    for (uint64_t key = 1; key <= SHUNT_RECURRENCE_MAX - 3; key++)
        assert_int_equal(shunt_recurrence(shunt_hash_mix(key)), 1);
    const size_t before = allocated;
    assert_true(before < (size_t)8 * SHUNT_RECURRENCE_MAX * sizeof(uint64_t));
    for (uint64_t key = 1; key <= 100000; key++)
        assert_int_equal(shunt_recurrence(shunt_hash_mix(key + SHUNT_RECURRENCE_MAX)), 0);
    assert_int_equal(shunt_recurrence(shunt_hash_mix(1 + SHUNT_RECURRENCE_MAX)), 0);
    assert_int_equal(shunt_recurrence(64), 3);
    assert_int_equal(allocated, before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(keys_are_counted_up_to_a_limit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
