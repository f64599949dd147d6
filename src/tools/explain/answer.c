/* SPDX-License-Identifier: BSD-3-Clause */
/* answer.c: see answer.h. */
#include "tools/explain/answer.h"

#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "config.h"
#include "log/json.h"
#include "route/match.h"
#include "route/route.h"
#include "route/words.h"
#include "tools/common/effort.h"
#include "tools/common/fold.h"
#include "tools/common/tool.h"
#include "tools/explain/predicted.h"

/* Over all ranks. */
struct spread {
    bool counted; /* false: too many ranks */
    double least, mean, most;
};

struct answer {
    const struct shunt_question *question;
    const struct shunt_table *table;
    const struct shunt_decision *decision;
    bool agrees;  /* ranks agree about sizes in this call */
    bool limited; /* the model has used up its work */
    struct shunt_effort effort;
    struct spread messages, bytes;
    int64_t memory;                   /* scratch bytes */
    struct shunt_explained predicted; /* where it was asked for */
};

/* Schedules of all ranks are made one after the other up to here. */
enum { RANKS_COUNTED = 1024 };

/* As the library caps it, where some rule or the model decides. */
static int64_t memory_of(const struct answer *answer)
{
    const struct shunt_rule *rule = answer->decision->rule;
    const int64_t common = answer->question->memory;
    if (rule)
        return shunt_match_cap(answer->table, rule, common);
    return common >= 0 ? common : answer->table->policy.memory;
}

static bool count_rank(const struct answer *answer, int rank, struct shunt_effort *effort)
{
    const struct shunt_event_call call = {.op = answer->question->op,
                                          .algorithm = answer->decision->algorithm,
                                          .layout = &answer->question->layout,
                                          .params = &answer->decision->params,
                                          .block = answer->question->block,
                                          .memory = memory_of(answer),
                                          .agrees = answer->agrees};
    return shunt_effort_count(effort, &call, rank);
}

static void spread_add(struct spread *spread, double value, int rank, int ranks)
{
    spread->counted = true;
    spread->least = rank == 0 || value < spread->least ? value : spread->least;
    spread->most = rank == 0 || value > spread->most ? value : spread->most;
    spread->mean += value / ranks;
}

static int count_effort(struct answer *answer)
{
    const struct shunt_decision *decision = answer->decision;
    const struct shunt_layout *layout = &answer->question->layout;
    bool counted = true;
    if (decision->algorithm->memory)
        answer->memory =
            decision->algorithm->memory(layout, &decision->params, answer->question->block);
    if (!decision->algorithm->build)
        return SHUNT_EXIT_OK;
    counted = count_rank(answer, answer->question->rank, &answer->effort);
    for (int rank = 0; layout->ranks <= RANKS_COUNTED && rank < layout->ranks && counted; rank++) {
        struct shunt_effort effort;
        counted = count_rank(answer, rank, &effort);
        spread_add(&answer->messages, (double)effort.messages, rank, layout->ranks);
        spread_add(&answer->bytes, (double)effort.bytes, rank, layout->ranks);
    }
    if (counted)
        return SHUNT_EXIT_OK;
    shunt_tool_say("out of memory");
    return SHUNT_EXIT_IO;
}

/* Why rule `index` does not take the call. */
static void explain_rule(const struct answer *answer, uint32_t index, char *reason, size_t capacity)
{
    const struct shunt_question *question = answer->question;
    const struct shunt_rule *rule =
        &answer->table->rules[answer->table->rule_first[question->op] + index];
    if (shunt_rule_matches(answer->table, rule, question->op, &question->layout, question->memory,
                           question->block, question->density, reason, capacity))
        snprintf(reason, capacity, "comes after the rule that won");
}

static void print_spread(const char *what, const struct spread *spread)
{
    if (spread->counted && spread->least >= 0)
        printf("%-10s all ranks: %s least %.0f, mean %.1f, most %.0f\n", "", what, spread->least,
               spread->mean, spread->most);
}

static void print_effort(const struct answer *answer)
{
    shunt_effort_print(&answer->effort, answer->question->rank, "schedule");
    print_spread("messages", &answer->messages);
    print_spread("bytes", &answer->bytes);
}

static void print_decision(const struct answer *answer)
{
    const struct shunt_decision *decision = answer->decision;
    char text[512];
    shunt_tool_table_line("table      ", answer->table, false);
    shunt_params_print(decision->algorithm, &decision->params, text, sizeof text);
    printf("%-10s %s%s%s%s%s\n", "algorithm", shunt_tool_bold(stdout), decision->algorithm->name,
           text[0] != '\0' ? " " : "", text, shunt_tool_plain(stdout));
    if (decision->rule)
        shunt_tool_rule(answer->table, decision->rule, text, sizeof text);
    else if (decision->gain > 0)
        snprintf(text, sizeof text,
                 "none matches; the model predicts native to cost %.1f times as much",
                 decision->gain);
    else
        snprintf(text, sizeof text, "none matches, %s%sso the call is native",
                 decision->modelled ? "and the model predicts too little gain, " : "",
                 decision->modelled && answer->limited
                     ? "as far as it was asked within the work that it may take, "
                     : "");
    shunt_fold_print(stdout, "%-10s %s\n", "rule", text);
    shunt_bytes_print((uint64_t)answer->memory, text, sizeof text);
    printf("%-10s %s\n", "scratch", answer->effort.counted ? text : "the MPI library's own");
    if (!answer->effort.counted) {
        printf("%-10s the MPI library's own%s\n", "schedule",
               answer->agrees ? ", after an agreement about sizes" : "");
        return;
    }
    print_effort(answer);
}

static void print_predicted(const struct answer *answer)
{
    if (answer->question->predict)
        shunt_explained_print(&answer->predicted);
}

/* Columns of the names of rules; longer ones push their reasons away. */
enum { RULE_MOST = 60 };

static void print_others(const struct answer *answer)
{
    enum shunt_op op = answer->question->op;
    const struct shunt_rule *rules = &answer->table->rules[answer->table->rule_first[op]];
    uint32_t count = answer->table->rule_count[op];
    char name[512], reason[256];
    int width = 0;
    for (uint32_t i = 0; i < count; i++) {
        shunt_tool_rule(answer->table, &rules[i], name, sizeof name);
        if (i != answer->decision->rule_index && shunt_tool_width(name) > width &&
            shunt_tool_width(name) <= RULE_MOST)
            width = shunt_tool_width(name);
    }
    if (width > 0)
        puts("\nother rules");
    for (uint32_t i = 0; i < count; i++) {
        if (i == answer->decision->rule_index)
            continue;
        shunt_tool_rule(answer->table, &rules[i], name, sizeof name);
        explain_rule(answer, i, reason, sizeof reason);
        const int rest = width - shunt_tool_width(name);
        char line[sizeof name + sizeof reason + RULE_MOST];
        const int length =
            snprintf(line, sizeof line, "  %s%*s  %s\n", name, rest > 0 ? rest : 0, "", reason);
        shunt_fold_put(stdout, line, (size_t)length, 6);
    }
}

static void json_rule(struct shunt_json *json, const struct answer *answer,
                      const struct shunt_rule *rule)
{
    shunt_json_put_rule(
        json, SHUNT_KEY_RULE, rule ? shunt_table_string(answer->table, rule->file) : NULL,
        rule ? rule->line : 0, rule ? shunt_table_string(answer->table, rule->id) : NULL);
}

static void json_spread(struct shunt_json *json, enum shunt_key key, const struct spread *spread)
{
    if (!spread->counted || spread->least < 0)
        return;
    shunt_json_put_object(json, key);
    shunt_json_put_fixed(json, SHUNT_KEY_LEAST, spread->least, 0);
    shunt_json_put_number(json, SHUNT_KEY_MEAN, spread->mean);
    shunt_json_put_fixed(json, SHUNT_KEY_MOST, spread->most, 0);
    shunt_json_close(json);
}

static void json_effort(struct shunt_json *json, const struct answer *answer)
{
    const struct shunt_effort *e = &answer->effort;
    shunt_json_key(json, SHUNT_KEY_SCHEDULE);
    if (!e->counted) {
        shunt_json_null(json);
        return;
    }
    shunt_json_object(json);
    shunt_json_put_known(json, SHUNT_KEY_RANK, answer->question->rank);
    shunt_effort_json(e, json);
    json_spread(json, SHUNT_KEY_MESSAGES_OF_ALL, &answer->messages);
    json_spread(json, SHUNT_KEY_BYTES_OF_ALL, &answer->bytes);
    shunt_json_close(json);
}

static void json_question(struct shunt_json *json, const struct shunt_question *question)
{
    const struct shunt_layout *layout = &question->layout;
    shunt_json_put_string(json, SHUNT_KEY_OPERATION, shunt_op_name(question->op));
    shunt_json_put_known(json, SHUNT_KEY_RANKS, layout->ranks);
    shunt_json_put_known(json, SHUNT_KEY_NODES, layout->nodes);
    shunt_json_put_known(json, SHUNT_KEY_PPN_MIN, layout->ppn_min);
    shunt_json_put_known(json, SHUNT_KEY_PPN_MAX, layout->ppn_max);
    shunt_json_put_flag(json, SHUNT_KEY_OVERSUBSCRIBED, layout->oversubscribed);
    shunt_json_put_known(json, SHUNT_KEY_BLOCK, question->block);
    shunt_json_put_known(json, SHUNT_KEY_DENSITY, question->density);
}

static void json_decision(struct shunt_json *json, const struct answer *answer)
{
    const struct shunt_decision *decision = answer->decision;
    char parameters[512];
    shunt_params_print(decision->algorithm, &decision->params, parameters, sizeof parameters);
    shunt_json_put_string(json, SHUNT_KEY_TABLE,
                          shunt_table_string(answer->table, answer->table->source));
    shunt_json_put_string(json, SHUNT_KEY_ALGORITHM, decision->algorithm->name);
    shunt_json_put_string(json, SHUNT_KEY_PARAMETERS, parameters);
    json_rule(json, answer, decision->rule);
    if (decision->gain > 0)
        shunt_json_put_fixed(json, SHUNT_KEY_PREDICTED_GAIN, decision->gain, 2);
    if (decision->modelled)
        shunt_json_put_flag(json, SHUNT_KEY_LIMITED, answer->limited);
    shunt_json_put_known(json, SHUNT_KEY_MEMORY, answer->memory);
}

static int print_json(const struct answer *answer)
{
    const enum shunt_op op = answer->question->op;
    const struct shunt_rule *rules = &answer->table->rules[answer->table->rule_first[op]];
    struct shunt_document document;
    struct shunt_json *json = shunt_document_begin(&document);
    json_question(json, answer->question);
    json_decision(json, answer);
    json_effort(json, answer);
    if (answer->question->predict)
        shunt_explained_json(&answer->predicted, json);
    shunt_json_put_array(json, SHUNT_KEY_OTHERS);
    for (uint32_t i = 0; i < answer->table->rule_count[op]; i++) {
        char reason[256];
        if (i == answer->decision->rule_index)
            continue;
        explain_rule(answer, i, reason, sizeof reason);
        shunt_json_object(json);
        json_rule(json, answer, &rules[i]);
        shunt_json_put_string(json, SHUNT_KEY_REASON, reason);
        shunt_json_close(json);
    }
    shunt_json_close(json);
    return shunt_document_end(&document);
}

int shunt_explain_answer(const struct shunt_question *question)
{
    int code = SHUNT_EXIT_OK;
    struct shunt_map map;
    struct shunt_tool_query query = {.path = question->file};
    struct shunt_table *table = shunt_tool_table(&query, &code);
    if (!table)
        return code;
    if (shunt_map_build(&map, table, question->op, &question->layout, question->memory) != 0 ||
        map.unmodelled) {
        shunt_tool_say("out of memory");
        shunt_map_clear(&map);
        free(table);
        return SHUNT_EXIT_IO;
    }
    struct answer answer = {
        .question = question,
        .table = table,
        .decision = shunt_map_find(shunt_map_part(&map, question->op == SHUNT_OP_ALLTOALLV
                                                            ? question->density
                                                            : SHUNT_DENSITY_FULL),
                                   question->block),
        .limited = map.limited};
    answer.agrees = shunt_effort_agrees(question->op, &map, answer.decision);
    code = count_effort(&answer);
    if (code == SHUNT_EXIT_OK && question->predict)
        code = shunt_explained_make(&answer.predicted, question, answer.decision);
    if (code == SHUNT_EXIT_OK && question->json) {
        code = print_json(&answer);
    } else if (code == SHUNT_EXIT_OK) {
        shunt_question_print(question);
        print_decision(&answer);
        print_predicted(&answer);
        print_others(&answer);
    }
    shunt_map_clear(&map);
    free(table);
    return code;
}
