/* SPDX-License-Identifier: BSD-3-Clause */
/* call.c: one call: the candidates in their order, and the choice. */
#include "tools/predict/predict.h"

#include <inttypes.h>
#include <stdio.h>

#include "route/words.h"
#include "tools/common/tool.h"
#include "tools/predict/progress.h"

struct answer {
    const struct shunt_predict *predict;
    const struct shunt_case *c;
    const struct shunt_predictions *predictions;
};

/* Whether a better setting of the same algorithm stands above it. */
static bool is_repeated(const struct answer *a, size_t i)
{
    const struct shunt_prediction *all = a->predictions->prediction;
    for (size_t j = 0; j < i; j++)
        if (all[j].candidate.algorithm == all[i].candidate.algorithm)
            return true;
    return false;
}

static bool is_shown(const struct answer *a, size_t i)
{
    return a->predict->all || a->predict->chosen || !is_repeated(a, i);
}

static const struct shunt_cost *native_of(const struct answer *a)
{
    return &a->predictions->prediction[a->predictions->native].cost;
}

/* Name and parameters are one column for people. */
static const struct shunt_column columns[] = {
    {.key = SHUNT_KEY_OPERATION, .in = SHUNT_IN_CSV},
    {.key = SHUNT_KEY_RANKS, .in = SHUNT_IN_CSV},
    {.key = SHUNT_KEY_NODES, .in = SHUNT_IN_CSV},
    {.key = SHUNT_KEY_PPN_MIN, .in = SHUNT_IN_CSV},
    {.key = SHUNT_KEY_PPN_MAX, .in = SHUNT_IN_CSV},
    {.key = SHUNT_KEY_BLOCK, .in = SHUNT_IN_CSV},
    {.key = SHUNT_KEY_DISTRIBUTION, .in = SHUNT_IN_CSV},
    {.key = SHUNT_KEY_PLACE, .title = "place"},
    {.key = SHUNT_KEY_ALGORITHM,
     .title = "algorithm",
     .in = SHUNT_IN_TEXT,
     .most = SHUNT_PREDICT_ROOM},
    {.key = SHUNT_KEY_ALGORITHM},
    {.key = SHUNT_KEY_PARAMETERS},
    {.key = SHUNT_KEY_TIME_S, .title = "time", .digits = SHUNT_SIGNIFICANT(9)},
    {.key = SHUNT_KEY_SPEEDUP,
     .title = "speedup",
     .in = SHUNT_IN_TEXT | SHUNT_IN_CSV,
     .digits = SHUNT_SIGNIFICANT(6),
     .suffix = "x"},
    {.key = SHUNT_KEY_ENERGY_J, .title = "energy", .null = true},
    {.key = SHUNT_KEY_DYNAMIC_ENERGY_J, .null = true},
    {.key = SHUNT_KEY_MEMORY, .title = "memory"},
    {.key = SHUNT_KEY_DESCRIPTORS},
    {.key = SHUNT_KEY_MESSAGES, .title = "messages"},
    {.key = SHUNT_KEY_REMOTE_MESSAGES},
    {.key = SHUNT_KEY_BYTES, .title = "bytes"},
    {.key = SHUNT_KEY_REMOTE_BYTES},
    {.key = SHUNT_KEY_ROUNDS},
    {.key = SHUNT_KEY_METHOD, .in = SHUNT_IN_JSON},
    {.key = SHUNT_KEY_SPEEDUP, .in = SHUNT_IN_JSON, .null = true, .digits = 6},
    {.key = SHUNT_KEY_PARETO},
    {.key = SHUNT_KEY_ALLOWED},
    {.key = SHUNT_KEY_CHOICE, .in = SHUNT_IN_CSV},
    {.key = SHUNT_KEY_NOTE, .title = "", .in = SHUNT_IN_TEXT, .none = ""},
    {.key = SHUNT_KEY_MACHINE, .in = SHUNT_IN_CSV, .quoted = true},
};
enum { COST = SHUNT_PREDICT_PLACE + 4 };

void shunt_predict_json_cost(struct shunt_json *json, const struct shunt_cost *cost,
                             const struct shunt_cost *native)
{
    struct shunt_field row[SHUNT_PREDICT_COST];
    shunt_predict_cost_put(row, cost, native);
    shunt_sheet_members(json, &columns[COST], SHUNT_PREDICT_COST, row);
}

static void put_row(struct shunt_sheet *sheet, const struct answer *a, size_t i)
{
    const struct shunt_prediction *p = &a->predictions->prediction[i];
    const struct shunt_place place = shunt_case_place(a->c);
    const bool choice = i == a->predictions->choice;
    struct shunt_field row[SHUNT_COUNT_OF(columns)],
        *at = shunt_predict_place_put(row, a->predict, &place);
    char name[SHUNT_PREDICT_ROOM], parameters[SHUNT_PREDICT_ROOM], marks[16];
    shunt_predict_name(&p->candidate, name, sizeof name);
    shunt_params_print(p->candidate.algorithm, &p->candidate.params, parameters, sizeof parameters);
    snprintf(marks, sizeof marks, "%s%s%s", p->pareto ? "*" : "", p->allowed ? "" : "!",
             choice ? " <-" : "");
    *at++ = shunt_field_count((int64_t)i + 1);
    *at++ = shunt_field_text(name);
    *at++ = shunt_field_text(p->candidate.algorithm->name);
    *at++ = shunt_field_text(parameters);
    at = shunt_predict_cost_put(at, &p->cost, native_of(a));
    *at++ = shunt_field_flag(p->pareto);
    *at++ = shunt_field_flag(p->allowed);
    *at++ = shunt_field_flag(choice);
    *at++ = shunt_field_text(marks);
    *at = shunt_field_text(a->predict->machine.name);
    shunt_sheet_row(sheet, row);
}

/* What every setting passes by, where none is within the caps. */
static void print_least(const struct answer *a)
{
    const struct shunt_cost *energy = &a->predictions->prediction[0].cost, *memory = energy;
    char least[2][32];
    for (size_t i = 1; i < a->predictions->count; i++) {
        const struct shunt_cost *cost = &a->predictions->prediction[i].cost;
        energy = cost->energy < energy->energy ? cost : energy;
        memory = cost->memory < memory->memory ? cost : memory;
    }
    shunt_joules_print(energy->energy, least[0], sizeof least[0]);
    shunt_volume_print(memory->memory, least[1], sizeof least[1]);
    if (shunt_predict_knows_energy(&a->predict->machine))
        printf("%-10s none is within the caps: the least energy is %s, the least memory %s\n",
               "choice", least[0], least[1]);
    else
        printf("%-10s none is within the caps: the least memory is %s\n", "choice", least[1]);
}

static void print_choice(const struct answer *a)
{
    const struct shunt_predictions *all = a->predictions;
    char name[SHUNT_PREDICT_ROOM], time[32];
    if (all->choice == all->count) {
        print_least(a);
        return;
    }
    const struct shunt_prediction *p = &all->prediction[all->choice];
    const double gain = shunt_predict_gain(&p->cost, native_of(a));
    shunt_predict_name(&p->candidate, name, sizeof name);
    shunt_seconds_print(p->cost.time, time, sizeof time);
    printf("%-10s %s%s%s, %s", "choice", shunt_tool_bold(stdout), name, shunt_tool_plain(stdout),
           time);
    if (gain >= 0 && all->choice != all->native)
        printf(", %.2f times as fast as native", gain);
    puts("");
}

static void print_call(const struct answer *a)
{
    const struct shunt_layout *layout = &a->c->layout;
    char size[32];
    shunt_volume_print(a->c->block, size, sizeof size);
    printf("%-10s %s, %d rank%s, %d node%s, %sblocks of %s%s%s%s\n", "call",
           shunt_op_name(a->predict->op), layout->ranks, shunt_tool_plural((uint64_t)layout->ranks),
           layout->nodes, shunt_tool_plural((uint64_t)layout->nodes),
           shunt_layout_in_blocks(layout) ? "" : "dealt in turn, ", a->c->counts ? "up to " : "",
           size, a->predict->counts || a->predict->distribution ? ", " : "",
           a->predict->counts         ? a->predict->counts
           : a->predict->distribution ? a->predict->distribution
                                      : "");
    shunt_tool_put_labelled("machine", a->predict->machine.name);
}

/* Settings of one algorithm lie side by side. */
static void print_left(const struct shunt_predictions *all, bool limited)
{
    for (size_t i = 0, next; i < all->large; i = next) {
        for (next = i + 1; next < all->large; next++)
            if (all->left[next].algorithm != all->left[i].algorithm)
                break;
        printf("%s%-10s %s, %zu setting%s: ", i > 0 ? "" : "\n", "left out",
               all->left[i].algorithm->name, next - i, shunt_tool_plural(next - i));
        if (limited)
            printf("more work than is done with more than %d ranks\n", SHUNT_LIMIT_RANKS);
        else
            printf("more than %" PRIu64 " million messages and copies to be run one by one\n",
                   SHUNT_COST_MOST / 1000000);
    }
}

static int put_rows(const struct answer *a, struct shunt_json *json)
{
    struct shunt_sheet sheet =
        SHUNT_SHEET(columns, .form = shunt_predict_sheet_form(a->predict, json), .json = json,
                    .list = SHUNT_KEY_PREDICTIONS);
    shunt_sheet_begin(&sheet);
    for (size_t i = 0; i < a->predictions->count; i++)
        if (is_shown(a, i))
            put_row(&sheet, a, i);
    if (json)
        shunt_json_line(json);
    return shunt_sheet_end(&sheet);
}

static int print_text(const struct answer *a)
{
    print_call(a);
    print_choice(a);
    puts("");
    const int code = put_rows(a, NULL);
    printf("\n* nothing beats it in time%s and memory at once\n",
           shunt_predict_knows_energy(&a->predict->machine) ? ", energy" : "");
    if (a->predict->energy_most >= 0 || a->predict->memory_most >= 0)
        puts("! more energy or memory than is allowed");
    print_left(a->predictions, shunt_limit_applies(a->c));
    return code;
}

static void put_case(struct shunt_json *json, const struct shunt_case *c)
{
    shunt_json_put_known(json, SHUNT_KEY_RANKS, c->layout.ranks);
    shunt_json_put_known(json, SHUNT_KEY_NODES, c->layout.nodes);
    shunt_json_put_known(json, SHUNT_KEY_PPN_MIN, c->layout.ppn_min);
    shunt_json_put_known(json, SHUNT_KEY_PPN_MAX, c->layout.ppn_max);
    shunt_json_put_known(json, SHUNT_KEY_BLOCK, c->block);
}

static void put_answer(struct shunt_json *json, const void *context)
{
    const struct answer *a = context;
    const struct shunt_predictions *all = a->predictions;
    put_case(json, a->c);
    shunt_json_key(json, SHUNT_KEY_CHOICE);
    if (all->choice < all->count) {
        shunt_json_object(json);
        shunt_predict_json_candidate(json, &all->prediction[all->choice].candidate);
        shunt_json_close(json);
    } else {
        shunt_json_null(json);
    }
    shunt_json_put_unsigned(json, SHUNT_KEY_LEFT_OUT, all->large);
    shunt_json_put_array(json, SHUNT_KEY_LEFT);
    for (size_t i = 0; i < all->large; i++) {
        shunt_json_object(json);
        shunt_predict_json_candidate(json, &all->left[i]);
        shunt_json_put_string(json, SHUNT_KEY_REASON,
                              shunt_limit_applies(a->c) ? "too much work for so many ranks"
                                                        : "too many messages and copies");
        shunt_json_close(json);
    }
    shunt_json_close(json);
    put_rows(a, json);
}

static int print(const struct answer *a)
{
    const int code = a->predict->json  ? shunt_predict_json(a->predict, put_answer, a)
                     : a->predict->csv ? put_rows(a, NULL)
                                       : print_text(a);
    return code == SHUNT_EXIT_OK && a->predictions->choice == a->predictions->count
               ? SHUNT_EXIT_FINDINGS
               : code;
}

int shunt_predict_call(const struct shunt_predict *predict)
{
    struct shunt_case c;
    struct shunt_predictions predictions = {0};
    int code = shunt_case_make(&c, predict, 0, 0);
    if (code == SHUNT_EXIT_OK)
        code = shunt_predictions_make(&predictions, predict, &c);
    shunt_progress_clear();
    if (code == SHUNT_EXIT_OK)
        code = print(&(struct answer){predict, &c, &predictions});
    shunt_predictions_clear(&predictions);
    shunt_case_clear(&c);
    return code;
}
