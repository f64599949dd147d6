/* SPDX-License-Identifier: BSD-3-Clause */
/* call.c: one call: the candidates in their order, and the choice. */
#include "tools/predict/call.h"

#include <inttypes.h>
#include <stdio.h>

#include "route/words.h"
#include "tools/fold.h"
#include "tools/predict/csv.h"
#include "tools/predict/json.h"
#include "tools/predict/limit.h"
#include "tools/predict/progress.h"
#include "tools/predict/rank.h"
#include "tools/predict/text.h"
#include "tools/tool.h"

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

enum { COLUMNS = 9, CELL = SHUNT_PREDICT_ROOM };

struct row {
    char cell[COLUMNS][CELL];
};

static void fill_row(const struct answer *a, size_t i, struct row *row)
{
    const struct shunt_prediction *p = &a->predictions->prediction[i];
    const struct shunt_cost *cost = &p->cost;
    const double gain = shunt_predict_gain(cost, native_of(a));
    snprintf(row->cell[0], CELL, "%zu", i + 1);
    shunt_predict_name(&p->candidate, row->cell[1], CELL);
    shunt_seconds_print(cost->time, row->cell[2], CELL);
    snprintf(row->cell[3], CELL, gain < 0 ? "-" : "%.2fx", gain);
    shunt_joules_print(cost->energy, row->cell[4], CELL);
    shunt_volume_print(cost->memory, row->cell[5], CELL);
    snprintf(row->cell[6], CELL, "%" PRIu64, cost->messages);
    shunt_volume_print(cost->bytes, row->cell[7], CELL);
    snprintf(row->cell[8], CELL, "%s%s%s", p->pareto ? "*" : "", p->allowed ? "" : "!",
             i == a->predictions->choice ? " <-" : "");
}

static void print_row(const struct row *row, const int width[COLUMNS])
{
    for (int i = 0; i < COLUMNS; i++) {
        const int pad = width[i] - shunt_tool_width(row->cell[i]);
        if (i == COLUMNS - 1)
            printf("%s%s", row->cell[i][0] != '\0' ? "  " : "", row->cell[i]);
        else if (i == 1 && pad < 0) /* on a line of its own */
            printf("  %s\n%*s", row->cell[i], width[0] + 2 + width[1], "");
        else if (i == 1)
            printf("  %s%*s", row->cell[i], pad, "");
        else
            printf("%s%*s%s", i > 0 ? "  " : "", pad, "", row->cell[i]);
    }
    puts("");
}

/* The names of algorithms have what room the figures leave. */
static void limit_names(int width[COLUMNS])
{
    int all = 2 * (COLUMNS - 1);
    for (int i = 0; i < COLUMNS; i++)
        all += width[i];
    if (all > SHUNT_FOLD_COLUMNS && width[1] > all - SHUNT_FOLD_COLUMNS)
        width[1] -= all - SHUNT_FOLD_COLUMNS;
}

static void print_table(const struct answer *a)
{
    static const struct row head = {
        {"place", "algorithm", "time", "speedup", "energy", "memory", "messages", "bytes", ""}};
    int width[COLUMNS];
    struct row row;
    for (int i = 0; i < COLUMNS; i++)
        width[i] = shunt_tool_width(head.cell[i]);
    for (size_t i = 0; i < a->predictions->count; i++) {
        if (!is_shown(a, i))
            continue;
        fill_row(a, i, &row);
        for (int k = 0; k < COLUMNS; k++)
            if (shunt_tool_width(row.cell[k]) > width[k])
                width[k] = shunt_tool_width(row.cell[k]);
    }
    limit_names(width);
    print_row(&head, width);
    for (size_t i = 0; i < a->predictions->count; i++) {
        if (!is_shown(a, i))
            continue;
        fill_row(a, i, &row);
        print_row(&row, width);
    }
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
    printf("%-10s %s\n", "machine", a->predict->machine.name);
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

static void print_text(const struct answer *a)
{
    print_call(a);
    print_choice(a);
    puts("");
    print_table(a);
    printf("\n* nothing beats it in time%s and memory at once\n",
           shunt_predict_knows_energy(&a->predict->machine) ? ", energy" : "");
    if (a->predict->energy_most >= 0 || a->predict->memory_most >= 0)
        puts("! more energy or memory than is allowed");
    print_left(a->predictions, shunt_limit_applies(a->c));
}

static void print_csv(const struct answer *a)
{
    char parameters[SHUNT_PREDICT_ROOM];
    const struct shunt_place place = shunt_case_place(a->c);
    shunt_predict_csv_head("place,algorithm,parameters,time_s,speedup,energy_j,dynamic_energy_j,"
                           "memory,descriptors,messages,remote_messages,bytes,remote_bytes,rounds,"
                           "pareto,allowed,choice");
    for (size_t i = 0; i < a->predictions->count; i++) {
        const struct shunt_prediction *p = &a->predictions->prediction[i];
        const struct shunt_cost *k = &p->cost;
        const double gain = shunt_predict_gain(k, native_of(a));
        if (!is_shown(a, i))
            continue;
        shunt_params_print(p->candidate.algorithm, &p->candidate.params, parameters,
                           sizeof parameters);
        shunt_predict_csv_place(a->predict, &place);
        printf("%zu,%s,%s,%.9g,", i + 1, p->candidate.algorithm->name, parameters, k->time);
        if (gain >= 0)
            printf("%.6g", gain);
        putchar(',');
        shunt_predict_csv_real(k->energy);
        shunt_predict_csv_real(k->dynamic_energy);
        printf("%" PRId64 ",%" PRId64 ",%" PRIu64 ",%" PRIu64 ",%" PRId64 ",%" PRId64 ",%" PRIu32
               ",%d,%d,%d",
               k->memory, k->descriptors, k->messages, k->remote_messages, k->bytes,
               k->remote_bytes, k->rounds, p->pareto, p->allowed, i == a->predictions->choice);
        shunt_predict_csv_end(a->predict);
    }
}

static void put_prediction(struct shunt_json *json, const struct answer *a, size_t i)
{
    const struct shunt_prediction *p = &a->predictions->prediction[i];
    shunt_json_line(json);
    shunt_json_object(json);
    shunt_json_put_unsigned(json, SHUNT_KEY_PLACE, i + 1);
    shunt_predict_json_candidate(json, &p->candidate);
    shunt_predict_json_cost(json, &p->cost);
    shunt_predict_json_gain(json, &p->cost, native_of(a));
    shunt_json_put_flag(json, SHUNT_KEY_PARETO, p->pareto);
    shunt_json_put_flag(json, SHUNT_KEY_ALLOWED, p->allowed);
    shunt_json_close(json);
}

static void put_answer(struct shunt_json *json, const void *context)
{
    const struct answer *a = context;
    const struct shunt_predictions *all = a->predictions;
    shunt_predict_json_case(json, a->c);
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
    shunt_json_put_array(json, SHUNT_KEY_PREDICTIONS);
    for (size_t i = 0; i < all->count; i++)
        if (is_shown(a, i))
            put_prediction(json, a, i);
    shunt_json_line(json);
    shunt_json_close(json);
}

static int print(const struct answer *a)
{
    int code = SHUNT_EXIT_OK;
    if (a->predict->json)
        code = shunt_predict_json(a->predict, put_answer, a);
    else if (a->predict->csv)
        print_csv(a);
    else
        print_text(a);
    if (code == SHUNT_EXIT_OK && a->predictions->choice == a->predictions->count)
        code = SHUNT_EXIT_FINDINGS;
    return code;
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
