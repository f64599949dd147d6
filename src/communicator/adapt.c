/* SPDX-License-Identifier: BSD-3-Clause */
/* adapt.c: when a stretch of native calls begins, how long it is, and when there is another. */
#include "communicator/adapt.h"

/* Routed calls that are timed before times are compared. Those of dense calls come after some that
 * make plans and memory ready. */
enum { SAMPLES = 3, SKIPPED = 2 };

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
                                  .busy = on,
                                  .sparse_blocks = empty_alone ? 0 : sparse,
                                  .next_rest = SHUNT_ADAPT_REST,
                                  .says = SHUNT_ADAPT_BEFORE,
                                  .mine = adapt->mine,
                                  .before = adapt->before};
}

void shunt_adapt_note(struct shunt_adapt *adapt, uint64_t bytes, int64_t nanoseconds)
{
    adapt->mine = tenths(nanoseconds);
    adapt->before = bytes;
}

uint32_t shunt_adapt_say(const struct shunt_adapt *adapt, uint64_t bytes)
{
    if (adapt->says == SHUNT_ADAPT_NONE)
        return 0;
    if (adapt->says == SHUNT_ADAPT_BEFORE && (adapt->mine == 0 || adapt->before != bytes))
        return SHUNT_ADAPT_UNLIKE;
    return adapt->mine;
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

static void begin_stretch(struct shunt_adapt *adapt, bool slower, uint32_t first)
{
    adapt->slower = slower;
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
        adapt->native = time == SHUNT_ADAPT_UNLIKE ? 0 : time;
    }
}

static void hear_sparse(struct shunt_adapt *adapt, uint64_t blocks)
{
    adapt->row++;
    if (blocks == 0) {
        if (adapt->length > 0 || adapt->row >= SHUNT_ADAPT_NEEDED)
            begin_stretch(adapt, false, SHUNT_ADAPT_EMPTY);
    } else if (adapt->length > 0 && adapt->routed == 0) {
        forget(adapt); /* calls were empty so far: what routing takes is not known */
    } else if (adapt->row <= SAMPLES && adapt->samples < SAMPLES) {
        adapt->timed = true;
    } else if (adapt->row > SHUNT_ADAPT_NEEDED) {
        if (adapt->native > 0 && adapt->routed > 0 && adapt->native > adapt->routed)
            give_up(adapt, SHUNT_ADAPT_REST_SLOW);
        else
            begin_stretch(adapt, false, SHUNT_ADAPT_TRIAL);
    }
}

/* Native is known from before set-up, or from a stretch. A quarter more is no accident, and a tenth
 * is not worth a change. */
static void hear_dense(struct shunt_adapt *adapt)
{
    const uint64_t routed = adapt->routed, native = adapt->native;
    adapt->row++;
    if (native == 0 || adapt->row <= SKIPPED)
        return;
    if (adapt->samples < SAMPLES && adapt->row <= SKIPPED + SAMPLES) {
        adapt->timed = true;
    } else if (adapt->samples >= SAMPLES) {
        if (adapt->length > 0 ? 10 * routed > 11 * native : 4 * routed > 5 * native)
            begin_stretch(adapt, true, SHUNT_ADAPT_TRIAL);
        else
            forget(adapt); /* routed for good, as far as dense calls are concerned */
    }
}

static int digits(uint64_t number)
{
    int count = 0;
    for (; number > 0; number >>= 1)
        count++;
    return count;
}

/* Whether times of these calls say nothing about those before. */
static bool differs(const struct shunt_adapt *adapt, int scale)
{
    return adapt->row > 0 && (scale < adapt->scale - 1 || scale > adapt->scale + 1);
}

void shunt_adapt_learn(struct shunt_adapt *adapt, const struct shunt_agreement *all)
{
    const bool sparse = all->blocks <= adapt->sparse_blocks, was_timed = adapt->timed;
    const bool looked = adapt->length > 0, slower = adapt->slower;
    const int scale = digits(all->total);
    take_time(adapt, all->time);
    adapt->says = was_timed ? SHUNT_ADAPT_ROUTED : SHUNT_ADAPT_NONE;
    adapt->timed = false;
    if (adapt->rest > 0) {
        adapt->rest--;
    } else if (looked && (slower == sparse || (slower && differs(adapt, scale)))) {
        give_up(adapt, SHUNT_ADAPT_REST);
    } else {
        if (!looked && adapt->row > 0 &&
            (sparse == adapt->slower || (!sparse && differs(adapt, scale))))
            forget(adapt);
        adapt->scale = adapt->row == 0 ? scale : adapt->scale;
        adapt->slower = !sparse;
        if (sparse)
            hear_sparse(adapt, all->blocks);
        else if (adapt->empty_alone)
            forget(adapt);
        else
            hear_dense(adapt);
    }
    adapt->busy = adapt->rest > 0 || adapt->says != SHUNT_ADAPT_NONE || adapt->timed ||
                  adapt->native > 0 || (adapt->row > 0 && !adapt->slower);
}

void shunt_adapt_took(struct shunt_adapt *adapt, int64_t nanoseconds)
{
    adapt->mine = tenths(nanoseconds);
}

void shunt_adapt_passed(struct shunt_adapt *adapt, uint32_t calls)
{
    adapt->left -= calls;
}

void shunt_adapt_passed_timed(struct shunt_adapt *adapt, int64_t nanoseconds)
{
    if (adapt->left == SHUNT_ADAPT_TIMED)
        adapt->mine = 0; /* what was there is of the call before the stretch */
    adapt->left--;
    adapt->mine += tenths(nanoseconds) / SHUNT_ADAPT_TIMED + 1;
}

const char *shunt_adapt_reason(const struct shunt_adapt *adapt)
{
    return adapt->slower ? "native was faster when the ranks last agreed"
                         : "most blocks were empty when the ranks last agreed";
}
