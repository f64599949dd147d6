/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * radix.c: the radix-r store-and-forward schedule.
 *
 * Idea: block offsets are written in base r; for digit x and value z all blocks with that digit
 * travel z * r^x ranks together. No rotation before or after: an index array tells where a block
 * lies. Values z of one digit concern different blocks, so `batch` of their messages are in flight
 * together; the papers send one after the other. Cost: K = (w-1)(r-1) + ceil(P/r^(w-1)) - 1
 * messages; each block travels once per non-zero digit of its offset. Waits: K with batch 1, w with
 * batch r-1. Bytes: the block's own each time and what tells its length, or the largest block's
 * where all are padded (padded-bruck). Use: small blocks with small r; r near sqrt(P) in between; r
 * = P is a direct exchange. A radix per digit (mixed radix) suits networks with levels: r_0 = Q
 * keeps the rounds of digit 0 among neighbours in rank, r_1 = N crosses. Source (titles in
 * algorithms/rows.h): Fan and Kumar (uniform), Fan 2025 section 3 (ParLogNa, tight buffer), Fan
 * 2022 (zero rotation; two-phase, r = 2).
 *
 * With a radix per digit, r^x becomes the weight q_x = r_0 * ... * r_(x-1) of digit x. Offsets z *
 * q_x are direct: they travel once and need no slot. The tight slot of another offset is its rank
 * among those that are not direct: the offsets up to o with top digit x and value z hold (r_0 - 1)
 * + ... + (r_(x-1) - 1) + z direct ones, and counting is one to one, whatever the radices.
 */
#include "schedule/radix.h"

#include <stdbool.h>

const struct shunt_radices shunt_radix_two = {1, {2}};

/* Never below 2: weights must grow, or the loops over digits would not end. */
static int64_t radix_of(const struct shunt_radices *radices, int index)
{
    const int last = radices->count > 0 ? radices->count - 1 : 0;
    const int64_t radix = radices->radix[index < last ? index : last];
    return radix < 2 ? 2 : radix;
}

struct shunt_digit shunt_digit_first(const struct shunt_radices *radices)
{
    return (struct shunt_digit){
        .radices = radices, .index = 0, .weight = 1, .radix = radix_of(radices, 0)};
}

struct shunt_digit shunt_digit_next(struct shunt_digit digit)
{
    digit.weight *= digit.radix;
    digit.index++;
    digit.radix = radix_of(digit.radices, digit.index);
    return digit;
}

int64_t shunt_radix_rounds(int64_t ranks, const struct shunt_radices *radices)
{
    int64_t rounds = 0;
    for (struct shunt_digit d = shunt_digit_first(radices); d.weight < ranks;
         d = shunt_digit_next(d)) {
        const int64_t values = (ranks - 1) / d.weight; /* z with z * weight < ranks */
        rounds += values < d.radix - 1 ? values : d.radix - 1;
    }
    return rounds;
}

/* Blocks with values 1..values of digit d among `ranks`: whole groups of `weight` offsets in each
 * full cycle, then the rest. */
static int64_t digit_blocks(int64_t ranks, struct shunt_digit d, int64_t values)
{
    const int64_t cycle = d.weight * d.radix, over = ranks % cycle - d.weight,
                  group = values * d.weight;
    return ranks / cycle * group + (over < 0 ? 0 : over < group ? over : group);
}

/* The first round of some digit has the most: low values are the frequent ones. */
int64_t shunt_radix_round_blocks(int64_t ranks, const struct shunt_radices *radices, int64_t batch)
{
    int64_t most = 0;
    for (struct shunt_digit d = shunt_digit_first(radices); d.weight < ranks;
         d = shunt_digit_next(d)) {
        const int64_t blocks = digit_blocks(ranks, d, batch < d.radix - 1 ? batch : d.radix - 1);
        most = blocks > most ? blocks : most;
    }
    return most;
}

int64_t shunt_radix_hops(int64_t ranks, const struct shunt_radices *radices, int last)
{
    int64_t blocks = 0;
    for (struct shunt_digit d = shunt_digit_first(radices); d.weight < ranks;
         d = shunt_digit_next(d))
        if (last || d.weight * d.radix < ranks)
            blocks += digit_blocks(ranks, d, d.radix - 1);
    return blocks;
}

int64_t shunt_radix_slot(int64_t offset, const struct shunt_radices *radices)
{
    struct shunt_digit d = shunt_digit_first(radices);
    int64_t direct = 0;
    while (offset / d.weight >= d.radix) {
        direct += d.radix - 1;
        d = shunt_digit_next(d);
    }
    return offset - 1 - direct - offset / d.weight;
}

/* The places of ascending offsets, for the schedules of many ranks are made: what is said of the
 * top digit holds up to before `next`. */
struct places {
    const struct shunt_radices *radices;
    enum shunt_slots slots;
    struct shunt_digit top;
    int64_t direct, value, next;
};

static struct places places_begin(const struct shunt_radices *radices, enum shunt_slots slots)
{
    return (struct places){
        .radices = radices, .slots = slots, .top = shunt_digit_first(radices), .next = 1};
}

/* As shunt_radix_slot, without a division for each offset. */
static shunt_ref slot_ref(struct places *places, int64_t offset)
{
    if (places->slots == SHUNT_SLOTS_FULL)
        return shunt_ref_slot(offset);
    if (offset >= places->next) {
        while (offset / places->top.weight >= places->top.radix) {
            places->direct += places->top.radix - 1;
            places->top = shunt_digit_next(places->top);
        }
        places->value = offset / places->top.weight;
        places->next = (places->value + 1) * places->top.weight;
    }
    return shunt_ref_slot(offset - 1 - places->direct - places->value);
}

/* Blocks of the offsets from `base` up to before `end`, to be sent from where they are: if one has
 * not moved yet, it is the own block for rank p - o. `home`: they have no digit above d. */
static void send_group(struct shunt_schedule *schedule, struct places *places, int64_t base,
                       int64_t end, bool home)
{
    for (int64_t o = base; o < end; o++) {
        const shunt_ref from = o == base ? shunt_schedule_peer(schedule, -o) : slot_ref(places, o);
        if (home)
            shunt_schedule_send_home(schedule, from);
        else
            shunt_schedule_send(schedule, from);
    }
}

/* And to be received: at home they come from rank p + o. */
static void receive_group(struct shunt_schedule *schedule, struct places *places, int64_t base,
                          int64_t end, bool home)
{
    for (int64_t o = base; o < end; o++)
        shunt_schedule_recv(schedule,
                            home ? shunt_schedule_peer(schedule, o) : slot_ref(places, o));
}

/* The step of digit value z: blocks of all offsets o with (o / weight) % radix == z, ascending. */
static void radix_step(struct shunt_schedule *schedule, struct shunt_digit d, int64_t z,
                       enum shunt_slots slots)
{
    const int64_t P = schedule->ranks, first = z * d.weight, cycle = d.weight * d.radix;
    shunt_schedule_step(schedule, (int)shunt_schedule_peer(schedule, -first),
                        (int)shunt_schedule_peer(schedule, first));
    for (int pass = 0; pass < 2; pass++) {
        struct places places = places_begin(d.radices, slots);
        for (int64_t base = first; base < P; base += cycle) {
            const int64_t end = base + d.weight < P ? base + d.weight : P;
            (pass == 0 ? send_group : receive_group)(schedule, &places, base, end, base == first);
        }
    }
}

int shunt_schedule_radix(struct shunt_schedule *schedule, int ranks, int rank,
                         const struct shunt_radices *radices, int64_t batch, enum shunt_slots slots)
{
    shunt_schedule_begin(schedule, ranks, rank);
    for (struct shunt_digit d = shunt_digit_first(radices); d.weight < ranks;
         d = shunt_digit_next(d)) {
        for (int64_t z = 1; z < d.radix && z * d.weight < ranks; z++) {
            if ((z - 1) % batch == 0)
                shunt_schedule_round(schedule);
            radix_step(schedule, d, z, slots);
        }
    }
    const int64_t tight = ranks - shunt_radix_rounds(ranks, radices) - 1;
    return shunt_schedule_end(schedule, (uint32_t)(slots == SHUNT_SLOTS_TIGHT ? tight : ranks));
}

/* One round: the blocks of all offsets with value z of digit d, ascending. direction: 1, blocks
 * travel to higher ranks, or -1. */
static void rotated_round(struct shunt_schedule *schedule, struct shunt_digit d, int64_t z,
                          int direction, shunt_offset_ref *source, shunt_offset_ref *target)
{
    const int64_t P = schedule->ranks, distance = direction * z * d.weight;
    shunt_schedule_round(schedule);
    shunt_schedule_step(schedule, (int)shunt_schedule_peer(schedule, distance),
                        (int)shunt_schedule_peer(schedule, -distance));
    for (int pass = 0; pass < 2; pass++) {
        for (int64_t base = z * d.weight; base < P; base += d.weight * d.radix) {
            for (int64_t o = base; o < base + d.weight && o < P; o++) {
                const shunt_ref to = target(schedule, o, d); /* of the same kind on both ends */
                if (pass == 1)
                    shunt_schedule_recv(schedule, to);
                else if (shunt_ref_is_slot(to) || shunt_ref_is_store(to))
                    shunt_schedule_send(schedule, source(schedule, o, d));
                else
                    shunt_schedule_send_home(schedule, source(schedule, o, d));
            }
        }
    }
}

void shunt_schedule_rotated(struct shunt_schedule *schedule, const struct shunt_radices *radices,
                            int direction, shunt_offset_ref *source, shunt_offset_ref *target)
{
    for (struct shunt_digit d = shunt_digit_first(radices); d.weight < schedule->ranks;
         d = shunt_digit_next(d))
        for (int64_t z = 1; z < d.radix && z * d.weight < schedule->ranks; z++)
            rotated_round(schedule, d, z, direction, source, target);
}
