/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * measure.c: runs the candidates of one case in turn, in another order each time, and makes figures
 * of the times.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "comm/wait.h"
#include "tools/bench/candidates.h"
#include "tools/bench/cases.h"
#include "tools/bench/fail.h"
#include "tools/bench/files.h"
#include "tools/bench/lower_bound.h"
#include "tools/bench/measure.h"
#include "tools/bench/progress.h"
#include "tools/bench/random.h"
#include "tools/bench/table.h"
#include "tools/bench/verdict.h"
#include "tools/bench/warnings.h"

struct run {
    struct bench *bench;
    struct bench_case *c;
    struct bench_result *results;
    struct bench_random lateness;
    int count;       /* candidates that take part */
    int *order;      /* array of count: their indexes, in the order of this repetition */
    double *seconds; /* array of candidate_count * repetitions */
    int64_t *wrong;  /* array of candidate_count */
};

/* The same order on all ranks; stream tells passes apart. */
static void shuffle(struct run *run, uint64_t pass, int repetition)
{
    struct bench_random random =
        bench_random_begin(run->bench->options.seed, (uint64_t)run->bench->case_index << 40 |
                                                         pass << 32 | (uint32_t)repetition);
    bench_random_shuffle(&random, run->order, run->count);
}

/* Arrives late, by a time of this rank's own. It sleeps, for other ranks may need the processor. */
static void come_late(struct run *run)
{
    const uint64_t skew = (uint64_t)run->bench->options.skew;
    if (skew == 0)
        return;
    const struct timespec late = {.tv_nsec = (long)bench_random_below(&run->lateness, 1000 * skew)};
    nanosleep(&late, NULL);
}

static double call_timed(struct run *run, int index)
{
    const struct bench *bench = run->bench;
    const int inner = bench->options.inner;
    if (bench->options.check)
        bench_case_poison(run->c);
    bench_must(PMPI_Barrier(MPI_COMM_WORLD), "MPI_Barrier");
    const double begin = shunt_clock();
    for (int i = 0; i < inner; i++) {
        come_late(run);
        bench_candidate_call(&bench->candidates[index], run->c);
    }
    const double seconds = (shunt_clock() - begin) / inner;
    if (bench->options.check && !bench_case_right(bench, run->c))
        run->wrong[index]++;
    return seconds;
}

/* The first calls make plans, connect ranks and touch pages; then it shows who cannot run. */
static void warm_up(struct run *run)
{
    const int least = run->bench->options.warm_up > 1 ? run->bench->options.warm_up : 1;
    for (int i = 0; i < least; i++)
        for (int k = 0; k < run->count; k++)
            call_timed(run, run->order[k]);
    int kept = 0;
    for (int k = 0; k < run->count; k++)
        if (bench_candidate_runs(run->c, &run->results[run->order[k]]))
            run->order[kept++] = run->order[k];
    run->count = kept;
}

static void show_progress(const struct bench *bench, int repetition)
{
    char text[100];
    if (bench->rank != 0 || !bench_progress_due())
        return;
    const int repetitions = bench->options.repetitions;
    const double done = bench->case_index + (double)repetition / repetitions;
    snprintf(text, sizeof text, "case %d of %d, repetition %d of %d", bench->case_index + 1,
             bench->case_count, repetition + 1, repetitions);
    bench_progress_show(
        text, done > 0 ? (shunt_clock() - bench->begin) / done * (bench->case_count - done) : -1);
}

static void measure_times(struct run *run)
{
    const int repetitions = run->bench->options.repetitions;
    for (int i = 0; i < repetitions; i++) {
        shuffle(run, 0, i);
        show_progress(run->bench, i);
        for (int k = 0; k < run->count; k++)
            run->seconds[(int64_t)run->order[k] * repetitions + i] = call_timed(run, run->order[k]);
    }
    bench_progress_clear();
}

/* With the clock read at every change of phase: apart from the times, which must not pay for it. */
static void measure_phases(struct run *run)
{
    const struct bench *bench = run->bench;
    const int repetitions = bench->options.repetitions;
    for (int i = 0; i < repetitions; i++) {
        shuffle(run, 1, i);
        for (int k = 0; k < run->count; k++) {
            const struct bench_candidate *candidate = &bench->candidates[run->order[k]];
            if (candidate->kind != BENCH_ROUTED)
                continue;
            struct shunt_stopwatch watch = {.now = SHUNT_PHASE_OTHER};
            bench_must(PMPI_Barrier(MPI_COMM_WORLD), "MPI_Barrier");
            candidate->comm->diag.stopwatch = &watch;
            watch.since = shunt_now();
            bench_candidate_call(candidate, run->c);
            shunt_stopwatch_turn(&watch, SHUNT_PHASE_OTHER);
            candidate->comm->diag.stopwatch = NULL;
            for (int phase = 0; phase < SHUNT_PHASE_COUNT; phase++)
                run->results[run->order[k]].phases[phase] +=
                    1e-9 * (double)watch.nanoseconds[phase] / repetitions / bench->size;
        }
    }
    for (int k = 0; k < bench->candidate_count; k++) {
        double sums[SHUNT_PHASE_COUNT];
        bench_must(PMPI_Reduce(run->results[k].phases, sums, SHUNT_PHASE_COUNT, MPI_DOUBLE, MPI_SUM,
                               0, MPI_COMM_WORLD),
                   "MPI_Reduce");
        if (bench->rank == 0)
            memcpy(run->results[k].phases, sums, sizeof sums);
    }
}

/* Maximum over ranks per repetition, at rank 0; wrong bytes everywhere. */
static void collect(struct run *run)
{
    struct bench *bench = run->bench;
    const int repetitions = bench->options.repetitions;
    for (int k = 0; k < bench->candidate_count; k++) {
        double *seconds = run->seconds + (int64_t)k * repetitions;
        bench_must(PMPI_Reduce(bench->rank == 0 ? MPI_IN_PLACE : seconds, seconds, repetitions,
                               MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD),
                   "MPI_Reduce");
        run->results[k].seconds = seconds;
    }
    bench_must(PMPI_Allreduce(MPI_IN_PLACE, run->wrong, bench->candidate_count, MPI_INT64_T,
                              MPI_SUM, MPI_COMM_WORLD),
               "MPI_Allreduce");
    for (int k = 0; k < bench->candidate_count; k++) {
        run->results[k].wrong = run->wrong[k];
        bench->found |= run->wrong[k] > 0;
    }
}

static const struct bench_result *measured(const struct bench *bench,
                                           const struct bench_result *results, enum bench_kind kind)
{
    for (int k = 0; k < bench->candidate_count; k++)
        if (results[k].candidate->kind == kind && !results[k].reason[0])
            return &results[k];
    return NULL;
}

/* Rank 0. */
static void evaluate(const struct bench *bench, struct bench_result *results)
{
    const int repetitions = bench->options.repetitions;
    const struct bench_result *native = measured(bench, results, BENCH_NATIVE),
                              *lower_bound = measured(bench, results, BENCH_LOWER_BOUND);
    for (int k = 0; k < bench->candidate_count; k++) {
        struct bench_result *result = &results[k];
        if (result->reason[0])
            continue;
        result->time = bench_interval(result->seconds, repetitions);
        if (native)
            result->speedup = bench_ratio(native->seconds, result->seconds, repetitions);
        if (lower_bound)
            result->lower_bound = bench_ratio(result->seconds, lower_bound->seconds, repetitions);
    }
}

static void print(struct bench *bench, const struct bench_case *c,
                  const struct bench_result *results)
{
    if (bench->table)
        bench_table_case(bench, c, results);
    bench_files_case(bench, c, results);
}

void bench_measure(struct bench *bench, struct bench_case *c, struct bench_result *results)
{
    const size_t candidates = (size_t)bench->candidate_count;
    struct run run = {.bench = bench,
                      .c = c,
                      .results = results,
                      .lateness = bench_random_begin(bench->options.seed, (uint64_t)bench->rank)};
    run.order = bench_need(calloc(candidates, sizeof *run.order));
    run.wrong = bench_need(calloc(candidates, sizeof *run.wrong));
    run.seconds =
        bench_need(calloc(candidates * (size_t)bench->options.repetitions, sizeof *run.seconds));
    memset(results, 0, candidates * sizeof *results);
    for (int k = 0; k < bench->candidate_count; k++)
        if (bench_candidate_fits(bench, c, &bench->candidates[k], &results[k]))
            run.order[run.count++] = k;
    warm_up(&run);
    measure_times(&run);
    if (bench->options.phases)
        measure_phases(&run);
    collect(&run);
    if (bench->rank == 0) {
        evaluate(bench, results);
        bench_warnings_count(bench, results);
        bench_verdict_add(bench, c, results);
        print(bench, c, results);
    }
    bench_lower_bound_close();
    free(run.order);
    free(run.wrong);
    free(run.seconds);
}
