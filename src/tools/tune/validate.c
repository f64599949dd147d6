/* SPDX-License-Identifier: BSD-3-Clause */
/* validate.c: a table against native: what it takes at each size, measured again. */
#include <math.h>
#include <string.h>

#include "base/size.h"
#include "route/builtin.h"
#include "route/route.h"
#include "route/words.h"
#include "tools/common/tool.h"
#include "tools/measure/program.h"
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
    if (!tune_run_layout(run, &sweep->place, &layout))
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

/* "parlogna:radix=4:metadata=fused" of what a table takes. Where it leaves a size to native, it may
 * do so after an agreement only. */
static bool decide(const struct tune_run *run, const struct shunt_table *table,
                   const struct tune_sweep *sweep, int64_t largest, char *text)
{
    struct shunt_map map;
    char values[TUNE_TEXT_ROOM];
    if (shunt_map_build(&map, table, sweep->op, &run->layout, tune_run_memory()) != 0)
        return false;
    const struct shunt_decision *decision = shunt_map_find(&map, largest);
    const bool agreed = sweep->op == SHUNT_OP_ALLTOALLV &&
                        decision->algorithm->kind == SHUNT_KIND_NATIVE &&
                        !shunt_map_all_native(&map);
    shunt_params_print(decision->algorithm, &decision->params, values, sizeof values);
    const int length = snprintf(text, TUNE_TEXT_ROOM, "%s%s%s",
                                agreed ? TUNE_NATIVE_AGREED : decision->algorithm->name,
                                values[0] ? ":" : "", values);
    for (char *blank = text; (blank = strchr(blank, ' '));)
        *blank = ':';
    shunt_map_clear(&map);
    return length > 0 && length < TUNE_TEXT_ROOM;
}

/* A candidate once, native being there already. Returns its place in the batch. */
static int join(struct tune_batch *batch, const char *text)
{
    int place = 0;
    while (place < batch->count && strcmp(batch->candidates[place], text) != 0)
        place++;
    if (place == batch->count)
        batch->candidates[batch->count++] = text;
    return place;
}

/* What is left to native gains nothing; what cannot run falls back to it. */
static struct tune_gain gain_of(const struct tune_samples *samples, int place)
{
    static const struct tune_gain one = {.times = {1, 1, 1, 1}};
    const struct tune_gain gain = tune_gain(samples, place);
    return place == 0 || gain.times.median <= 0 ? one : gain;
}

/* Native alone tells the real largest block, which decides, and how much time a call takes; then
 * the table's choice and that of the built-in table run in turn with it. */
static bool measure(const struct tune_run *run, const struct tune_lab *lab,
                    struct tune_sweep *sweep, int index, double budget)
{
    struct tune_outcome *outcome = &sweep->outcomes[index];
    char builtin[TUNE_TEXT_ROOM];
    struct tune_batch batch = {.op = sweep->op,
                               .block = sweep->blocks[index],
                               .stage = TUNE_STAGE_VALIDATE,
                               .count = 1,
                               .candidates = {"native"},
                               .repetitions = FEW};
    struct tune_samples samples;
    if (!lab->run(lab->context, &batch, &samples))
        return false;
    *outcome = (struct tune_outcome){.measured = true, .largest = samples.largest};
    const double each = tune_cost(&samples, 0);
    tune_samples_clear(&samples);
    if (!decide(run, table_of(run), sweep, outcome->largest, outcome->text) ||
        !decide(run, shunt_builtin_table(), sweep, outcome->largest, builtin))
        return false;
    const int place = join(&batch, outcome->text), builtin_place = join(&batch, builtin);
    const double number = each > 0 ? budget / each / batch.count : MOST;
    batch.repetitions = number > MOST ? MOST : number > FEW ? (int)number : FEW;
    batch.stage++;
    batch.seconds = 2 * budget;
    if (!lab->run(lab->context, &batch, &samples))
        return false;
    const struct measure_interval native =
        measure_interval(tune_samples_of(&samples, 0, 0), samples.repetitions);
    outcome->busy = measure_busy(&native);
    outcome->native = native.median;
    outcome->pairs = samples.repetitions;
    const struct tune_gain gain = gain_of(&samples, place);
    outcome->gain = gain.times;
    outcome->mode = gain.mode;
    outcome->loses = place > 0 && tune_loses(&samples, place, LOSS);
    outcome->builtin_gain = gain_of(&samples, builtin_place).times.median;
    outcome->withdrawn = place > 0 && tune_gain(&samples, place).times.median <= 0;
    tune_samples_clear(&samples);
    return true;
}

int tune_run_validate(struct tune_run *run, struct tune_sweep *sweep, const struct tune_lab *lab)
{
    for (int i = 0; i < sweep->count; i++) {
        const double left = lab->left(lab->context);
        const int cells = run->cells - run->done;
        if (left <= 0)
            return SHUNT_EXIT_OK;
        run->now = sweep;
        run->block = sweep->blocks[i];
        if (!measure(run, lab, sweep, i, left / (cells > 0 ? cells : 1)))
            measure_need(NULL);
        run->done++;
        run->losers += sweep->outcomes[i].loses;
        if (!run->options.json)
            tune_row_print(run, sweep, i);
    }
    return SHUNT_EXIT_OK;
}
