/* SPDX-License-Identifier: BSD-3-Clause */
/* calibrate.c: which numbers exchanges can tell, and from where each begins. */
#include "tools/machine/calibrate.h"

#include <math.h>

#include "base/clock.h"
#include "model/cost.h"
#include "tools/machine/descend.h"
#include "tools/machine/results.h"

struct search {
    struct machine_calibration *calibration;
    struct shunt_machine *machine;
    const struct shunt_layout *layout;
    const struct machine_exchange *exchanges;
    int count;
    struct descend descend;
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

/* How far predictions are from measurements, on average. */
static double distance(void *context)
{
    const struct search *search = context;
    double sum = 0;
    int used = 0;
    for (int i = 0; i < search->count; i++) {
        const double time = predict(search, &search->exchanges[i]);
        if (time < 0)
            continue;
        sum += descend_off(time, search->exchanges[i].seconds);
        used++;
    }
    return used > 0 ? sum / used : 0;
}

/* From `least` on, if it is less. */
static void add(struct search *search, const char *name, double least)
{
    struct machine_calibration *calibration = search->calibration;
    const struct shunt_machine_key *key = machine_key_find(name);
    if (!key || calibration->count == MACHINE_CALIBRATED_MOST)
        return;
    double *value = shunt_machine_value(search->machine, key);
    calibration->key[calibration->count] = name;
    calibration->before[calibration->count++] = *value / machine_key_unit(key);
    descend_add(&search->descend, value, least);
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
        /* No pair of ranks has measured it, so it begins in the size of what messages take. */
        if (link[SHUNT_LEVEL_BETWEEN].eager < INT64_MAX)
            add(search, "between.rendezvous_us", link[SHUNT_LEVEL_BETWEEN].overhead + 1e-9);
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

/* It was 0, and is 0 again unless the exchanges say something else. */
static void settle_rendezvous(struct search *search)
{
    double *value = &search->machine->link[SHUNT_LEVEL_BETWEEN].rendezvous;
    if (!(*value > 0))
        return;
    const double found = *value, with = distance(search);
    *value = 0;
    if (distance(search) > with * (1 + 1e-3))
        *value = found;
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
                            .count = count};
    *calibration = (struct machine_calibration){0};
    search.descend = (struct descend){
        .distance = distance, .context = &search, .until = shunt_now() + (int64_t)(1e9 * seconds)};
    add_numbers(&search);
    descend_run(&search.descend);
    settle_rendezvous(&search);
    judge(&search);
}
