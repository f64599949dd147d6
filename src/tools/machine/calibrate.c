/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * calibrate.c: a search along one number after the other, by factors that become smaller. The sum
 * that it makes small has many valleys that differ little, so numbers are also held near to where
 * they began: what the exchanges say nothing about does not move.
 */
#include "tools/machine/calibrate.h"

#include <math.h>

#include "base/clock.h"
#include "log/clock.h"
#include "model/cost.h"
#include "tools/machine/results.h"

static const double FIRST_FACTOR = 4, LAST_FACTOR = 1.02, FURTHEST = 1000, LEASH = 0.003;

struct number {
    const char *key;
    double *value, begin; /* factors move it away from there */
};

struct search {
    struct machine_calibration *calibration;
    struct shunt_machine *machine;
    const struct shunt_layout *layout;
    const struct machine_exchange *exchanges;
    int count, numbers;
    struct number number[MACHINE_CALIBRATED_MOST];
    int64_t until; /* nanoseconds of the clock */
};

/* Seconds; negative: this cannot be predicted. */
static double predict(const struct search *search, const struct machine_exchange *exchange)
{
    struct shunt_cost cost;
    const struct shunt_cost_call call = {.machine = search->machine,
                                         .call = {.op = SHUNT_OP_ALLTOALL,
                                                  .algorithm = exchange->algorithm,
                                                  .layout = search->layout,
                                                  .params = &exchange->params,
                                                  .block = exchange->block}};
    return shunt_cost_predict(&cost, &call) == SHUNT_COST_OK && cost.time > 0 ? cost.time : -1;
}

/* How far predictions are from measurements, in logarithms, on average; and a little for numbers
 * that left their beginning. */
static double distance(const struct search *search)
{
    double sum = 0, moved = 0;
    int used = 0;
    for (int i = 0; i < search->count; i++) {
        const double time = predict(search, &search->exchanges[i]);
        if (time < 0)
            continue;
        const double off = log(time / search->exchanges[i].seconds);
        sum += fabs(off) + off * off / 10;
        used++;
    }
    for (int i = 0; i < search->numbers; i++)
        moved += fabs(log(*search->number[i].value / search->number[i].begin));
    return (used > 0 ? sum / used : 0) + LEASH * moved;
}

/* As far as it helps in one direction. Whether it did. */
static bool walk(struct search *search, struct number *number, double factor, double *best)
{
    bool moved = false;
    while (shunt_now() < search->until) {
        const double before = *number->value, far = before * factor / number->begin;
        if (far > FURTHEST || far < 1 / FURTHEST)
            break;
        *number->value = before * factor;
        const double now = distance(search);
        if (!(now < *best * (1 - 1e-6))) {
            *number->value = before;
            break;
        }
        *best = now;
        moved = true;
    }
    return moved;
}

static void descend(struct search *search)
{
    double best = distance(search), factor = FIRST_FACTOR;
    while (factor > LAST_FACTOR && shunt_now() < search->until) {
        bool moved = false;
        for (int i = 0; i < search->numbers; i++) {
            moved |= walk(search, &search->number[i], factor, &best);
            moved |= walk(search, &search->number[i], 1 / factor, &best);
        }
        if (!moved)
            factor = sqrt(factor);
    }
}

/* What is 0 begins at `least`, for factors leave a 0 as it is. */
static void add(struct search *search, const char *name, double least)
{
    struct machine_calibration *calibration = search->calibration;
    const struct shunt_machine_key *key = machine_key_find(name);
    if (!key || search->numbers == MACHINE_CALIBRATED_MOST)
        return;
    double *value = shunt_machine_value(search->machine, key);
    calibration->key[calibration->count] = name;
    calibration->before[calibration->count++] = *value / machine_key_unit(key);
    if (!(*value > least))
        *value = least;
    search->number[search->numbers++] = (struct number){name, value, *value};
}

static void add_links(struct search *search)
{
    const struct shunt_link *link = search->machine->link;
    /* Who copies: at first half of what bytes take is each end's. */
    if (search->layout->ppn_max > 1) {
        add(search, "inside.overhead_us", 1e-9);
        add(search, "inside.overhead_byte_ns", link[SHUNT_LEVEL_INSIDE].byte / 2 + 1e-12);
        add(search, "inside.latency_us", 1e-9);
        add(search, "inside.byte_ns", 1e-12);
    }
    if (search->layout->nodes > 1) {
        add(search, "between.overhead_us", 1e-9);
        add(search, "between.overhead_byte_ns", link[SHUNT_LEVEL_BETWEEN].byte / 4 + 1e-12);
        add(search, "between.latency_us", 1e-9);
        add(search, "between.byte_ns", 1e-12);
    }
}

/* Whether some exchange goes through memory that a node shares, or reads that of neighbours. */
static bool has_kind(const struct search *search, bool reads)
{
    for (int i = 0; i < search->count; i++) {
        const enum shunt_kind kind = search->exchanges[i].algorithm->kind;
        if (shunt_kind_shares(kind) && (kind == SHUNT_KIND_READ) == reads)
            return true;
    }
    return false;
}

/* Ranks that share processors. */
static bool is_limited(const struct search *search)
{
    const struct shunt_machine *m = search->machine;
    const int sharing = m->sharing > 1 ? m->sharing : 1;
    return m->processors > 0 && m->processors < search->layout->ppn_max * sharing;
}

static void add_numbers(struct search *search)
{
    add_links(search);
    add(search, "copy.block_ns", 1e-10);
    add(search, "copy.byte_ns", 1e-12);
    if (has_kind(search, false)) {
        add(search, "barrier.start_us", 1e-8);
        add(search, "barrier.rank_us", 1e-9);
    }
    if (has_kind(search, true)) {
        add(search, "read.block_ns", 1e-9);
        add(search, "read.byte_ns", 1e-12);
    }
    if (is_limited(search))
        add(search, "turn_us", 1e-8);
}

static void judge(const struct search *search)
{
    struct measure_samples off = {0};
    for (int i = 0; i < search->count; i++) {
        const double time = predict(search, &search->exchanges[i]);
        if (time > 0)
            measure_samples_add(&off, fabs(time / search->exchanges[i].seconds - 1));
    }
    search->calibration->exchanges = off.count;
    search->calibration->residual = measure_samples_median(&off);
}

void machine_calibrate(struct machine_calibration *calibration, struct shunt_machine *machine,
                       const struct shunt_layout *layout, const struct machine_exchange *exchanges,
                       int count, double seconds)
{
    struct search search = {.calibration = calibration,
                            .machine = machine,
                            .layout = layout,
                            .exchanges = exchanges,
                            .count = count,
                            .until = shunt_now() + (int64_t)(1e9 * seconds)};
    *calibration = (struct machine_calibration){0};
    add_numbers(&search);
    descend(&search);
    judge(&search);
}
