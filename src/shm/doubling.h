/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * doubling.h: recursive doubling: whom a member meets, in which order, for any number of members.
 * No MPI.
 *
 * In the round of each bit, members whose indices differ in that bit exchange what they know.
 * Members beyond the largest power of two tell a partner below what they have before the first
 * round, and hear the result from it after the last: floor(log2 count) rounds, and two more where
 * the count is no power of two.
 */
#ifndef SHUNT_SHM_DOUBLING_H
#define SHUNT_SHM_DOUBLING_H

#include <stdbool.h>

struct shunt_doubling {
    int index, count;
    int power; /* the largest power of two up to count */
    int next;  /* bit of the next round; 0: before the first; power and more: after the last */
};

/* What is received is added to what the member knows, or is the result and replaces it. */
struct shunt_meeting {
    int partner; /* index */
    bool sends, receives, result;
};

static inline struct shunt_doubling shunt_doubling_begin(int index, int count)
{
    int power = 1;
    while (power <= count / 2)
        power *= 2;
    return (struct shunt_doubling){.index = index, .count = count, .power = power, .next = 0};
}

/* A member beyond the power of two: gives first, gets last. */
static inline bool shunt_doubling_outside(struct shunt_doubling *doubling,
                                          struct shunt_meeting *meeting)
{
    const bool gives = doubling->next == 0;
    if (doubling->next > 1)
        return false;
    doubling->next++;
    *meeting = (struct shunt_meeting){.partner = doubling->index - doubling->power,
                                      .sends = gives,
                                      .receives = !gives,
                                      .result = !gives};
    return true;
}

/* The next meeting of the member; false: it had all. */
static inline bool shunt_doubling_next(struct shunt_doubling *doubling,
                                       struct shunt_meeting *meeting)
{
    const int outside = doubling->index + doubling->power;
    if (doubling->index >= doubling->power)
        return shunt_doubling_outside(doubling, meeting);
    if (doubling->next == 0) {
        doubling->next = 1;
        *meeting = (struct shunt_meeting){.partner = outside, .receives = true};
        if (outside < doubling->count)
            return true;
    }
    if (doubling->next < doubling->power) {
        *meeting = (struct shunt_meeting){
            .partner = doubling->index ^ doubling->next, .sends = true, .receives = true};
        doubling->next *= 2;
        return true;
    }
    *meeting = (struct shunt_meeting){.partner = outside, .sends = true};
    return doubling->next++ == doubling->power && outside < doubling->count;
}

#endif
