/* SPDX-License-Identifier: BSD-3-Clause */
/* test_plan_cache.c: plans are found by algorithm, parameters and, where it matters, memory cap. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "algorithms/registry.h"
#include "execute/plan_cache.h"

enum { MANY = 200 };

static struct shunt_decision decision_of(const char *name, int64_t radix)
{
    struct shunt_decision decision = {.algorithm = shunt_registry_find(name)};
    assert_non_null(decision.algorithm);
    decision.params.value[SHUNT_PARAM_RADIX] = radix;
    return decision;
}

static struct shunt_plan_entry *added(struct shunt_plan_cache *cache,
                                      const struct shunt_decision *decision, int64_t cap)
{
    struct shunt_plan_entry *entry = calloc(1, sizeof *entry);
    assert_non_null(entry);
    entry->key = shunt_plan_key(decision, cap);
    shunt_plan_cache_add(cache, entry);
    return entry;
}

static struct shunt_plan_entry *found(const struct shunt_plan_cache *cache,
                                      const struct shunt_decision *decision, int64_t cap)
{
    const struct shunt_plan_key key = shunt_plan_key(decision, cap);
    return shunt_plan_cache_find(cache, &key);
}

static void clear(struct shunt_plan_cache *cache)
{
    while (cache->first) {
        struct shunt_plan_entry *next = cache->first->next;
        free(cache->first);
        cache->first = next;
    }
}

static void nothing_is_found_in_an_empty_cache(void **state)
{
    (void)state;
    const struct shunt_plan_cache cache = {0};
    const struct shunt_decision decision = decision_of("bruck", 2);
    assert_null(found(&cache, &decision, 100));
    assert_null(shunt_plan_cache_last(&cache, SHUNT_OP_ALLTOALL, &decision));
}

static void decisions_with_the_same_algorithm_and_parameters_share_a_plan(void **state)
{
    (void)state;
    struct shunt_plan_cache cache = {0};
    const struct shunt_decision one = decision_of("spread-out", 0),
                                same = decision_of("spread-out", 0);
    struct shunt_plan_entry *entry = added(&cache, &one, 100);
    assert_ptr_equal(found(&cache, &same, 100), entry);
    clear(&cache);
}

static void every_parameter_tells_plans_apart(void **state)
{
    (void)state;
    for (int i = 0; i < SHUNT_VALUE_COUNT; i++) {
        struct shunt_plan_cache cache = {0};
        struct shunt_decision one = decision_of("parlogna", 2), other = one;
        other.params.value[i]++;
        struct shunt_plan_entry *entry = added(&cache, &one, 100);
        assert_null(found(&cache, &other, 100));
        assert_ptr_equal(found(&cache, &one, 100), entry);
        clear(&cache);
    }
}

/* Rows that can keep messages where they arrived do so up to a block that follows from the cap. */
static void the_cap_tells_plans_apart_only_where_it_chooses_how_to_run(void **state)
{
    (void)state;
    size_t count;
    const struct shunt_algorithm *const *rows = shunt_registry_rows(&count);
    int told = 0, shared = 0;
    for (size_t i = 0; i < count; i++) {
        struct shunt_plan_cache cache = {0};
        const struct shunt_decision decision = {.algorithm = rows[i]};
        added(&cache, &decision, 100);
        assert_non_null(found(&cache, &decision, 100));
        const bool apart = !found(&cache, &decision, 101);
        assert_int_equal(apart, rows[i]->kept != NULL);
        told += apart;
        shared += !apart;
        clear(&cache);
    }
    assert_true(told > 0 && shared > 0);
}

static void each_of_many_plans_is_found(void **state)
{
    (void)state;
    struct shunt_plan_cache cache = {0};
    struct shunt_plan_entry *entries[MANY];
    for (int i = 0; i < MANY; i++) {
        const struct shunt_decision decision = decision_of("bruck", i);
        assert_null(found(&cache, &decision, 1));
        entries[i] = added(&cache, &decision, 1);
    }
    for (int i = 0; i < MANY; i++) {
        const struct shunt_decision decision = decision_of("bruck", i);
        assert_ptr_equal(found(&cache, &decision, 1), entries[i]);
    }
    clear(&cache);
}

static void the_last_decision_of_each_operation_is_remembered(void **state)
{
    (void)state;
    struct shunt_plan_cache cache = {0};
    const struct shunt_decision one = decision_of("bruck", 2), two = decision_of("bruck", 3);
    struct shunt_plan_entry *first = added(&cache, &one, 1), *second = added(&cache, &two, 1);
    shunt_plan_cache_note(&cache, SHUNT_OP_ALLTOALL, &one, first);
    shunt_plan_cache_note(&cache, SHUNT_OP_ALLTOALLV, &two, second);
    assert_ptr_equal(shunt_plan_cache_last(&cache, SHUNT_OP_ALLTOALL, &one), first);
    assert_ptr_equal(shunt_plan_cache_last(&cache, SHUNT_OP_ALLTOALLV, &two), second);
    assert_null(shunt_plan_cache_last(&cache, SHUNT_OP_ALLTOALL, &two));
    shunt_plan_cache_note(&cache, SHUNT_OP_ALLTOALL, &two, second);
    assert_null(shunt_plan_cache_last(&cache, SHUNT_OP_ALLTOALL, &one));
    assert_ptr_equal(shunt_plan_cache_last(&cache, SHUNT_OP_ALLTOALL, &two), second);
    clear(&cache);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_found_in_an_empty_cache),
        cmocka_unit_test(decisions_with_the_same_algorithm_and_parameters_share_a_plan),
        cmocka_unit_test(every_parameter_tells_plans_apart),
        cmocka_unit_test(the_cap_tells_plans_apart_only_where_it_chooses_how_to_run),
        cmocka_unit_test(each_of_many_plans_is_found),
        cmocka_unit_test(the_last_decision_of_each_operation_is_remembered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
