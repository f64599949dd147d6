/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clocks.c: what the clocks of the ranks differ by.
 *
 * Ranks of one node have the same CLOCK_MONOTONIC. The first rank of each other node sends some
 * messages to rank 0, which answers each with the time that it has then: that belongs to the middle
 * of the shortest journey there and back, give or take half of it (Cristian 1989). Rank 0 answers
 * one node after the other; until it comes to this one, journeys only take longer. The first rank
 * of a node then tells the others there. What CLOCK_MONOTONIC means on rank 0 all know from its
 * settings.
 */
#include "communicator/clocks.h"

#include "communicator/errors.h"
#include "communicator/wait.h"
#include "log/clock.h"
#include "log/log.h"

enum { ROUNDS = 10 };

/* Rank 0 did not hear the question. */
#define NO_TIME INT64_MIN

/* Nanoseconds to be added to CLOCK_MONOTONIC here for rank 0's, and by how many that may be wrong.
 */
struct difference {
    int64_t offset, uncertainty;
    int64_t known; /* 0: the library failed */
};

static int pass(struct shunt_comm *comm, const struct shunt_context *context, bool receive,
                void *bytes, size_t count, int peer)
{
    MPI_Request request;
    const int status =
        receive ? SHUNT_TWICE(shunt_pmpi.Irecv(bytes, (int)count, MPI_BYTE, peer, SHUNT_TAG_CLOCK,
                                               context->comm, &request))
                : SHUNT_TWICE(shunt_pmpi.Isend(bytes, (int)count, MPI_BYTE, peer, SHUNT_TAG_CLOCK,
                                               context->comm, &request));
    return status == MPI_SUCCESS ? shunt_wait_all(comm, 1, &request, &peer, NULL) : status;
}

/* Rank 0, for the first rank of another node. All rounds are made whatever fails in them: the other
 * side may have seen no failure, and would wait. */
static void answer(struct shunt_comm *comm, const struct shunt_context *context, int peer)
{
    for (int i = 0; i < ROUNDS; i++) {
        int64_t now = 0;
        const int received = pass(comm, context, true, &now, sizeof now, peer);
        now = received == MPI_SUCCESS ? shunt_log_clock_now() : NO_TIME;
        (void)pass(comm, context, false, &now, sizeof now, peer);
    }
}

/* The first rank of another node. */
static struct difference ask(struct shunt_comm *comm, const struct shunt_context *context)
{
    struct difference difference = {.uncertainty = INT64_MAX};
    for (int i = 0; i < ROUNDS; i++) {
        int64_t there = 0;
        const int64_t begin = shunt_log_clock_now();
        const int sent = pass(comm, context, false, &there, sizeof there, 0);
        const int received = pass(comm, context, true, &there, sizeof there, 0);
        const int64_t half = (shunt_log_clock_now() - begin + 1) / 2;
        if (sent == MPI_SUCCESS && received == MPI_SUCCESS && there != NO_TIME &&
            half < difference.uncertainty)
            difference = (struct difference){there - begin - half, half, 1};
    }
    return difference;
}

/* The first rank of a node to the others there. */
static void pass_on(struct shunt_comm *comm, const struct shunt_context *context,
                    struct difference *difference)
{
    const int first = context->first_of[context->rank];
    if (first != context->rank) {
        if (pass(comm, context, true, difference, sizeof *difference, first) != MPI_SUCCESS)
            difference->known = 0;
        return;
    }
    for (int p = first + 1; p < context->size; p++)
        if (context->first_of[p] == first)
            (void)pass(comm, context, false, difference, sizeof *difference, p);
}

void shunt_context_compare_clocks(struct shunt_comm *comm, const struct shunt_context *context)
{
    const int first = context->first_of[context->rank];
    struct difference difference = {.known = 1};
    if (first != 0) {
        if (first == context->rank)
            difference = ask(comm, context);
        pass_on(comm, context, &difference);
    }
    for (int p = 1; context->rank == 0 && p < context->size; p++)
        if (context->first_of[p] == p)
            answer(comm, context, p);
    const int64_t own = shunt_log_clock_base();
    if (difference.known && own != 0 && context->agreed.clock_base != 0)
        shunt_log_clock(context->agreed.clock_base + difference.offset - own,
                        difference.uncertainty);
}
