/* SPDX-License-Identifier: BSD-3-Clause */
/* run_messages.c: messages on their way, and rounds of them. */
#include <math.h>
#include <stdlib.h>

#include "model/run_state.h"

static double later(double a, double b)
{
    return a > b ? a : b;
}

static double *arrival_of(const struct shunt_run *run, uint32_t rank, uint32_t slot)
{
    return &run->arrival[run->first[rank] + slot];
}

static int compare(const void *a, const void *b)
{
    const struct shunt_message_in *x = a, *y = b;
    if (x->at < y->at || x->at > y->at)
        return x->at < y->at ? -1 : 1;
    return x->overhead < y->overhead ? -1 : x->overhead > y->overhead;
}

/* The messages of the round in the order in which they come; how many. */
static uint32_t gather(struct shunt_run *run, uint32_t rank)
{
    const struct shunt_run_rank *r = &run->rank[rank];
    const uint8_t *inside = run->program->rank[rank].from_inside;
    const uint32_t count = r->posted - r->round;
    bool sorted = true;
    for (uint32_t i = 0; i < count; i++) {
        const enum shunt_level level =
            inside[r->round + i] ? SHUNT_LEVEL_INSIDE : SHUNT_LEVEL_BETWEEN;
        run->in[i] =
            (struct shunt_message_in){*arrival_of(run, rank, r->round + i),
                                      run->taking ? run->taking[run->first[rank] + r->round + i]
                                                  : shunt_run_link(run, level)->overhead};
        sorted = sorted && (i == 0 || compare(&run->in[i - 1], &run->in[i]) <= 0);
    }
    if (!sorted)
        qsort(run->in, count, sizeof *run->in, compare);
    return count;
}

/* When a round ends whose messages are all on their way, and what its receives take of the rank's
 * processor. */
static double end_of_round(struct shunt_run *run, uint32_t rank, double *work)
{
    struct shunt_run_rank *r = &run->rank[rank];
    const bool offload = run->machine->offload;
    const uint32_t count = gather(run, rank);
    double time = offload ? r->taken : r->clock;
    *work = 0;
    for (uint32_t i = 0; i < count; i++) {
        /* The rest of the round is still posted, or has come and waits. */
        const double search = run->machine->match * ((count - i) / 2.0),
                     taking = run->in[i].overhead + search;
        time = later(time, run->in[i].at) + taking;
        *work += offload ? 0 : taking;
    }
    r->taken = time;
    time = later(later(time, r->clock), r->injected);
    r->round = r->posted;
    r->injected = 0;
    return time;
}

static bool complete(const struct shunt_run_rank *r)
{
    return r->missing == 0 && r->flying == 0;
}

/* The rank was waiting, and its last message is now on the way. */
static void end_wait(struct shunt_run *run, uint32_t rank)
{
    double work;
    const double clock = run->rank[rank].clock, end = end_of_round(run, rank, &work);
    const double start = later(later(clock, run->now), end - work);
    if (run->limited)
        shunt_run_wake(run, rank, start, later(end - start, 0));
    else
        shunt_run_wake(run, rank, end, 0);
}

bool shunt_run_wait(struct shunt_run *run, uint32_t rank)
{
    struct shunt_run_rank *r = &run->rank[rank];
    if (!complete(r)) {
        r->doing = SHUNT_RUN_WAITING;
        shunt_run_release(run, rank);
        return false;
    }
    double work;
    const double clock = r->clock, end = end_of_round(run, rank, &work);
    if (!run->limited || end <= clock + work) {
        r->clock = end;
        return true;
    }
    shunt_run_release(run, rank);
    shunt_run_wake(run, rank, later(clock, end - work), end - later(clock, end - work));
    return false;
}

static void deliver(struct shunt_run *run, uint32_t rank, uint32_t slot, double time, double taking)
{
    struct shunt_run_rank *r = &run->rank[rank];
    const bool posted = slot < r->posted;
    *arrival_of(run, rank, slot) = time;
    if (run->taking)
        run->taking[run->first[rank] + slot] = taking;
    if (!posted)
        return;
    r->missing--;
    if (r->doing == SHUNT_RUN_WAITING && complete(r))
        end_wait(run, rank);
}

/* Through the cards of both nodes, from `start` on: when it is out; *in: when it has been taken in,
 * if that is later. What nodes take in is in the order in which it was sent. */
static double pass_cards(struct shunt_run *run, uint32_t sender, uint32_t receiver, double *start,
                         double bytes, double *in)
{
    const struct shunt_machine *m = run->machine;
    struct shunt_run_node *from = &run->node[run->layout->node_of[sender]],
                          *to = &run->node[run->layout->node_of[receiver]];
    *start = later(*start, from->sends);
    from->sends = *start + (m->card_message + bytes * run->card_byte) / m->cards;
    to->receives = later(*start + run->latency[SHUNT_LEVEL_BETWEEN], to->receives) +
                   bytes * run->card_byte / m->cards;
    *in = to->receives;
    return from->sends;
}

/* A message that may go from `ready` on. */
static void inject(struct shunt_run *run, const struct shunt_run_long *message, double ready)
{
    struct shunt_run_rank *r = &run->rank[message->sender];
    const struct shunt_link *link = shunt_run_link(run, message->level);
    const bool cards = message->level == SHUNT_LEVEL_BETWEEN &&
                       (run->machine->card_message > 0 || run->card_byte > 0);
    const double bytes = (double)message->bytes, busy = bytes * link->byte;
    double start = later(ready, r->free[message->level]), out = 0, in = 0;
    if (cards)
        out = pass_cards(run, message->sender, message->receiver, &start, bytes, &in);
    r->free[message->level] = start + later(link->gap, busy);
    out = later(start + busy, out);
    if (message->bytes > link->eager)
        r->injected = later(r->injected, out);
    deliver(run, message->receiver, message->slot, later(out + run->latency[message->level], in),
            shunt_link_work(link, bytes));
}

/* The receiver has answered. */
static void answer(struct shunt_run *run, uint32_t number, double answered)
{
    const struct shunt_run_long *message = &run->longs[number];
    const double time = answered + run->latency[message->level];
    const struct shunt_due due = {.time = time,
                                  .generation = shunt_run_generation(run, time),
                                  .local = (uint32_t)run->layout->local_of[message->sender],
                                  .node = (uint32_t)run->layout->node_of[message->sender],
                                  .send = message->number + 1,
                                  .what = number};
    if (shunt_queue_put(&run->queue, due))
        run->failed = true;
}

/* A place for a long message; UINT32_MAX: memory is short. */
static uint32_t long_place(struct shunt_run *run)
{
    if (run->long_free > 0) {
        const uint32_t number = run->long_free - 1;
        run->long_free = run->longs[number].next;
        return number;
    }
    if (run->long_count == run->long_capacity) {
        const uint32_t capacity = run->long_capacity ? 2 * run->long_capacity : 64;
        struct shunt_run_long *larger = realloc(run->longs, capacity * sizeof *larger);
        if (!larger) {
            run->failed = true;
            return UINT32_MAX;
        }
        run->longs = larger;
        run->long_capacity = capacity;
    }
    return run->long_count++;
}

/* The request of a long message is on its way; it will be known at `ready`. */
static void ask(struct shunt_run *run, const struct shunt_run_long *message)
{
    const uint32_t number = long_place(run);
    if (number == UINT32_MAX)
        return;
    struct shunt_run_rank *receiver = &run->rank[message->receiver];
    run->longs[number] = *message;
    run->rank[message->sender].flying++;
    if (message->slot < receiver->posted) {
        const double posted = -*arrival_of(run, message->receiver, message->slot);
        answer(run, number, later(message->ready, posted));
    } else {
        run->longs[number].next = receiver->pending;
        receiver->pending = number + 1;
    }
}

void shunt_run_send(struct shunt_run *run, uint32_t rank, enum shunt_level level)
{
    struct shunt_run_rank *r = &run->rank[rank];
    const struct shunt_program_rank *program = &run->program->rank[rank];
    const struct shunt_link *link = shunt_run_link(run, level);
    __builtin_prefetch(&run->rank[r->to]);
    __builtin_prefetch(arrival_of(run, r->to, r->slot));
    r->clock += shunt_link_work(link, (double)r->bytes);
    if (run->record)
        shunt_run_note_send(run, rank);
    struct shunt_run_long message = {.sender = rank,
                                     .receiver = r->to,
                                     .slot = r->slot,
                                     .number = r->sent,
                                     .level = level,
                                     .bytes = r->bytes,
                                     .ready = r->clock + run->latency[level]};
    if (++r->sent < program->sends) {
        r->to = program->to[r->sent];
        r->slot = program->slot[r->sent];
    }
    if (message.bytes > link->eager)
        ask(run, &message);
    else
        inject(run, &message, r->clock);
}

void shunt_run_inject_long(struct shunt_run *run, uint32_t number)
{
    const struct shunt_run_long message = run->longs[number];
    struct shunt_run_rank *sender = &run->rank[message.sender];
    run->longs[number].next = run->long_free;
    run->long_free = number + 1;
    inject(run, &message, run->now);
    sender->flying--;
    if (sender->doing == SHUNT_RUN_WAITING && complete(sender))
        end_wait(run, message.sender);
}

/* Answers the long messages that waited for receives of this rank. */
static void answer_pending(struct shunt_run *run, uint32_t rank)
{
    struct shunt_run_rank *r = &run->rank[rank];
    uint32_t *link = &r->pending;
    while (*link > 0) {
        const uint32_t number = *link - 1;
        struct shunt_run_long *message = &run->longs[number];
        if (message->slot < r->posted) {
            *link = message->next;
            answer(run, number, later(message->ready, r->clock));
        } else {
            link = &message->next;
        }
    }
}

void shunt_run_post(struct shunt_run *run, uint32_t rank, uint32_t count)
{
    struct shunt_run_rank *r = &run->rank[rank];
    for (uint32_t i = 0; i < count; i++) {
        double *arrival = arrival_of(run, rank, r->posted++);
        if (!signbit(*arrival))
            continue;
        *arrival = -r->clock;
        r->missing++;
    }
    answer_pending(run, rank);
}
