/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * carried.h: which blocks every message of a call carries, found by running the schedules of all
 * ranks against each other.
 *
 * Where nodes exchange bundles (kind SEGMENT) members are nodes and blocks are bundles, otherwise
 * ranks and their blocks. Not for SHUNT_KIND_READ, whose messages are never sent.
 */
#ifndef SHUNT_EVENTS_CARRIED_H
#define SHUNT_EVENTS_CARRIED_H

#include "algorithms/algorithm.h"

struct shunt_carried {
    int members;
    struct shunt_carried_member *member; /* array of members, private but for what is below */
};

struct shunt_carried_member {
    struct shunt_schedule schedule;
    int64_t *block;   /* at the index of every sending ref: source * members + destination */
    uint32_t *sender; /* per step with blocks to receive: the step of `recv_from` that sends them */
    /* Only while the schedules run: blocks in slots, then in stores; the next step to the same
     * member; steps whose sends are out; the round. */
    int64_t *place;
    uint32_t *next;
    uint32_t posted, round;
};

/* Returns 0, or -1 when memory is short. Release with shunt_carried_clear in any case. */
int shunt_carried_build(struct shunt_carried *carried, const struct shunt_algorithm *algorithm,
                        const struct shunt_layout *layout, const struct shunt_params *params);
void shunt_carried_clear(struct shunt_carried *carried);

#endif
