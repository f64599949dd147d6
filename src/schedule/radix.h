/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * radix.h: offsets between ranks, written in digits of one radix or of a radix per digit, and the
 * store-and-forward exchanges that go by them. Counts are of ranks, rounds or blocks.
 */
#ifndef SHUNT_SCHEDULE_RADIX_H
#define SHUNT_SCHEDULE_RADIX_H

#include <stdint.h>

#include "schedule/schedule.h"

/*
 * The radix of each digit, lowest digit first. The last one counts for all further digits as well,
 * so one radix is a list of one; radices that no digit needs are never looked at. Each >= 2, count
 * >= 1.
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
/* The lowest digit, and the one above `digit`. An offset below `ranks` has digits as long as weight
 * < ranks. */
struct shunt_digit shunt_digit_first(const struct shunt_radices *radices);
struct shunt_digit shunt_digit_next(struct shunt_digit digit);

/* Which temporary slot an offset uses in the radix-r schedule. */
enum shunt_slots {
    SHUNT_SLOTS_TIGHT, /* Fan 2025, section 3.3: P - K - 1 slots */
    SHUNT_SLOTS_FULL   /* Fan 2022, two-phase Bruck: one slot per offset, P in all */
};

/* The radix of everything that the papers know with radix 2 only. */
extern const struct shunt_radices shunt_radix_two;

/*
 * Zero-rotation radix-r Bruck, ParLogNa, two-phase (r = 2). radix 2..max(2,P). batch: substeps of
 * one digit that share a round, 1 as published. Fan 2022, Fan and Kumar, Fan 2025 section 3.
 */
int shunt_schedule_radix(struct shunt_schedule *schedule, int ranks, int rank,
                         const struct shunt_radices *radices, int64_t batch,
                         enum shunt_slots slots);
/* Number of rounds K of the radix-r schedule among `ranks`: Fan and Kumar. */
int64_t shunt_radix_rounds(int64_t ranks, const struct shunt_radices *radices);
/* Most blocks that one of its rounds sends. */
int64_t shunt_radix_round_blocks(int64_t ranks, const struct shunt_radices *radices, int64_t batch);
/* Blocks that it receives in all digits, or in all but the last, whose blocks are not passed on. */
int64_t shunt_radix_hops(int64_t ranks, const struct shunt_radices *radices, int last);
/* Tight slot of offset o (1..P-1, with more than one digit that is not 0): Fan 2025 section 3.3,
 * corrected. */
int64_t shunt_radix_slot(int64_t offset, const struct shunt_radices *radices);

/* Where a rotated exchange reads the block of offset o before, or writes it after, the rounds of
 * digit d. */
typedef shunt_ref shunt_offset_ref(const struct shunt_schedule *schedule, int64_t o,
                                   struct shunt_digit d);

/*
 * The rounds of an exchange whose blocks lie in places by offset: one round per digit and value,
 * with the blocks of all offsets that have it, ascending. direction: 1, blocks travel to higher
 * ranks, or -1. Fan 2022, section 2.
 */
void shunt_schedule_rotated(struct shunt_schedule *schedule, const struct shunt_radices *radices,
                            int direction, shunt_offset_ref *source, shunt_offset_ref *target);

#endif
