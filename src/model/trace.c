/* SPDX-License-Identifier: BSD-3-Clause */
/* trace.c: see trace.h. */
#include "model/trace.h"

#include <stdlib.h>

#include "model/program.h"
#include "model/run.h"
#include "model/symmetry.h"

static bool reserve(struct shunt_trace *trace, const struct shunt_program *program)
{
    trace->first = calloc((size_t)program->period + 1, sizeof *trace->first);
    if (!trace->first)
        return false;
    for (int p = 0; p < program->period; p++)
        trace->first[p + 1] = trace->first[p] + program->rank[p].events;
    trace->done = malloc((trace->first[program->period] + 1) * sizeof *trace->done);
    return trace->done != NULL;
}

static void fill(struct shunt_trace *trace, const struct shunt_program *program,
                 const struct shunt_run_record *record)
{
    for (int p = 0; p < program->period; p++) {
        const struct shunt_program_rank *rank = &program->rank[p];
        double *done = trace->done + trace->first[p];
        for (size_t i = 0; i < rank->events; i++) {
            const uint32_t value = rank->mark[i] & SHUNT_MARK_MASK;
            switch ((enum shunt_mark)(rank->mark[i] >> SHUNT_MARK_SHIFT)) {
            case SHUNT_MARK_SENT:
                done[i] = record->sent[record->first_send[p] + value];
                break;
            case SHUNT_MARK_ARRIVED:
                done[i] = record->arrived[record->first_receive[p] + value];
                break;
            case SHUNT_MARK_BEGUN:
                done[i] = record->begun[record->first_word[p] + value];
                break;
            }
        }
    }
}

static enum shunt_cost_result run(struct shunt_trace *trace, const struct shunt_cost_call *call,
                                  const struct shunt_program *program)
{
    struct shunt_run_record record = {0};
    enum shunt_cost_result result = SHUNT_COST_MEMORY;
    if (reserve(trace, program))
        result = shunt_run(&trace->time, program, call->machine, call->call.layout, &record);
    if (result == SHUNT_COST_OK)
        fill(trace, program, &record);
    shunt_run_record_clear(&record);
    return result;
}

enum shunt_cost_result shunt_trace_make(struct shunt_trace *trace,
                                        const struct shunt_cost_call *call)
{
    struct shunt_event_sizes sizes = {0};
    struct shunt_program program = {0};
    struct shunt_symmetry symmetry = {.period = call->call.layout->ranks};
    const struct shunt_program_call known = {.cost = call,
                                             .call = call->call,
                                             .sizes = call->counts ? &sizes : NULL,
                                             .symmetry = &symmetry,
                                             .marked = true};
    enum shunt_cost_result result = SHUNT_COST_OK;
    *trace = (struct shunt_trace){.ranks = call->call.layout->ranks};
    if (call->counts && shunt_event_sizes_prepare(&sizes, &known.call, call->counts))
        result = SHUNT_COST_MEMORY;
    if (result == SHUNT_COST_OK)
        result = shunt_program_build(&program, &known);
    if (result == SHUNT_COST_OK)
        result = run(trace, call, &program);
    shunt_program_clear(&program);
    shunt_event_sizes_clear(&sizes);
    return result;
}

void shunt_trace_clear(struct shunt_trace *trace)
{
    free(trace->first);
    free(trace->done);
    *trace = (struct shunt_trace){0};
}
