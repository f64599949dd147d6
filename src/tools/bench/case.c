/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * case.c: runs the candidates of one case in turn, in another order each time, and makes figures
 * of the times.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "comm/wait.h"
#include "tools/bench/bench.h"
#include "tools/measure/loop.h"
#include "tools/measure/random.h"

/* What the orders of one case are drawn for. */
enum pass { PASS_TIMES, PASS_PHASES };

struct run {
    struct bench *bench;
    struct measure_case *c;
    struct measure_result *results;
    struct measure_random lateness;
    struct measure_loop loop;
    double *seconds; /* array of candidate_count * repetitions */
    int64_t *wrong;  /* array of candidate_count */
};

static void shuffle(struct run *run, enum pass pass, int repetition)
{
    measure_loop_shuffle(&run->loop, run->bench->world.seed,
                         (uint64_t)run->bench->case_index << 40 | (uint64_t)pass << 32 |
                             (uint32_t)repetition);
}

/* Arrives late, by a time of this rank's own. It sleeps, for other ranks may need the processor. */
static void come_late(struct run *run)
{
    const uint64_t skew = (uint64_t)run->bench->options.skew;
    if (skew == 0)
        return;
    const struct timespec late = {.tv_nsec =
                                      (long)measure_random_below(&run->lateness, 1000 * skew)};
    nanosleep(&late, NULL);
}

static void time_call(void *context, int index, double *seconds)
{
    struct run *run = context;
    const struct bench *bench = run->bench;
    const int inner = bench->options.inner;
    if (bench->options.check)
        measure_case_poison(run->c);
    measure_must(PMPI_Barrier(bench->world.comm), "MPI_Barrier");
    const double begin = shunt_clock();
    for (int i = 0; i < inner; i++) {
        come_late(run);
        measure_candidate_call(&bench->candidates[index], run->c);
    }
    *seconds = (shunt_clock() - begin) / inner;
    if (bench->options.check && !measure_case_right(run->c))
        run->wrong[index]++;
}

static bool runs(void *context, int index)
{
    const struct run *run = context;
    return measure_candidate_runs(run->c, &run->results[index]);
}

/* The first calls make plans, connect ranks and touch pages; then it shows who cannot run. */
static void warm_up(struct run *run)
{
    const int least = run->bench->options.warm_up > 1 ? run->bench->options.warm_up : 1;
    for (int i = 0; i < least; i++)
        measure_loop_turn(&run->loop, run->seconds, run->bench->options.repetitions);
    measure_loop_keep(&run->loop, runs);
}

static void show_progress(const struct bench *bench, int repetition)
{
    char text[100];
    if (bench->world.rank != 0 || !measure_progress_due())
        return;
    const int repetitions = bench->options.repetitions;
    snprintf(text, sizeof text, "case %d of %d, repetition %d of %d", bench->case_index + 1,
             bench->case_count, repetition + 1, repetitions);
    measure_progress_show(
        text,
        measure_progress_left(bench->begin, bench->case_index + (double)repetition / repetitions,
                              bench->case_count));
}

static void measure_times(struct run *run)
{
    const int repetitions = run->bench->options.repetitions;
    for (int i = 0; i < repetitions; i++) {
        shuffle(run, PASS_TIMES, i);
        show_progress(run->bench, i);
        measure_loop_turn(&run->loop, run->seconds + i, repetitions);
    }
    measure_progress_clear();
}

/* With the clock read at every change of phase: apart from the times, which must not pay for it. */
static void time_phases(void *context, int index, double *seconds)
{
    const struct run *run = context;
    const struct measure_candidate *candidate = &run->bench->candidates[index];
    struct shunt_stopwatch watch = {.now = SHUNT_PHASE_OTHER};
    if (candidate->kind != MEASURE_ROUTED)
        return;
    measure_must(PMPI_Barrier(run->bench->world.comm), "MPI_Barrier");
    candidate->comm->diag.stopwatch = &watch;
    watch.since = shunt_now();
    measure_candidate_call(candidate, run->c);
    shunt_stopwatch_turn(&watch, SHUNT_PHASE_OTHER);
    candidate->comm->diag.stopwatch = NULL;
    for (int phase = 0; phase < SHUNT_PHASE_COUNT; phase++)
        seconds[phase] += 1e-9 * (double)watch.nanoseconds[phase];
}

/* At rank 0 the mean over ranks and repetitions. */
static void measure_phases(struct run *run)
{
    const struct bench *bench = run->bench;
    const int repetitions = bench->options.repetitions,
              values = bench->candidate_count * SHUNT_PHASE_COUNT;
    double *sums = measure_need(calloc((size_t)values, sizeof *sums));
    run->loop.call = time_phases;
    for (int i = 0; i < repetitions; i++) {
        shuffle(run, PASS_PHASES, i);
        measure_loop_turn(&run->loop, sums, SHUNT_PHASE_COUNT);
    }
    measure_must(PMPI_Allreduce(MPI_IN_PLACE, sums, values, MPI_DOUBLE, MPI_SUM, bench->world.comm),
                 "MPI_Allreduce");
    for (int i = 0; i < values; i++)
        run->results[i / SHUNT_PHASE_COUNT].phases[i % SHUNT_PHASE_COUNT] =
            sums[i] / repetitions / bench->world.size;
    free(sums);
}

/* Maximum over ranks per repetition, and all wrong bytes. */
static void collect(struct run *run)
{
    struct bench *bench = run->bench;
    const int repetitions = bench->options.repetitions;
    measure_most(bench->world.comm, run->seconds,
                 (size_t)bench->candidate_count * (size_t)repetitions);
    measure_must(PMPI_Allreduce(MPI_IN_PLACE, run->wrong, bench->candidate_count, MPI_INT64_T,
                                MPI_SUM, bench->world.comm),
                 "MPI_Allreduce");
    for (int k = 0; k < bench->candidate_count; k++) {
        run->results[k].seconds = run->seconds + (int64_t)k * repetitions;
        run->results[k].wrong = run->wrong[k];
        bench->found |= run->wrong[k] > 0;
    }
}

static const struct measure_result *
measured(const struct bench *bench, const struct measure_result *results, enum measure_kind kind)
{
    for (int k = 0; k < bench->candidate_count; k++)
        if (results[k].candidate->kind == kind && !results[k].reason[0])
            return &results[k];
    return NULL;
}

/* Rank 0. */
static void evaluate(const struct bench *bench, struct measure_result *results)
{
    const int repetitions = bench->options.repetitions;
    const struct measure_result *native = measured(bench, results, MEASURE_NATIVE),
                                *lower_bound = measured(bench, results, MEASURE_LOWER_BOUND);
    for (int k = 0; k < bench->candidate_count; k++) {
        struct measure_result *result = &results[k];
        if (result->reason[0])
            continue;
        result->time = measure_interval(result->seconds, repetitions);
        if (native)
            result->speedup = measure_ratio(native->seconds, result->seconds, repetitions);
        if (lower_bound)
            result->lower_bound = measure_ratio(result->seconds, lower_bound->seconds, repetitions);
    }
}

void bench_case_measure(struct bench *bench, struct measure_case *c, struct measure_result *results)
{
    const size_t candidates = (size_t)bench->candidate_count;
    struct run run = {.bench = bench,
                      .c = c,
                      .results = results,
                      .lateness =
                          measure_random_begin(bench->world.seed, (uint64_t)bench->world.rank)};
    int *order = measure_need(calloc(candidates, sizeof *order));
    run.loop = (struct measure_loop){.order = order, .call = time_call, .context = &run};
    run.wrong = measure_need(calloc(candidates, sizeof *run.wrong));
    run.seconds =
        measure_need(calloc(candidates * (size_t)bench->options.repetitions, sizeof *run.seconds));
    memset(results, 0, candidates * sizeof *results);
    for (int k = 0; k < bench->candidate_count; k++)
        if (measure_candidate_fits(c, bench->candidates, k, &results[k]))
            order[run.loop.count++] = k;
    warm_up(&run);
    measure_times(&run);
    if (bench->options.phases)
        measure_phases(&run);
    collect(&run);
    if (bench->world.rank == 0) {
        evaluate(bench, results);
        bench_warnings_count(bench, results);
        bench_verdict_add(bench, c, results);
        if (bench->table)
            bench_table_case(bench, c, results);
        bench_files_case(bench, c, results);
    }
    measure_lower_bound_close();
    free(order);
    free(run.wrong);
    free(run.seconds);
}
