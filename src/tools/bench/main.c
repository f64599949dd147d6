/* SPDX-License-Identifier: BSD-3-Clause */
/* main.c: the measuring program behind `shunt bench`. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/environment.h"
#include "comm/wait.h"
#include "tools/bench/alone.h"
#include "tools/bench/bench.h"
#include "tools/bench/candidates.h"
#include "tools/bench/cases.h"
#include "tools/bench/command.h"
#include "tools/bench/fail.h"
#include "tools/bench/files.h"
#include "tools/bench/forget.h"
#include "tools/bench/machine.h"
#include "tools/bench/measure.h"
#include "tools/bench/table.h"
#include "tools/bench/verdict.h"
#include "tools/bench/warnings.h"
#include "tools/tool.h"

enum { DIAGNOSTIC_SIZE = 600 };

/* Says the problem once. Returns the code. */
static int refuse(const struct bench *bench, int code, const char *diagnostic)
{
    if (bench->rank == 0)
        fprintf(stderr, "shunt bench: %s%s\n", diagnostic,
                code == SHUNT_EXIT_USAGE ? "; see \"shunt bench --help\"" : "");
    return code;
}

static void run_case(struct bench *bench, struct bench_result *results, enum shunt_op op,
                     const struct bench_distribution *distribution, int64_t block)
{
    struct bench_case c;
    bench_case_open(bench, &c, op, distribution, block);
    bench_measure(bench, &c, results);
    bench_case_close(&c);
    bench->case_index++;
}

static void run_cases(struct bench *bench, struct bench_result *results)
{
    static const struct bench_distribution constant = {.shape = BENCH_CONSTANT};
    const struct bench_options *o = &bench->options;
    for (int b = 0; o->op[SHUNT_OP_ALLTOALL] && b < o->block_count; b++)
        run_case(bench, results, SHUNT_OP_ALLTOALL, &constant, o->blocks[b]);
    for (int d = 0; o->op[SHUNT_OP_ALLTOALLV] && d < o->distribution_count; d++) {
        if (o->distributions[d].shape == BENCH_MATRIX) {
            run_case(bench, results, SHUNT_OP_ALLTOALLV, &o->distributions[d], 0);
            continue;
        }
        for (int b = 0; b < o->block_count; b++)
            run_case(bench, results, SHUNT_OP_ALLTOALLV, &o->distributions[d], o->blocks[b]);
    }
}

/* From rank 0 to all. */
static int agree_code(int code)
{
    bench_must(PMPI_Bcast(&code, 1, MPI_INT, 0, MPI_COMM_WORLD), "MPI_Bcast");
    return code;
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

/* With good options. */
static int run(struct bench *bench)
{
    const bool opens = bench->rank == 0;
    if (agree_code(opens && !(bench_files_open(bench) && bench_verdict_open(bench))
                       ? SHUNT_EXIT_IO
                       : SHUNT_EXIT_OK) != SHUNT_EXIT_OK)
        return SHUNT_EXIT_IO;
    if (bench->rank == 0 && bench->table)
        bench_table_header(bench);
    bench_candidates_open(bench);
    struct bench_result *results =
        bench_need(calloc((size_t)bench->candidate_count, sizeof *results));
    bench->begin = shunt_clock();
    run_cases(bench, results);
    free(results);
    bench_candidates_close(bench);
    const int code = bench->found ? SHUNT_EXIT_FINDINGS : SHUNT_EXIT_OK;
    return agree_code(bench->rank == 0 && !finish(bench) ? SHUNT_EXIT_IO : code);
}

static int start(struct bench *bench, int argc, char **argv)
{
    char diagnostic[DIAGNOSTIC_SIZE] = "";
    if (!bench_options_read(&bench->options, argc, argv, diagnostic, sizeof diagnostic))
        return refuse(bench, SHUNT_EXIT_USAGE, diagnostic);
    bench_machine_find(&bench->machine);
    if (bench->size == 1 &&
        bench_is_astray(bench->machine.library, diagnostic, sizeof diagnostic)) {
        if (shunt_environment_first_of_job())
            shunt_tool_say("bench: %s", diagnostic);
        return SHUNT_EXIT_USAGE;
    }
    const int code = bench_cases_check(bench, diagnostic, sizeof diagnostic);
    if (code != SHUNT_EXIT_OK)
        return refuse(bench, code, diagnostic);
    if (!bench->options.plain && !shunt_pmpi_resolve(__builtin_return_address(0)))
        return SHUNT_EXIT_MPI;
    return run(bench);
}

int main(int argc, char **argv)
{
    static struct bench bench;
    bench_must(PMPI_Init(&argc, &argv), "MPI_Init");
    bench_must(PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN),
               "MPI_Comm_set_errhandler");
    bench.world = MPI_COMM_WORLD;
    bench_must(PMPI_Comm_rank(MPI_COMM_WORLD, &bench.rank), "MPI_Comm_rank");
    bench_must(PMPI_Comm_size(MPI_COMM_WORLD, &bench.size), "MPI_Comm_size");
    char *command = bench_command_join(argc, argv);
    bench.command = command;
    bool plain = false;
    for (int i = 1; i < argc; i++)
        plain |= strcmp(argv[i], "--plain") == 0;
    if (!plain)
        bench_forget_settings();
    const int code = start(&bench, argc, argv);
    bench_options_clear(&bench.options);
    free(command);
    PMPI_Finalize();
    return code;
}
