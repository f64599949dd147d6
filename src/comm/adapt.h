/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * adapt.h: stretches of calls of MPI_Alltoallv that are native without an agreement.
 *
 * An agreement costs more than a native call in which ranks have next to nothing to send: none at
 * all, from one rank to the others, from each to one. So where some calls in a row had no more
 * blocks than there are ranks, the next ones are native and nobody asks; then one call looks again.
 * Stretches grow while what is looked at stays so.
 *
 * Every rank has the same state at the same call, for it follows from agreed values and from how
 * many calls there were. No MPI, no clock.
 */
#ifndef SHUNT_COMM_ADAPT_H
#define SHUNT_COMM_ADAPT_H

#include <stdbool.h>
#include <stdint.h>

enum {
    SHUNT_ADAPT_NEEDED = 4, /* sparse calls in a row before the first stretch */
    SHUNT_ADAPT_FIRST =
        16, /* calls of the first stretch; each further one has four times as many */
    SHUNT_ADAPT_MOST = 4096, /* so few that a program which has changed is noticed */
    /* Agreed calls before another try, where one was in vain; four times as many each time. */
    SHUNT_ADAPT_REST = 64,
    SHUNT_ADAPT_REST_MOST = 65536
};

struct shunt_adapt {
    bool on;
    uint64_t most;   /* calls with at most so many blocks that are not empty are sparse */
    uint32_t left;   /* calls of the stretch still to come */
    uint32_t length; /* of the last stretch; 0: none */
    uint32_t row;    /* sparse calls in a row */
    uint32_t rest;   /* agreed calls before the next try */
    uint32_t next_rest;
};

/* `on`: ranks may do without the agreement, after calls of at most so many blocks. */
void shunt_adapt_begin(struct shunt_adapt *adapt, bool on, uint64_t most);

/* So many blocks all ranks together had to send; perhaps a stretch begins with the next call. */
void shunt_adapt_learn(struct shunt_adapt *adapt, uint64_t blocks);
static inline void shunt_adapt_hear(struct shunt_adapt *adapt, uint64_t blocks)
{
    if (adapt->on && (blocks <= adapt->most || adapt->row > 0 || adapt->rest > 0))
        shunt_adapt_learn(adapt, blocks);
}

#endif
