/* SPDX-License-Identifier: BSD-3-Clause */
/* command.c: `shunt schedule`: what every rank does in one call of an algorithm. */
#include <stdlib.h>
#include <string.h>

#include "tools/common/tool.h"
#include "tools/predict/predict.h"
#include "tools/schedule/shown.h"

/* What has been written of a document goes out, so that all ranks of a large job need no memory. */
static int put_out(struct shunt_json *json)
{
    struct shunt_log_text *text = json->text;
    if (text->cut)
        return shunt_tool_no_memory();
    fwrite(text->bytes, 1, text->used, stdout); /* an error stays in the stream */
    text->used = 0;
    return SHUNT_EXIT_OK;
}

static int show_rank(const struct shunt_shown *call, int rank, struct shunt_json *json)
{
    struct shunt_shown_rank shown;
    int code = SHUNT_EXIT_OK;
    if (shunt_shown_build(&shown, call, rank) ||
        (call->question->json && shunt_shown_json_rank(call, &shown, json)))
        code = shunt_tool_no_memory();
    else if (!call->question->json)
        shunt_shown_print_rank(call, &shown);
    shunt_shown_clear(&shown);
    return code == SHUNT_EXIT_OK && call->question->json ? put_out(json) : code;
}

static int show(const struct shunt_shown *call)
{
    const struct shunt_question *question = call->question;
    const int first = question->all ? 0 : question->rank,
              last = question->all ? question->layout.ranks : first + 1;
    struct shunt_log_text text = {.grows = true};
    struct shunt_json json = {.text = &text, .whole = true};
    int code = SHUNT_EXIT_OK;
    if (question->json)
        shunt_shown_json_begin(call, &json);
    else
        shunt_shown_print(call);
    for (int rank = first; rank < last && code == SHUNT_EXIT_OK && !ferror(stdout); rank++)
        code = show_rank(call, rank, &json);
    if (question->json)
        shunt_shown_json_end(&json);
    if (question->json && code == SHUNT_EXIT_OK)
        return shunt_tool_write(&text, stdout);
    free(text.bytes);
    return code;
}

/* What messages carry is only needed to tell which block goes where. Blocks of different sizes have
 * asked for it already; reads have no messages. */
static int show_moves(struct shunt_shown *call)
{
    struct shunt_carried carried = {0};
    const struct shunt_decision *decision = call->decision;
    int code = SHUNT_EXIT_OK;
    call->carried = &carried;
    if (call->counts->bytes)
        call->carried = &call->counts->sizes.carried;
    else if (decision->algorithm->kind != SHUNT_KIND_READ &&
             shunt_carried_build(&carried, decision->algorithm, &call->question->layout,
                                 &decision->params))
        code = shunt_tool_no_memory();
    if (code == SHUNT_EXIT_OK)
        code = show(call);
    call->carried = NULL;
    shunt_carried_clear(&carried);
    return code;
}

static int show_asked(struct shunt_shown *call)
{
    return call->question->moves ? show_moves(call) : show(call);
}

/* With the times that the model gives its events on a described machine. */
static int show_times(const struct shunt_shown *call)
{
    struct shunt_shown timed = *call;
    const struct shunt_question *question = call->question;
    struct shunt_machine machine;
    struct shunt_trace trace = {0};
    int code = shunt_predict_machine(&machine, question->asker, question->machine, NULL);
    if (code != SHUNT_EXIT_OK)
        return code;
    const struct shunt_cost_call asked = {
        .machine = &machine, .call = shunt_shown_events(call), .counts = call->counts->bytes};
    switch (shunt_trace_make(&trace, &asked)) {
    case SHUNT_COST_OK:
        timed.trace = &trace;
        timed.machine = &machine;
        code = show_asked(&timed);
        break;
    case SHUNT_COST_LARGE:
        code = shunt_tool_usage(question->asker,
                                "--machine: this call has more events than are run one by one; "
                                "ask about fewer ranks");
        break;
    case SHUNT_COST_STUCK:
        code = shunt_predict_stuck(call->decision->algorithm);
        break;
    case SHUNT_COST_MEMORY:
        code = shunt_tool_no_memory();
    }
    shunt_trace_clear(&trace);
    return code;
}

static int answer_call(struct shunt_shown *call)
{
    return call->question->sweep     ? shunt_sweep_radix(call)
           : call->question->machine ? show_times(call)
                                     : show_asked(call);
}

/* A table with the one rule. NULL with *code. */
static struct shunt_table *forced(const struct shunt_question *question, int *code)
{
    static const char prefix[] = "SHUNT_FORCE: ";
    struct shunt_diagnostics diagnostics = {0};
    struct shunt_table *table = NULL;
    char text[512];
    *code = SHUNT_EXIT_USAGE;
    if (strchr(question->algorithm, ',')) {
        shunt_tool_usage(question->asker, "--algorithm: \"%s\" is more than one algorithm",
                         question->algorithm);
        return NULL;
    }
    if (snprintf(text, sizeof text, "%s=%s", shunt_op_name(question->op), question->algorithm) >=
        (int)sizeof text) {
        shunt_tool_usage(question->asker, "--algorithm: \"%.40s...\" is too long",
                         question->algorithm);
        return NULL;
    }
    table = shunt_table_from_force(text, &diagnostics);
    if (!table && diagnostics.count == 0)
        *code = shunt_tool_no_memory();
    if (!table && diagnostics.count > 0) {
        const char *said = diagnostics.text[0];
        shunt_tool_usage(question->asker, "--algorithm: %s",
                         strncmp(said, prefix, strlen(prefix)) == 0 ? said + strlen(prefix) : said);
    }
    shunt_diagnostics_clear(&diagnostics);
    return table;
}

/* Algorithms without a schedule, and layouts and sizes that the algorithm does not take. */
static int check_served(const struct shunt_question *question, const struct shunt_table *table)
{
    const struct shunt_rule *rule = &table->rules[table->rule_first[question->op]];
    const struct shunt_algorithm *algorithm = shunt_registry_row(rule->algorithm);
    const struct shunt_params params =
        shunt_params_evaluate(algorithm, rule->present, rule->given, &question->layout);
    const char *obstacle =
        algorithm->infeasible ? algorithm->infeasible(&question->layout, &params) : NULL;
    char reason[256];
    if (!algorithm->build)
        shunt_tool_say("%s has no schedule of ours: its messages are the MPI library's own; "
                       "\"shunt algorithms\" lists others",
                       algorithm->name);
    else if (obstacle)
        shunt_tool_say("%s cannot serve this layout: %s; \"shunt algorithms --long\" tells when to "
                       "use which",
                       algorithm->name, obstacle);
    else if (!question->sweep &&
             !shunt_rule_matches(table, rule, question->op, &question->layout, question->memory,
                                 question->block, SHUNT_DENSITY_FULL, reason, sizeof reason))
        shunt_tool_say("%s does not take this call: %s; give it more by --memory, or smaller "
                       "blocks by --block",
                       algorithm->name, reason);
    else
        return SHUNT_EXIT_OK;
    return SHUNT_EXIT_USAGE;
}

static int answer_question(const struct shunt_question *question, struct shunt_counts *counts)
{
    int code;
    struct shunt_map map;
    struct shunt_table *table = forced(question, &code);
    if (!table)
        return code;
    code = check_served(question, table);
    if (code == SHUNT_EXIT_OK &&
        shunt_map_build(&map, table, question->op, &question->layout, question->memory) != 0)
        code = shunt_tool_no_memory();
    if (code == SHUNT_EXIT_OK) {
        const struct shunt_decision *decision = shunt_map_find(&map, question->block);
        struct shunt_shown call = {.question = question,
                                   .table = table,
                                   .decision = decision,
                                   .counts = counts,
                                   .agrees = shunt_effort_agrees(question->op, &map, decision)};
        if (shunt_counts_prepare(counts, &call))
            code = shunt_tool_no_memory();
        else
            code = answer_call(&call);
        shunt_map_clear(&map);
    }
    free(table);
    return code;
}

/* What says nothing beside something else. */
static int check_together(const struct shunt_question *question, const struct shunt_words *words)
{
    const struct shunt_subcommand *asker = words->command;
    if (question->csv && !question->sweep)
        return shunt_tool_usage(asker, "--csv is a form of --sweep");
    if (question->moves && !question->json)
        return shunt_tool_usage(asker, "--moves goes with --json");
    if (question->counts && (shunt_given(words, "block") || question->op != SHUNT_OP_ALLTOALLV))
        return shunt_tool_usage(asker, "--counts goes with --op=alltoallv and without --block");
    if (question->sweep &&
        (question->json || question->all || question->counts || question->machine))
        return shunt_tool_usage(asker, "--sweep goes without %s",
                                question->json     ? "--json (--csv is for programs)"
                                : question->all    ? "--rank=all: it is about one rank"
                                : question->counts ? "--counts: it tells no bytes"
                                                   : "--machine: it tells no times");
    return SHUNT_EXIT_OK;
}

static int run(void *options, const struct shunt_words *words)
{
    struct shunt_question *question = options;
    struct shunt_counts counts = {0};
    question->asker = words->command;
    question->sweep = shunt_given(words, "sweep");
    int code = check_together(question, words);
    if (code == SHUNT_EXIT_OK)
        code = shunt_question_place(question, true);
    if (code == SHUNT_EXIT_OK && question->counts)
        code = shunt_counts_read(&counts, question);
    if (code == SHUNT_EXIT_OK)
        code = answer_question(question, &counts);
    shunt_counts_clear(&counts);
    return code;
}

static void clear(void *options)
{
    shunt_question_clear(options);
}

/* A number, or all. */
static bool read_rank(struct shunt_option_value *value)
{
    struct shunt_question *question = value->options;
    question->all = strcmp(value->text, "all") == 0;
    return question->all || shunt_read_number(value) ||
           shunt_option_refuse(value, NULL, "is not a number from 0 to %d, or \"all\"",
                               SHUNT_RANKS_MAX - 1);
}

static const struct shunt_option list[] = {
    SHUNT_REQUIRED("algorithm", "ALGORITHM", struct shunt_question, algorithm, shunt_read_text,
                   "NAME[:PARAMETER=VALUE]... as in SHUNT_FORCE, such as parlogna:radix=4"),
    SHUNT_OPTION_OP(struct shunt_question, op),
    SHUNT_OPTION_RANKS(struct shunt_question, shape.ranks),
    SHUNT_OPTION_NODES(struct shunt_question, shape.nodes),
    SHUNT_OPTION_PPN(struct shunt_question, shape.ppn),
    SHUNT_OPTION_LAYOUT(struct shunt_question, shape.layout),
    SHUNT_SIZE("block", "SIZE", struct shunt_question, block,
               "bytes per destination (default 1); takes K, M and G"),
    SHUNT_FILE("counts", "FILE", struct shunt_question, counts,
               "instead: a line per rank with the bytes for each rank; alltoallv only"),
    SHUNT_OPTION_MEMORY(struct shunt_question, memory),
    {SHUNT_OPTION("rank", "RANK", struct shunt_question, rank, read_rank,
                  "whose schedule, or all (default 0)"),
     .most = SHUNT_RANKS_MAX - 1},
    SHUNT_WORD("sweep", "radix", struct shunt_question, sweep_over, "radix",
               "a table of all radices instead"),
    SHUNT_FLAG(0, "csv", struct shunt_question, csv, "that table for programs"),
    SHUNT_FILE("machine", "NAME", struct shunt_question, machine,
               "when each event is done on a described machine, by the model"),
    SHUNT_JSON(struct shunt_question, json,
               "schedules for programs; schedule.schema.json describes the form"),
    SHUNT_FLAG(0, "moves", struct shunt_question, moves,
               "in them, which block each event takes from where to where"),
};

const struct shunt_subcommand shunt_subcommand_schedule = {
    .name = "schedule",
    .summary = "show what every rank does in one call, round by round",
    .usage = "shunt schedule --algorithm=ALGORITHM --op=OP SHAPE [OPTION]...\n"
             "shunt schedule --algorithm=ALGORITHM --op=OP SHAPE --sweep=radix [--csv]",
    .about = "Shows the rounds of one call with ALGORITHM: messages, copies, barriers, reads, and "
             "what ranks agree about before. With --sweep: rounds, messages and blocks sent by one "
             "rank, for every radix. " SHUNT_SHAPE_ABOUT "; --ranks alone: one node.",
    SHUNT_OPTIONS(list),
    .size = sizeof(struct shunt_question),
    .defaults = &(const struct shunt_question){.block = 1, .memory = -1},
    .run = run,
    .clear = clear,
};
