/* SPDX-License-Identifier: BSD-3-Clause */
/* effort.h: what one rank does in one call, counted from its events: for `shunt explain` and
 * `shunt schedule`, which tell the same. */
#ifndef SHUNT_TOOLS_EFFORT_H
#define SHUNT_TOOLS_EFFORT_H

#include "events/events.h"
#include "log/json.h"
#include "route/route.h"

struct shunt_effort {
    bool counted; /* false: the MPI library's own schedule */
    uint32_t rounds;
    uint64_t messages;  /* sent, those with lengths alone included */
    uint64_t agreement; /* messages sent before the blocks, to agree about sizes */
    uint64_t blocks;    /* sent, forwarded ones included */
    int64_t bytes;      /* in these messages; -1: not known */
    uint64_t copied;    /* blocks copied in memory, shared or not */
    uint64_t read;      /* blocks read from a neighbour's memory */
    uint64_t barriers;  /* of the node */
};

/* Whether the ranks agree about sizes in a call with this decision of the map. */
bool shunt_effort_agrees(enum shunt_op op, const struct shunt_map *map,
                         const struct shunt_decision *decision);

/* Adds up the events of one rank. */
struct shunt_effort shunt_effort_sum(const struct shunt_events *events);

/* The same of a call that is not built yet. False when memory is short. */
bool shunt_effort_count(struct shunt_effort *effort, const struct shunt_event_call *call, int rank);

/* The members of a JSON object; bytes that are not known are left out. */
void shunt_effort_json(const struct shunt_effort *effort, struct shunt_json *json);

/* Two lines for people, the first behind `label`. */
void shunt_effort_print(const struct shunt_effort *effort, int rank, const char *label);

#endif
