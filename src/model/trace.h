/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trace.h: when each event of a call is done: the run behind a prediction, event by event.
 *
 * Times are seconds since all ranks began. A message is sent when its sender's processor has handed
 * it over, and received when it is in its receiver's memory, which is no later than the end of the
 * round there; anything else is done when the rank goes on to what comes behind it.
 */
#ifndef SHUNT_MODEL_TRACE_H
#define SHUNT_MODEL_TRACE_H

#include "model/cost.h"

struct shunt_trace {
    double time;   /* until the last rank is done: that of shunt_cost */
    int ranks;     /* P */
    size_t *first; /* array of P + 1: where the events of a rank begin */
    double *done;  /* of events, in the order of events.h */
};

/* Runs every rank, for every one has events of its own; the row has a schedule. Release in any
 * case. */
enum shunt_cost_result shunt_trace_make(struct shunt_trace *trace,
                                        const struct shunt_cost_call *call);
void shunt_trace_clear(struct shunt_trace *trace);

#endif
