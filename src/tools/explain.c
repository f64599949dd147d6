/* SPDX-License-Identifier: BSD-3-Clause */
/* explain.c: `shunt explain`: which rule takes a call, what it costs, and why every other rule does not. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "route/route.h"
#include "route/words.h"
#include "tools/question.h"
#include "tools/tool.h"

/* What one rank does in one call. */
struct effort {
    bool counted; /* false: the MPI library's own schedule */
    uint32_t rounds;
    uint32_t messages; /* sent */
    uint64_t blocks;   /* sent, forwarded ones included */
    uint64_t copies;   /* of blocks within the rank, before and after */
};

struct answer {
    const struct shunt_question *question;
    const struct shunt_table *table;
    const struct shunt_decision *decision;
    struct effort effort;
    int64_t memory; /* scratch bytes */
};

static int count_effort(struct answer *answer)
{
    const struct shunt_decision *decision = answer->decision;
    const struct shunt_layout *layout = &answer->question->layout;
    struct shunt_schedule schedule;
    if (decision->algorithm->memory != NULL)
        answer->memory = decision->algorithm->memory(layout, &decision->params, answer->question->block);
    if (decision->algorithm->build == NULL)
        return SHUNT_EXIT_OK;
    if (decision->algorithm->build(&schedule, layout, answer->question->rank, &decision->params) != 0) {
        shunt_tool_say("out of memory");
        return SHUNT_EXIT_IO;
    }
    answer->effort = (struct effort){.counted = true, .rounds = schedule.round_count};
    answer->effort.copies = (uint64_t)schedule.before_count + schedule.after_count;
    for (uint32_t i = 0; i < schedule.step_count; i++) {
        answer->effort.messages += schedule.steps[i].send_count > 0;
        answer->effort.blocks += schedule.steps[i].send_count;
    }
    shunt_schedule_clear(&schedule);
    return SHUNT_EXIT_OK;
}

/* Why rule `index` does not take the call. */
static void explain_rule(const struct answer *answer, uint32_t index, char *reason, size_t room)
{
    const struct shunt_question *question = answer->question;
    const struct shunt_rule *rule = &answer->table->rules[answer->table->rule_first[question->op] + index];
    if (shunt_rule_matches(answer->table, rule, question->op, &question->layout, question->memory, question->block, reason, room))
        snprintf(reason, room, "comes after the rule that won");
}

static void print_call(const struct answer *answer)
{
    const struct shunt_layout *layout = &answer->question->layout;
    printf("%-10s %s, %d ranks, %d nodes, ", "call", shunt_op_name(answer->question->op), layout->ranks, layout->nodes);
    if (layout->ppn_min == layout->ppn_max)
        printf("%d ranks per node, ", layout->ppn_max);
    else
        printf("%d to %d ranks per node, ", layout->ppn_min, layout->ppn_max);
    printf("blocks of %" PRId64 " bytes\n", answer->question->block);
}

static void print_decision(const struct answer *answer)
{
    const struct shunt_decision *decision = answer->decision;
    const char *machine = shunt_table_string(answer->table, answer->table->machine);
    char text[512];
    printf("%-10s %s%s%s%s\n", "table", shunt_table_string(answer->table, answer->table->source), machine[0] != '\0' ? " (" : "", machine,
           machine[0] != '\0' ? ")" : "");
    shunt_params_print(decision->algorithm, &decision->params, text, sizeof text);
    printf("%-10s %s%s%s%s%s\n", "algorithm", shunt_tool_bold(stdout), decision->algorithm->name, text[0] != '\0' ? " " : "", text,
           shunt_tool_plain(stdout));
    if (decision->rule != NULL)
        shunt_tool_rule(answer->table, decision->rule, text, sizeof text);
    printf("%-10s %s\n", "rule", decision->rule != NULL ? text : "none matches, so the call is native");
    shunt_bytes_print(answer->memory, text, sizeof text);
    printf("%-10s %s\n", "scratch", answer->effort.counted ? text : "the MPI library's own");
    if (!answer->effort.counted) {
        printf("%-10s the MPI library's own\n", "schedule");
        return;
    }
    printf("%-10s rank %d: %" PRIu32 " rounds, sends %" PRIu32 " messages with %" PRIu64 " blocks", "schedule", answer->question->rank,
           answer->effort.rounds, answer->effort.messages, answer->effort.blocks);
    if (answer->effort.copies > 0)
        printf(", moves %" PRIu64 " blocks in memory", answer->effort.copies);
    puts("");
}

static void print_others(const struct answer *answer)
{
    enum shunt_op op = answer->question->op;
    const struct shunt_rule *rules = &answer->table->rules[answer->table->rule_first[op]];
    uint32_t count = answer->table->rule_count[op];
    char name[512], reason[256];
    int width = 0;
    for (uint32_t i = 0; i < count; i++) {
        shunt_tool_rule(answer->table, &rules[i], name, sizeof name);
        if (i != answer->decision->rule_index && (int)strlen(name) > width)
            width = (int)strlen(name);
    }
    if (width > 0)
        puts("\nother rules");
    for (uint32_t i = 0; i < count; i++) {
        if (i == answer->decision->rule_index)
            continue;
        shunt_tool_rule(answer->table, &rules[i], name, sizeof name);
        explain_rule(answer, i, reason, sizeof reason);
        printf("  %-*s  %s\n", width, name, reason);
    }
}

static void json_rule(const struct answer *answer, const struct shunt_rule *rule)
{
    fputs("\"file\":", stdout);
    shunt_tool_json(stdout, shunt_table_string(answer->table, rule->file));
    printf(",\"line\":%d,\"id\":", rule->line);
    shunt_tool_json(stdout, shunt_table_string(answer->table, rule->id));
}

/* A number, an array of them where each digit has a radix of its own, or a word. */
static void json_value(const struct shunt_params *params, enum shunt_param param)
{
    const struct shunt_radices radices = shunt_params_radices(params);
    const char *word = shunt_param_word(param, params->value[param]);
    if (word != NULL) {
        printf("\"%s\"", word);
        return;
    }
    if (param != SHUNT_PARAM_RADIX || radices.count < 2) {
        printf("%" PRId64, params->value[param]);
        return;
    }
    for (int i = 0; i < radices.count; i++)
        printf("%s%" PRId64, i == 0 ? "[" : ",", radices.radix[i]);
    fputs("]", stdout);
}

static void json_decision(const struct answer *answer)
{
    const struct shunt_decision *decision = answer->decision;
    const char *separator = "";
    fputs(",\"algorithm\":", stdout);
    shunt_tool_json(stdout, decision->algorithm->name);
    fputs(",\"parameters\":{", stdout);
    for (int i = 0; i < SHUNT_PARAM_COUNT; i++) {
        if (!decision->algorithm->params[i].used)
            continue;
        printf("%s\"%s\":", separator, shunt_param_name((enum shunt_param)i));
        json_value(&decision->params, (enum shunt_param)i);
        separator = ",";
    }
    fputs("},\"rule\":", stdout);
    if (decision->rule != NULL) {
        fputs("{", stdout);
        json_rule(answer, decision->rule);
        fputs("}", stdout);
    } else {
        fputs("null", stdout);
    }
    printf(",\"scratch\":%" PRId64 ",\"schedule\":", answer->memory);
    if (answer->effort.counted)
        printf("{\"rank\":%d,\"rounds\":%" PRIu32 ",\"messages\":%" PRIu32 ",\"blocks\":%" PRIu64 ",\"copies\":%" PRIu64 "}",
               answer->question->rank, answer->effort.rounds, answer->effort.messages, answer->effort.blocks, answer->effort.copies);
    else
        fputs("null", stdout);
}

static void print_json(const struct answer *answer)
{
    const struct shunt_question *question = answer->question;
    const struct shunt_layout *layout = &question->layout;
    const char *separator = "";
    printf("{\"op\":\"%s\",\"ranks\":%d,\"nodes\":%d,\"ppn_min\":%d,\"ppn_max\":%d,\"block\":%" PRId64 ",\"table\":",
           shunt_op_name(question->op), layout->ranks, layout->nodes, layout->ppn_min, layout->ppn_max, question->block);
    shunt_tool_json(stdout, shunt_table_string(answer->table, answer->table->source));
    json_decision(answer);
    fputs(",\"others\":[", stdout);
    for (uint32_t i = 0; i < answer->table->rule_count[question->op]; i++) {
        char reason[256];
        if (i == answer->decision->rule_index)
            continue;
        explain_rule(answer, i, reason, sizeof reason);
        printf("%s{", separator);
        json_rule(answer, &answer->table->rules[answer->table->rule_first[question->op] + i]);
        fputs(",\"reason\":", stdout);
        shunt_tool_json(stdout, reason);
        fputs("}", stdout);
        separator = ",";
    }
    fputs("]}\n", stdout);
}

static int answer_question(const struct shunt_question *question)
{
    int code = SHUNT_EXIT_OK;
    struct shunt_map map;
    struct shunt_tool_query query = {.path = question->file};
    struct shunt_table *table = shunt_tool_table(&query, &code);
    if (table == NULL)
        return code;
    if (shunt_map_build(&map, table, question->op, &question->layout, question->memory) != 0) {
        shunt_tool_say("out of memory");
        free(table);
        return SHUNT_EXIT_IO;
    }
    struct answer answer = {.question = question, .table = table, .decision = shunt_map_find(&map, question->block)};
    code = count_effort(&answer);
    if (code == SHUNT_EXIT_OK && question->json) {
        print_json(&answer);
    } else if (code == SHUNT_EXIT_OK) {
        print_call(&answer);
        print_decision(&answer);
        print_others(&answer);
    }
    shunt_map_clear(&map);
    free(table);
    return code;
}

static int run(int argc, char **argv)
{
    struct shunt_question question;
    int code = shunt_question_read(&question, argc, argv);
    if (code == SHUNT_EXIT_OK && question.help)
        fputs(shunt_verb_explain.help, stdout);
    else if (code == SHUNT_EXIT_OK)
        code = answer_question(&question);
    shunt_question_clear(&question);
    return code;
}

const struct shunt_verb shunt_verb_explain = {
    .name = "explain",
    .summary = "tell which rule takes a call, and why the others do not",
    .help = "usage: shunt explain --op=OP --block=SIZE SHAPE [OPTION]... [FILE]\n\n"
            "Tells which rule of FILE takes a call, with which parameters, what it costs, and why every other rule does not.\n"
            "Without FILE: the table of a job whose rank 0 runs on this host.\n\n"
            "  --op=OP          alltoall or alltoallv\n"
            "  --block=SIZE     bytes per destination, for alltoallv the largest; takes K, M and G\n"
            "  --ranks=P --nodes=N --ppn=Q\n"
            "                   SHAPE: two of the three, or all when they agree\n"
            "  --layout=3,5,8   SHAPE: ranks of each node, for nodes of different size\n"
            "  --memory=SIZE    cap of scratch memory, as SHUNT_MEMORY\n"
            "  --rank=RANK      whose messages are counted (default 0)\n"
            "  -j, --json       for programs\n",
    .run = run,
};
