/* SPDX-License-Identifier: BSD-3-Clause */
/* main.c: the measuring program behind `shunt bench`. */
#include <stdlib.h>

#include "base/clock.h"
#include "comm/lifetime.h"
#include "tools/bench/bench.h"
#include "tools/common/tool.h"

static void run_case(struct bench *bench, struct measure_result *results, enum shunt_op op,
                     const struct measure_distribution *distribution, int64_t block)
{
    struct measure_case c;
    measure_case_open(&c, &bench->world, op, distribution, block);
    bench_case_measure(bench, &c, results);
    measure_case_close(&c);
    bench->case_index++;
}

/* Alltoall has blocks of one size: a case for each, whatever the distribution. Sizes of a matrix
 * come from its file: one case, whatever the blocks. */
static void run_cases(struct bench *bench, struct measure_result *results)
{
    static const struct measure_distribution constant = {.shape = MEASURE_CONSTANT};
    const struct bench_options *o = &bench->options;
    for (int b = 0; o->op[SHUNT_OP_ALLTOALL] && b < o->block_count; b++)
        run_case(bench, results, SHUNT_OP_ALLTOALL, &constant, o->blocks[b]);
    for (int d = 0; o->op[SHUNT_OP_ALLTOALLV] && d < o->distribution_count; d++) {
        const bool matrix = o->distributions[d].shape == MEASURE_MATRIX;
        for (int b = 0; b < (matrix ? 1 : o->block_count); b++)
            run_case(bench, results, SHUNT_OP_ALLTOALLV, &o->distributions[d],
                     matrix ? 0 : o->blocks[b]);
    }
}

static int count_cases(const struct bench_options *o)
{
    int sized = 0, matrices = 0;
    for (int d = 0; d < o->distribution_count; d++) {
        matrices += o->distributions[d].shape == MEASURE_MATRIX;
        sized += o->distributions[d].shape != MEASURE_MATRIX;
    }
    return (o->op[SHUNT_OP_ALLTOALL] ? o->block_count : 0) +
           (o->op[SHUNT_OP_ALLTOALLV] ? sized * o->block_count + matrices : 0);
}

static void open_candidates(struct bench *bench)
{
    const struct bench_options *o = &bench->options;
    struct measure_candidate *next = bench->candidates =
        measure_need(calloc((size_t)o->selection_count + 2, sizeof *next));
    if (!o->plain || o->paired)
        (next++)->kind = MEASURE_NATIVE;
    if (o->plain)
        (next++)->kind = MEASURE_AS_IS;
    for (int i = 0; i < o->selection_count; i++) {
        if (o->selections[i].algorithm->kind == SHUNT_KIND_NATIVE)
            continue;
        measure_candidate_open(next, &bench->world, o->selections[i].text, o->selections[i].force);
        (next++)->number = i;
    }
    if (o->lower_bound)
        (next++)->kind = MEASURE_LOWER_BOUND;
    bench->candidate_count = (int)(next - bench->candidates);
}

static void close_candidates(struct bench *bench)
{
    for (int i = 0; i < bench->candidate_count; i++)
        shunt_comm_close(bench->candidates[i].comm);
    free(bench->candidates);
}

/* Rank 0: the end of all results. False (said) when something could not be written. */
static bool finish(struct bench *bench)
{
    if (bench->table && bench_verdict_wanted(bench))
        bench_verdict_print(bench);
    bench_warnings_end(bench, bench->table ? stdout : stderr);
    const bool files = bench_files_close(bench);
    return bench_verdict_close(bench) && files;
}

static bool read_options(void *run, struct shunt_words *words, int argc, char **argv,
                         char *diagnostic, size_t capacity)
{
    struct bench *bench = run;
    const bool good = bench_options_read(&bench->options, words, argc, argv, diagnostic, capacity);
    bench->job.as_is = bench->options.plain;
    return good;
}

static int check(void *run, char *diagnostic, size_t capacity)
{
    struct bench *bench = run;
    const struct bench_options *o = &bench->options;
    int code = SHUNT_EXIT_OK;
    bench->world = (struct measure_world){.comm = MPI_COMM_WORLD,
                                          .rank = bench->job.rank,
                                          .size = bench->job.size,
                                          .seed = o->seed,
                                          .facts = &bench->job.facts};
    bench->case_count = count_cases(o);
    for (int i = 0; i < o->distribution_count && code == SHUNT_EXIT_OK; i++)
        if (o->distributions[i].shape == MEASURE_MATRIX)
            code =
                measure_matrix_check(&bench->world, o->distributions[i].file, diagnostic, capacity);
    for (int i = 0; i < o->block_count && code == SHUNT_EXIT_OK; i++)
        if (!measure_block_fits(o->blocks[i], bench->world.size, diagnostic, capacity))
            code = SHUNT_EXIT_USAGE;
    return code;
}

static int measure(void *run)
{
    struct bench *bench = run;
    const bool leads = bench->job.rank == 0,
               opened = !leads || (bench_files_open(bench) && bench_verdict_open(bench));
    if (measure_agree(MPI_COMM_WORLD, opened ? SHUNT_EXIT_OK : SHUNT_EXIT_IO) != SHUNT_EXIT_OK)
        return SHUNT_EXIT_IO;
    if (leads && bench->table)
        bench_table_header(bench);
    open_candidates(bench);
    struct measure_result *results =
        measure_need(calloc((size_t)bench->candidate_count, sizeof *results));
    bench->begin = shunt_clock();
    run_cases(bench, results);
    free(results);
    close_candidates(bench);
    const int code = bench->found ? SHUNT_EXIT_FINDINGS : SHUNT_EXIT_OK;
    return measure_agree(MPI_COMM_WORLD, leads && !finish(bench) ? SHUNT_EXIT_IO : code);
}

static void end(void *run)
{
    struct bench *bench = run;
    bench_options_clear(&bench->options);
    measure_output_drop(&bench->csv); /* where it came to no end */
    measure_output_drop(&bench->json);
    measure_output_drop(&bench->file);
}

int main(int argc, char **argv)
{
    static struct bench bench;
    static const struct measure_program program = {"bench", read_options, check, measure, end};
    return measure_program_run(&program, &bench.job, &bench, argc, argv);
}
