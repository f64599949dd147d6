/* SPDX-License-Identifier: BSD-3-Clause */
/* order.c: see order.h. */
#include "tools/tune/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "comm/wait.h"
#include "tools/bench/candidates.h"
#include "tools/bench/cases.h"
#include "tools/bench/fail.h"
#include "tools/bench/random.h"
#include "tools/tune/halving.h"
#include "tools/tune/members.h"

/* However much longer than native a first call takes, up to so much it is no reason to give up. */
static const double SLACK = 5e-3;
enum { LOOKS = 3 };

/* Seconds of calls back to back, after a barrier: of all together. */
static double call(struct tune_team *team, const struct tune_member *member, int c, int calls)
{
    bench_must(PMPI_Barrier(team->bench.world), "MPI_Barrier");
    const double begin = shunt_clock();
    for (int i = 0; i < calls; i++)
        bench_candidate_call(&member->candidate, &team->cases[c]);
    return shunt_clock() - begin;
}

/* The first call makes plans, connects ranks and touches pages; every byte of it is looked at. */
static bool call_first(struct tune_team *team, struct tune_member *member, int c)
{
    struct bench_result result = {.candidate = &member->candidate};
    bench_case_poison(&team->cases[c]);
    (void)call(team, member, c, 1);
    int good[] = {bench_case_right(&team->bench, &team->cases[c]),
                  member->native || bench_candidate_runs(&team->cases[c], &result)};
    bench_must(PMPI_Allreduce(MPI_IN_PLACE, good, 2, MPI_INT, MPI_MIN, team->bench.world),
               "MPI_Allreduce");
    if (!good[0] && team->bench.rank == 0)
        fprintf(stderr, "shunt tune: %s delivers wrong bytes here and is left out: report this\n",
                member->selection.text);
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
    struct look look;
    for (int c = 0; c < team->case_count && member->fresh && !member->failed; c++)
        member->failed = !call_first(team, member, c);
    member->fresh = false;
    const double begin = shunt_clock();
    for (int c = 0; c < team->case_count && !member->failed; c++)
        seconds[0] += call(team, member, c, 1);
    seconds[1] = shunt_clock() - begin;
    bench_must(PMPI_Allreduce(MPI_IN_PLACE, seconds, 2, MPI_DOUBLE, MPI_MAX, team->bench.world),
               "MPI_Allreduce");
    look.calls = seconds[0];
    look.all = seconds[1];
    return look;
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

/* The same order on all ranks, another one each time. */
static void shuffle(const struct tune_team *team, const struct tune_order *order, int repetition,
                    int *who)
{
    struct bench_random random = bench_random_begin(
        team->bench.options.seed ^ (uint64_t)order->block << 8 ^ (uint64_t)order->op,
        (uint64_t)order->stage << 32 | (uint32_t)repetition);
    for (int k = 0; k < order->count; k++)
        who[k] = k;
    bench_random_shuffle(&random, who, order->count);
}

/* The times of a member in one distribution: of the row, and of each single call. */
static void time_member(struct tune_team *team, const struct tune_member *member, int c,
                        const int *calls, double *times)
{
    times[0] = member->failed ? INFINITY : call(team, member, c, calls[TUNE_MODE_ROW]);
    for (int i = 1; i <= calls[TUNE_MODE_SINGLE]; i++)
        times[i] = member->failed ? INFINITY : call(team, member, c, 1);
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

/* seconds: array by member, distribution and mode, set on rank 0; times: room for all of one rank.
 */
static void measure_once(struct tune_team *team, const int *who, const int *calls, double *times,
                         double *seconds)
{
    const int each = 1 + calls[TUNE_MODE_SINGLE], all = team->member_count * team->case_count;
    for (int k = 0; k < team->member_count; k++)
        for (int c = 0; c < team->case_count; c++)
            time_member(team, team->members[who[k]], c, calls,
                        times + (ptrdiff_t)each * (who[k] * team->case_count + c));
    bench_must(PMPI_Reduce(team->bench.rank == 0 ? MPI_IN_PLACE : times, times, each * all,
                           MPI_DOUBLE, MPI_MAX, 0, team->bench.world),
               "MPI_Reduce");
    for (int i = 0; i < all; i++)
        add_up(times + (ptrdiff_t)each * i, calls, seconds + (ptrdiff_t)TUNE_MODE_COUNT * i);
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
    const char *names[BENCH_LIST_MOST];
    const struct tune_key key = tune_order_key(team, order);
    for (int c = 0; c < team->case_count; c++)
        names[c] = team->names[c];
    for (int k = 0; k < samples->count; k++)
        for (int c = 0; c < samples->cases; c++)
            tune_samples_of(samples, k, c)[repetition] = seconds[k * samples->cases + c];
    if (team->store)
        tune_store_add(team->store, &key, batch, names, samples->cases, samples->largest,
                       repetition, samples->calls, seconds);
}

/* Whether there is time for another repetition, the same on all ranks. */
static bool goes_on(const struct tune_team *team, const struct tune_order *order, int repetition,
                    double begin)
{
    int enough = shunt_clock() - begin < order->seconds;
    if (repetition >= order->repetitions || repetition < BENCH_VALUES_LEAST ||
        !(order->seconds > 0))
        return repetition < order->repetitions;
    bench_must(PMPI_Bcast(&enough, 1, MPI_INT, 0, team->bench.world), "MPI_Bcast");
    return enough;
}

void tune_order_carry_out(struct tune_team *team, const struct tune_order *order,
                          const struct tune_batch *batch, struct tune_samples *samples)
{
    int who[TUNE_BATCH_MOST], calls[TUNE_MODE_COUNT];
    tune_members_set(team, order);
    warm_up_all(team, order->stage, calls);
    const size_t values = (size_t)order->count * (size_t)team->case_count,
                 each = 1 + (size_t)calls[TUNE_MODE_SINGLE];
    double *times = bench_need(calloc(values * each, sizeof *times)),
           *seconds = bench_need(calloc(values * TUNE_MODE_COUNT, sizeof *seconds));
    if (samples) {
        memcpy(samples->calls, calls, sizeof calls);
        samples->largest = tune_members_largest(team);
    }
    const double begin = shunt_clock();
    int done = order->first;
    for (; goes_on(team, order, done, begin); done++) {
        shuffle(team, order, done, who);
        measure_once(team, who, calls, times, seconds);
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
