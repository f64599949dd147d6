/* SPDX-License-Identifier: BSD-3-Clause */
/* bound.c: sums over the events of rank 0. */
#include "model/bound.h"

#include "schedule/radix.h"

static bool is_receive(enum shunt_event_kind kind)
{
    return kind == SHUNT_EVENT_RECEIVE || kind == SHUNT_EVENT_AGREE_RECEIVE ||
           kind == SHUNT_EVENT_LENGTHS_RECEIVE;
}

static bool is_message(enum shunt_event_kind kind)
{
    return kind >= SHUNT_EVENT_AGREE;
}

static enum shunt_level level_of(const struct shunt_layout *layout, int rank)
{
    return layout->node_of[rank] == layout->node_of[0] ? SHUNT_LEVEL_INSIDE : SHUNT_LEVEL_BETWEEN;
}

static void add(struct shunt_bound *bound, const struct shunt_event *event,
                const struct shunt_layout *layout, bool listed)
{
    bound->events++;
    bound->work += 1 + (listed && is_message(event->kind) ? event->blocks : 0);
    if (is_message(event->kind)) {
        const enum shunt_level level = level_of(layout, event->peer);
        if (is_receive(event->kind))
            bound->receives[level]++;
        else
            bound->sends[level]++;
        bound->sent[level] += event->kind == SHUNT_EVENT_SEND ? (double)event->blocks : 0;
    } else if (event->kind == SHUNT_EVENT_READ) {
        bound->read += (double)event->blocks;
    } else if (event->kind <= SHUNT_EVENT_COPY_OUT) {
        bound->copied += (double)event->blocks;
    }
}

int shunt_bound_make(struct shunt_bound *bound, const struct shunt_event_call *call)
{
    struct shunt_events events = {0};
    const int status = shunt_events_build(&events, call, 0);
    /* Bundles of nodes are no lists of blocks, but blocks of a schedule of nodes; what ranks
     * collect for one another is one. */
    const bool listed = call->algorithm->kind != SHUNT_KIND_SEGMENT;
    *bound = (struct shunt_bound){.work = listed ? 0 : 2 * (uint64_t)call->layout->nodes};
    for (size_t i = 0; status == 0 && i < events.count; i++)
        add(bound, &events.event[i], call->layout, listed);
    shunt_events_clear(&events);
    return status;
}

/* A message from the rank at that distance, and one to the rank as far on the other side. */
static void add_distance(struct shunt_bound *bound, const struct shunt_layout *layout, int distance,
                         int64_t blocks)
{
    const enum shunt_level to = level_of(layout, layout->ranks - distance);
    bound->receives[level_of(layout, distance)]++;
    bound->sends[to]++;
    bound->sent[to] += (double)blocks;
}

static void sum_direct(struct shunt_bound *bound, const struct shunt_layout *layout)
{
    const int near = shunt_layout_ppn(layout, layout->node_of[0]);
    const double inside = near - 1, between = layout->ranks - near;
    bound->sends[SHUNT_LEVEL_INSIDE] = bound->receives[SHUNT_LEVEL_INSIDE] = inside;
    bound->sends[SHUNT_LEVEL_BETWEEN] = bound->receives[SHUNT_LEVEL_BETWEEN] = between;
    bound->sent[SHUNT_LEVEL_INSIDE] = inside;
    bound->sent[SHUNT_LEVEL_BETWEEN] = between;
    bound->copied = 1;
    bound->events = 2 * (uint64_t)(layout->ranks - 1) + 1;
    bound->work = 4 * (uint64_t)(layout->ranks - 1) + 1;
}

/* Distances below P whose digit is z. */
static int64_t count_with(int64_t ranks, const struct shunt_digit *digit, int64_t z)
{
    const int64_t period = digit->weight * digit->radix, rest = ranks % period - z * digit->weight,
                  more = rest < digit->weight ? rest : digit->weight;
    return ranks / period * digit->weight + (more > 0 ? more : 0);
}

/* A message for each value of each digit of a distance, with all blocks that have it. What arrives
 * may lie where it belongs, so a block is copied where it is passed on. */
static void sum_digits(struct shunt_bound *bound, const struct shunt_layout *layout,
                       const struct shunt_radices *radices)
{
    const int64_t ranks = layout->ranks;
    for (struct shunt_digit d = shunt_digit_first(radices); d.weight < ranks;
         d = shunt_digit_next(d))
        for (int64_t z = 1; z < d.radix && z * d.weight < ranks; z++)
            add_distance(bound, layout, (int)(z * d.weight), count_with(ranks, &d, z));
    bound->copied = (double)(shunt_radix_hops(ranks, radices, 1) - (ranks - 1));
    for (int level = 0; level < SHUNT_LEVEL_COUNT; level++)
        bound->events += (uint64_t)(bound->sends[level] + bound->receives[level]);
    bound->work = bound->events + 2 * (uint64_t)shunt_radix_hops(ranks, radices, 1);
}

bool shunt_bound_formula(struct shunt_bound *bound, const struct shunt_event_call *call)
{
    const struct shunt_algorithm *row = call->algorithm;
    const struct shunt_param_spec *radix = &row->params[SHUNT_PARAM_RADIX];
    const bool digits = (row->kind == SHUNT_KIND_FORWARD || row->kind == SHUNT_KIND_PADDED) &&
                        radix->used && radix->max == SHUNT_FORMULA_P;
    *bound = (struct shunt_bound){0};
    if (row->kind != SHUNT_KIND_DIRECT && !digits)
        return false;
    if (digits) {
        const struct shunt_radices all = shunt_params_radices(call->params);
        sum_digits(bound, call->layout, &all);
    } else {
        sum_direct(bound, call->layout);
    }
    return true;
}

double shunt_bound_time(const struct shunt_bound *bound, const struct shunt_machine *machine,
                        int64_t block)
{
    const double bytes = (double)block;
    const double copies = bound->copied * (machine->copy_block + bytes * machine->copy_byte) +
                          bound->read * (machine->read_block + bytes * machine->read_byte);
    double sending = 0, receiving = 0, first = 0, wire = 0;
    for (int level = 0; level < SHUNT_LEVEL_COUNT; level++) {
        const struct shunt_link *link = &machine->link[level];
        sending += bound->sends[level] * link->overhead;
        receiving += bound->receives[level] * link->overhead;
        const double passing = bound->sent[level] * bytes * link->byte;
        wire = passing > wire ? passing : wire;
        /* Ranks wait for all messages of a round, so the latest of the levels counts. */
        const double arrival = link->latency + 2 * link->overhead;
        if (bound->receives[level] > 0 && arrival > first)
            first = arrival;
    }
    /* A card receives, and leaves the rank to its copies and to what it sends, at the same time. */
    const double alone = copies > sending ? copies : sending;
    const double busy = machine->offload ? alone : copies + sending + receiving;
    const double waited = first > wire ? first : wire;
    return busy > waited ? busy : waited;
}

double shunt_bound_native(const struct shunt_bound *bound, const struct shunt_machine *machine,
                          const struct shunt_layout *layout, int64_t block)
{
    const double alone = shunt_bound_time(bound, machine, block);
    const int here = shunt_layout_ppn(layout, layout->node_of[0]);
    const struct shunt_link *inside = &machine->link[SHUNT_LEVEL_INSIDE],
                            *between = &machine->link[SHUNT_LEVEL_BETWEEN];
    const double near = bound->sends[SHUNT_LEVEL_INSIDE], far = bound->sends[SHUNT_LEVEL_BETWEEN];
    if (machine->processors <= 0 || machine->processors >= here)
        return alone;
    /* Of those that send to everybody each has as many neighbours; of others as many messages. */
    const double least =
        inside->overhead < between->overhead ? inside->overhead : between->overhead;
    const bool everybody = near + far >= layout->ranks - 1;
    const double sending =
        everybody ? near * inside->overhead + far * between->overhead : (near + far) * least;
    const double all = sending * here / machine->processors;
    return all > alone ? all : alone;
}
