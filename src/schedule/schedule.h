/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * schedule.h: who sends which block to whom in which round, for one rank.
 *
 * A schedule is data: execution, unit tests, cost model, `shunt explain` and the viewer read the
 * same arrays. It knows neither MPI nor bytes.
 *
 * The blocks of one rank p: send block d goes finally to rank d, receive block s comes finally from
 * rank s. A block that is on its way through p sits in one of `slots` temporary slots. The own
 * block (p to p) never appears: executors copy it.
 *
 * Rounds run one after the other; the steps of one round touch disjoint slots and may all be in
 * flight together. Within a round all sends read what previous rounds left, before any receive of
 * the round is stored. Between two ranks the messages of a round match in step order.
 */
#ifndef SHUNT_SCHEDULE_SCHEDULE_H
#define SHUNT_SCHEDULE_SCHEDULE_H

#include <stddef.h>
#include <stdint.h>

#include "schedule/layout.h"

/*
 * A place where a block is read or written: a user block (value = peer rank), a temporary slot, or
 * a store: a receive block of the user that keeps a block on its way until its own arrives in it.
 * Read as a user block it is a send block, written a receive block.
 */
typedef uint32_t shunt_ref;

#define SHUNT_REF_SLOT UINT32_C(0x80000000)
#define SHUNT_REF_STORE UINT32_C(0x40000000)

static inline shunt_ref shunt_ref_slot(int64_t index)
{
    return SHUNT_REF_SLOT | (shunt_ref)index;
}

static inline int shunt_ref_is_slot(shunt_ref ref)
{
    return (ref & SHUNT_REF_SLOT) != 0;
}

static inline int shunt_ref_is_store(shunt_ref ref)
{
    return (ref & SHUNT_REF_STORE) != 0;
}

static inline uint32_t shunt_ref_index(shunt_ref ref)
{
    return ref & ~(SHUNT_REF_SLOT | SHUNT_REF_STORE);
}

/* A block moved within the rank. */
struct shunt_copy {
    shunt_ref from, to;
};

/* One message out and/or one message in. A side with no blocks has peer -1 and sends (receives) no
 * message. */
struct shunt_step {
    int send_to;
    int recv_from;
    uint32_t send_first, send_count; /* range in places[]: sources, in message order */
    uint32_t recv_first, recv_count; /* range in places[]: destinations, in message order */
    /* The message sent (received) brings every block to its final rank, which knows the lengths: no
     * metadata needed. Equal on both sides.
     */
    uint8_t send_final, recv_final;
    /*
     * Blocks that this message brings straight to their receive block at their final rank: always
     * its first ones. Equal on both sides; all of a final message.
     */
    uint32_t send_home, recv_home;
};

struct shunt_schedule {
    int ranks;
    int rank;
    uint32_t slots; /* temporary slots, each as large as the largest block */
    uint32_t round_count;
    uint32_t *round_first; /* array of round_count + 1: first step of each round */
    uint32_t step_count;
    struct shunt_step *steps;
    size_t ref_count;
    shunt_ref *refs;
    /* Local copies before the first and after the last round, in this order: rotations, or a final
     * scan. Arrays. */
    uint32_t before_count, after_count;
    struct shunt_copy *before, *after;
    /* Derived, for sizing buffers: over all rounds, the most blocks sent (received) in one round,
     * and the most steps of one round. */
    uint32_t max_round_send;
    uint32_t max_round_recv;
    uint32_t max_round_steps;
    /* growth bookkeeping, private to schedule.c */
    size_t round_capacity, step_capacity, ref_capacity, before_capacity, after_capacity;
    int failed;
};

/* Starts an empty schedule of rank `rank` among `ranks`. */
void shunt_schedule_begin(struct shunt_schedule *schedule, int ranks, int rank);

/* The rank `offset` (more than -ranks, less than ranks) further on, as the place of its block. */
static inline shunt_ref shunt_schedule_peer(const struct shunt_schedule *schedule, int64_t offset)
{
    const int64_t ranks = schedule->ranks, peer = schedule->rank + offset;
    return (shunt_ref)(peer < 0 ? peer + ranks : peer < ranks ? peer : peer - ranks);
}

/*
 * Builder calls, in this order: round, then for each of its steps: step, send_ref*, recv_ref*. A
 * memory failure is remembered and reported by shunt_schedule_end. Rounds without steps and steps
 * without blocks are dropped.
 */
void shunt_schedule_round(struct shunt_schedule *schedule);
void shunt_schedule_step(struct shunt_schedule *schedule, int send_to, int recv_from);
/* Marks both sides of the current step as final (see struct shunt_step). */
void shunt_schedule_final(struct shunt_schedule *schedule);
void shunt_schedule_send(struct shunt_schedule *schedule, shunt_ref ref);
/* The same for a block that reaches its final rank with this message; before all others. (Receives
 * tell by their place.) */
void shunt_schedule_send_home(struct shunt_schedule *schedule, shunt_ref ref);
void shunt_schedule_recv(struct shunt_schedule *schedule, shunt_ref ref);
/* At any time: one more local copy before the first, after the last round. */
void shunt_schedule_before(struct shunt_schedule *schedule, shunt_ref from, shunt_ref to);
void shunt_schedule_after(struct shunt_schedule *schedule, shunt_ref from, shunt_ref to);

/* Closes the schedule and computes the derived fields. Returns 0, or -1 when memory was short (the
 * schedule is then empty). */
int shunt_schedule_end(struct shunt_schedule *schedule, uint32_t slots);

void shunt_schedule_clear(struct shunt_schedule *schedule);

/* A step of one message to and one from: the whole exchange of two blocks. */
void shunt_schedule_direct(struct shunt_schedule *schedule, int to, int from);

/*
 * Whole schedules that several algorithms have. Return 0, or -1 when memory is short. Direct
 * exchange in batches: `batch` messages in flight each way, 1 and up.
 */
int shunt_schedule_batches(struct shunt_schedule *schedule, int ranks, int rank, int64_t batch);

#endif
