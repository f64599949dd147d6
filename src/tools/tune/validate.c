/* SPDX-License-Identifier: BSD-3-Clause */
/* validate.c: a table against native: what it takes at each size, measured again. */
#include <math.h>
#include <string.h>

#include "base/size.h"
#include "route/builtin.h"
#include "route/words.h"
#include "tools/bench/fail.h"
#include "tools/tool.h"
#include "tools/tune/halving.h"
#include "tools/tune/run.h"

/* A loser: clearly slower than native by more than this. */
static const double LOSS = 0.95;

enum { FEW = 6, MOST = 40, SIZE_MOST = 1 << 20 };

static const struct shunt_table *table_of(const struct tune_run *run)
{
    return run->table ? run->table : shunt_builtin_table();
}

static int add(int64_t *blocks, int count, int64_t block, const struct tune_place *place)
{
    const bool good = count < BENCH_LIST_MOST && block >= 1 && block <= SIZE_MOST &&
                      block * place->ranks <= INT32_MAX &&
                      (count == 0 || blocks[count - 1] < block);
    if (good)
        blocks[count++] = block;
    return count;
}

bool tune_run_sizes(const struct tune_run *run, struct tune_sweep *sweep)
{
    struct shunt_layout layout;
    struct shunt_map map = {0};
    if (!tune_allocation_layout(&run->allocation, &sweep->place, &layout))
        return false;
    const bool good =
        shunt_map_build(&map, table_of(run), sweep->op, &layout, tune_run_memory()) == 0;
    for (size_t i = 0; good && i < map.count; i++) {
        const int64_t low = map.from[i] > 0 ? map.from[i] : 1,
                      high = i + 1 < map.count ? map.from[i + 1] - 1 : 4 * low;
        if (map.decisions[i].algorithm->kind == SHUNT_KIND_NATIVE)
            continue;
        sweep->count = add(sweep->blocks, sweep->count, low, &sweep->place);
        sweep->count = add(sweep->blocks, sweep->count, (int64_t)sqrt((double)low * (double)high),
                           &sweep->place);
        sweep->count = add(sweep->blocks, sweep->count, high, &sweep->place);
    }
    for (int i = 0; i < sweep->count; i++)
        sweep->weights[i] = 1;
    shunt_map_clear(&map);
    shunt_layout_clear(&layout);
    return good;
}

/* "parlogna:radix=4:metadata=fused" of what the table takes. */
static bool decide(const struct tune_run *run, const struct tune_sweep *sweep, int64_t block,
                   char *text)
{
    struct shunt_map map;
    char values[TUNE_TEXT_ROOM];
    if (shunt_map_build(&map, table_of(run), sweep->op, &run->layout, tune_run_memory()) != 0)
        return false;
    const struct shunt_decision *decision = shunt_map_find(&map, block);
    shunt_params_print(decision->algorithm, &decision->params, values, sizeof values);
    const int length = snprintf(text, TUNE_TEXT_ROOM, "%s%s%s", decision->algorithm->name,
                                values[0] ? ":" : "", values);
    for (char *blank = text; (blank = strchr(blank, ' '));)
        *blank = ':';
    shunt_map_clear(&map);
    return length > 0 && length < TUNE_TEXT_ROOM;
}

static bool measure(const struct tune_lab *lab, struct tune_sweep *sweep, int index,
                    const char *text, double budget)
{
    struct tune_outcome *outcome = &sweep->outcomes[index];
    struct tune_batch batch = {.op = sweep->op,
                               .block = sweep->blocks[index],
                               .stage = TUNE_STAGE_VALIDATE,
                               .count = 2,
                               .candidates = {"native", text},
                               .repetitions = FEW};
    struct tune_samples samples;
    if (strcmp(text, "native") == 0)
        batch.count = 1;
    if (!lab->run(lab->context, &batch, &samples))
        return false;
    double each = tune_time(&samples, 0);
    each = samples.calls * (each + (batch.count > 1 ? fmin(tune_time(&samples, 1), 9 * each) : 0));
    tune_samples_clear(&samples);
    const double number = each > 0 ? budget / each : MOST;
    batch.repetitions = number > MOST ? MOST : number > FEW ? (int)number : FEW;
    batch.stage++;
    if (!lab->run(lab->context, &batch, &samples))
        return false;
    const struct bench_interval native =
        bench_interval(tune_samples_of(&samples, 0, 0), samples.repetitions);
    *outcome = (struct tune_outcome){.measured = true,
                                     .busy = bench_busy(&native),
                                     .largest = samples.largest,
                                     .gain = {1, 1, 1, 1},
                                     .builtin_gain = 1,
                                     .native = native.median,
                                     .pairs = samples.repetitions};
    memcpy(outcome->text, text, TUNE_TEXT_ROOM);
    if (batch.count > 1)
        outcome->gain = tune_gain(&samples, 1);
    tune_samples_clear(&samples);
    return true;
}

static void print(struct tune_run *run, const struct tune_sweep *sweep, int index)
{
    const struct tune_outcome *o = &sweep->outcomes[index];
    char layout[64], block[24];
    const char *said = "";
    tune_place_print(&sweep->place, layout, sizeof layout);
    shunt_size_print(o->largest, block, sizeof block);
    if (o->gain.high == 0)
        said = "  cannot run here: it falls back to native";
    else if (o->gain.high < LOSS)
        said = "  LOSES";
    run->losers += o->gain.high > 0 && o->gain.high < LOSS;
    if (run->done == 0)
        printf("%-9s  %-8s  %6s  %10s  %6s  %-14s  %s\n", "operation", "layout", "block",
               "native us", "gain", "interval", "the table takes");
    run->done++;
    printf("%-9s  %-8s  %6s  %10.1f  %6.2f  %5.2f .. %-5.2f  %s%s%s\n", shunt_op_name(sweep->op),
           layout, block, 1e6 * o->native, o->gain.median, o->gain.low, o->gain.high, o->text,
           o->busy ? " (busy)" : "", said);
}

int tune_run_validate(struct tune_run *run, struct tune_sweep *sweep, const struct tune_lab *lab)
{
    char text[TUNE_TEXT_ROOM];
    for (int i = 0; i < sweep->count; i++) {
        const double left = lab->left(lab->context);
        const int cells = run->cells - run->done;
        if (left <= 0)
            return SHUNT_EXIT_OK;
        run->now = sweep;
        run->block = sweep->blocks[i];
        if (!decide(run, sweep, sweep->blocks[i], text) ||
            !measure(lab, sweep, i, text, left / (cells > 0 ? cells : 1)))
            bench_need(NULL);
        print(run, sweep, i);
    }
    return SHUNT_EXIT_OK;
}
