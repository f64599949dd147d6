/* SPDX-License-Identifier: BSD-3-Clause */
/* sweep.c: see sweep.h. */
#include "tools/tune/sweep.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Sizes looked at for one threshold; of the time, what thresholds have. */
enum { STEPS = 5 };
static const double THRESHOLDS = 0.2;

/* The middle in proportion; of a multiple of 8 where that is fine enough, for such blocks are what
 * programs have. */
static int64_t middle(int64_t low, int64_t high)
{
    const int64_t mid = llround(sqrt((double)(low < 1 ? 1 : low) * (double)high));
    return mid >= 64 ? mid / 8 * 8 : mid;
}

void tune_threshold(struct tune_gap *gap, int steps,
                    enum tune_side (*decide)(void *context, struct tune_size *size), void *context)
{
    while (steps-- > 0 && (double)gap->high.block > TUNE_NEAR * (double)gap->low.block) {
        struct tune_size size = {.block = middle(gap->low.block, gap->high.block)};
        if (size.block <= gap->low.block || size.block >= gap->high.block)
            return;
        const enum tune_side side = decide(context, &size);
        /* The real largest of sizes drawn at random may be that of a neighbour. */
        if (side == TUNE_SIDE_UNKNOWN || size.largest <= gap->low.largest ||
            size.largest >= gap->high.largest)
            return;
        gap->native |= side == TUNE_SIDE_NATIVE;
        if (side == TUNE_SIDE_NATIVE)
            return;
        if (side == TUNE_SIDE_LOWER)
            gap->low = size;
        else
            gap->high = size;
    }
}

static bool is_native(const struct tune_outcome *outcome)
{
    return outcome->simplicity == 0;
}

static bool differ(const struct tune_outcome *a, const struct tune_outcome *b)
{
    return a->measured && b->measured && strcmp(a->text, b->text) != 0;
}

static double weight_from(const struct tune_sweep *sweep, int first)
{
    double sum = 0;
    for (int i = first; i < sweep->count; i++)
        sum += sweep->weights[i];
    return sum;
}

/* What won at the last size that was measured before; NULL: nothing. */
static const char *favourite_of(const struct tune_sweep *sweep, int index)
{
    while (--index >= 0)
        if (sweep->outcomes[index].measured)
            return is_native(&sweep->outcomes[index]) ? NULL : sweep->outcomes[index].text;
    return NULL;
}

struct ask {
    const struct tune_lab *lab;
    const struct tune_sweep *sweep;
    const struct tune_outcome *lower, *upper;
    double budget;
    bool failed;
};

static enum tune_side decide(void *context, struct tune_size *size)
{
    struct ask *ask = context;
    enum tune_side side = TUNE_SIDE_UNKNOWN;
    if (ask->lab->left(ask->lab->context) <= 0)
        return TUNE_SIDE_UNKNOWN;
    ask->failed = !tune_between(ask->lab, ask->sweep->op, size, ask->lower, ask->upper,
                                ask->budget / STEPS, &side);
    return ask->failed ? TUNE_SIDE_UNKNOWN : side;
}

static bool find_thresholds(struct tune_sweep *sweep, const struct tune_lab *lab, double budget)
{
    int wanted = 0;
    for (int i = 0; i + 1 < sweep->count; i++) {
        sweep->gaps[i] =
            (struct tune_gap){.low = {sweep->blocks[i], sweep->outcomes[i].largest},
                              .high = {sweep->blocks[i + 1], sweep->outcomes[i + 1].largest}};
        wanted += differ(&sweep->outcomes[i], &sweep->outcomes[i + 1]);
    }
    for (int i = 0; i + 1 < sweep->count; i++) {
        struct ask ask = {.lab = lab,
                          .sweep = sweep,
                          .lower = &sweep->outcomes[i],
                          .upper = &sweep->outcomes[i + 1],
                          .budget = budget / (wanted > 0 ? wanted : 1)};
        if (differ(ask.lower, ask.upper))
            tune_threshold(&sweep->gaps[i], STEPS, decide, &ask);
        if (ask.failed)
            return false;
    }
    return true;
}

bool tune_sweep_run(struct tune_sweep *sweep, const struct tune_lab *lab, double budget,
                    tune_nominate nominate, tune_told told, void *context)
{
    const double end = lab->left(lab->context) - budget;
    for (int i = 0; i < sweep->count; i++) {
        const double left = lab->left(lab->context);
        const double share =
            (left - end) * (1 - THRESHOLDS) * sweep->weights[i] / weight_from(sweep, i);
        struct tune_entries entries;
        sweep->outcomes[i] = (struct tune_outcome){0};
        if (left <= 0)
            continue;
        if (!nominate(context, sweep, sweep->blocks[i], &entries) ||
            !tune_cell(lab, sweep->op, sweep->blocks[i], &entries, favourite_of(sweep, i), share,
                       &sweep->outcomes[i]))
            return false;
        if (told)
            told(context, sweep, i);
    }
    return find_thresholds(sweep, lab, lab->left(lab->context) - end);
}

/* Nothing was measured beyond the outermost sizes. But the largest of sizes drawn at random is not
 * quite what was asked for, nor the same in a program; and thresholds are no finer than this. */
static int64_t near_below(int64_t largest)
{
    return (int64_t)ceil((double)largest / TUNE_NEAR);
}

static int64_t near_above(int64_t largest)
{
    return (int64_t)((double)largest * TUNE_NEAR);
}

/* The last size that what won before the gap takes; and the first one after it. Two that both are
 * faster than native share what lies between them. */
static int64_t end_of(const struct tune_sweep *sweep, int index)
{
    const struct tune_gap *gap = &sweep->gaps[index];
    const struct tune_outcome *next = &sweep->outcomes[index + 1];
    if (gap->native || !next->measured || is_native(next) || is_native(&sweep->outcomes[index]))
        return gap->low.largest;
    return (int64_t)sqrt((double)gap->low.largest * (double)gap->high.largest);
}

static int64_t begin_of(const struct tune_sweep *sweep, int index)
{
    const struct tune_gap *gap = &sweep->gaps[index - 1];
    const struct tune_outcome *before = &sweep->outcomes[index - 1];
    if (gap->native || !before->measured || is_native(before))
        return gap->high.largest;
    return end_of(sweep, index - 1) + 1;
}

static void widen(struct tune_rule *rule, const struct tune_outcome *outcome)
{
    if (rule->sizes == 0 || outcome->gain.low < rule->gain.low) {
        rule->gain = outcome->gain;
        rule->mode = outcome->mode;
    }
    if (rule->sizes == 0 || outcome->gain.median > rule->most.median)
        rule->most = outcome->gain;
    rule->pairs += outcome->pairs;
    rule->sizes++;
}

int tune_sweep_rules(const struct tune_sweep *sweep, struct tune_rule *rules)
{
    int count = 0;
    for (int i = 0, next; i < sweep->count; i = next) {
        const struct tune_outcome *outcome = &sweep->outcomes[i];
        next = i + 1;
        if (!outcome->measured || is_native(outcome))
            continue;
        struct tune_rule *rule = &rules[count++];
        *rule = (struct tune_rule){.op = sweep->op, .place = sweep->place};
        memcpy(rule->text, outcome->text, sizeof rule->text);
        rule->block.low = i > 0 ? begin_of(sweep, i) : near_below(outcome->largest);
        widen(rule, outcome);
        for (; next < sweep->count && sweep->outcomes[next].measured &&
               !differ(outcome, &sweep->outcomes[next]);
             next++)
            widen(rule, &sweep->outcomes[next]);
        rule->block.high = next < sweep->count ? end_of(sweep, next - 1)
                                               : near_above(sweep->outcomes[next - 1].largest);
    }
    return count;
}
