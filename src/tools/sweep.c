/* SPDX-License-Identifier: BSD-3-Clause */
/* sweep.c: `shunt schedule --sweep=radix`: rounds and volume of one rank for every radix, as in
 * figure 2a of Fan and Kumar. */
#include <inttypes.h>
#include <stdio.h>

#include "route/words.h"
#include "tools/predict/progress.h"
#include "tools/shown.h"
#include "tools/tool.h"

/* A line for each radix up to the ranks, each by work that goes with the ranks: an hour. */
enum { COLUMNS = 4, RANKS_MOST = 1 << 17 };
static const char *const names[COLUMNS] = {"radix", "rounds", "messages", "blocks"};

/* The rule that names the algorithm. Its decision is another one where its preset radix needs too
 * much memory. */
static const struct shunt_rule *rule_of(const struct shunt_shown *call)
{
    return &call->table->rules[call->table->rule_first[call->question->op]];
}

/* One line: the same rule with this radix. Nobody agrees about sizes here: it has nothing to do
 * with the radix. */
static bool count_radix(const struct shunt_shown *call, int64_t radix, uint64_t line[COLUMNS])
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
    line[0] = (uint64_t)radix;
    line[1] = effort.rounds;
    line[2] = effort.messages;
    line[3] = effort.blocks;
    return true;
}

static void print_names(const struct shunt_shown *call)
{
    if (call->question->csv) {
        for (int i = 0; i < COLUMNS; i++)
            printf("%s%s", i > 0 ? "," : "", names[i]);
        puts("");
        return;
    }
    shunt_question_print(call->question);
    printf("%-10s %s, rank %d\n\n", "algorithm", call->question->algorithm, call->question->rank);
    for (int i = 0; i < COLUMNS; i++)
        printf("%s%12s", i > 0 ? "  " : "", names[i]);
    puts("");
}

static void print_line(const struct shunt_shown *call, const uint64_t line[COLUMNS])
{
    for (int i = 0; i < COLUMNS; i++)
        if (call->question->csv)
            printf("%s%" PRIu64, i > 0 ? "," : "", line[i]);
        else
            printf("%s%12" PRIu64, i > 0 ? "  " : "", line[i]);
    puts("");
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
    print_names(call);
    for (int64_t radix = spec->min; radix == spec->min || radix <= most; radix++) {
        uint64_t line[COLUMNS];
        if (!count_radix(call, radix, line)) {
            shunt_progress_clear();
            shunt_tool_say("out of memory");
            return SHUNT_EXIT_IO;
        }
        shunt_progress_show("radices", (size_t)(radix - spec->min),
                            (size_t)(most > spec->min ? most - spec->min + 1 : 1));
        print_line(call, line);
    }
    shunt_progress_clear();
    return SHUNT_EXIT_OK;
}
