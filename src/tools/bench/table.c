/* SPDX-License-Identifier: BSD-3-Clause */
/* table.c: results for people. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "route/settings.h"
#include "tools/bench/bench.h"
#include "tools/common/fold.h"

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

/* Columns of the names; longer ones have a line of their own. */
enum { NAME_LEAST = 9, NAME_MOST = 19, NAME_PHASES = 36 };

static int longest(const struct bench *bench, const struct measure_result *results, int most)
{
    int width = NAME_LEAST;
    for (int k = 0; k < bench->candidate_count; k++) {
        const int length = (int)strlen(results[k].text);
        width = length > width && length <= most ? length : width;
    }
    return width;
}

/* The first column of a line, with the line before it where the name is too long for it. */
static void put_name(struct shunt_log_text *line, const char *name, int width)
{
    const bool fits = (int)strlen(name) <= width;
    shunt_log_text_string(line, "  ");
    if (!fits) {
        shunt_log_text_string(line, name);
        shunt_log_text_string(line, "\n  ");
    }
    const size_t start = line->used;
    shunt_log_text_string(line, fits ? name : "");
    shunt_log_text_pad(line, start, (size_t)width);
}

__attribute__((format(printf, 2, 3))) static void put(struct shunt_log_text *line,
                                                      const char *format, ...)
{
    char bytes[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(bytes, sizeof bytes, format, arguments);
    va_end(arguments);
    shunt_log_text_string(line, bytes);
}

/* Prints the line and releases it. */
static void end_line(struct shunt_log_text *line, int indent)
{
    shunt_log_text_string(line, "\n");
    shunt_fold_put(stdout, line->bytes, line->used, indent);
    free(line->bytes);
}

static void print_row(const struct measure_result *r, int name, bool paired, bool lower_bound)
{
    struct shunt_log_text line = {.grows = true};
    char interval[48];
    put_name(&line, r->text, name);
    if (r->reason[0]) {
        put(&line, "  -  %s", r->reason);
        end_line(&line, name + 7);
        return;
    }
    snprintf(interval, sizeof interval, "%.1f .. %.1f", 1e6 * r->time.low, 1e6 * r->time.high);
    put(&line, "  %9.1f  %9.1f  %-20s", 1e6 * r->time.least, 1e6 * r->time.median, interval);
    snprintf(interval, sizeof interval, "%.2f .. %.2f", r->speedup.low, r->speedup.high);
    if (paired)
        put(&line, "  %8.2f  %-14s", r->speedup.median,
            r->candidate->kind == MEASURE_NATIVE ? "" : interval);
    if (lower_bound)
        put(&line, "  %7.2f", r->lower_bound.median);
    if (r->wrong > 0)
        put(&line, "  WRONG bytes (%lld times)", (long long)r->wrong);
    end_line(&line, name + 4);
}

static bool has_phases(const struct measure_result *r, double *total)
{
    *total = 0;
    for (int phase = 0; phase < SHUNT_PHASE_COUNT; phase++)
        *total += r->phases[phase];
    return r->candidate->kind == MEASURE_ROUTED && !r->reason[0] && *total > 0;
}

/* Some of the phases, as many as a line has room for; all of them in their order but "other", which
 * is the last. */
static void print_some_phases(const struct bench *bench, const struct measure_result *results,
                              int name, int first, int end)
{
    double total;
    printf("\n  %-*s", name, "us per call");
    for (int phase = first; phase < end; phase++)
        printf("  %12s", bench_phase_name((phase + 1) % SHUNT_PHASE_COUNT));
    putchar('\n');
    for (int k = 0; k < bench->candidate_count; k++) {
        const struct measure_result *r = &results[k];
        struct shunt_log_text line = {.grows = true};
        if (!has_phases(r, &total))
            continue;
        put_name(&line, r->text, name);
        for (int phase = first; phase < end; phase++) {
            const double seconds = r->phases[(phase + 1) % SHUNT_PHASE_COUNT];
            put(&line, "  %7.1f %3.0f%%", 1e6 * seconds, 100 * seconds / total);
        }
        end_line(&line, name + 4);
    }
}

static void print_phases(const struct bench *bench, const struct measure_result *results)
{
    const int name = longest(bench, results, NAME_PHASES);
    print_some_phases(bench, results, name, 0, SHUNT_PHASE_COUNT / 2);
    print_some_phases(bench, results, name, SHUNT_PHASE_COUNT / 2, SHUNT_PHASE_COUNT);
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
    const bool paired = !bench->options.plain || bench->options.paired,
               lower_bound = bench->options.lower_bound && bench->job.facts.nodes.count == 1;
    const int name = longest(bench, results, NAME_MOST);
    print_title(c);
    printf("  %-*s  %9s  %9s  %-20s", name, "candidate", "least us", "median us", "interval us");
    if (paired)
        printf("  %8s  %-14s", "speed-up", "its interval");
    printf("%s\n", lower_bound ? "  / bound" : "");
    for (int k = 0; k < bench->candidate_count; k++)
        print_row(&results[k], name, paired, lower_bound);
    if (bench->options.phases)
        print_phases(bench, results);
    print_verdict(bench, results);
    fflush(stdout);
}
