/* SPDX-License-Identifier: BSD-3-Clause */
/* seats.c: see seats.h. */
#include "process/seats.h"

#include <stdlib.h>

static int by_system_then_processor(const void *left, const void *right)
{
    const struct shunt_seat *a = left, *b = right;
    if (a->system != b->system)
        return a->system < b->system ? -1 : 1;
    return (a->processor > b->processor) - (a->processor < b->processor);
}

/* The seats of one system, in the order of their processors. */
static bool is_crowded(const struct shunt_seat *seats, int count)
{
    int processors = 0, bound = 0, told = 0, online = 0;
    for (int i = 0; i < count; i++) {
        if (i > 0 && seats[i].processor != seats[i - 1].processor) {
            processors += bound;
            bound = 0;
        }
        bound = seats[i].processors > bound ? seats[i].processors : bound;
        told = seats[i].ranks_here > told ? seats[i].ranks_here : told;
        online = seats[i].online > online ? seats[i].online : online;
    }
    processors += bound;
    return count > processors || (told > count && told > online);
}

bool shunt_seats_crowded(struct shunt_seat *seats, int count)
{
    bool crowded = false;
    qsort(seats, (size_t)count, sizeof *seats, by_system_then_processor);
    for (int first = 0, next; first < count && !crowded; first = next) {
        next = first + 1;
        while (next < count && seats[next].system == seats[first].system)
            next++;
        crowded = is_crowded(seats + first, next - first);
    }
    return crowded;
}
