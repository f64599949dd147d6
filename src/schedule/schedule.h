/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * schedule.h: who sends which block to whom in which round, for one rank.
 *
 * A schedule is data: execution, unit tests, cost model, `shunt explain` and the viewer read the same arrays. It knows neither MPI nor
 * bytes.
 *
 * The blocks of one rank p: send block d goes finally to rank d, receive block s comes finally from rank s. A block that is on its way
 * through p sits in one of `slots` temporary slots. The own block (p to p) never appears: executors copy it.
 *
 * Rounds run one after the other; the steps of one round touch disjoint slots and may all be in flight together. Within a round all sends
 * read what previous rounds left, before any receive of the round is stored. Between two ranks the messages of a round match in step order.
 */
#ifndef SHUNT_SCHEDULE_SCHEDULE_H
#define SHUNT_SCHEDULE_SCHEDULE_H

#include <stddef.h>
#include <stdint.h>

#include "schedule/layout.h"

/*
 * A place where a block is read or written: a user block (value = peer rank), a temporary slot, or a store: a receive block of the user
 * that keeps a block on its way until its own arrives in it. Read as a user block it is a send block, written a receive block.
 */
typedef uint32_t shunt_place;

#define SHUNT_PLACE_SLOT UINT32_C(0x80000000)
#define SHUNT_PLACE_STORE UINT32_C(0x40000000)

static inline int shunt_place_is_slot(shunt_place place)
{
    return (place & SHUNT_PLACE_SLOT) != 0;
}

static inline int shunt_place_is_store(shunt_place place)
{
    return (place & SHUNT_PLACE_STORE) != 0;
}

static inline uint32_t shunt_place_index(shunt_place place)
{
    return place & ~(SHUNT_PLACE_SLOT | SHUNT_PLACE_STORE);
}

/* A block moved within the rank. */
struct shunt_copy {
    shunt_place from, to;
};

/* One message out and/or one message in. A side with no blocks has peer -1 and sends (receives) no message. */
struct shunt_step {
    int send_to;
    int recv_from;
    uint32_t send_first, send_count; /* range in places[]: sources, in message order */
    uint32_t recv_first, recv_count; /* range in places[]: destinations, in message order */
    /* The message sent (received) brings every block to its final rank, which knows the lengths: no metadata needed. Equal on both sides.
     */
    uint8_t send_final, recv_final;
    /*
     * Blocks that this message brings straight to their receive block at their final rank: always its first ones. Equal on both sides; all
     * of a final message.
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
    size_t place_count;
    shunt_place *places;
    /* Local copies before the first and after the last round, in this order: rotations, or a final scan. Arrays. */
    uint32_t before_count, after_count;
    struct shunt_copy *before, *after;
    /* Derived, for sizing buffers: over all rounds, the most blocks sent (received) in one round, and the most steps of one round. */
    uint32_t max_round_send;
    uint32_t max_round_recv;
    uint32_t max_round_steps;
    /* growth bookkeeping, private to schedule.c */
    size_t round_room, step_room, place_room, before_room, after_room;
    int failed;
};

/* Starts an empty schedule of rank `rank` among `ranks`. */
void shunt_schedule_begin(struct shunt_schedule *schedule, int ranks, int rank);

/*
 * Builder calls, in this order: round, then for each of its steps: step, send_place*, recv_place*. A memory failure is remembered and
 * reported by shunt_schedule_end. Rounds without steps and steps without blocks are dropped.
 */
void shunt_schedule_round(struct shunt_schedule *schedule);
void shunt_schedule_step(struct shunt_schedule *schedule, int send_to, int recv_from);
/* Marks both sides of the current step as final (see struct shunt_step). */
void shunt_schedule_final(struct shunt_schedule *schedule);
void shunt_schedule_send(struct shunt_schedule *schedule, shunt_place place);
/* The same for a block that reaches its final rank with this message; before all others. (Receives tell by their place.) */
void shunt_schedule_send_home(struct shunt_schedule *schedule, shunt_place place);
void shunt_schedule_recv(struct shunt_schedule *schedule, shunt_place place);
/* At any time: one more local copy before the first, after the last round. */
void shunt_schedule_before(struct shunt_schedule *schedule, shunt_place from, shunt_place to);
void shunt_schedule_after(struct shunt_schedule *schedule, shunt_place from, shunt_place to);

/* Closes the schedule and computes the derived fields. Returns 0, or -1 when memory was short (the schedule is then empty). */
int shunt_schedule_end(struct shunt_schedule *schedule, uint32_t slots);

void shunt_schedule_clear(struct shunt_schedule *schedule);

/*
 * Builders, one per family. Each fills `schedule` for rank `rank` and returns 0, or -1 when memory is short.
 */

/* linear.c: direct exchanges. batch: messages in flight each way, 1..P-1; P-1 is spread-out. Fan 2025, section 2(d). */
int shunt_schedule_scattered(struct shunt_schedule *schedule, int ranks, int rank, int64_t batch);
/* linear.c: P-1 steps, receive from p-i, send to p+i, one at a time. Fan 2025, section 2(d). */
int shunt_schedule_pairwise(struct shunt_schedule *schedule, int ranks, int rank);
/* linear.c: everything in flight at once, partners in ascending order: every rank begins with rank 0. Fan 2025, section 2(d). */
int shunt_schedule_linear(struct shunt_schedule *schedule, int ranks, int rank);
/* linear.c: P-1 steps with partner p^i, one at a time. ranks: a power of two. Fan 2025, section 5.3. */
int shunt_schedule_exclusive_or(struct shunt_schedule *schedule, int ranks, int rank);

/*
 * The radix of each digit, lowest digit first. The last one counts for all further digits as well, so one radix is a list of one; radices
 * that no digit needs are never looked at. Each >= 2, count >= 1.
 */
enum { SHUNT_RADIX_MOST = 8 };
struct shunt_radices {
    int count;
    int64_t radix[SHUNT_RADIX_MOST];
};

/* One digit of a block's offset o: its value is (o / weight) % radix. */
struct shunt_digit {
    const struct shunt_radices *radices;
    int index;
    int64_t weight, radix;
};
/* The lowest digit, and the one above `digit`. An offset below `ranks` has digits as long as weight < ranks. */
struct shunt_digit shunt_digit_first(const struct shunt_radices *radices);
struct shunt_digit shunt_digit_next(struct shunt_digit digit);

/* Which temporary slot an offset uses in the radix-r schedule. */
enum shunt_slots {
    SHUNT_SLOTS_TIGHT, /* Fan 2025, section 3.3: P - K - 1 slots */
    SHUNT_SLOTS_FULL   /* Fan 2022, two-phase Bruck: one slot per offset, P in all */
};

/*
 * radix.c: zero-rotation radix-r Bruck, ParLogNa, two-phase (r = 2). radix 2..max(2,P). batch: substeps of one digit that share a round, 1
 * as published. Fan 2022, Fan and Kumar, Fan 2025 section 3.
 */
int shunt_schedule_radix(struct shunt_schedule *schedule, int ranks, int rank, const struct shunt_radices *radices, int64_t batch,
                         enum shunt_slots slots);
/* Number of rounds K of the radix-r schedule among `ranks`: Fan and Kumar. */
int64_t shunt_radix_rounds(int64_t ranks, const struct shunt_radices *radices);
/* Most blocks that one of its rounds sends. */
int64_t shunt_radix_round_blocks(int64_t ranks, const struct shunt_radices *radices, int64_t batch);
/* Blocks that it receives in all digits, or in all but the last, whose blocks are not passed on. */
int64_t shunt_radix_hops(int64_t ranks, const struct shunt_radices *radices, int last);
/* Tight slot of offset o (1..P-1, with more than one digit that is not 0): Fan 2025 section 3.3, corrected. */
int64_t shunt_radix_slot(int64_t offset, const struct shunt_radices *radices);

/* rotation.c: the historical variants with local copies before or after. P-1 slots each. Fan 2022, section 2; Fan and Kumar. */
int shunt_schedule_bruck_basic(struct shunt_schedule *schedule, int ranks, int rank, const struct shunt_radices *radices);
int shunt_schedule_bruck_modified(struct shunt_schedule *schedule, int ranks, int rank, const struct shunt_radices *radices);
/* rotation.c: radix 2, blocks alternate between slots and stores. Fan 2022, section 2. */
int shunt_schedule_bruck_zero_copy(struct shunt_schedule *schedule, int ranks, int rank);
/* rotation.c: radix 2, every received message stays where it came until the final scan. Fan 2022, sections 1 and 6.1. */
int shunt_schedule_sloav(struct shunt_schedule *schedule, int ranks, int rank);
/* Slots of that schedule: the blocks of all its rounds. */
int64_t shunt_sloav_slots(int64_t ranks);

/*
 * hierarchical.c: ParLinNa on any layout. Fan 2025, section 4. radix 2..max(2,Q). inside: substeps of one digit of the node phase that
 * share a round, 1 as published; batch: messages in flight between nodes.
 */
int shunt_schedule_parlinna_coalesced(struct shunt_schedule *schedule, const struct shunt_layout *layout, int rank,
                                      const struct shunt_radices *radices, int64_t inside, int64_t batch);
int shunt_schedule_parlinna_staggered(struct shunt_schedule *schedule, const struct shunt_layout *layout, int rank,
                                      const struct shunt_radices *radices, int64_t inside, int64_t batch);

/*
 * hierarchical.c: the messages between nodes of parlinna-shared; what happens inside them needs none. A place to send from is the rank of
 * the neighbour whose block for `send_to` it is. batch: distances between nodes in flight, 1..N-1.
 */
int shunt_schedule_parlinna_shared(struct shunt_schedule *schedule, const struct shunt_layout *layout, int rank, int64_t batch);

#endif
