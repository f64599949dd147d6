/* SPDX-License-Identifier: BSD-3-Clause */
/* costs.c: see costs.h. */
#include "tools/predict/predict.h"

#include <pthread.h>
#include <stdlib.h>

#include "model/alike.h"
#include "model/bound.h"
#include "tools/common/tool.h"
#include "tools/predict/work.h"

/* With sizes of their own, settings are run one after the other from more ranks than these on: each
 * takes hundreds of megabytes (case.c). */
enum { ALONE = 1024 };

/* A setting, and the least that it can cost of what is to be least; 0: nobody knows. */
struct turn {
    size_t place;
    double bound;
};

struct work {
    const struct shunt_predict *predict;
    const struct shunt_case *c;
    const struct shunt_candidates *list;
    struct shunt_costs *costs;
    enum shunt_cost_result *result; /* array of the list's count */
    size_t *first;                  /* of those that do the same */
    bool *beyond;                   /* too much work for so many ranks */
    struct turn *turn;              /* array of turns: in this order */
    size_t turns;
    uint64_t most; /* events */
    pthread_mutex_t lock;
    double best; /* of what is to be least, among those that may be the choice; negative: none */
};

static bool is_large(uint64_t ranks)
{
    return ranks > 256;
}

/* What is to be least; energies take part in nothing here. */
static double least_of(const struct work *work, const struct shunt_cost *cost)
{
    return work->predict->objective == SHUNT_OBJECTIVE_MEMORY ? (double)cost->memory : cost->time;
}

static void remember(struct work *work, const struct shunt_cost *cost)
{
    const int64_t most = work->predict->memory_most;
    const double least = least_of(work, cost);
    if (most >= 0 && cost->memory > most)
        return;
    pthread_mutex_lock(&work->lock);
    work->best = work->best < 0 || least < work->best ? least : work->best;
    pthread_mutex_unlock(&work->lock);
}

/* Sums are made in another order for bounds than for predictions. */
static bool is_worse(struct work *work, double bound)
{
    const double margin = 1 - 1e-9;
    pthread_mutex_lock(&work->lock);
    const bool worse = work->best >= 0 && bound * margin > work->best;
    pthread_mutex_unlock(&work->lock);
    return worse;
}

static void predict_one(void *context, size_t i)
{
    struct work *work = context;
    const struct turn *turn = &work->turn[i];
    struct shunt_cost *cost = &work->costs->cost[turn->place];
    if (is_worse(work, turn->bound)) {
        work->costs->state[turn->place] = SHUNT_COSTS_WORSE;
        return;
    }
    const bool known = shunt_predict_cost(cost, &work->predict->machine, work->predict->op, work->c,
                                          &work->list->candidate[turn->place], work->most,
                                          &work->result[turn->place]);
    work->costs->state[turn->place] = known ? SHUNT_COSTS_KNOWN : SHUNT_COSTS_LARGE;
    if (known)
        remember(work, cost);
}

/* Only the choice is asked for, and what it is to be least in can be told to be too much. */
static bool has_bounds(const struct work *work)
{
    const struct shunt_predict *predict = work->predict;
    return predict->best_only && predict->energy_most < 0 && !work->c->counts &&
           predict->objective != SHUNT_OBJECTIVE_ENERGY;
}

static double bound_of(const struct work *work, const struct shunt_candidate *candidate)
{
    const struct shunt_event_call call =
        shunt_predict_event_call(work->predict->op, work->c, candidate);
    const struct shunt_algorithm *row = candidate->algorithm;
    struct shunt_bound bound;
    if (!row->build || !has_bounds(work))
        return 0;
    if (work->predict->objective == SHUNT_OBJECTIVE_MEMORY)
        return row->memory ? (double)row->memory(call.layout, call.params, call.block) : 0;
    if (shunt_bound_make(&bound, &call))
        return 0;
    return shunt_bound_time(&bound, &work->predict->machine, call.block);
}

static int compare(const void *a, const void *b)
{
    const struct turn *x = a, *y = b;
    if (x->bound < y->bound || x->bound > y->bound)
        return x->bound < y->bound ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

/* With very many ranks: no schedule is built but of what is run, so there are no bounds. */
static bool take_limited(struct work *work)
{
    if (!shunt_limit_find(work->beyond, work->predict, work->c, work->list))
        return false;
    for (size_t i = 0; i < work->list->count; i++)
        if (work->beyond[i])
            work->costs->state[i] = SHUNT_COSTS_LARGE;
        else
            work->turn[work->turns++] = (struct turn){i, 0};
    return true;
}

static bool prepare(struct work *work)
{
    const size_t count = work->list->count;
    const struct shunt_candidate *first = work->list->candidate;
    const struct shunt_event_call call =
        shunt_predict_event_call(work->predict->op, work->c, first);
    work->costs->state = calloc(count, sizeof *work->costs->state);
    work->costs->cost = calloc(count, sizeof *work->costs->cost);
    work->result = calloc(count, sizeof *work->result);
    work->turn = calloc(count, sizeof *work->turn);
    work->beyond = calloc(count, sizeof *work->beyond);
    if (!work->costs->state || !work->costs->cost || !work->result || !work->turn || !work->beyond)
        return false;
    if (shunt_limit_applies(work->c))
        return take_limited(work);
    /* It takes longer than it saves where ranks are few. */
    if (is_large((uint64_t)work->c->layout.ranks) && !work->c->counts && !has_bounds(work) &&
        shunt_alike_find(&work->first, work->list, &call))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!work->first || work->first[i] == i)
            work->turn[work->turns++] = (struct turn){i, bound_of(work, &work->list->candidate[i])};
    qsort(work->turn, work->turns, sizeof *work->turn, compare);
    return true;
}

static bool is_too_large(const struct work *work, size_t i)
{
    return work->costs->state[work->turn[i].place] == SHUNT_COSTS_LARGE &&
           work->result[work->turn[i].place] == SHUNT_COST_LARGE;
}

/* Those that are too large to be run side by side, one after the other. Of what remains too large
 * that counts for nothing which cannot be the choice. */
static void predict_large(struct work *work)
{
    work->most = 0;
    for (size_t i = 0; i < work->turns; i++)
        if (is_too_large(work, i))
            predict_one(work, i);
    for (size_t i = 0; i < work->turns; i++)
        if (is_too_large(work, i) && is_worse(work, work->turn[i].bound))
            work->costs->state[work->turn[i].place] = SHUNT_COSTS_WORSE;
}

/* Of all that are not known, the first that is wrong; an exit code. */
static int check(const struct work *work)
{
    for (size_t i = 0; i < work->turns; i++) {
        const size_t place = work->turn[i].place;
        if (work->result[place] == SHUNT_COST_STUCK)
            return shunt_predict_stuck(work->list->candidate[place].algorithm);
        if (work->result[place] == SHUNT_COST_MEMORY) {
            shunt_tool_say("out of memory");
            return SHUNT_EXIT_IO;
        }
    }
    return SHUNT_EXIT_OK;
}

static void copy_alike(const struct work *work)
{
    for (size_t i = 0; work->first && i < work->list->count; i++) {
        const struct shunt_event_call call =
            shunt_predict_event_call(work->predict->op, work->c, &work->list->candidate[i]);
        const size_t first = work->first[i];
        if (first == i)
            continue;
        work->costs->state[i] = work->costs->state[first];
        work->costs->cost[i] = shunt_alike_cost(&work->costs->cost[first], &call);
    }
}

int shunt_costs_make(struct shunt_costs *costs, const struct shunt_predict *predict,
                     const struct shunt_case *c, const struct shunt_candidates *list)
{
    const int threads = c->counts && c->layout.ranks > ALONE ? 1 : shunt_work_threads();
    struct work work = {.predict = predict,
                        .c = c,
                        .list = list,
                        .costs = costs,
                        .most = SHUNT_COST_MOST / (uint64_t)threads,
                        .best = -1};
    int code = SHUNT_EXIT_IO;
    *costs = (struct shunt_costs){0};
    pthread_mutex_init(&work.lock, NULL);
    if (prepare(&work)) {
        shunt_work(work.turns, threads, predict_one, &work,
                   predict->form == SHUNT_FORM_CALL ? "candidates" : NULL);
        predict_large(&work);
        copy_alike(&work);
        code = check(&work);
    } else {
        shunt_tool_say("out of memory");
    }
    pthread_mutex_destroy(&work.lock);
    free(work.result);
    free(work.turn);
    free(work.first);
    free(work.beyond);
    return code;
}

void shunt_costs_clear(struct shunt_costs *costs)
{
    free(costs->state);
    free(costs->cost);
    *costs = (struct shunt_costs){0};
}
