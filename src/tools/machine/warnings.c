/* SPDX-License-Identifier: BSD-3-Clause */
/* warnings.c: what makes the numbers doubtful, and what to do about it. */
#include <stdarg.h>

#include "tools/common/tool.h"
#include "tools/machine/run.h"

static const double DOUBTFUL = 0.5;

__attribute__((format(printf, 2, 3))) static void warn(struct machine_warnings *warnings,
                                                       const char *format, ...)
{
    va_list arguments;
    if (warnings->count == MACHINE_WARNINGS_MOST)
        return;
    va_start(arguments, format);
    vsnprintf(warnings->text[warnings->count++], MACHINE_WARNING_ROOM, format, arguments);
    va_end(arguments);
}

/* Processes of others that ours cannot evade. */
static bool is_crowded(const struct machine_run *run)
{
    const int home = machine_run_home(run), ours = home < run->processors ? home : run->processors;
    return run->running > 0 && run->running + ours > run->processors;
}

static void warn_busy(const struct machine_run *run, struct machine_warnings *warnings)
{
    const struct machine_results *results = &run->results;
    if (is_crowded(run))
        warn(warnings,
             "busy machine: %d other process%s running on a node of %d processor%s before "
             "anything was measured",
             run->running, run->running == 1 ? " was" : "es were", run->processors,
             shunt_tool_plural((uint64_t)run->processors));
    if (machine_results_busy(results))
        warn(warnings,
             "busy machine: of %d measurements %d were disturbed: half of their repetitions took "
             "1.5 times the least",
             results->judged, results->disturbed);
    warnings->busy = warnings->count > 0;
}

/* Numbers that half of their measurements do not fit. */
static void warn_doubtful(const struct machine_run *run, struct machine_warnings *warnings)
{
    const struct machine_results *results = &run->results;
    char names[MACHINE_WARNING_ROOM - 80] = "";
    size_t used = 0;
    for (int i = 0; i < results->count && used < sizeof names; i++) {
        const struct machine_row *row = &results->rows[i];
        if (row->residual > DOUBTFUL)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s",
                                     used > 0 ? ", " : "", row->key);
    }
    if (used > 0)
        warn(warnings, "doubtful: measurements differ by more than half from %s; measure again",
             names);
}

void machine_warnings_find(struct machine_run *run)
{
    struct machine_warnings *warnings = &run->warnings;
    const int home = machine_run_home(run);
    *warnings = (struct machine_warnings){0};
    warn_busy(run, warnings);
    warn_doubtful(run, warnings);
    if (run->nodes == 1)
        warn(warnings,
             "one node: what is between nodes is not known and is as inside of one; measure it on "
             "two, for example mpiexec -n %d -ppn %d shunt machine",
             2 * home, home);
    else if (home == 1)
        warn(warnings,
             "one rank on each node: what is inside of a node is not known and is as between "
             "nodes; measure with two ranks or more on each");
    if (run->job.facts.oversubscribed)
        warn(warnings,
             "more ranks than processors (%d on %d of a node): this describes the machine with "
             "ranks that take turns%s",
             home, run->processors,
             run->job.facts.groups
                 ? ", each a scheduling group of its own; shunt-one-group makes it one for all"
                 : "");
}
