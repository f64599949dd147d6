/* SPDX-License-Identifier: BSD-3-Clause */
/* verdict.c: who wins: of one case, and as rules for a decision file. */
#include "tools/bench/bench.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config.h"
#include "tools/common/tool.h"

bool bench_verdict_wanted(const struct bench *bench)
{
    return !bench->options.plain;
}

bool bench_verdict_can_tell(const struct bench *bench)
{
    return bench->options.repetitions >= MEASURE_VALUES_LEAST;
}

/* The layout that rules would test: that of the communicators, which a test layout divides. */
static void find_layout(struct bench *bench)
{
    struct bench_rules *rules = &bench->rules;
    rules->ranks = bench->world.size;
    rules->nodes = bench->job.facts.nodes.count;
    rules->ppn_min = bench->job.facts.nodes.ppn_min;
    rules->ppn_max = bench->job.facts.nodes.ppn_max;
    rules->oversubscribed = bench->job.facts.oversubscribed ? SHUNT_CROWD_YES : SHUNT_CROWD_NO;
    for (int k = 0; k < bench->candidate_count; k++) {
        const struct shunt_comm *comm = bench->candidates[k].comm;
        if (!comm || comm->layout.ranks < 1)
            continue;
        rules->nodes = comm->layout.nodes;
        rules->ppn_min = comm->layout.ppn_min;
        rules->ppn_max = comm->layout.ppn_max;
        rules->oversubscribed = comm->layout.oversubscribed ? SHUNT_CROWD_YES : SHUNT_CROWD_NO;
        return;
    }
}

bool bench_verdict_open(struct bench *bench)
{
    const struct bench_options *options = &bench->options;
    bench->selections =
        measure_need(calloc((size_t)options->selection_count + 1, sizeof *bench->selections));
    for (int i = 0; i < options->selection_count; i++)
        bench->selections[i] = options->selections[i].text;
    bench->rules.candidates = bench->selections;
    bench->rules.candidate_count = options->selection_count;
    return !options->rules || measure_output_open(&bench->file, options->rules);
}

/* Clear: the interval of the quotients lies above 1. */
static double gain_of(const struct bench *bench, const struct measure_result *result)
{
    const bool clear = result->candidate->kind == MEASURE_ROUTED && result->reason[0] == '\0' &&
                       result->wrong == 0 && result->speedup.low > 1 &&
                       bench_verdict_can_tell(bench);
    return clear ? result->speedup.median : 0;
}

const struct measure_result *bench_verdict_winner(const struct bench *bench,
                                                  const struct measure_result *results)
{
    const struct measure_result *winner = NULL;
    double most = 0;
    for (int k = 0; k < bench->candidate_count; k++) {
        const double gain = gain_of(bench, &results[k]);
        if (gain <= most)
            continue;
        winner = &results[k];
        most = gain;
    }
    return winner;
}

/* Not clearly slower than the winner: the interval of the quotients reaches up to 1. */
static struct bench_rule_score score_of(const struct bench *bench,
                                        const struct measure_result *result,
                                        const struct measure_result *winner)
{
    struct bench_rule_score score = {.gain = gain_of(bench, result)};
    score.best =
        score.gain > 0 &&
        (result == winner ||
         measure_ratio(winner->seconds, result->seconds, bench->options.repetitions).high >= 1);
    return score;
}

/* A decision file that `shunt check` accepts: what is not measured is native. */
static void write_file(const struct bench *bench, FILE *stream)
{
    const struct measure_facts *m = &bench->job.facts;
    const struct bench_rules *rules = &bench->rules;
    fprintf(stream, "# Made by shunt bench %s, %s, from %d of %d cases.\n", PACKAGE_VERSION,
            m->date, rules->case_count, bench->case_count);
    bench_rules_comment(stream, "", bench->job.command);
    bench_rules_comment(stream, "", m->processor);
    fprintf(stream, "# %d processor%s, %d rank%s on %d node%s%s, ", m->processors,
            shunt_tool_plural((uint64_t)m->processors), bench->world.size,
            shunt_tool_plural((uint64_t)bench->world.size), rules->nodes,
            shunt_tool_plural((uint64_t)rules->nodes),
            m->oversubscribed ? " (more than processors)" : "");
    fprintf(stream, "%s\n", m->library);
    if (bench->busy_cases > 0)
        fprintf(stream,
                "# WARNING: the machine was busy in %d of %d cases: measure again when it is "
                "idle.\n",
                bench->busy_cases, rules->case_count);
    if (!bench_verdict_can_tell(bench))
        fprintf(stream, "# WARNING: %d repetitions are too few to tell who wins: take 50.\n",
                bench->options.repetitions);
    fputs("#\n"
          "# A rule stands for what was measured: this number of ranks and nodes, and sizes "
          "between those that its\n"
          "# algorithm won. All else is native: join the rules of several runs above the last "
          "one of each list.\n"
          "schema = 1;\n\n",
          stream);
    bench_rules_write(rules, SHUNT_OP_BOTH, "", stream);
}

/* Anew after each case, so that a run that is killed leaves what it found. */
static void refresh_file(struct bench *bench)
{
    FILE *stream = bench->file.stream;
    if (!bench->file.file.part)
        return;
    rewind(stream);
    if (ftruncate(fileno(stream), 0) == 0)
        write_file(bench, stream);
    fflush(stream); /* an error is found when it is closed */
}

void bench_verdict_add(struct bench *bench, const struct measure_case *c,
                       const struct measure_result *results)
{
    if (!bench_verdict_wanted(bench))
        return;
    struct bench_rule_score *scores =
        measure_need(calloc((size_t)bench->rules.candidate_count + 1, sizeof *scores));
    const struct measure_result *winner = bench_verdict_winner(bench, results);
    for (int k = 0; winner && k < bench->candidate_count; k++)
        if (bench->candidates[k].kind == MEASURE_ROUTED)
            scores[bench->candidates[k].number] = score_of(bench, &results[k], winner);
    const bool matrix = c->op == SHUNT_OP_ALLTOALLV && c->distribution->shape == MEASURE_MATRIX;
    find_layout(bench);
    if (!bench_rules_add(&bench->rules, c->op, matrix ? -1 : c->block, c->largest, scores))
        measure_fail(MPI_ERR_NO_MEM, "allocating memory");
    free(scores);
    refresh_file(bench);
}

void bench_verdict_print(const struct bench *bench)
{
    unsigned ops = 0;
    for (int op = 0; op < SHUNT_OP_COUNT; op++)
        ops |= bench->options.op[op] ? 1u << op : 0;
    if (!bench_verdict_can_tell(bench)) {
        printf("\nno rules: %d repetition%s are too few to tell who wins; take %d at least\n",
               bench->options.repetitions, shunt_tool_plural((uint64_t)bench->options.repetitions),
               MEASURE_VALUES_LEAST);
        return;
    }
    puts("\nrules for what was measured, native where nothing is clearly faster:");
    bench_rules_write(&bench->rules, ops, "  ", stdout);
}

bool bench_verdict_close(struct bench *bench)
{
    if (bench->file.stream && !bench->file.file.part)
        write_file(bench, bench->file.stream);
    const bool good = measure_output_close(&bench->file, true);
    bench_rules_clear(&bench->rules);
    free(bench->selections);
    return good;
}
