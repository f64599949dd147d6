/* SPDX-License-Identifier: BSD-3-Clause */
/* wait.h: waiting for messages: with progress, watchdog and, where ranks share
 * processors, yielding. */
#ifndef SHUNT_COMM_WAIT_H
#define SHUNT_COMM_WAIT_H

#include "comm/comm.h"

/* Charges the time that has passed to the phase that ends. */
void shunt_stopwatch_turn(struct shunt_stopwatch *watch, enum shunt_phase next);

static inline void shunt_phase(const struct shunt_comm *comm, enum shunt_phase next)
{
    if (__builtin_expect(!!comm->diag.stopwatch, 0))
        shunt_stopwatch_turn(comm->diag.stopwatch, next);
}

/*
 * Completes `count` requests (array; entries of MPI_REQUEST_NULL are fine). peers: array of partner
 * ranks for messages, or NULL. full: array that is true for receives of messages that are never
 * empty, or NULL: one that is empty all the same tells that its sender has failed, and its error is
 * MPI_ERR_OTHER. Returns MPI_SUCCESS or the error of the first request that has one; all are
 * complete either way.
 */
int shunt_wait_all(struct shunt_comm *comm, int count, MPI_Request *requests, const int *peers,
                   const bool *full);

/* A rank that waits for others to come to a set-up gives up after so many times SHUNT_WATCHDOG. */
enum { SHUNT_COMM_PATIENCE = 20 };

/* The watchdog: says once, after the time of SHUNT_WATCHDOG, what a rank waits for. Looks at the
 * clock at every call. Without a log few ranks do. */
void shunt_watch_look(struct shunt_comm *comm, struct shunt_watch *watch, int peer);

#endif
