/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rotation.c: the variants of Bruck's algorithm that move blocks within the rank before or after the rounds, and SLOAV.
 *
 * Idea: as in radix.c blocks travel by the digits of their offset, but they lie in an array R by offset, which is filled by an initial
 * rotation; every round replaces in R what it has sent. The basic variant sends forward and needs a final rotation; the modified one sends
 * backward, so that what arrives is at its place. The zero-copy variant alternates between R and a second array, so that a round can be
 * received where it belongs while another block is sent from its twin. SLOAV only rotates indices, keeps each message that it received as
 * a segment of its own and looks for the blocks in a scan at the end.
 * Cost: messages and bytes as in radix.c; P-1 local copies before (basic, modified, zero-copy) and P-1 after (basic, SLOAV).
 * Use: to compare with radix.c, which saves the copies; zero-copy with large blocks, where a copy costs more than a datatype.
 * Source (titles in rows.c): Fan 2022, section 2 (basic, modified, zero-copy, all after Traeff et al. 2014), sections 1 and 6.1 (SLOAV,
 * after Xu et al. 2013); Fan and Kumar (any radix).
 */
#include "schedule/schedule.h"

static const struct shunt_radices two = {1, {2}};

static shunt_place peer(const struct shunt_schedule *schedule, int64_t offset)
{
    return (shunt_place)((schedule->rank + offset + schedule->ranks) % schedule->ranks);
}

static shunt_place slot(int64_t index)
{
    return SHUNT_PLACE_SLOT | (shunt_place)index;
}

/* Where the block of offset o is read before, and written after, the round of digit d. */
typedef shunt_place place_of(const struct shunt_schedule *schedule, int64_t o, struct shunt_digit d);

/* One round: the blocks of all offsets with value z of digit d, ascending. direction: 1, blocks travel to higher ranks, or -1. */
static void one_round(struct shunt_schedule *schedule, struct shunt_digit d, int64_t z, int direction, place_of *source, place_of *target)
{
    const int64_t P = schedule->ranks, distance = direction * z * d.weight;
    shunt_schedule_round(schedule);
    shunt_schedule_step(schedule, (int)peer(schedule, distance), (int)peer(schedule, -distance));
    for (int pass = 0; pass < 2; pass++) {
        for (int64_t base = z * d.weight; base < P; base += d.weight * d.radix) {
            for (int64_t o = base; o < base + d.weight && o < P; o++) {
                const shunt_place to = target(schedule, o, d); /* of the same kind on both ends */
                if (pass == 1)
                    shunt_schedule_recv(schedule, to);
                else if (shunt_place_is_slot(to) || shunt_place_is_store(to))
                    shunt_schedule_send(schedule, source(schedule, o, d));
                else
                    shunt_schedule_send_home(schedule, source(schedule, o, d));
            }
        }
    }
}

static void rounds(struct shunt_schedule *schedule, const struct shunt_radices *radices, int direction, place_of *source, place_of *target)
{
    for (struct shunt_digit d = shunt_digit_first(radices); d.weight < schedule->ranks; d = shunt_digit_next(d))
        for (int64_t z = 1; z < d.radix && z * d.weight < schedule->ranks; z++)
            one_round(schedule, d, z, direction, source, target);
}

/* Slot o - 1 is R[o]; R[0], the own block, never moves. */
static shunt_place array_place(const struct shunt_schedule *schedule, int64_t o, struct shunt_digit d)
{
    (void)schedule;
    (void)d;
    return slot(o - 1);
}

int shunt_schedule_bruck_basic(struct shunt_schedule *schedule, int ranks, int rank, const struct shunt_radices *radices)
{
    shunt_schedule_begin(schedule, ranks, rank);
    for (int64_t o = 1; o < ranks; o++)
        shunt_schedule_before(schedule, peer(schedule, o), slot(o - 1));
    rounds(schedule, radices, 1, array_place, array_place);
    for (int64_t o = 1; o < ranks; o++)
        shunt_schedule_after(schedule, slot(o - 1), peer(schedule, -o));
    return shunt_schedule_end(schedule, (uint32_t)ranks - 1);
}

/* A block without digits above d has arrived, from rank p + o. */
static shunt_place modified_target(const struct shunt_schedule *schedule, int64_t o, struct shunt_digit d)
{
    return o / d.weight < d.radix ? peer(schedule, o) : slot(o - 1);
}

int shunt_schedule_bruck_modified(struct shunt_schedule *schedule, int ranks, int rank, const struct shunt_radices *radices)
{
    shunt_schedule_begin(schedule, ranks, rank);
    for (int64_t o = 1; o < ranks; o++)
        shunt_schedule_before(schedule, peer(schedule, -o), slot(o - 1));
    rounds(schedule, radices, -1, array_place, modified_target);
    return shunt_schedule_end(schedule, (uint32_t)ranks - 1);
}

/* Hops that the block of offset o has before it from digit d on. */
static int hops_left(int64_t o, struct shunt_digit d)
{
    int hops = 0;
    for (int64_t rest = o / d.weight; rest > 0; rest /= 2)
        hops += (int)(rest % 2);
    return hops;
}

/* R is the user's receive buffer, the second array T are the slots. */
static shunt_place zero_copy_source(const struct shunt_schedule *schedule, int64_t o, struct shunt_digit d)
{
    return hops_left(o, d) % 2 == 1 ? slot(o - 1) : SHUNT_PLACE_STORE | peer(schedule, o);
}

/* The last hop (one left) must end in R: an odd number left receives into R, an even one into T. */
static shunt_place zero_copy_target(const struct shunt_schedule *schedule, int64_t o, struct shunt_digit d)
{
    const int left = hops_left(o, d);
    if (left == 1)
        return peer(schedule, o);
    return left % 2 == 1 ? SHUNT_PLACE_STORE | peer(schedule, o) : slot(o - 1);
}

int shunt_schedule_bruck_zero_copy(struct shunt_schedule *schedule, int ranks, int rank)
{
    shunt_schedule_begin(schedule, ranks, rank);
    /* A rotation into R alone would have the first hop of every block with an odd number of hops send from where it receives. */
    for (int64_t o = 1; o < ranks; o++)
        shunt_schedule_before(schedule, peer(schedule, -o), zero_copy_source(schedule, o, shunt_digit_first(&two)));
    rounds(schedule, &two, -1, zero_copy_source, zero_copy_target);
    return shunt_schedule_end(schedule, (uint32_t)ranks - 1);
}

/* Offsets below `end` whose digit d is 1 (radix 2): how many. */
static int64_t segment_blocks(int64_t end, struct shunt_digit d)
{
    const int64_t cycle = 2 * d.weight, rest = end % cycle;
    return end / cycle * d.weight + (rest > d.weight ? rest - d.weight : 0);
}

/* The slot of offset o in the segment of digit d: the segments of lower digits come first. */
static shunt_place segment_slot(const struct shunt_schedule *schedule, int64_t o, struct shunt_digit d)
{
    int64_t first = 0;
    for (struct shunt_digit lower = shunt_digit_first(&two); lower.weight < d.weight; lower = shunt_digit_next(lower))
        first += segment_blocks(schedule->ranks, lower);
    return slot(first + segment_blocks(o, d));
}

/* Where o lies before the round of weight `end`: in the segment of its highest digit below that is not 0, or still at the user's. */
static shunt_place segment_before(const struct shunt_schedule *schedule, int64_t o, int64_t end)
{
    shunt_place place = peer(schedule, o);
    for (struct shunt_digit d = shunt_digit_first(&two); d.weight < end; d = shunt_digit_next(d))
        if (o / d.weight % 2 == 1)
            place = segment_slot(schedule, o, d);
    return place;
}

static shunt_place sloav_source(const struct shunt_schedule *schedule, int64_t o, struct shunt_digit d)
{
    return segment_before(schedule, o, d.weight);
}

int64_t shunt_sloav_slots(int64_t ranks)
{
    int64_t slots = 0;
    for (struct shunt_digit d = shunt_digit_first(&two); d.weight < ranks; d = shunt_digit_next(d))
        slots += segment_blocks(ranks, d);
    return slots;
}

int shunt_schedule_sloav(struct shunt_schedule *schedule, int ranks, int rank)
{
    shunt_schedule_begin(schedule, ranks, rank);
    rounds(schedule, &two, 1, sloav_source, segment_slot);
    for (int64_t o = 1; o < ranks; o++)
        shunt_schedule_after(schedule, segment_before(schedule, o, ranks), peer(schedule, -o));
    return shunt_schedule_end(schedule, (uint32_t)shunt_sloav_slots(ranks));
}
