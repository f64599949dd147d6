/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * radix.c: the radix-r store-and-forward schedule.
 *
 * Idea: block offsets are written in base r; for digit x and value z all blocks with that digit travel z * r^x ranks together. No rotation
 * before or after: an index array tells where a block lies. Values z of one digit concern different blocks, so `batch` of their messages
 * are in flight together; the papers send one after the other.
 * Cost: K = (w-1)(r-1) + ceil(P/r^(w-1)) - 1 messages; each block travels once per non-zero digit of its offset. Waits: K with batch 1, w
 * with batch r-1.
 * Use: small blocks with small r; r near sqrt(P) in between; r = P is a direct exchange.
 * Source (titles in registry.c): Fan and Kumar (uniform), Fan 2025 section 3 (ParLogNa, tight buffer), Fan 2022 (zero rotation; two-phase,
 * r = 2).
 */
#include "schedule/schedule.h"

int64_t shunt_radix_rounds(int64_t ranks, int64_t radix)
{
    int64_t rounds = 0;
    for (int64_t power = 1; power < ranks; power *= radix) {
        const int64_t values = (ranks - 1) / power; /* z with z * power < ranks */
        rounds += values < radix - 1 ? values : radix - 1;
    }
    return rounds;
}

int64_t shunt_radix_slot(int64_t offset, int64_t radix)
{
    int64_t power = 1, digit = 0;
    while (offset / power >= radix) {
        power *= radix;
        digit++;
    }
    return offset - 1 - digit * (radix - 1) - offset / power;
}

static shunt_place slot_place(int64_t offset, int64_t radix, enum shunt_slots slots)
{
    const int64_t slot = slots == SHUNT_SLOTS_TIGHT ? shunt_radix_slot(offset, radix) : offset;
    return SHUNT_PLACE_SLOT | (shunt_place)slot;
}

/* The step of digit value z: blocks of all offsets o with (o / power) % radix == z, ascending. */
static void radix_step(struct shunt_schedule *schedule, int64_t radix, int64_t power, int64_t z, enum shunt_slots slots)
{
    const int64_t P = schedule->ranks, p = schedule->rank;
    shunt_schedule_step(schedule, (int)((p - z * power + P) % P), (int)((p + z * power) % P));
    for (int pass = 0; pass < 2; pass++) {
        for (int64_t base = z * power; base < P; base += power * radix) {
            for (int64_t o = base; o < base + power && o < P; o++) {
                const int home = o / power < radix; /* no digit above x: it arrives from rank p + o */
                /* sent from where it is: if it has not moved yet, it is the own block for rank p - o */
                const shunt_place from = o % power == 0 ? (shunt_place)((p - o + P) % P) : slot_place(o, radix, slots);
                if (pass == 1)
                    shunt_schedule_recv(schedule, home ? (shunt_place)((p + o) % P) : slot_place(o, radix, slots));
                else if (home)
                    shunt_schedule_send_home(schedule, from);
                else
                    shunt_schedule_send(schedule, from);
            }
        }
    }
}

int shunt_schedule_radix(struct shunt_schedule *schedule, int ranks, int rank, int64_t radix, int64_t batch, enum shunt_slots slots)
{
    shunt_schedule_begin(schedule, ranks, rank);
    for (int64_t power = 1; power < ranks; power *= radix) {
        for (int64_t z = 1; z < radix && z * power < ranks; z++) {
            if ((z - 1) % batch == 0)
                shunt_schedule_round(schedule);
            radix_step(schedule, radix, power, z, slots);
        }
    }
    const int64_t tight = ranks - shunt_radix_rounds(ranks, radix) - 1;
    return shunt_schedule_end(schedule, (uint32_t)(slots == SHUNT_SLOTS_TIGHT ? tight : ranks));
}
