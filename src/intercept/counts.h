/* SPDX-License-Identifier: BSD-3-Clause */
/* counts.h: what the arguments of a call say: to other ranks, before an exchange, and about it. */
#ifndef SHUNT_INTERCEPT_COUNTS_H
#define SHUNT_INTERCEPT_COUNTS_H

#include "execute/exchange.h"
#include "intercept/record.h"
#include "shm/agreement.h"

/* Whether a buffer is in the memory of a device. */
bool shunt_counts_on_device(const struct shunt_exchange *x);

/* Whether the library refuses this call for this rank's own arguments: to be asked before anything
 * is begun with the others or counted. Sets x->type_error. */
bool shunt_counts_refused(struct shunt_exchange *x);

/* What this rank has to say before an Alltoallv that the library does not refuse. */
struct shunt_agreement shunt_counts_say(struct shunt_exchange *x);

/* Why all ranks take the library's way, for one of them has said so. */
const char *shunt_counts_why_native(const struct shunt_agreement *values);

/* Judges what all ranks said: NULL, or why the call is native. */
const char *shunt_counts_judge(struct shunt_exchange *x, const struct shunt_agreement *values,
                               struct shunt_outcome *outcome);

/* The decision by agreed values alone. Maps of one part, as most are, need no density. */
static inline __attribute__((always_inline)) const struct shunt_decision *
shunt_counts_decide(const struct shunt_exchange *x, int64_t largest, uint64_t blocks)
{
    const struct shunt_map *map = &x->comm->map[x->op];
    if (map->sparser)
        map = shunt_map_part(map, shunt_density(blocks, x->comm->size));
    return shunt_map_find(map, largest);
}

/* Whether a call came to nothing because of its arguments, on this rank alone: the others wait
 * until it comes with better ones. */
bool shunt_counts_rejected(int status);

/* Whether the library will reject this call: then the other ranks may be elsewhere, and begin other
 * collectives before they come here. So nothing is begun with them, but with the call that this
 * rank makes together with them. */
bool shunt_counts_come_to_nothing(struct shunt_exchange *x);

#endif
