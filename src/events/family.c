/* SPDX-License-Identifier: BSD-3-Clause */
/* family.c: see family.h. */
#include "events/family.h"

#include <stdlib.h>

#include "events/build.h"

enum { ALL_RANKS = 256 };

static int on(int peer, int moved, int ranks)
{
    return peer < 0 ? peer : (int)(((int64_t)peer + moved) % ranks);
}

static bool same_ref(shunt_ref a, shunt_ref b, int moved, int ranks)
{
    if (shunt_ref_is_slot(a))
        return a == b;
    return shunt_ref_is_store(a) == shunt_ref_is_store(b) && !shunt_ref_is_slot(b) &&
           on((int)shunt_ref_index(a), moved, ranks) == (int)shunt_ref_index(b);
}

static bool same_copies(const struct shunt_copy *a, const struct shunt_copy *b, uint32_t count,
                        int moved, int ranks)
{
    for (uint32_t i = 0; i < count; i++)
        if (!same_ref(a[i].from, b[i].from, moved, ranks) ||
            !same_ref(a[i].to, b[i].to, moved, ranks))
            return false;
    return true;
}

static bool same_step(const struct shunt_step *a, const struct shunt_step *b, int moved, int ranks)
{
    return on(a->send_to, moved, ranks) == b->send_to &&
           on(a->recv_from, moved, ranks) == b->recv_from && a->send_first == b->send_first &&
           a->send_count == b->send_count && a->recv_first == b->recv_first &&
           a->recv_count == b->recv_count && a->send_final == b->send_final &&
           a->recv_final == b->recv_final && a->send_home == b->send_home &&
           a->recv_home == b->recv_home;
}

bool shunt_events_same_schedule(const struct shunt_schedule *a, const struct shunt_schedule *b,
                                int moved)
{
    const int ranks = a->ranks;
    if (a->slots != b->slots || a->round_count != b->round_count ||
        a->step_count != b->step_count || a->ref_count != b->ref_count ||
        a->before_count != b->before_count || a->after_count != b->after_count)
        return false;
    for (uint32_t k = 0; k <= a->round_count; k++)
        if (a->round_first[k] != b->round_first[k])
            return false;
    for (uint32_t i = 0; i < a->step_count; i++)
        if (!same_step(&a->steps[i], &b->steps[i], moved, ranks))
            return false;
    for (size_t i = 0; i < a->ref_count; i++)
        if (!same_ref(a->refs[i], b->refs[i], moved, ranks))
            return false;
    return same_copies(a->before, b->before, a->before_count, moved, ranks) &&
           same_copies(a->after, b->after, a->after_count, moved, ranks);
}

/* 1: the rank's schedule is that of rank 0, moved on; 0: it is not; -1: memory is short. */
static int compare(const struct shunt_events_family *family, const struct shunt_event_call *call,
                   int rank)
{
    struct shunt_schedule schedule;
    if (call->algorithm->build(&schedule, call->layout, rank, call->params))
        return -1;
    const int same = shunt_events_same_schedule(&family->schedule, &schedule, rank);
    shunt_schedule_clear(&schedule);
    return same;
}

/* The i-th rank to look at; -1: no more. */
static int rank_of(const struct shunt_layout *layout, int i)
{
    const int P = layout->ranks, Q = layout->ppn_max;
    const int sample[] = {1, 2, Q - 1, Q, Q + 1, P / 2, (int)((int64_t)P * 3 / 4), P - 1};
    if (P <= ALL_RANKS)
        return i + 1 < P ? i + 1 : -1;
    return i < (int)(sizeof sample / sizeof sample[0]) ? sample[i] % P : -1;
}

/* Only blocks that all have one size lie side by side. */
static int find_crossings(struct shunt_events_family *family, const struct shunt_event_call *call)
{
    const struct shunt_schedule *s = &family->schedule;
    if (!shunt_events_fused(call))
        return 0;
    family->pieces = calloc(1, sizeof *family->pieces);
    family->crossing = calloc((size_t)s->step_count + 1, sizeof *family->crossing);
    if (!family->pieces || !family->crossing || shunt_events_pieces_make(family->pieces, s))
        return -1;
    if (call->op != SHUNT_OP_ALLTOALL || call->block == 0)
        return 0;
    for (uint32_t i = 0; i < s->step_count; i++)
        if ((family->pieces->out[i].kind == SHUNT_PIECES_USER && s->steps[i].send_count > 1) ||
            (family->pieces->in[i].kind == SHUNT_PIECES_USER && s->steps[i].recv_count > 1))
            family->crossing[family->crossings++] = i;
    return 0;
}

int shunt_events_family_make(struct shunt_events_family *family,
                             const struct shunt_event_call *call)
{
    int same = 1, rank;
    *family = (struct shunt_events_family){0};
    if (shunt_kind_shares(call->algorithm->kind))
        return 0;
    if (call->algorithm->build(&family->schedule, call->layout, 0, call->params))
        return -1;
    for (int i = 0; same == 1 && (rank = rank_of(call->layout, i)) >= 0; i++)
        same = compare(family, call, rank);
    if (same == 1 && find_crossings(family, call))
        same = -1;
    family->alike = same == 1;
    if (same == 0)
        shunt_events_family_clear(family);
    return same < 0 ? -1 : 0;
}

void shunt_events_family_clear(struct shunt_events_family *family)
{
    if (family->pieces)
        shunt_events_pieces_clear(family->pieces);
    free(family->pieces);
    free(family->crossing);
    shunt_schedule_clear(&family->schedule);
    *family = (struct shunt_events_family){0};
}

int shunt_events_family_build(struct shunt_events *events, const struct shunt_events_family *family,
                              const struct shunt_event_call *call, int rank, int places)
{
    struct shunt_events_build b = {.events = events,
                                   .call = call,
                                   .schedule = &family->schedule,
                                   .moved = rank,
                                   .moved_places = places,
                                   .pieces = family->pieces};
    *events = (struct shunt_events){0};
    shunt_events_exchange(&b, rank);
    return events->failed ? -1 : 0;
}

static bool crosses(const struct shunt_events_piece *piece, uint32_t count, int rank, int ranks)
{
    return piece->kind == SHUNT_PIECES_USER && !shunt_events_piece_whole(piece, count, rank, ranks);
}

uint64_t shunt_events_family_last(const struct shunt_events_family *family, int rank, bool *before)
{
    const struct shunt_schedule *s = &family->schedule;
    const uint32_t last = s->round_count > 0 ? s->round_first[s->round_count - 1] : 0;
    uint64_t blocks = 0;
    *before = false;
    for (uint32_t k = 0; k < family->crossings; k++) {
        const uint32_t i = family->crossing[k];
        const struct shunt_step *step = &s->steps[i];
        const bool in = crosses(&family->pieces->in[i], step->recv_count, rank, s->ranks),
                   out = crosses(&family->pieces->out[i], step->send_count, rank, s->ranks);
        *before = *before || out || (in && i < last);
        blocks += in && i >= last ? step->recv_count : 0;
    }
    return blocks;
}
