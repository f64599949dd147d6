/* SPDX-License-Identifier: BSD-3-Clause */
/* table.c: results for people. */
#include <string.h>

#include "config.h"
#include "route/settings.h"
#include "tools/bench/files.h"
#include "tools/bench/table.h"
#include "tools/bench/verdict.h"
#include "tools/bench/warnings.h"

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
    const struct bench_machine *m = &bench->machine;
    const struct bench_options *o = &bench->options;
    char ppn[48];
    if (m->ppn_min == m->ppn_max)
        snprintf(ppn, sizeof ppn, "%d", m->ppn_max);
    else
        snprintf(ppn, sizeof ppn, "%d to %d", m->ppn_min, m->ppn_max);
    printf("version   shunt %s\n", PACKAGE_VERSION);
    printf("machine   %s, %d processor%s\n", m->processor, m->processors,
           m->processors == 1 ? "" : "s");
    printf("library   %s\n", m->library);
    printf("ranks     %d on %d node%s, %s per node%s\n", bench->size, m->nodes,
           m->nodes == 1 ? "" : "s", ppn, m->oversubscribed ? ": more than processors" : "");
    if (m->test_layout[0])
        printf(
            "layout    SHUNT_TEST_LAYOUT=%s: Shunt's algorithms take pieces of a node for nodes\n",
            m->test_layout);
    if (m->helper[0])
        printf("helper    %s%s\n", m->helper,
               m->yields ? ", gives the processor up while waiting" : "");
    else if (m->oversubscribed && m->yields)
        printf("helper    none: the library gives the processor up while it waits\n");
    else if (m->oversubscribed)
        printf("helper    none: the library burns the processor while it waits, so these times "
               "are mostly waits; %s\n",
               m->remedy);
    if (m->oversubscribed && m->groups)
        printf("groups    every rank is a scheduling group of its own, and yields do little: "
               "shunt-one-group makes it one for all\n");
    printf("date      %s\n", m->date);
    printf("command   %s\n", bench->command);
    if (o->skew)
        printf("skew      ranks come up to %d us late to each call, which is part of its time\n",
               o->skew);
    printf("measured  %d repetitions after %d, %d call%s each, order shuffled, maximum over ranks; "
           "seed %llu; intervals are 95 %%\n",
           o->repetitions, o->warm_up, o->inner, o->inner == 1 ? "" : "s",
           (unsigned long long)o->seed);
}

static void print_title(const struct bench_case *c)
{
    char distribution[256], block[32];
    bench_distribution_print(c->distribution, distribution, sizeof distribution);
    shunt_size_print(c->block, block, sizeof block);
    if (c->op == SHUNT_OP_ALLTOALL)
        printf("\nalltoall, blocks of %s bytes\n", block);
    else if (c->distribution->shape == BENCH_MATRIX)
        printf("\nalltoallv, %s: largest block %lld bytes, mean %.0f\n", distribution,
               (long long)c->largest, c->mean);
    else
        printf("\nalltoallv, %s, S = %s bytes: largest block %lld, mean %.0f\n", distribution,
               block, (long long)c->largest, c->mean);
}

static int longest(const struct bench *bench, const struct bench_result *results)
{
    size_t width = 9;
    for (int k = 0; k < bench->candidate_count; k++) {
        const size_t length = strlen(results[k].text);
        width = length > width ? length : width;
    }
    return (int)width;
}

static void print_row(const struct bench_result *r, bool paired, bool lower_bound)
{
    if (r->reason[0]) {
        printf("  -  %s\n", r->reason);
        return;
    }
    char interval[48];
    snprintf(interval, sizeof interval, "%.1f .. %.1f", 1e6 * r->time.low, 1e6 * r->time.high);
    printf("  %9.1f  %9.1f  %-20s", 1e6 * r->time.least, 1e6 * r->time.median, interval);
    snprintf(interval, sizeof interval, "%.2f .. %.2f", r->speedup.low, r->speedup.high);
    if (paired)
        printf("  %8.2f  %-14s", r->speedup.median,
               r->candidate->kind == BENCH_NATIVE ? "" : interval);
    if (lower_bound)
        printf("  %7.2f", r->lower_bound.median);
    if (r->wrong > 0)
        printf("  WRONG bytes (%lld times)", (long long)r->wrong);
    putchar('\n');
}

static void print_phases(const struct bench *bench, const struct bench_result *results, int name)
{
    printf("\n  %-*s", name, "us per call");
    for (int phase = 0; phase < SHUNT_PHASE_COUNT; phase++)
        printf("  %12s", bench_phase_name((phase + 1) % SHUNT_PHASE_COUNT));
    putchar('\n');
    for (int k = 0; k < bench->candidate_count; k++) {
        const struct bench_result *r = &results[k];
        double total = 0;
        for (int phase = 0; phase < SHUNT_PHASE_COUNT; phase++)
            total += r->phases[phase];
        if (r->candidate->kind != BENCH_ROUTED || r->reason[0] || total <= 0)
            continue;
        printf("  %-*s", name, r->text);
        for (int phase = 0; phase < SHUNT_PHASE_COUNT; phase++) {
            const double seconds = r->phases[(phase + 1) % SHUNT_PHASE_COUNT];
            printf("  %7.1f %3.0f%%", 1e6 * seconds, 100 * seconds / total);
        }
        putchar('\n');
    }
}

static void print_warning(void *context, const char *text)
{
    (void)context;
    printf("  warning: %s\n", text);
}

/* What follows from the figures. */
static void print_verdict(const struct bench *bench, const struct bench_result *results)
{
    const struct bench_result *winner = bench_verdict_winner(bench, results);
    if (winner)
        printf("  fastest: %s, %.2f times as fast as native\n", winner->text,
               winner->speedup.median);
    else if (bench_verdict_wanted(bench) && bench_verdict_can_tell(bench))
        puts("  fastest: native, nothing is clearly faster");
    bench_warnings(bench, results, print_warning, NULL);
}

void bench_table_case(const struct bench *bench, const struct bench_case *c,
                      const struct bench_result *results)
{
    const bool paired = !bench->options.plain || bench->options.paired,
               lower_bound = bench->options.lower_bound && bench->machine.nodes == 1;
    const int name = longest(bench, results);
    print_title(c);
    printf("  %-*s  %9s  %9s  %-20s", name, "candidate", "least us", "median us", "interval");
    if (paired)
        printf("  %8s  %-14s", "speed-up", "interval");
    printf("%s\n", lower_bound ? "  / bound" : "");
    for (int k = 0; k < bench->candidate_count; k++) {
        printf("  %-*s", name, results[k].text);
        print_row(&results[k], paired, lower_bound);
    }
    if (bench->options.phases)
        print_phases(bench, results, name);
    print_verdict(bench, results);
    fflush(stdout);
}
