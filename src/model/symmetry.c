/* SPDX-License-Identifier: BSD-3-Clause */
/* symmetry.c: compares the events of ranks of other nodes with those of node 0. */
#include "model/symmetry.h"

#include <stdlib.h>

enum { ALL_RANKS = 256 };

struct find {
    struct shunt_symmetry *symmetry;
    const struct shunt_program_call *call;
    const struct shunt_layout *layout;
};

static bool in_equal_blocks(const struct shunt_layout *layout)
{
    if (layout->nodes == 1 || layout->ppn_min != layout->ppn_max)
        return false;
    for (int p = 0; p < layout->ranks; p++)
        if (layout->node_of[p] != p / layout->ppn_max)
            return false;
    return true;
}

static bool is_power_of_two(int number)
{
    return (number & (number - 1)) == 0;
}

/* Where the peer of a rank of node 0 is for that of another node. */
static int moved(const struct find *f, const struct shunt_event *event, int node)
{
    const bool agrees =
        event->kind == SHUNT_EVENT_AGREE || event->kind == SHUNT_EVENT_AGREE_RECEIVE;
    const int ppn = f->layout->ppn_max, peer = event->peer;
    if (peer < 0)
        return peer;
    if ((agrees ? f->symmetry->agreement : f->symmetry->blocks) == SHUNT_MOTION_ON)
        return (int)(((int64_t)peer + (int64_t)node * ppn) % f->layout->ranks);
    return ((peer / ppn) ^ node) * ppn + peer % ppn;
}

static bool same_events(const struct find *f, const struct shunt_events *first,
                        const struct shunt_events *other, int node)
{
    if (first->count != other->count)
        return false;
    for (size_t i = 0; i < first->count; i++) {
        const struct shunt_event *a = &first->event[i], *b = &other->event[i];
        if (a->kind != b->kind || moved(f, a, node) != b->peer || a->round != b->round ||
            a->blocks != b->blocks || a->bytes != b->bytes)
            return false;
    }
    return true;
}

/* Events, but for what crosses the end of the ranks: as on node 0. */
static int build(const struct find *f, struct shunt_events *events, int rank)
{
    const struct shunt_events_family *family = &f->symmetry->family;
    return family->alike ? shunt_events_family_build(events, family, &f->call->call, rank,
                                                     f->layout->local_of[rank])
                         : shunt_program_events(events, f->call, rank);
}

/* Local rank `local` of a node against that of node 0: 1 the same, 0 not, -1 memory is short. */
static int compare(const struct find *f, const struct shunt_events *first, int local, int node)
{
    struct shunt_events events = {0};
    const int status = build(f, &events, node * f->layout->ppn_max + local);
    const int same = status ? -1 : same_events(f, first, &events, node);
    shunt_events_clear(&events);
    return same;
}

/* The i-th node to look at for a local rank; -1: no more. */
static int node_of(const struct shunt_layout *layout, int local, int i)
{
    const int N = layout->nodes, Q = layout->ppn_max;
    const int sample[] = {1, 2, 3, N / 4, N / 2, (int)((int64_t)N * 3 / 4), N - 1};
    const bool is_sample = local <= 2 || local == Q / 2 || local == Q - 1;
    if (layout->ranks <= ALL_RANKS)
        return i + 1 < N ? i + 1 : -1;
    _Static_assert(sizeof sample / sizeof sample[0] == SHUNT_SYMMETRY_NODES, "as the header says");
    return is_sample && i < SHUNT_SYMMETRY_NODES ? sample[i] % N : -1;
}

/* All nodes to look at, for one local rank; returns as compare. */
static int compare_nodes(const struct find *f, int local)
{
    struct shunt_events first = {0};
    int node, same = node_of(f->layout, local, 0) >= 0 && build(f, &first, local) ? -1 : 1;
    for (int i = 0; same == 1 && (node = node_of(f->layout, local, i)) >= 0; i++)
        same = compare(f, &first, local, node);
    shunt_events_clear(&first);
    return same;
}

static int compare_all(const struct find *f)
{
    int same = 1;
    for (int local = 0; same == 1 && local < f->layout->ppn_max; local++)
        same = compare_nodes(f, local);
    return same;
}

/* On, or else across, where numbers of nodes have all their bits to differ in. */
static int compare_motions(const struct find *f)
{
    const bool across = is_power_of_two(f->layout->nodes);
    f->symmetry->agreement = across ? SHUNT_MOTION_ACROSS : SHUNT_MOTION_ON;
    int same = compare_all(f);
    if (same != 0 || !across || f->symmetry->family.alike)
        return same;
    f->symmetry->blocks = SHUNT_MOTION_ACROSS;
    return compare_all(f);
}

/* Whether ranks take turns on processors. */
static bool is_crowded(const struct find *f)
{
    const struct shunt_machine *m = f->call->cost->machine;
    return m->processors > 0 && m->processors < f->layout->ppn_max;
}

/*
 * Of each local rank the one that copies most behind its messages, as far as what it copies depends
 * on where the ranks end: 1. 0: some copy before messages, or ranks get a processor later for that.
 * -1: memory is short.
 */
static int find_places(const struct find *f)
{
    const struct shunt_events_family *family = &f->symmetry->family;
    const struct shunt_machine *m = f->call->cost->machine;
    const bool free_copies = !(m->copy_block > 0) && !(m->copy_byte > 0);
    const int Q = f->layout->ppn_max;
    uint64_t *most = calloc((size_t)Q, sizeof *most);
    int *places = calloc((size_t)Q, sizeof *places), found = most && places ? 1 : -1;
    for (int p = 0; found == 1 && p < Q; p++)
        places[p] = p;
    for (int p = 0; found == 1 && p < f->layout->ranks && !free_copies; p++) {
        bool before;
        const uint64_t last = shunt_events_family_last(family, p, &before);
        if (before || (last > 0 && is_crowded(f)))
            found = 0;
        if (last > most[p % Q]) {
            most[p % Q] = last;
            places[p % Q] = p;
        }
    }
    free(most);
    if (found == 1)
        f->symmetry->places = places;
    else
        free(places);
    return found;
}

/* Nodes that take turns with others are not alike at any time. */
static bool are_shared(const struct shunt_machine *machine)
{
    return machine->sharing > 1 && machine->processors > 0;
}

/* Whether node 0 alone has far more events than may be run: then there is no use in comparing them.
 * 1, 0, or -1: memory is short. Where ranks of a node do unlike things nobody knows yet. */
static int is_hopeless(const struct find *f)
{
    const uint64_t most = f->call->cost->most ? f->call->cost->most : SHUNT_COST_MOST;
    struct shunt_events events = {0};
    if (shunt_kind_shares(f->call->call.algorithm->kind))
        return 0;
    const int status = build(f, &events, 0);
    const double all = (double)events.count * (double)f->layout->ppn_max;
    shunt_events_clear(&events);
    return status ? -1 : all > 2 * (double)most;
}

int shunt_symmetry_find(struct shunt_symmetry *symmetry, const struct shunt_program_call *call)
{
    const struct find f = {symmetry, call, call->call.layout};
    *symmetry = (struct shunt_symmetry){.period = f.layout->ranks};
    if (call->cost->exact || call->sizes)
        return 0;
    if (shunt_events_family_make(&symmetry->family, &call->call))
        return -1;
    if (!in_equal_blocks(f.layout) || are_shared(call->cost->machine))
        return 0;
    const int hopeless = is_hopeless(&f);
    if (hopeless != 0)
        return hopeless < 0 ? -1 : 0;
    int same = symmetry->family.crossings > 0 ? find_places(&f) : 1;
    if (same == 1)
        same = compare_motions(&f);
    if (same == 1) {
        symmetry->period = f.layout->ppn_max;
        return 0;
    }
    symmetry->blocks = symmetry->agreement = SHUNT_MOTION_ON;
    free(symmetry->places);
    symmetry->places = NULL;
    return same;
}

void shunt_symmetry_clear(struct shunt_symmetry *symmetry)
{
    free(symmetry->places);
    shunt_events_family_clear(&symmetry->family);
    *symmetry = (struct shunt_symmetry){0};
}
