/* SPDX-License-Identifier: BSD-3-Clause */
/* write.c: see write.h. */
#include "tools/tune/write.h"

#include <math.h>
#include <string.h>

#include "config.h"
#include "route/host.h"
#include "route/quote.h"
#include "route/words.h"
#include "route/write.h"
#include "tools/bench/rules.h"
#include "tools/common/tool.h"

void tune_evidence_add(struct tune_evidence *evidence, const struct tune_sweep *sweeps, int count)
{
    double gain = 0, builtin = 0;
    for (int s = 0; s < count; s++)
        for (int i = 0; i < sweeps[s].count; i++) {
            const struct tune_outcome *outcome = &sweeps[s].outcomes[i];
            evidence->cells++;
            if (!outcome->measured)
                continue;
            evidence->measured++;
            evidence->busy += outcome->busy;
            gain += log(outcome->gain.median);
            builtin += log(outcome->builtin_gain > 0 ? outcome->builtin_gain : 1);
        }
    const int measured = evidence->measured > 0 ? evidence->measured : 1;
    evidence->gain = exp(gain / measured);
    evidence->builtin_gain = exp(builtin / measured);
}

/* A difference below that is none. */
static const double BETTER = 1.01;
/* So many processes beside the ranks are no accident. */
static const double OTHERS = 1;

static bool was_busy(const struct tune_evidence *e)
{
    return e->busy > 0 || e->others >= OTHERS;
}

static void print_busy(const struct tune_evidence *e, char *text, size_t capacity)
{
    if (e->others >= OTHERS)
        snprintf(text, capacity, "the machine was busy (%.1f other processes ran on average)",
                 e->others);
    else
        snprintf(text, capacity, "the machine was busy (times spread in %d of %d cells)", e->busy,
                 e->measured);
}

void tune_advise(const struct tune_evidence *e, char *text, size_t capacity)
{
    char busy[128] = "";
    if (e->simulated) {
        snprintf(text, capacity,
                 "Keep the built-in table until \"shunt tune --validate=FILE\" has "
                 "measured this one: it is predicted.");
        return;
    }
    const bool better = e->measured > 0 && e->gain > BETTER * e->builtin_gain,
               faster = e->gain > BETTER;
    if (was_busy(e))
        print_busy(e, busy, sizeof busy);
    snprintf(text, capacity,
             "%s: calls are %.2f times as fast as native with it, and %.2f times with %s%s%s%s.",
             better ? "Use the table" : "Keep the built-in table",
             better ? e->gain : e->builtin_gain, better ? e->builtin_gain : e->gain,
             better   ? "the built-in table"
             : faster ? "this one, which is no better"
                      : "this one",
             busy[0] ? "; but " : "", busy, busy[0] ? ": measure again when it is idle" : "");
}

static void write_head(FILE *stream, const struct tune_evidence *e)
{
    if (e->simulated) {
        fprintf(stream, "# Made by shunt tune %s, %s, from PREDICTIONS: nothing was measured.\n",
                PACKAGE_VERSION, e->date);
        bench_rules_comment(stream, "", e->command);
        bench_rules_comment(stream, "The cost model was asked about the machine ", e->simulated);
        fputs("# What it predicts may be wrong: \"shunt tune --validate FILE\" measures it against "
              "the MPI library's own.\n#\n",
              stream);
        return;
    }
    fprintf(stream, "# Made by shunt tune %s, %s, from %d of %d cells.\n", PACKAGE_VERSION, e->date,
            e->measured, e->cells);
    bench_rules_comment(stream, "", e->command);
    bench_rules_comment(stream, "", e->processor);
    fprintf(stream, "# %d processor%s on a node%s, ", e->processors,
            shunt_tool_plural((uint64_t)e->processors),
            e->oversubscribed ? ", with more ranks than that" : "");
    fprintf(stream, "%s\n", e->library);
    if (e->logged)
        bench_rules_comment(stream, "WARNING: the logs are of another MPI library: ", e->logged);
    bench_rules_comment(stream, "host of rank 0: ", e->host);
    if (e->csv)
        bench_rules_comment(stream, "samples: ", e->csv);
    fprintf(stream,
            "# mean gain over the cells: %.2f times as fast as native (the built-in table: %.2f)\n",
            e->gain, e->builtin_gain);
    char advice[TUNE_ADVICE_ROOM];
    tune_advise(e, advice, sizeof advice);
    bench_rules_comment(stream, was_busy(e) ? "WARNING: " : "", advice);
    if (e->measured < e->cells)
        fprintf(stream, "# %d cells were not measured: there was no time; they are native.\n",
                e->cells - e->measured);
    fputs(
        "#\n# A rule stands for what was measured: a layout, and sizes between those that its "
        "algorithm won, and as near to them\n# as a quarter. All else is native; calls of "
        "MPI_Alltoallv of other sizes on a layout that has rules for it are so after\n# an "
        "agreement about sizes, which takes longer than native alone. Gains are of calls that had "
        "no say in who won: median\n# and 95 % interval, at the size with the least, and of "
        "calls back to back and single calls, each after a barrier, the\n# smaller one.\n",
        stream);
}

static void write_machine(FILE *stream, const struct tune_evidence *e)
{
    char name[300];
    fputs("schema = 1;\n\n", stream);
    if (e->simulated || e->pattern[0] == '\0')
        return;
    shunt_host_machine(e->pattern, name, sizeof name);
    fprintf(stream, "machine = { name = \"%s\"; hosts = ( ", name);
    shunt_quote_write(stream, e->pattern);
    fputs(" );", stream);
    if (!e->logged) {
        fputs(" measured = ", stream);
        shunt_quote_write(stream, e->library);
        fputs(";", stream);
    }
    fputs(" };\n\n", stream);
}

static void write_evidence(FILE *stream, const struct tune_evidence *e,
                           const struct tune_rule *rule, const char *layout)
{
    if (e->simulated) {
        fprintf(stream,
                "  # predicted: %.2f times as fast as native at least, layout %s, machine %s\n",
                rule->gain.median, layout, e->simulated);
        return;
    }
    fprintf(stream, "  # gain %.2f (%.2f .. %.2f)", rule->gain.median, rule->gain.low,
            rule->gain.high);
    if (rule->sizes > 1)
        fprintf(stream, " to %.2f", rule->most.median);
    fprintf(stream, ", least in %s calls, %d size%s, %d pairs; %.10s, hosts %s, %s, layout %s\n",
            tune_mode_name(rule->mode), rule->sizes, shunt_tool_plural((uint64_t)rule->sizes),
            rule->pairs, e->date, e->pattern[0] ? e->pattern : e->host, e->library, layout);
}

static void write_rule(FILE *stream, const struct tune_evidence *e, const struct tune_rule *rule)
{
    const char *const candidate = rule->text;
    char layout[64], label[80], text[BENCH_RULE_ROOM];
    tune_place_print(&rule->place, layout, sizeof layout);
    snprintf(label, sizeof label, "%s", layout);
    const struct bench_rules rules = {.ranks = rule->place.ranks,
                                      .nodes = rule->place.nodes,
                                      .ppn_min = rule->place.ppn_min,
                                      .ppn_max = rule->place.ppn_max,
                                      .oversubscribed = e->simulated        ? SHUNT_CROWD_ANY
                                                        : e->oversubscribed ? SHUNT_CROWD_YES
                                                                            : SHUNT_CROWD_NO,
                                      .label = label,
                                      .candidate_count = 1,
                                      .candidates = &candidate};
    const struct bench_rule printed = {.op = rule->op, .block = rule->block};
    bench_rule_print(&rules, &printed, text, sizeof text);
    write_evidence(stream, e, rule, layout);
    fprintf(stream, "  %s,\n", text);
}

void tune_write(FILE *stream, const struct tune_evidence *evidence, const struct tune_sweep *sweeps,
                int count)
{
    struct tune_rule rules[BENCH_LIST_MOST];
    write_head(stream, evidence);
    write_machine(stream, evidence);
    for (int op = 0; op < SHUNT_OP_COUNT; op++) {
        bool asked = false;
        for (int s = 0; s < count; s++)
            asked |= sweeps[s].op == (enum shunt_op)op;
        if (!asked)
            continue;
        fprintf(stream, "%s = (\n", shunt_op_name((enum shunt_op)op));
        for (int s = 0; s < count; s++) {
            if (sweeps[s].op != (enum shunt_op)op)
                continue;
            const int made = tune_sweep_rules(&sweeps[s], rules);
            for (int i = 0; i < made; i++)
                write_rule(stream, evidence, &rules[i]);
        }
        fputs("  { id = \"rest\"; algorithm = \"native\"; }\n);\n", stream);
    }
}
