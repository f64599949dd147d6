/* SPDX-License-Identifier: BSD-3-Clause */
/* choose_predict.c: asks the model, and keeps account of the work. */
#include "model/choosing.h"
#include "model/symmetry.h"

/* Of no more ranks all are built; of more, where nodes are alike, a few for the comparison of nodes
 * and those of one (symmetry.c). */
enum { RANKS_BUILT = 256 };

/* Events that have to come in order, for what ranks share, take so many times longer. */
enum { ORDERED = 3 };

/* What a rank takes whatever it does. */
enum { RANK = 48 };

/* So many events may be run in any case. */
enum { EVENTS_LEAST = 1 << 15 };

uint64_t shunt_choosing_ranks(const struct shunt_layout *layout)
{
    const int here = layout->ppn_max,
              locals = here < SHUNT_SYMMETRY_LOCALS ? here : SHUNT_SYMMETRY_LOCALS,
              sample = here + (SHUNT_SYMMETRY_NODES + 1) * locals;
    bool alike = layout->ppn_min == here && layout->ranks > RANKS_BUILT && layout->nodes > 1;
    for (int p = 0; p < layout->ranks && alike; p++)
        alike = layout->node_of[p] == p / here;
    return (uint64_t)(alike && sample < layout->ranks ? sample : layout->ranks);
}

static bool is_ordered(const struct shunt_choosing *c, int64_t size)
{
    const struct shunt_machine *m = c->ask->machine;
    return (m->processors > 0 && m->processors < c->ask->layout->ppn_max) || m->card_message > 0 ||
           shunt_machine_card_byte(m, c->ask->layout->nodes) > 0 ||
           size > m->link[SHUNT_LEVEL_INSIDE].eager || size > m->link[SHUNT_LEVEL_BETWEEN].eager;
}

static struct shunt_event_call call_of(const struct shunt_choosing *c,
                                       const struct shunt_algorithm *algorithm,
                                       const struct shunt_params *params, int64_t block)
{
    const struct shunt_choose *ask = c->ask;
    return (struct shunt_event_call){.op = ask->op,
                                     .algorithm = algorithm,
                                     .layout = ask->layout,
                                     .params = params,
                                     .block = block,
                                     .memory = ask->memory < 0 ? 0 : ask->memory};
}

struct shunt_event_call shunt_choosing_call(const struct shunt_choosing *c, size_t k, int64_t block)
{
    const struct shunt_candidate *candidate = &c->list.candidate[k];
    struct shunt_event_call call = call_of(c, candidate->algorithm, &candidate->params, block);
    call.agrees = c->ask->op == SHUNT_OP_ALLTOALLV; /* for the map will have several answers */
    return call;
}

void shunt_choosing_spend(struct shunt_choosing *c, uint64_t work)
{
    c->left -= work < c->left ? work : c->left;
}

/* What a prediction takes of a call of which each rank has `work`; `alone`: nodes are not alike. */
static uint64_t price(const struct shunt_choosing *c, uint64_t work, int64_t size, bool alone)
{
    const uint64_t ranks = alone ? (uint64_t)c->ask->layout->ranks : c->ranks_built;
    return (is_ordered(c, size) ? ORDERED : 1) * (work + RANK) * ranks;
}

/* Of a call that is the same on all nodes, and more, for its ranks may differ; but less than all
 * ranks have. A message counts as 16 blocks at least. */
static uint64_t events_of_a_node(const struct shunt_choosing *c, const struct shunt_bound *bound)
{
    const uint64_t each = 2 * bound->events + bound->work / 8,
                   all = each * (uint64_t)c->ask->layout->ppn_max;
    return all > EVENTS_LEAST ? all : EVENTS_LEAST;
}

/* What the model says, by a call of which each rank has so much, and which is not too dear.
 * UNKNOWN: nodes are not alike, which is *alone from now on. */
static struct shunt_estimate predict(struct shunt_choosing *c, const struct shunt_event_call *call,
                                     const struct shunt_bound *bound, bool *alone)
{
    const uint64_t ranks = (uint64_t)c->ask->layout->ranks;
    const bool all = *alone || c->ranks_built == ranks;
    const struct shunt_cost_call whole = {
        .machine = c->ask->machine, .call = *call, .most = all ? 0 : events_of_a_node(c, bound)};
    struct shunt_cost cost;
    const enum shunt_cost_result result = shunt_cost_predict(&cost, &whole);
    /* Where nodes are not alike that is mostly seen at the first one. */
    const uint64_t whole_price = price(c, bound->work, call->block, *alone);
    shunt_choosing_spend(c, result == SHUNT_COST_LARGE ? whole_price / 4 : whole_price);
    c->failed = c->failed || result == SHUNT_COST_MEMORY;
    if (result == SHUNT_COST_LARGE && !all) {
        *alone = true;
        return (struct shunt_estimate){.state = SHUNT_ESTIMATE_UNKNOWN};
    }
    if (result != SHUNT_COST_OK || !(cost.time > 0))
        return (struct shunt_estimate){.state = SHUNT_ESTIMATE_UNUSABLE};
    return (struct shunt_estimate){.state = SHUNT_ESTIMATE_KNOWN,
                                   .figures = {.time = cost.time, .energy = cost.energy}};
}

void shunt_choosing_predict_native(struct shunt_choosing *c, size_t spot, uint64_t allowed)
{
    const struct shunt_spot *s = &c->spot[spot];
    bool alone = false;
    if (c->failed || price(c, s->bound.work, s->size, false) > allowed)
        return;
    const struct shunt_params none = {0};
    const struct shunt_event_call call = call_of(c, shunt_registry_row(0), &none, s->size);
    const struct shunt_estimate estimate = predict(c, &call, &s->bound, &alone);
    if (estimate.state == SHUNT_ESTIMATE_KNOWN)
        shunt_choosing_raise(c, spot, &estimate.figures);
}

static int64_t memory_of(const struct shunt_choosing *c, size_t k, int64_t block)
{
    const struct shunt_candidate *candidate = &c->list.candidate[k];
    return candidate->algorithm->memory
               ? candidate->algorithm->memory(c->ask->layout, &candidate->params, block)
               : 0;
}

bool shunt_choosing_fits(const struct shunt_choosing *c, size_t k, size_t spot, int64_t *memory)
{
    *memory = memory_of(c, k, c->spot[spot].size);
    return *memory < INT64_MAX && (c->ask->memory < 0 || *memory <= c->ask->memory);
}

uint64_t shunt_choosing_price(const struct shunt_choosing *c, size_t k, size_t spot)
{
    return price(c, c->bound[k].work, c->spot[spot].size, c->alone[k]);
}

void shunt_choosing_predict(struct shunt_choosing *c, size_t k, size_t spot)
{
    struct shunt_spot *s = &c->spot[spot];
    struct shunt_estimate *estimate = &s->estimate[k];
    const struct shunt_event_call call = shunt_choosing_call(c, k, s->size);
    int64_t memory;
    if (estimate->state != SHUNT_ESTIMATE_UNKNOWN || c->failed)
        return;
    *estimate = shunt_choosing_fits(c, k, spot, &memory)
                    ? predict(c, &call, &c->bound[k], &c->alone[k])
                    : (struct shunt_estimate){.state = SHUNT_ESTIMATE_UNUSABLE};
    estimate->figures.memory = memory;
    c->known[k] = c->known[k] || estimate->state == SHUNT_ESTIMATE_KNOWN;
}
