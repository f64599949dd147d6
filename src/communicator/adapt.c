/* SPDX-License-Identifier: BSD-3-Clause */
/* adapt.c: when a stretch of native calls begins, how long it is, and when there is another. */
#include "communicator/adapt.h"

/* Routed calls that are timed before times are compared. */
enum { SAMPLES = 3 };

static uint32_t tenths(int64_t nanoseconds)
{
    const int64_t time = nanoseconds / 100;
    return time <= 1 ? 1 : time < UINT32_C(4000000000) ? (uint32_t)time : UINT32_C(4000000000);
}

void shunt_adapt_begin(struct shunt_adapt *adapt, int ranks, bool on, bool empty_alone)
{
    const uint64_t all = (uint64_t)ranks * (uint64_t)ranks,
                   sparse = all / 100 * SHUNT_ADAPT_SPARSE + all % 100 * SHUNT_ADAPT_SPARSE / 100;
    *adapt = (struct shunt_adapt){.on = on,
                                  .empty_alone = empty_alone,
                                  .sparse_blocks = empty_alone ? 0 : sparse,
                                  .next_rest = SHUNT_ADAPT_REST};
}

uint32_t shunt_adapt_say(const struct shunt_adapt *adapt)
{
    return adapt->says == SHUNT_ADAPT_NONE ? 0 : adapt->mine;
}

/* What was known is about other calls. */
static void forget(struct shunt_adapt *adapt)
{
    adapt->routed = adapt->native = adapt->samples = 0;
    adapt->length = adapt->row = 0;
    adapt->timed = false;
}

/* A stretch was in vain. */
static void give_up(struct shunt_adapt *adapt, uint32_t least)
{
    forget(adapt);
    adapt->rest = adapt->next_rest > least ? adapt->next_rest : least;
    adapt->next_rest =
        4 * adapt->rest < SHUNT_ADAPT_REST_MOST ? 4 * adapt->rest : (uint32_t)SHUNT_ADAPT_REST_MOST;
}

static void begin_stretch(struct shunt_adapt *adapt, uint32_t first)
{
    adapt->length = adapt->length == 0                     ? first
                    : 4 * adapt->length < SHUNT_ADAPT_MOST ? 4 * adapt->length
                                                           : (uint32_t)SHUNT_ADAPT_MOST;
    adapt->left = adapt->length;
    adapt->says = SHUNT_ADAPT_NATIVE;
    adapt->timed = false;
    if (adapt->length >= 4 * SHUNT_ADAPT_REST)
        adapt->next_rest = SHUNT_ADAPT_REST; /* it was worth while */
}

static void take_time(struct shunt_adapt *adapt, uint32_t time)
{
    if (time == 0)
        return;
    if (adapt->says == SHUNT_ADAPT_ROUTED) {
        adapt->routed = adapt->routed == 0 || time < adapt->routed ? time : adapt->routed;
        adapt->samples++;
    } else if (adapt->says != SHUNT_ADAPT_NONE) {
        adapt->native = time;
    }
}

static void hear_sparse(struct shunt_adapt *adapt, uint64_t blocks)
{
    adapt->row++;
    if (blocks == 0) {
        if (adapt->length > 0 || adapt->row >= SHUNT_ADAPT_NEEDED)
            begin_stretch(adapt, SHUNT_ADAPT_EMPTY);
    } else if (adapt->length > 0 && adapt->routed == 0) {
        forget(adapt); /* calls were empty so far: what routing takes is not known */
    } else if (adapt->row <= SAMPLES && adapt->samples < SAMPLES) {
        adapt->timed = true;
    } else if (adapt->row > SHUNT_ADAPT_NEEDED) {
        if (adapt->native > 0 && adapt->routed > 0 && adapt->native > adapt->routed)
            give_up(adapt, SHUNT_ADAPT_REST_SLOW);
        else
            begin_stretch(adapt, SHUNT_ADAPT_TRIAL);
    }
}

void shunt_adapt_learn(struct shunt_adapt *adapt, const struct shunt_agreement *all)
{
    const bool sparse = all->blocks <= adapt->sparse_blocks, was_timed = adapt->timed;
    take_time(adapt, all->time);
    adapt->says = was_timed ? SHUNT_ADAPT_ROUTED : SHUNT_ADAPT_NONE;
    adapt->timed = false;
    if (adapt->rest > 0)
        adapt->rest--;
    else if (!sparse && adapt->length > 0)
        give_up(adapt, SHUNT_ADAPT_REST);
    else if (sparse)
        hear_sparse(adapt, all->blocks);
    else
        forget(adapt);
    adapt->busy = adapt->rest > 0 || adapt->says != SHUNT_ADAPT_NONE || adapt->timed ||
                  adapt->native > 0 || adapt->row > 0;
}

void shunt_adapt_took(struct shunt_adapt *adapt, int64_t nanoseconds)
{
    adapt->mine = tenths(nanoseconds);
}

void shunt_adapt_passed(struct shunt_adapt *adapt, uint32_t calls)
{
    adapt->left -= calls;
}

void shunt_adapt_passed_in(struct shunt_adapt *adapt, int64_t nanoseconds)
{
    if (adapt->left == SHUNT_ADAPT_TIMED - 1)
        adapt->mine = 0; /* what was there is of the call before the stretch */
    adapt->mine += tenths(nanoseconds) / SHUNT_ADAPT_TIMED + 1;
}
