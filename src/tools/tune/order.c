/* SPDX-License-Identifier: BSD-3-Clause */
/* order.c: what a team measures, and how. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "tools/measure/loop.h"
#include "tools/measure/program.h"
#include "tools/tune/halving.h"
#include "tools/tune/team.h"

/* However much longer than native a first call takes, up to so much it is no reason to give up. */
static const double SLACK = 5e-3;
enum { LOOKS = 3 };

/* What is carried out. */
struct course {
    struct tune_team *team;
    const struct tune_order *order;
    struct measure_loop loop;
    int calls[TUNE_MODE_COUNT]; /* that make a sample */
};

/* Seconds of calls back to back, after a barrier: of all together. */
static double call(struct tune_team *team, const struct tune_member *member, int c, int calls)
{
    return measure_candidate_time(&member->candidate, &team->cases[c], calls);
}

/* The first call makes plans, connects ranks and touches pages; every byte of it is looked at. */
static bool call_first(struct tune_team *team, struct tune_member *member, int c)
{
    struct measure_result result = {.candidate = &member->candidate};
    measure_case_poison(&team->cases[c]);
    (void)call(team, member, c, 1);
    int good[] = {measure_case_right(&team->cases[c]),
                  member->native || measure_candidate_runs(&team->cases[c], &result)};
    measure_must(PMPI_Allreduce(MPI_IN_PLACE, good, 2, MPI_INT, MPI_MIN, team->world.comm),
                 "MPI_Allreduce");
    if (!good[0] && team->world.rank == 0)
        fprintf(stderr, "shunt tune: %s delivers wrong bytes here and is left out: report this\n",
                member->text);
    team->wrong |= !good[0];
    return good[0] && good[1];
}

/* Seconds, the most of any rank; on all ranks alike. */
struct look {
    double calls; /* one in each case */
    double all;   /* with the barriers before them */
};

/* A second call in all cases. */
static struct look warm_up(struct tune_team *team, struct tune_member *member)
{
    double seconds[2] = {0};
    for (int c = 0; c < team->case_count && member->fresh && !member->failed; c++)
        member->failed = !call_first(team, member, c);
    member->fresh = false;
    const double begin = shunt_clock();
    for (int c = 0; c < team->case_count && !member->failed; c++)
        seconds[0] += call(team, member, c, 1);
    seconds[1] = shunt_clock() - begin;
    measure_most(team->world.comm, seconds, 2);
    return (struct look){.calls = seconds[0], .all = seconds[1]};
}

/* A call that takes too long may be an accident, but not each time. */
static bool is_hopeless(struct tune_team *team, struct tune_member *member, double limit)
{
    for (int i = 0; i < LOOKS; i++)
        if (warm_up(team, member).calls <= limit)
            return false;
    return true;
}

/* Tells how many calls make a sample, by mode. A single call of a new candidate is a noisy measure,
 * so hopeless means twice as much here. A table that is measured again is measured however it is.
 */
static void warm_up_all(struct tune_team *team, int stage, int *calls)
{
    const double hopeless = stage < TUNE_STAGE_VALIDATE ? 2 * TUNE_HOPELESS : INFINITY;
    struct look native = {INFINITY, INFINITY};
    for (int i = 0; i < LOOKS; i++) { /* or one accident makes all samples of this batch short */
        const struct look look = warm_up(team, team->members[0]);
        native = (struct look){fmin(native.calls, look.calls), fmin(native.all, look.all)};
    }
    for (int k = 1; k < team->member_count; k++)
        if (team->members[k]->fresh &&
            is_hopeless(team, team->members[k], hopeless * native.calls + SLACK))
            team->members[k]->failed = true;
    calls[TUNE_MODE_ROW] = tune_mode_calls(TUNE_MODE_ROW, native.calls / team->case_count);
    calls[TUNE_MODE_SINGLE] = tune_mode_calls(TUNE_MODE_SINGLE, native.all / team->case_count);
}

/* The times of a member in each distribution: of the row, and of each single call. */
static void time_member(void *context, int index, double *times)
{
    const struct course *course = context;
    struct tune_team *team = course->team;
    const struct tune_member *member = team->members[index];
    for (int c = 0; c < team->case_count; c++) {
        *times++ = member->failed ? INFINITY : call(team, member, c, course->calls[TUNE_MODE_ROW]);
        for (int i = 0; i < course->calls[TUNE_MODE_SINGLE]; i++)
            *times++ = member->failed ? INFINITY : call(team, member, c, 1);
    }
}

/* Seconds of a call, in each mode. */
static void add_up(const double *times, const int *calls, double *seconds)
{
    double singles = 0;
    for (int i = 1; i <= calls[TUNE_MODE_SINGLE]; i++)
        singles += times[i];
    seconds[TUNE_MODE_ROW] = times[0] / calls[TUNE_MODE_ROW];
    seconds[TUNE_MODE_SINGLE] = singles / calls[TUNE_MODE_SINGLE];
}

/* seconds: array by member, distribution and mode; times: room for all of one rank. */
static void measure_once(struct course *course, int repetition, double *times, double *seconds)
{
    const struct tune_team *team = course->team;
    const struct tune_order *order = course->order;
    const int each = 1 + course->calls[TUNE_MODE_SINGLE],
              all = team->member_count * team->case_count;
    for (int k = 0; k < course->loop.count; k++)
        course->loop.order[k] = k;
    measure_loop_shuffle(&course->loop,
                         team->world.seed ^ (uint64_t)order->block << 8 ^ (uint64_t)order->op,
                         (uint64_t)order->stage << 32 | (uint32_t)repetition);
    measure_loop_turn(&course->loop, times, (ptrdiff_t)each * team->case_count);
    measure_most(team->world.comm, times, (size_t)each * (size_t)all);
    for (int i = 0; i < all; i++)
        add_up(times + (ptrdiff_t)each * i, course->calls,
               seconds + (ptrdiff_t)TUNE_MODE_COUNT * i);
}

struct tune_key tune_order_key(const struct tune_team *team, const struct tune_order *order)
{
    return (struct tune_key){(enum shunt_op)order->op, team->place, order->block, order->stage};
}

/* Rank 0: a repetition into memory and into the file. */
static void keep(struct tune_team *team, const struct tune_order *order,
                 const struct tune_batch *batch, int repetition, const double *seconds,
                 struct tune_samples *samples)
{
    const struct tune_key key = tune_order_key(team, order);
    for (int k = 0; k < samples->count; k++)
        for (int c = 0; c < samples->cases; c++)
            tune_samples_of(samples, k, c)[repetition] = seconds[k * samples->cases + c];
    if (team->store)
        tune_store_add(team->store, &key, batch, team->names, samples->cases, samples->largest,
                       repetition, samples->calls, seconds);
}

/* Whether there is time for another repetition, the same on all ranks. */
static bool goes_on(const struct tune_team *team, const struct tune_order *order, int repetition,
                    double begin)
{
    int enough = shunt_clock() - begin < order->seconds;
    if (repetition >= order->repetitions || repetition < MEASURE_VALUES_LEAST ||
        !(order->seconds > 0))
        return repetition < order->repetitions;
    measure_must(PMPI_Bcast(&enough, 1, MPI_INT, 0, team->world.comm), "MPI_Bcast");
    return enough;
}

void tune_order_carry_out(struct tune_team *team, const struct tune_order *order,
                          const struct tune_batch *batch, struct tune_samples *samples)
{
    int who[TUNE_BATCH_MOST];
    struct course course = {.team = team, .order = order};
    course.loop = (struct measure_loop){
        .count = order->count, .order = who, .call = time_member, .context = &course};
    tune_members_set(team, order);
    warm_up_all(team, order->stage, course.calls);
    const size_t values = (size_t)order->count * (size_t)team->case_count,
                 each = 1 + (size_t)course.calls[TUNE_MODE_SINGLE];
    double *times = measure_need(calloc(values * each, sizeof *times)),
           *seconds = measure_need(calloc(values * TUNE_MODE_COUNT, sizeof *seconds));
    if (samples) {
        memcpy(samples->calls, course.calls, sizeof course.calls);
        samples->largest = tune_members_largest(team);
    }
    const double begin = shunt_clock();
    int done = order->first;
    for (; goes_on(team, order, done, begin); done++) {
        measure_once(&course, done, times, seconds);
        if (samples)
            keep(team, order, batch, done, seconds, samples);
    }
    if (samples && done > order->first)
        samples->each = (shunt_clock() - begin) / (done - order->first);
    if (samples)
        tune_samples_cut(samples, done);
    free(times);
    free(seconds);
}
