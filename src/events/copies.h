/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * copies.h: the bytes of copies where blocks have sizes of their own: of which blocks a copy
 * is, follows from where it stands among the events. For sizes.c.
 */
#ifndef SHUNT_EVENTS_COPIES_H
#define SHUNT_EVENTS_COPIES_H

#include "events/sizes.h"

struct shunt_event_copies {
    const struct shunt_event_call *call;
    const struct shunt_event_sizes *sizes;
    const struct shunt_events *events; /* as shunt_events_build made them */
    int rank;
    uint32_t sends;     /* steps with blocks to send that have been seen, as an index */
    uint32_t copies;    /* SHUNT_EVENT_COPY that have been seen */
    uint32_t copies_in; /* and SHUNT_EVENT_COPY_IN */
};

/* Bytes of the copy at this place; not of bundles, nor of padded blocks. */
int64_t shunt_event_copies_bytes(const struct shunt_event_copies *copies, size_t at);

#endif
