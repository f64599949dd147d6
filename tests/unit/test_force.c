/* SPDX-License-Identifier: BSD-3-Clause */
/* test_force.c: SHUNT_FORCE, right and wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "route/table.h"

static void both_operations_can_be_forced(void **state)
{
    (void)state;
    struct shunt_diagnostics diagnostics = {0};
    struct shunt_table *table = shunt_table_from_force(
        "alltoall=bruck:radix=4,alltoallv=parlinna-coalesced:radix=sqrt(Q):batch_size=8",
        &diagnostics);
    assert_non_null(table);
    assert_int_equal(diagnostics.count, 0);
    assert_true(shunt_table_valid(table, table->bytes));
    assert_int_equal(table->rule_count[SHUNT_OP_ALLTOALL], 1);
    assert_int_equal(table->rule_count[SHUNT_OP_ALLTOALLV], 1);
    assert_string_equal(shunt_table_string(table, table->source), "SHUNT_FORCE");
    const struct shunt_rule *bruck = &table->rules[0], *parlinna = &table->rules[1];
    assert_string_equal(shunt_table_string(table, bruck->id), "SHUNT_FORCE");
    assert_string_equal(shunt_registry_row(bruck->algorithm)->name, "bruck");
    assert_int_equal(bruck->present, 1U << SHUNT_PARAM_RADIX);
    assert_int_equal(bruck->given[SHUNT_PARAM_RADIX].number, 4);
    assert_int_equal(parlinna->given[SHUNT_PARAM_RADIX].formula, SHUNT_FORMULA_SQRT_Q);
    assert_int_equal(parlinna->given[SHUNT_PARAM_BATCH_SIZE].number, 8);
    free(table);
}

static void each_digit_can_have_a_radix(void **state)
{
    (void)state;
    struct shunt_diagnostics diagnostics = {0};
    struct shunt_table *table = shunt_table_from_force(
        "alltoall=bruck-zero-rotation:radix=4x2x8,alltoallv=parlogna:radix=QxN", &diagnostics);
    struct shunt_layout layout;
    char text[32];
    assert_non_null(table);
    assert_true(shunt_table_valid(table, table->bytes));
    assert_string_equal(shunt_registry_row(table->rules[0].algorithm)->name, "bruck");
    assert_int_equal(shunt_layout_blocks(&layout, 120, 10), 0);
    static const char *const expected[] = {"4x2x8", "12x10"};
    for (int i = 0; i < 2; i++) {
        const struct shunt_rule *rule = &table->rules[i];
        const struct shunt_params params = shunt_params_evaluate(
            shunt_registry_row(rule->algorithm), rule->present, rule->given, &layout);
        shunt_param_print(&params, SHUNT_PARAM_RADIX, text, sizeof text);
        assert_string_equal(text, expected[i]);
    }
    shunt_layout_clear(&layout);
    free(table);
}

static void one_operation_leaves_the_other_without_rule(void **state)
{
    (void)state;
    struct shunt_diagnostics diagnostics = {0};
    struct shunt_table *table = shunt_table_from_force("alltoallv=pairwise", &diagnostics);
    assert_non_null(table);
    assert_int_equal(table->rule_count[SHUNT_OP_ALLTOALL], 0);
    assert_int_equal(table->rule_count[SHUNT_OP_ALLTOALLV], 1);
    free(table);
}

static void a_parameter_can_be_a_word(void **state)
{
    (void)state;
    struct shunt_diagnostics diagnostics = {0};
    struct shunt_table *table = shunt_table_from_force(
        "alltoall=parlogna:metadata=fused,alltoallv=parlogna:metadata=separate", &diagnostics);
    assert_non_null(table);
    assert_true(shunt_table_valid(table, table->bytes));
    for (int op = 0; op < SHUNT_OP_COUNT; op++) {
        const struct shunt_value *given = &table->rules[op].given[SHUNT_PARAM_METADATA];
        assert_int_equal(table->rules[op].present, 1U << SHUNT_PARAM_METADATA);
        assert_int_equal(given->formula, SHUNT_FORMULA_NUMBER);
        assert_int_equal(given->number,
                         op == SHUNT_OP_ALLTOALL ? SHUNT_METADATA_FUSED : SHUNT_METADATA_SEPARATE);
    }
    free(table);
}

static void every_mistake_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *diagnostics[3];
    } cases[] = {
        {"", {"SHUNT_FORCE: \"\" is not OPERATION=ALGORITHM[:PARAMETER=VALUE]..."}},
        {",", {"SHUNT_FORCE: \",\" is not OPERATION=ALGORITHM[:PARAMETER=VALUE]..."}},
        {"bruck=4", {"SHUNT_FORCE: unknown operation \"bruck\""}},
        {"bruck",
         {"SHUNT_FORCE: \"bruck\" does not say for which operation: put alltoall= before it"}},
        {"parlinna-shared:parts=2,alltoall=bruck",
         {"SHUNT_FORCE: \"parlinna-shared:parts=2\" does not say for which operation: put "
          "alltoall= or alltoallv= before it"}},
        {"alltoall=",
         {"SHUNT_FORCE: \"alltoall=\" is not OPERATION=ALGORITHM[:PARAMETER=VALUE]..."}},
        {"alltoal=bruck",
         {"SHUNT_FORCE: unknown operation \"alltoal\" (did you mean \"alltoall\"?)"}},
        {"alltoall=bruk",
         {"SHUNT_FORCE: alltoall: unknown algorithm \"bruk\" (did you mean \"bruck\"?)"}},
        {"alltoall=elephant",
         {"SHUNT_FORCE: alltoall: unknown algorithm \"elephant\" (\"shunt algorithms\" lists "
          "them)"}},
        {"alltoall=:",
         {"SHUNT_FORCE: alltoall: unknown algorithm \"\" (\"shunt algorithms\" lists them)"}},
        {"alltoallv=bruck",
         {"SHUNT_FORCE: alltoallv: algorithm \"bruck\" does not serve alltoallv"}},
        {"alltoall=bruck,alltoall=native", {"SHUNT_FORCE: alltoall is named twice"}},
        {"alltoall=bruck:radix", {"SHUNT_FORCE: alltoall: \"radix\" is not PARAMETER=VALUE"}},
        {"alltoall=bruck:radx=2",
         {"SHUNT_FORCE: alltoall: unknown parameter \"radx\" (did you mean \"radix\"?)"}},
        {"alltoall=bruck:radix=x",
         {"SHUNT_FORCE: alltoall: radix: \"x\" is not a number, P, Q, N, sqrt(P) or sqrt(Q)"}},
        {"alltoall=bruck:radix=4x",
         {"SHUNT_FORCE: alltoall: radix: \"4x\" is not a number, P, Q, N, sqrt(P) or sqrt(Q)"}},
        {"alltoall=bruck:radix=2x2x2x2x2x2x2x2x2",
         {"SHUNT_FORCE: alltoall: radix: \"2x2x2x2x2x2x2x2x2\" is not a number, P, Q, N, sqrt(P) "
          "or sqrt(Q)"}},
        {"alltoall=bruck:radix=4x1",
         {"SHUNT_FORCE: alltoall: radix 1 is too small, the least is 2"}},
        {"alltoall=scattered:batch_size=4x2",
         {"SHUNT_FORCE: alltoall: batch_size takes one value, not 2"}},
        {"alltoall=bruck:radix=1", {"SHUNT_FORCE: alltoall: radix 1 is too small, the least is 2"}},
        {"alltoall=bruck:batch_size=1",
         {"SHUNT_FORCE: alltoall: algorithm \"bruck\" takes no batch_size"}},
        {"alltoallv=parlogna:metadata=fusd",
         {"SHUNT_FORCE: alltoallv: metadata: \"fusd\" is not \"fused\" or \"separate\" (did you "
          "mean \"fused\"?)"}},
        {"alltoallv=parlogna:metadata=1",
         {"SHUNT_FORCE: alltoallv: metadata: \"1\" is not \"fused\" or \"separate\""}},
        {"alltoallv=parlogna:metdata=fused",
         {"SHUNT_FORCE: alltoallv: unknown parameter \"metdata\" (did you mean \"metadata\"?)"}},
        {"alltoallv=node-pair:fragment=15q",
         {"SHUNT_FORCE: alltoallv: fragment: \"15q\" is not a size such as 4096 or 4K"}},
        {"alltoallv=node-pair:fragment=100",
         {"SHUNT_FORCE: alltoallv: fragment 100 is too small, the least is 1024"}},
        {"alltoallv=two-phase-bruck:metadata=fused",
         {"SHUNT_FORCE: alltoallv: algorithm \"two-phase-bruck\" takes no metadata"}},
        {"alltoallv=parlogna:metadata=fused:metadata=fused",
         {"SHUNT_FORCE: alltoallv: metadata is given twice"}},
        {"alltoall=bruck:radix=2:radix=3", {"SHUNT_FORCE: alltoall: radix is given twice"}},
        {"alltoal=x,alltoallv=y:z,q",
         {"SHUNT_FORCE: unknown operation \"alltoal\" (did you mean \"alltoall\"?)",
          "SHUNT_FORCE: alltoallv: unknown algorithm \"y\" (\"shunt algorithms\" lists them)",
          "SHUNT_FORCE: \"q\" is not OPERATION=ALGORITHM[:PARAMETER=VALUE]..."}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct shunt_diagnostics diagnostics = {0};
        assert_null(shunt_table_from_force(cases[i].text, &diagnostics));
        size_t count = 0;
        for (; count < 3 && cases[i].diagnostics[count]; count++) {
            assert_true(count < diagnostics.count);
            assert_string_equal(diagnostics.text[count], cases[i].diagnostics[count]);
        }
        assert_int_equal(diagnostics.count, count);
        shunt_diagnostics_clear(&diagnostics);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_operations_can_be_forced),
        cmocka_unit_test(each_digit_can_have_a_radix),
        cmocka_unit_test(one_operation_leaves_the_other_without_rule),
        cmocka_unit_test(a_parameter_can_be_a_word),
        cmocka_unit_test(every_mistake_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
