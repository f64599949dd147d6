/* SPDX-License-Identifier: BSD-3-Clause */
/* symmetry.c: compares the events of ranks of other nodes with those of node 0. */
#include "model/symmetry.h"

enum { ALL_RANKS = 256 };

static bool in_equal_blocks(const struct shunt_layout *layout)
{
    if (layout->nodes == 1 || layout->ppn_min != layout->ppn_max)
        return false;
    for (int p = 0; p < layout->ranks; p++)
        if (layout->node_of[p] != p / layout->ppn_max)
            return false;
    return true;
}

static bool same_event(const struct shunt_event *a, const struct shunt_event *b, int further,
                       int ranks)
{
    const int peer = a->peer < 0 ? a->peer : (int)(((int64_t)a->peer + further) % ranks);
    return a->kind == b->kind && peer == b->peer && a->round == b->round &&
           a->blocks == b->blocks && a->bytes == b->bytes;
}

static bool same_events(const struct shunt_events *a, const struct shunt_events *b, int further,
                        int ranks)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (!same_event(&a->event[i], &b->event[i], further, ranks))
            return false;
    return true;
}

/* Local rank `local` of a node against that of node 0: 1 the same, 0 not, -1 memory is short. */
static int compare(const struct shunt_program_call *call, const struct shunt_events *first,
                   int local, int node)
{
    const struct shunt_layout *layout = call->call.layout;
    const int further = node * layout->ppn_max;
    struct shunt_events events = {0};
    const int status = shunt_program_events(&events, call, further + local);
    const int same = status ? -1 : same_events(first, &events, further, layout->ranks);
    shunt_events_clear(&events);
    return same;
}

/* The i-th node to look at; -1: no more. */
static int node_of(const struct shunt_layout *layout, int i)
{
    const int N = layout->nodes;
    const int sample[] = {1, 2, 3, N / 4, N / 2, (int)((int64_t)N * 3 / 4), N - 1};
    if (layout->ranks <= ALL_RANKS)
        return i + 1 < N ? i + 1 : -1;
    return i < SHUNT_SYMMETRY_NODES ? sample[i] % N : -1;
}

/* All nodes to look at, for one local rank; returns as compare. */
static int compare_nodes(const struct shunt_program_call *call, int local)
{
    struct shunt_events first = {0};
    int same = shunt_program_events(&first, call, local) ? -1 : 1, node;
    for (int i = 0; same == 1 && (node = node_of(call->call.layout, i)) >= 0; i++)
        same = compare(call, &first, local, node);
    shunt_events_clear(&first);
    return same;
}

/* The i-th local rank to look at; -1: no more. */
static int local_of(const struct shunt_layout *layout, int i)
{
    const int Q = layout->ppn_max;
    const int sample[] = {0, 1, 2, Q / 2, Q - 1};
    if (layout->ranks <= ALL_RANKS || Q <= SHUNT_SYMMETRY_LOCALS)
        return i < Q ? i : -1;
    return i < SHUNT_SYMMETRY_LOCALS ? sample[i] : -1;
}

int shunt_symmetry_period(const struct shunt_program_call *call)
{
    const struct shunt_layout *layout = call->call.layout;
    const struct shunt_machine *m = call->cost->machine;
    const bool shared = m->sharing > 1 && m->processors > 0;
    if (call->cost->exact || call->cost->counts || shared || !in_equal_blocks(layout))
        return layout->ranks;
    int same = 1, local;
    for (int i = 0; same == 1 && (local = local_of(layout, i)) >= 0; i++)
        same = compare_nodes(call, local);
    return same < 0 ? 0 : same ? layout->ppn_max : layout->ranks;
}
