/* SPDX-License-Identifier: BSD-3-Clause */
/* sweep.c: `shunt schedule --sweep=radix`: rounds and volume of one rank for every radix, as in
 * figure 2a of Fan and Kumar. */
#include <stdio.h>

#include "tools/common/sheet.h"
#include "tools/common/tool.h"
#include "tools/predict/progress.h"
#include "tools/schedule/shown.h"

/* A line for each radix up to the ranks, each by work that goes with the ranks: an hour. */
enum { RANKS_MOST = 1 << 17, WIDTH = 12 };
static const struct shunt_column columns[] = {
    {.key = SHUNT_KEY_RADIX, .title = "radix", .least = WIDTH},
    {.key = SHUNT_KEY_ROUNDS, .title = "rounds", .least = WIDTH},
    {.key = SHUNT_KEY_MESSAGES, .title = "messages", .least = WIDTH},
    {.key = SHUNT_KEY_BLOCKS, .title = "blocks", .least = WIDTH},
};

/* The rule that names the algorithm. Its decision is another one where its preset radix needs too
 * much memory. */
static const struct shunt_rule *rule_of(const struct shunt_shown *call)
{
    return &call->table->rules[call->table->rule_first[call->question->op]];
}

/* One row: the same rule with this radix. Nobody agrees about sizes here: it has nothing to do
 * with the radix. */
static bool put_radix(struct shunt_sheet *sheet, const struct shunt_shown *call, int64_t radix)
{
    const struct shunt_question *question = call->question;
    struct shunt_rule rule = *rule_of(call);
    const struct shunt_algorithm *algorithm = shunt_registry_row(rule.algorithm);
    rule.present |= 1U << SHUNT_PARAM_RADIX;
    rule.given[SHUNT_PARAM_RADIX] = (struct shunt_value){SHUNT_FORMULA_NUMBER, radix};
    const struct shunt_params params =
        shunt_params_evaluate(algorithm, rule.present, rule.given, &question->layout);
    const struct shunt_event_call events = {.op = question->op,
                                            .algorithm = algorithm,
                                            .layout = &question->layout,
                                            .params = &params,
                                            .block = question->block};
    struct shunt_effort effort;
    if (!shunt_effort_count(&effort, &events, question->rank))
        return false;
    const struct shunt_field row[] = {shunt_field_count(radix), shunt_field_count(effort.rounds),
                                      shunt_field_unsigned(effort.messages),
                                      shunt_field_unsigned(effort.blocks)};
    shunt_sheet_row(sheet, row);
    return true;
}

static int put_radices(const struct shunt_shown *call, int64_t least, int64_t most)
{
    struct shunt_sheet sheet =
        SHUNT_SHEET(columns, .form = call->question->csv ? SHUNT_SHEET_CSV : SHUNT_SHEET_TEXT);
    bool counted = true;
    shunt_sheet_begin(&sheet);
    for (int64_t radix = least; counted && (radix == least || radix <= most); radix++) {
        shunt_progress_show("radices", (size_t)(radix - least),
                            (size_t)(most > least ? most - least + 1 : 1));
        counted = put_radix(&sheet, call, radix);
    }
    shunt_progress_clear();
    const int code = shunt_sheet_end(&sheet);
    if (counted)
        return code;
    shunt_tool_say("out of memory");
    return SHUNT_EXIT_IO;
}

int shunt_sweep_radix(const struct shunt_shown *call)
{
    const struct shunt_question *question = call->question;
    const struct shunt_rule *rule = rule_of(call);
    const struct shunt_algorithm *algorithm = shunt_registry_row(rule->algorithm);
    const struct shunt_param_spec *spec = &algorithm->params[SHUNT_PARAM_RADIX];
    if (!spec->used)
        return shunt_tool_usage(question->asker,
                                "--sweep: %s has no radix; \"shunt algorithms\" tells which have",
                                algorithm->name);
    if ((rule->present & 1U << SHUNT_PARAM_RADIX) != 0)
        return shunt_tool_usage(question->asker,
                                "--sweep: all radices are tried, so --algorithm goes without one");
    if (question->layout.ranks > RANKS_MOST)
        return shunt_tool_usage(question->asker,
                                "--sweep: at most %d ranks, as it takes a line for each radix; "
                                "--algorithm=%s:radix=R without --sweep tells of one",
                                RANKS_MOST, algorithm->name);
    const int64_t most =
        shunt_value_eval((struct shunt_value){.formula = spec->max}, &question->layout);
    if (!question->csv) {
        shunt_question_print(question);
        printf("%-10s %s, rank %d\n\n", "algorithm", question->algorithm, question->rank);
    }
    return put_radices(call, spec->min, most);
}
