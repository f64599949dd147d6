/* SPDX-License-Identifier: BSD-3-Clause */
/* table.c: results for people. */
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "route/settings.h"
#include "tools/bench/bench.h"
#include "tools/common/fold.h"

enum { INDENT = 2, NAME_PHASES = 36 };

const char *bench_phase_name(int phase)
{
    static const char *const names[SHUNT_PHASE_COUNT] = {
        [SHUNT_PHASE_OTHER] = "other",         [SHUNT_PHASE_AGREEMENT] = "agreement",
        [SHUNT_PHASE_PREPARE] = "prepare",     [SHUNT_PHASE_METADATA] = "metadata",
        [SHUNT_PHASE_COPY] = "copy",           [SHUNT_PHASE_NODE] = "node",
        [SHUNT_PHASE_REARRANGE] = "rearrange", [SHUNT_PHASE_REMOTE] = "remote",
    };
    return names[phase];
}

void bench_table_header(const struct bench *bench)
{
    const struct measure_facts *m = &bench->job.facts;
    const struct bench_options *o = &bench->options;
    char ppn[48];
    if (m->nodes.ppn_min == m->nodes.ppn_max)
        snprintf(ppn, sizeof ppn, "%d", m->nodes.ppn_max);
    else
        snprintf(ppn, sizeof ppn, "%d to %d", m->nodes.ppn_min, m->nodes.ppn_max);
    shunt_fold_print(stdout, "version   shunt %s\n", PACKAGE_VERSION);
    shunt_fold_print(stdout, "machine   %s, %d processor%s\n", m->processor, m->processors,
                     m->processors == 1 ? "" : "s");
    shunt_fold_print(stdout, "library   %s\n", m->library);
    shunt_fold_print(stdout, "ranks     %d on %d node%s, %s per node%s\n", bench->world.size,
                     m->nodes.count, m->nodes.count == 1 ? "" : "s", ppn,
                     m->oversubscribed ? ": more than processors" : "");
    if (m->test_layout[0])
        shunt_fold_print(
            stdout,
            "layout    SHUNT_TEST_LAYOUT=%s: Shunt's algorithms take pieces of a node for nodes\n",
            m->test_layout);
    if (m->helper[0])
        shunt_fold_print(stdout, "helper    %s%s\n", m->helper,
                         m->yields ? ", gives the processor up while waiting" : "");
    else if (m->oversubscribed && m->yields)
        shunt_fold_print(stdout,
                         "helper    none: the library gives the processor up while it waits\n");
    else if (m->oversubscribed)
        shunt_fold_print(
            stdout,
            "helper    none: the library burns the processor while it waits, so these times "
            "are mostly waits; %s\n",
            m->remedy);
    if (m->oversubscribed && m->groups)
        shunt_fold_print(
            stdout, "groups    every rank is a scheduling group of its own, and yields do little: "
                    "shunt-one-group makes it one for all\n");
    shunt_fold_print(stdout, "date      %s\n", m->date);
    shunt_fold_print(stdout, "command   %s\n", bench->job.command);
    if (o->skew)
        shunt_fold_print(
            stdout,
            "skew      ranks come up to %d us late to each call, which is part of its time\n",
            o->skew);
    shunt_fold_print(
        stdout,
        "measured  %d repetitions after %d, %d call%s each, order shuffled, maximum over ranks; "
        "seed %llu; intervals are 95 %%\n",
        o->repetitions, o->warm_up, o->inner, o->inner == 1 ? "" : "s",
        (unsigned long long)o->seed);
}

static void print_title(const struct measure_case *c)
{
    char distribution[256], block[32];
    measure_distribution_print(c->distribution, distribution, sizeof distribution);
    shunt_size_print(c->block, block, sizeof block);
    if (c->op == SHUNT_OP_ALLTOALL)
        shunt_fold_print(stdout, "\nalltoall, blocks of %s bytes\n", block);
    else if (c->distribution->shape == MEASURE_MATRIX)
        shunt_fold_print(stdout, "\nalltoallv, %s: largest block %lld bytes, mean %.0f\n",
                         distribution, (long long)c->largest, c->mean);
    else
        shunt_fold_print(stdout, "\nalltoallv, %s, S = %s bytes: largest block %lld, mean %.0f\n",
                         distribution, block, (long long)c->largest, c->mean);
}

/* Some of the phases, as many as a line has room for; all of them in their order but "other", which
 * is the last. */
static void print_some_phases(const struct bench *bench, const struct measure_result *results,
                              int first, int end)
{
    struct shunt_column column[1 + SHUNT_PHASE_COUNT] = {
        {.key = SHUNT_KEY_CANDIDATE, .title = "us per call", .most = NAME_PHASES}};
    struct shunt_field row[1 + SHUNT_PHASE_COUNT];
    char cells[SHUNT_PHASE_COUNT][32];
    for (int phase = first; phase < end; phase++)
        column[1 + phase - first] = (struct shunt_column){
            .key = SHUNT_KEY_PHASES_US, .title = bench_phase_name((phase + 1) % SHUNT_PHASE_COUNT)};
    struct shunt_sheet sheet = {.column = column, .columns = 1 + end - first, .indent = INDENT};
    puts("");
    shunt_sheet_begin(&sheet);
    for (int k = 0; k < bench->candidate_count; k++) {
        const struct measure_result *r = &results[k];
        double total = 0;
        for (int phase = 0; phase < SHUNT_PHASE_COUNT; phase++)
            total += r->phases[phase];
        if (r->candidate->kind != MEASURE_ROUTED || r->reason[0] || total <= 0)
            continue;
        row[0] = shunt_field_text(r->text);
        for (int phase = first; phase < end; phase++) {
            const double seconds = r->phases[(phase + 1) % SHUNT_PHASE_COUNT];
            snprintf(cells[phase], sizeof cells[phase], "%7.1f %3.0f%%", 1e6 * seconds,
                     100 * seconds / total);
            row[1 + phase - first] = shunt_field_text(cells[phase]);
        }
        shunt_sheet_row(&sheet, row);
    }
    measure_sheet_end(&sheet);
}

static void print_warning(void *context, const char *text)
{
    (void)context;
    shunt_fold_print(stdout, "  warning: %s\n", text);
}

/* What follows from the figures. */
static void print_verdict(const struct bench *bench, const struct measure_result *results)
{
    const struct measure_result *winner = bench_verdict_winner(bench, results);
    if (winner)
        shunt_fold_print(stdout, "  fastest: %s, %.2f times as fast as native\n", winner->text,
                         winner->speedup.median);
    else if (bench_verdict_wanted(bench) && bench_verdict_can_tell(bench))
        puts("  fastest: native, nothing is clearly faster");
    bench_warnings(bench, results, print_warning, NULL);
}

void bench_table_case(const struct bench *bench, const struct measure_case *c,
                      const struct measure_result *results)
{
    struct shunt_sheet sheet = {.indent = INDENT};
    print_title(c);
    bench_rows_put(&sheet, bench, c, results);
    if (bench->options.phases) {
        print_some_phases(bench, results, 0, SHUNT_PHASE_COUNT / 2);
        print_some_phases(bench, results, SHUNT_PHASE_COUNT / 2, SHUNT_PHASE_COUNT);
    }
    print_verdict(bench, results);
    fflush(stdout);
}
