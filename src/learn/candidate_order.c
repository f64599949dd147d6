/* SPDX-License-Identifier: BSD-3-Clause */
/* candidate_order.c: see candidate_order.h. */
#include "learn/candidate_order.h"

#include "base/arithmetic.h"
#include "process/identity.h"
#include "route/forecast.h"

/* How many times as long native has to take on every machine, so that a trial is expected to cost
 * nothing. And how an order is spelled. */
#define PROMISING 1.5
enum { ORDER_BITS = 4, PROMISED = 8 };

/* How much the model may be asked: events of some 40 ns. */
static uint64_t work_for(const struct shunt_learn *learn)
{
    enum { EVENT = 40 };
    int64_t sum = 0;
    for (int i = 0; i < learn->length; i++)
        sum += learn->said[i];
    const int64_t spent = learn->length > 0 ? learn->calls * (sum / learn->length) : 0,
                  work = spent / SHUNT_LEARN_SHARE / EVENT;
    return (uint64_t)(work < SHUNT_LESSONS_WORK        ? SHUNT_LESSONS_WORK
                      : work < SHUNT_LESSONS_WORK_MOST ? work
                                                       : SHUNT_LESSONS_WORK_MOST);
}

int64_t shunt_candidate_order_ask(const struct shunt_comm *comm, const struct shunt_lesson *lesson)
{
    int first;
    int64_t order = 0;
    struct shunt_forecast forecast;
    struct shunt_arithmetic arithmetic;
    const int processors = shunt_identity_processors(&first);
    const struct shunt_forecast_ask ask = {
        .op = lesson->op,
        .layout = &comm->layout,
        .block = lesson->block,
        .size = lesson->block.high,
        .memory = comm->agreed.memory,
        .machine = comm->table && comm->table->modelled ? &comm->table->model : NULL,
        .processors = processors > 1 ? processors : 0, /* it may be bound to the one */
        .work = work_for(&lesson->learn)};
    shunt_arithmetic_enter(&arithmetic);
    shunt_forecast(&forecast, &ask);
    for (int i = 0; i < forecast.count; i++)
        order |=
            (int64_t)(forecast.one[i].number | (forecast.one[i].low >= PROMISING ? PROMISED : 0))
            << ORDER_BITS * i;
    shunt_arithmetic_leave(&arithmetic);
    return order;
}

/* Which candidate comes next of those from `from` on: the one whose proposal comes first in the
 * order. */
static int next_in_order(const struct shunt_lesson *lesson, int from, int64_t order, bool *promised)
{
    for (int i = 0; i < SHUNT_PROPOSALS_MOST; i++) {
        const int64_t entry = order >> ORDER_BITS * i;
        for (int a = from; a < lesson->learn.candidate_count; a++)
            if (lesson->proposal[a] == (entry & (PROMISED - 1))) {
                *promised = (entry & PROMISED) != 0;
                return a;
            }
    }
    *promised = false;
    return from;
}

void shunt_candidate_order_put(struct shunt_lesson *lesson, int64_t order)
{
    const int from = lesson->learn.candidate_count > 1 && lesson->proposal[1] < 0 ? 2 : 1;
    for (int a = from; a < lesson->learn.candidate_count; a++) {
        bool promised;
        const int next = next_in_order(lesson, a, order, &promised),
                  proposal = lesson->proposal[next];
        const struct shunt_decision candidate = lesson->candidates[next];
        const struct shunt_rule rule = lesson->rule[next];
        for (int at = next; at > a; at--) {
            lesson->candidates[at] = lesson->candidates[at - 1];
            lesson->rule[at] = lesson->rule[at - 1];
            lesson->proposal[at] = lesson->proposal[at - 1];
        }
        lesson->candidates[a] = candidate;
        lesson->rule[a] = rule;
        lesson->proposal[a] = proposal;
        if (promised)
            shunt_learn_promise(&lesson->learn, a);
    }
    lesson->ordered = true;
}
