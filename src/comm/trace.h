/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trace.h: what a rank does in a call, told as it happens to a library that is built for a test:
 * tests/mpi/events.sh holds it against what events promise (events/events.h).
 *
 * Without SHUNT_TRACE, as in libshunt.so, nothing is left of the calls, their arguments included:
 * the same instructions as if they were not there. That is why these are macros then: the compiler
 * decides otherwise about inlining where it has removed a call of an empty function.
 */
#ifndef SHUNT_COMM_TRACE_H
#define SHUNT_COMM_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "events/events.h"
#include "pmpi/pmpi.h"

/* Blocks of a bundle that passes through: the bundle does not tell. */
enum { SHUNT_TRACE_UNKNOWN = -1 };

#ifdef SHUNT_TRACE

/* A message that is posted now; `request`: where its request is until it is done. tag: one of
 * SHUNT_TAG_. */
void shunt_trace_message(bool receive, int count, MPI_Datatype type, int peer, int tag,
                         MPI_Request *request);
/* It is done. */
void shunt_trace_done(const MPI_Request *request, const MPI_Status *status);
/* This rank has waited for messages. */
void shunt_trace_waited(void);
/* Blocks copied: one of SHUNT_EVENT_COPY, COPY_IN, COPY_OUT. */
void shunt_trace_copy(enum shunt_event_kind kind, int64_t blocks, int64_t bytes);
/* What has no bytes, or is a block of `peer`: BARRIER (peer -1), AWAIT, READ. */
void shunt_trace_event(enum shunt_event_kind kind, int peer, int64_t bytes);

#else

#define shunt_trace_message(...) ((void)0)
#define shunt_trace_done(...) ((void)0)
#define shunt_trace_waited() ((void)0)
#define shunt_trace_copy(...) ((void)0)
#define shunt_trace_event(...) ((void)0)

#endif

#endif
