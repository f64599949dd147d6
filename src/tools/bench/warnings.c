/* SPDX-License-Identifier: BSD-3-Clause */
/* warnings.c: what makes the figures of a case doubtful, and what to do about it. */
#include "tools/bench/bench.h"

#include "tools/common/fold.h"

/* The first candidate tells how quiet the machine is: native, or the calls as they are. Where ranks
 * arrive late on purpose, times differ on purpose. */
static bool is_busy(const struct bench *bench, const struct measure_result *first)
{
    return bench->options.skew == 0 && first->reason[0] == '\0' && measure_busy(&first->time);
}

static bool is_below(const struct measure_result *result)
{
    return result->candidate->kind != MEASURE_LOWER_BOUND && result->reason[0] == '\0' &&
           result->lower_bound.high > 0 && result->lower_bound.high < 1;
}

int bench_warnings(const struct bench *bench, const struct measure_result *results,
                   void (*tell)(void *context, const char *text), void *context)
{
    char text[BENCH_WARNING_ROOM];
    int count = 0;
    if (is_busy(bench, &results[0])) {
        const struct measure_interval *time = &results[0].time;
        snprintf(text, sizeof text,
                 "busy machine: the median of %s, %.1f us, is %.1f times its least, %.1f us",
                 results[0].text, 1e6 * time->median, time->median / time->least,
                 1e6 * time->least);
        tell(context, text);
        count++;
    }
    for (int k = 0; k < bench->candidate_count; k++) {
        const struct measure_interval *ratio = &results[k].lower_bound;
        if (!is_below(&results[k]))
            continue;
        snprintf(text, sizeof text,
                 "%s takes %.2f .. %.2f of the lower bound's time: the bound or the measurement is "
                 "wrong",
                 results[k].text, ratio->low, ratio->high);
        tell(context, text);
        count++;
    }
    return count;
}

void bench_warnings_count(struct bench *bench, const struct measure_result *results)
{
    bool below = false;
    for (int k = 0; k < bench->candidate_count; k++)
        below |= is_below(&results[k]);
    bench->busy_cases += is_busy(bench, &results[0]);
    bench->below_cases += below;
}

void bench_warnings_end(const struct bench *bench, FILE *stream)
{
    const struct measure_facts *m = &bench->job.facts;
    const bool waits = m->oversubscribed && !m->yields, groups = m->oversubscribed && m->groups;
    if (bench->busy_cases > 0)
        shunt_fold_print(
            stream,
            "\nwarning: the machine was busy in %d of %d cases (a median above %.1f times its "
            "least), "
            "so do not rest decisions on these figures. Measure on an idle machine, or with more "
            "--repetitions (%d now)%s%s%s.\n",
            bench->busy_cases, bench->case_count, MEASURE_BUSY, bench->options.repetitions,
            waits ? ", with a library that yields while it waits (there are more ranks than "
                    "processors): "
                  : "",
            waits ? m->remedy : "",
            groups ? ", behind scripts/one-group (each rank is a scheduling group of its own)"
                   : "");
    if (bench->below_cases > 0)
        shunt_fold_print(
            stream,
            "\nwarning: a candidate was faster than the lower bound in %d of %d cases. Either the "
            "measurement is disturbed: repeat it with more --repetitions; or the bound is none "
            "there, because all ranks meet in it, which an exchange with empty blocks need not.\n",
            bench->below_cases, bench->case_count);
}
