/* SPDX-License-Identifier: BSD-3-Clause */
/* alike.c: see alike.h. */
#include "model/alike.h"

#include <stdlib.h>

#include "base/hash.h"
#include "events/family.h"

enum { ALL_RANKS = 256 };

struct key {
    bool known, fused;
    uint64_t hash; /* of the schedule of rank 0 */
};

static struct shunt_event_call call_of(const struct shunt_event_call *call,
                                       const struct shunt_candidate *c)
{
    struct shunt_event_call own = *call;
    own.algorithm = c->algorithm;
    own.params = &c->params;
    return own;
}

static uint64_t hash_of(const struct shunt_schedule *s)
{
    uint64_t hash = SHUNT_HASH_EMPTY;
    for (uint32_t k = 0; k < s->round_count; k++)
        hash = shunt_hash_value(hash, s->round_first[k]);
    for (uint32_t i = 0; i < s->step_count; i++) {
        const struct shunt_step *step = &s->steps[i];
        hash = shunt_hash_value(hash, (uint64_t)(uint32_t)step->send_to << 32 | step->send_count);
        hash = shunt_hash_value(hash, (uint64_t)(uint32_t)step->recv_from << 32 | step->recv_count);
    }
    return hash;
}

/* 0, or -1: memory is short. */
static int find_key(struct key *key, const struct shunt_event_call *call)
{
    struct shunt_schedule schedule;
    *key = (struct key){0};
    if (!call->algorithm->build || shunt_kind_shares(call->algorithm->kind))
        return 0;
    if (call->algorithm->build(&schedule, call->layout, 0, call->params))
        return -1;
    key->known = true;
    key->hash = hash_of(&schedule);
    key->fused = shunt_events_fused(call);
    shunt_schedule_clear(&schedule);
    return 0;
}

/* 1: the schedules of a rank are equal; 0: not; -1: memory is short. */
static int compare(const struct shunt_event_call *a, const struct shunt_event_call *b, int rank)
{
    struct shunt_schedule left, right;
    if (a->algorithm->build(&left, a->layout, rank, a->params))
        return -1;
    if (b->algorithm->build(&right, b->layout, rank, b->params)) {
        shunt_schedule_clear(&left);
        return -1;
    }
    const int same = shunt_events_same_schedule(&left, &right, 0);
    shunt_schedule_clear(&left);
    shunt_schedule_clear(&right);
    return same;
}

static int compare_ranks(const struct shunt_event_call *a, const struct shunt_event_call *b)
{
    const int P = a->layout->ranks, sample[] = {0, 1, P / 2 + 1, P - 1};
    const int count = P <= ALL_RANKS ? P : (int)(sizeof sample / sizeof sample[0]);
    int same = a->algorithm->kind == b->algorithm->kind;
    for (int i = 0; same == 1 && i < count; i++)
        same = compare(a, b, P <= ALL_RANKS ? i : sample[i]);
    return same;
}

/* The first of the settings before i that does the same; i: none. Negative: memory is short. */
static int64_t first_of(const struct key *key, const size_t *first,
                        const struct shunt_candidates *list, const struct shunt_event_call *call,
                        size_t i)
{
    const struct shunt_event_call own = call_of(call, &list->candidate[i]);
    for (size_t k = 0; key[i].known && k < i; k++) {
        const struct shunt_event_call other = call_of(call, &list->candidate[k]);
        if (first[k] != k || !key[k].known || key[k].hash != key[i].hash ||
            key[k].fused != key[i].fused)
            continue;
        const int same = compare_ranks(&other, &own);
        if (same != 0)
            return same < 0 ? -1 : (int64_t)k;
    }
    return (int64_t)i;
}

int shunt_alike_find(size_t **first, const struct shunt_candidates *list,
                     const struct shunt_event_call *call)
{
    struct key *key = calloc(list->count + 1, sizeof *key);
    size_t *places = calloc(list->count + 1, sizeof *places);
    int status = key && places ? 0 : -1;
    for (size_t i = 0; status == 0 && i < list->count; i++) {
        const struct shunt_event_call own = call_of(call, &list->candidate[i]);
        status = find_key(&key[i], &own);
        const int64_t place = status ? -1 : first_of(key, places, list, call, i);
        places[i] = (size_t)place;
        status = place < 0 ? -1 : 0;
    }
    free(key);
    *first = places;
    return status;
}

struct shunt_cost shunt_alike_cost(const struct shunt_cost *cost,
                                   const struct shunt_event_call *call)
{
    struct shunt_cost own = *cost;
    own.memory = call->algorithm->memory
                     ? call->algorithm->memory(call->layout, call->params, call->block)
                     : 0;
    return own;
}
