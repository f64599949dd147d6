/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * adapt.h: stretches of calls of MPI_Alltoallv that are native without an agreement.
 *
 * An agreement costs more than a native call in which most ranks have nothing to send, for native
 * lets a rank go on that has nothing to wait for. So where some calls in a row were sparse, the
 * next ones are native and nobody asks; then one call looks again. Stretches grow while what is
 * looked at stays sparse and native is no slower.
 *
 * Every rank has the same state at the same call, for it follows from agreed values and from how
 * many calls there were. Times are such values too: each rank says how long its last call took
 * that was to be timed, and the longest is what all hear. No MPI, no clock.
 */
#ifndef SHUNT_COMMUNICATOR_ADAPT_H
#define SHUNT_COMMUNICATOR_ADAPT_H

#include <stdbool.h>
#include <stdint.h>

#include "communicator/agreement.h"

enum {
    SHUNT_ADAPT_NEEDED = 4, /* sparse calls in a row before the first stretch */
    SHUNT_ADAPT_TRIAL = 4, /* calls of the first stretch; each further one has four times as many */
    SHUNT_ADAPT_EMPTY = 16,  /* likewise where nothing at all was sent: native cannot be slower */
    SHUNT_ADAPT_MOST = 4096, /* so few that a program which has changed is noticed */
    SHUNT_ADAPT_TIMED = 2,   /* calls at the end of a stretch that are timed */
    SHUNT_ADAPT_SPARSE = 25, /* percent of blocks that are not empty, at most */
    /* Agreed calls before another try, where one was in vain; four times as many each time. */
    SHUNT_ADAPT_REST = 64,
    SHUNT_ADAPT_REST_SLOW = 1024, /* because native was slower */
    SHUNT_ADAPT_REST_MOST = 65536
};

/* Times are in tenths of microseconds; 0: nothing to say. */
enum shunt_adapt_time { SHUNT_ADAPT_NONE, SHUNT_ADAPT_ROUTED, SHUNT_ADAPT_NATIVE };

struct shunt_adapt {
    /* The same on all ranks: */
    bool on;
    bool empty_alone; /* calls that send anything are for others to judge */
    bool busy;        /* at the moment all calls are */
    bool timed;       /* the next agreed call is to be timed */
    uint32_t left;    /* calls of the stretch still to come */
    uint32_t length;  /* of the last stretch; 0: none */
    uint32_t row;     /* sparse calls in a row */
    uint32_t samples; /* routed calls whose time is known */
    uint32_t rest;    /* agreed calls before the next try */
    uint32_t next_rest;
    uint32_t routed, native;    /* the least, and the last, of the longest times; 0: not known */
    uint64_t sparse_blocks;     /* calls with at most so many blocks are sparse */
    enum shunt_adapt_time says; /* what the next agreement tells the time of */
    /* Of this rank: */
    uint32_t mine; /* time to say */
};

/* `on`: ranks may do without the agreement; empty_alone: only where nothing at all is sent. The
 * state begins anew. */
void shunt_adapt_begin(struct shunt_adapt *adapt, int ranks, bool on, bool empty_alone);
/* What this rank says in the agreement of a call. */
uint32_t shunt_adapt_say(const struct shunt_adapt *adapt);
/* What all ranks together said; perhaps a stretch begins with the next call. Slow, and needed only
 * for some calls: */
void shunt_adapt_learn(struct shunt_adapt *adapt, const struct shunt_agreement *all);
static inline void shunt_adapt_hear(struct shunt_adapt *adapt, const struct shunt_agreement *all)
{
    if (adapt->on && (adapt->busy || all->blocks <= adapt->sparse_blocks))
        shunt_adapt_learn(adapt, all);
}
/* This rank's time of an agreed call that was to be timed when it began. */
void shunt_adapt_took(struct shunt_adapt *adapt, int64_t nanoseconds);

/* Calls of the stretch count. */
void shunt_adapt_passed(struct shunt_adapt *adapt, uint32_t calls);
/* One of the last SHUNT_ADAPT_TIMED, which counts already, took so long. */
void shunt_adapt_passed_in(struct shunt_adapt *adapt, int64_t nanoseconds);

#endif
