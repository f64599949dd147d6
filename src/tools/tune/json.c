/* SPDX-License-Identifier: BSD-3-Clause */
/* json.c: what came of a run, for programs. */
#include "log/json.h"
#include "config.h"
#include "tools/common/tool.h"
#include "tools/tune/run.h"

/* Why there is no gain to tell; NULL: there is one, or nothing was faster than native. */
static const char *reason_of(const struct tune_run *run, const struct tune_outcome *outcome)
{
    if (!outcome->measured)
        return "there was no time";
    if (outcome->withdrawn)
        return run->options.validate ? "it cannot run here and falls back to native"
                                     : "a winner lost when measured again";
    return NULL;
}

static void put_outcome(struct shunt_json *json, const struct tune_run *run,
                        const struct tune_outcome *outcome)
{
    const char *mode = run->options.simulated ? "-" : tune_outcome_mode(outcome);
    shunt_json_put_known(json, SHUNT_KEY_LARGEST, outcome->largest);
    shunt_json_put_real(json, SHUNT_KEY_NATIVE, outcome->native);
    shunt_json_put_string(json, SHUNT_KEY_WINNER, outcome->text);
    shunt_json_put_object(json, SHUNT_KEY_SPEEDUP);
    shunt_json_put_real(json, SHUNT_KEY_MEDIAN, outcome->gain.median);
    shunt_json_put_real(json, SHUNT_KEY_LOW, outcome->gain.low);
    shunt_json_put_real(json, SHUNT_KEY_HIGH, outcome->gain.high);
    shunt_json_close(json);
    shunt_json_put_string(json, SHUNT_KEY_MODE, mode[0] == '-' ? NULL : mode);
    shunt_json_put_known(json, SHUNT_KEY_SAMPLES, run->options.simulated ? 0 : outcome->pairs);
    shunt_json_put_real(json, SHUNT_KEY_BUILT_IN, outcome->builtin_gain);
    shunt_json_put_flag(json, SHUNT_KEY_BUSY, outcome->busy && !run->options.simulated);
    shunt_json_put_flag(json, SHUNT_KEY_LOSES, outcome->loses);
}

static void put_case(struct shunt_json *json, const struct tune_run *run,
                     const struct tune_sweep *sweep, int index)
{
    const struct tune_outcome *outcome = &sweep->outcomes[index];
    shunt_json_line(json);
    shunt_json_object(json);
    shunt_json_put_string(json, SHUNT_KEY_OPERATION, shunt_op_name(sweep->op));
    shunt_json_put_known(json, SHUNT_KEY_RANKS, sweep->place.ranks);
    shunt_json_put_known(json, SHUNT_KEY_NODES, sweep->place.nodes);
    shunt_json_put_known(json, SHUNT_KEY_PPN_MIN, sweep->place.ppn_min);
    shunt_json_put_known(json, SHUNT_KEY_PPN_MAX, sweep->place.ppn_max);
    shunt_json_put_known(json, SHUNT_KEY_BLOCK, sweep->blocks[index]);
    shunt_json_put_string(json, SHUNT_KEY_REASON, reason_of(run, outcome));
    if (outcome->measured)
        put_outcome(json, run, outcome);
    shunt_json_close(json);
}

static void put_head(struct shunt_json *json, const struct tune_run *run,
                     const struct tune_evidence *e)
{
    const struct tune_options *o = &run->options;
    shunt_json_put_string(json, SHUNT_KEY_VERSION, PACKAGE_VERSION);
    shunt_json_put_string(json, SHUNT_KEY_COMMAND, run->job.command);
    shunt_json_put_string(json, SHUNT_KEY_DATE, run->job.facts.date);
    shunt_json_put_string(json, SHUNT_KEY_PROCESSOR, run->job.facts.processor);
    shunt_json_put_known(json, SHUNT_KEY_PROCESSORS, run->job.facts.processors);
    shunt_json_put_flag(json, SHUNT_KEY_OVERSUBSCRIBED, run->job.facts.oversubscribed);
    shunt_json_put_string(json, SHUNT_KEY_LIBRARY, run->job.facts.library);
    shunt_json_put_unsigned(json, SHUNT_KEY_SEED, o->cells.seed);
    shunt_json_put_string(json, SHUNT_KEY_TABLE, o->validate ? o->validate : o->output);
    shunt_json_put_string(json, SHUNT_KEY_MACHINE, o->simulated ? run->model.name : NULL);
    shunt_json_put_real(json, SHUNT_KEY_SPEEDUP, e->gain);
    shunt_json_put_real(json, SHUNT_KEY_BUILT_IN, e->builtin_gain);
}

int tune_run_print_json(const struct tune_run *run, const struct tune_evidence *evidence)
{
    struct shunt_log_text text = {.grows = true};
    struct shunt_json json = {.text = &text, .whole = true};
    shunt_json_object(&json);
    put_head(&json, run, evidence);
    shunt_json_put_array(&json, SHUNT_KEY_CASES);
    for (int s = 0; s < run->sweep_count; s++)
        for (int i = 0; i < run->sweeps[s].count; i++)
            put_case(&json, run, &run->sweeps[s], i);
    shunt_json_line(&json);
    shunt_json_close(&json);
    shunt_json_close(&json);
    return shunt_tool_write(&text, stdout);
}
