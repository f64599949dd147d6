/* SPDX-License-Identifier: BSD-3-Clause */
/* seats.h: whether ranks have a processor each, from what all of them told. No MPI. */
#ifndef SHUNT_PROCESS_SEATS_H
#define SHUNT_PROCESS_SEATS_H

#include <stdbool.h>
#include <stdint.h>

/* Where a rank runs. */
struct shunt_seat {
    uint64_t system;    /* that has these processors, whatever host names its processes see */
    int32_t ranks_here; /* on the node, as far as the launcher told; 0: it did not */
    int32_t online;     /* processors of the system */
    int16_t processors,
        processor; /* number of processors that the process may use, and the first of them */
};

/*
 * Whether some system has more ranks than processors that they may use. Ranks are bound to the same
 * processors, or to others altogether: to which ones, the first tells. Where the launcher started
 * more ranks than these are, nobody knows to which processors the others are bound, so all count.
 * Changes the order of the seats, which does not matter: equal on all ranks that have the same.
 */
bool shunt_seats_crowded(struct shunt_seat *seats, int count);

#endif
