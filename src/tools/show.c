/* SPDX-License-Identifier: BSD-3-Clause */
/* show.c: `shunt show`: a table as it was read, a line per rule; as JSON; as a decision file. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/size.h"
#include "config.h"
#include "route/decimal.h"
#include "route/machine_keys.h"
#include "route/parse.h"
#include "route/write.h"
#include "tools/common/rules.h"
#include "tools/common/tool.h"

enum { CELL = 560 };

static void plain(char *cell, const char *string)
{
    shunt_tool_fit(string, cell, CELL);
}

static void put_conditions(struct shunt_json *json, const void *value)
{
    const struct shunt_rule *rule = value;
    const struct shunt_range all = {0, INT64_MAX};
    const struct shunt_conditions conditions = {
        rule->ranks, rule->nodes, rule->ppn,     all,
        all,         rule->block, rule->density, rule->oversubscribed};
    shunt_conditions_json(json, &conditions);
}

/* Few tables test densities and oversubscription: without it there is no such column. */
static const struct shunt_column columns[] = {
    {.key = SHUNT_KEY_OPERATION},
    {.key = SHUNT_KEY_FILE, .within = {SHUNT_KEY_RULE}},
    {.key = SHUNT_KEY_LINE, .within = {SHUNT_KEY_RULE}},
    {.key = SHUNT_KEY_ID, .title = "rule", .within = {SHUNT_KEY_RULE}},
    {.key = SHUNT_KEY_CONDITIONS, .in = SHUNT_IN_JSON, .own = put_conditions},
    {.key = SHUNT_KEY_RANKS, .title = "ranks", .in = SHUNT_IN_TEXT, .none = "any"},
    {.key = SHUNT_KEY_NODES, .title = "nodes", .in = SHUNT_IN_TEXT, .none = "any"},
    {.key = SHUNT_KEY_PPN, .title = "ppn", .in = SHUNT_IN_TEXT, .none = "any"},
    {.key = SHUNT_KEY_BLOCK, .title = "block", .in = SHUNT_IN_TEXT, .none = "any"},
    {.key = SHUNT_KEY_DENSITY,
     .title = "density",
     .in = SHUNT_IN_TEXT,
     .none = "any",
     .optional = true},
    {.key = SHUNT_KEY_OVERSUBSCRIBED,
     .title = "oversubscribed",
     .in = SHUNT_IN_TEXT,
     .none = "any",
     .optional = true},
    {.key = SHUNT_KEY_ALGORITHM, .title = "algorithm"},
    {.key = SHUNT_KEY_PARAMETERS, .title = "parameters"},
    {.key = SHUNT_KEY_MEMORY, .in = SHUNT_IN_JSON, .null = true},
    {.key = SHUNT_KEY_TEXT, .title = "memory", .in = SHUNT_IN_TEXT}, /* as files spell it */
    {.key = SHUNT_KEY_TEXT, .title = "place", .in = SHUNT_IN_TEXT},
};

static void put_rule(struct shunt_sheet *sheet, const struct shunt_table *table, enum shunt_op op,
                     const struct shunt_rule *rule)
{
    static const char *const crowds[SHUNT_CROWD_COUNT] = {NULL, "false", "true"};
    const char *file = shunt_table_string(table, rule->file);
    char parameters[CELL], memory[32], clean[CELL], place[CELL];
    const bool capped = rule->memory < INT64_MAX;
    shunt_rule_parameters(rule, parameters, sizeof parameters);
    shunt_size_print(rule->memory, memory, sizeof memory);
    plain(clean, file);
    snprintf(place, sizeof place, "%.540s:%d", clean, rule->line);
    const struct shunt_field row[] = {
        shunt_field_text(shunt_op_name(op)),
        shunt_field_text(file),
        shunt_field_some(rule->line),
        shunt_field_text(shunt_table_string(table, rule->id)),
        shunt_field_own(rule),
        shunt_field_range(rule->ranks),
        shunt_field_range(rule->nodes),
        shunt_field_range(rule->ppn),
        shunt_field_range(rule->block),
        shunt_field_range(rule->density),
        shunt_field_text(crowds[rule->oversubscribed]),
        shunt_field_text(shunt_registry_row(rule->algorithm)->name),
        shunt_field_text(parameters),
        shunt_field_count(capped ? rule->memory : -1),
        shunt_field_text(capped ? memory : NULL),
        shunt_field_text(place),
    };
    shunt_sheet_row(sheet, row);
}

static void put_rules(struct shunt_sheet *sheet, const struct shunt_table *table, enum shunt_op op)
{
    for (uint32_t i = 0; i < table->rule_count[op]; i++)
        put_rule(sheet, table, op, &table->rules[table->rule_first[op] + i]);
}

static int print_rules(const struct shunt_table *table, enum shunt_op op)
{
    struct shunt_sheet sheet =
        SHUNT_SHEET(columns, .form = SHUNT_SHEET_TEXT, .wide = true, .indent = 2,
                    .bold = shunt_tool_bold(stdout), .plain = shunt_tool_plain(stdout));
    const uint32_t count = table->rule_count[op];
    if (count == 0) {
        printf("\n%s: no rules, so every call is %s\n", shunt_op_name(op),
               shunt_rules_otherwise(table, op));
        return SHUNT_EXIT_OK;
    }
    printf("\n%s: %" PRIu32 " rule%s, the first that matches wins\n", shunt_op_name(op), count,
           shunt_tool_plural(count));
    shunt_sheet_begin(&sheet);
    put_rules(&sheet, table, op);
    return shunt_sheet_end(&sheet);
}

/* `no match    the model's choice, margin 3, objective time 1 memory 0.5` */
static void print_choice(const struct shunt_policy *policy)
{
    char number[64];
    shunt_decimal_print(policy->margin, 0, number, sizeof number);
    printf("%-11s the model's choice for alltoall, margin %s, objective", "no match", number);
    for (int i = 0; i < SHUNT_OBJECTIVE_COUNT; i++) {
        shunt_decimal_print(policy->objective[i], 0, number, sizeof number);
        if (policy->objective[i] > 0)
            printf(" %s %s", shunt_objective_name((enum shunt_objective)i), number);
    }
    putchar('\n');
}

static int print_table(const struct shunt_table *table, const struct shunt_parse_hosts *hosts)
{
    char text[CELL], machine[CELL], memory[32];
    plain(text, shunt_table_string(table, table->source));
    plain(machine, shunt_table_string(table, table->machine));
    printf("%-11s %s%s%s%s\n", "table", text, machine[0] != '\0' ? " (" : "", machine,
           machine[0] != '\0' ? ")" : "");
    printf("%-11s %016" PRIx64 "\n", "fingerprint", table->fingerprint);
    for (size_t i = 0; i < hosts->count; i++) {
        plain(text, hosts->patterns[i]);
        printf("%-11s %s\n", i == 0 ? "hosts" : "", text);
    }
    if (table->modelled) {
        plain(text, table->model.name);
        plain(machine, table->model.library);
        printf("%-11s %s%s%s%s\n", "model", text, machine[0] != '\0' ? " (" : "", machine,
               machine[0] != '\0' ? ")" : "");
    }
    shunt_size_print(table->policy.memory, memory, sizeof memory);
    if (table->policy.warmup >= 0)
        snprintf(text, sizeof text, "%" PRId64 " calls", table->policy.warmup);
    else
        snprintf(text, sizeof text, "until set-up pays");
    printf("%-11s warmup %s, max_communicators %" PRId64 ", memory %s\n", "policy", text,
           table->policy.max_communicators, memory);
    if (table->policy.learn != SHUNT_LEARNING_SUGGEST)
        printf("%-11s %s\n", "learn",
               shunt_learning_name((enum shunt_learning)table->policy.learn));
    if (!table->policy.guard)
        printf("%-11s off: rules are followed where native is faster, too\n", "guard");
    if (!table->policy.adapt)
        printf("%-11s off: calls of alltoallv agree every time\n", "adapt");
    if (table->policy.no_match == SHUNT_NO_MATCH_MODEL)
        print_choice(&table->policy);
    int code = SHUNT_EXIT_OK;
    for (int op = 0; op < SHUNT_OP_COUNT && code == SHUNT_EXIT_OK; op++)
        code = print_rules(table, (enum shunt_op)op);
    return code;
}

/* By the keys of its file, in their units. */
static void json_value(struct shunt_json *json, const struct shunt_machine *model,
                       const struct shunt_machine_key *key)
{
    const void *value = (const char *)model + key->offset;
    shunt_json_name(json, shunt_machine_key_word(key));
    switch (key->kind) {
    case SHUNT_MACHINE_REAL:
        shunt_json_digits(json, shunt_decimal_scale(*(const double *)value, -key->power), 15);
        break;
    case SHUNT_MACHINE_COUNT:
        shunt_json_integer(json, *(const int32_t *)value);
        break;
    case SHUNT_MACHINE_SIZE:
        if (*(const int64_t *)value < INT64_MAX)
            shunt_json_integer(json, *(const int64_t *)value);
        else
            shunt_json_null(json);
        break;
    case SHUNT_MACHINE_FLAG:
        shunt_json_flag(json, *(const bool *)value);
        break;
    case SHUNT_MACHINE_WORD:
        shunt_json_string(json, shunt_machine_word_of(model, key));
        break;
    }
}

static void json_model(struct shunt_json *json, const struct shunt_table *table)
{
    shunt_json_key(json, SHUNT_KEY_MODEL);
    if (!table->modelled) {
        shunt_json_null(json);
        return;
    }
    shunt_json_object(json);
    shunt_json_name(json, "name");
    shunt_json_string(json, table->model.name);
    shunt_json_name(json, "library");
    shunt_json_string(json, table->model.library);
    for (size_t g = 0; shunt_machine_group(g); g++) {
        const char *group = shunt_machine_group(g)->name;
        if (group[0] != '\0') {
            shunt_json_name(json, group);
            shunt_json_object(json);
        }
        for (size_t i = 0; shunt_machine_key(i); i++)
            if (shunt_machine_key_within(shunt_machine_key(i), group))
                json_value(json, &table->model, shunt_machine_key(i));
        if (group[0] != '\0')
            shunt_json_close(json);
    }
    shunt_json_close(json);
}

static void json_choice(struct shunt_json *json, const struct shunt_policy *policy)
{
    shunt_json_put_string(json, SHUNT_KEY_NO_MATCH,
                          policy->no_match == SHUNT_NO_MATCH_MODEL ? "model" : "native");
    shunt_json_put_string(json, SHUNT_KEY_LEARN,
                          shunt_learning_name((enum shunt_learning)policy->learn));
    shunt_json_put_fixed(json, SHUNT_KEY_MARGIN, policy->margin, 6);
    shunt_json_put_object(json, SHUNT_KEY_OBJECTIVE);
    for (int i = 0; i < SHUNT_OBJECTIVE_COUNT; i++) {
        shunt_json_name(json, shunt_objective_name((enum shunt_objective)i));
        shunt_json_fixed(json, policy->objective[i], 6);
    }
    shunt_json_close(json);
}

static void json_policy(struct shunt_json *json, const struct shunt_policy *policy)
{
    shunt_json_put_object(json, SHUNT_KEY_POLICY);
    shunt_json_key(json, SHUNT_KEY_WARMUP);
    if (policy->warmup >= 0)
        shunt_json_integer(json, policy->warmup);
    else
        shunt_json_null(json);
    shunt_json_put_known(json, SHUNT_KEY_MAX_COMMUNICATORS, policy->max_communicators);
    shunt_json_put_known(json, SHUNT_KEY_MEMORY, policy->memory);
    shunt_json_put_flag(json, SHUNT_KEY_GUARD, policy->guard != 0);
    shunt_json_put_flag(json, SHUNT_KEY_ADAPT, policy->adapt != 0);
    json_choice(json, policy);
    shunt_json_close(json);
}

static int print_json(const struct shunt_table *table, const struct shunt_parse_hosts *hosts)
{
    struct shunt_log_text text = {.grows = true};
    struct shunt_json json = {.text = &text, .whole = true};
    struct shunt_sheet sheet =
        SHUNT_SHEET(columns, .form = SHUNT_SHEET_JSON, .json = &json, .list = SHUNT_KEY_RULES);
    char fingerprint[17];
    snprintf(fingerprint, sizeof fingerprint, "%016" PRIx64, table->fingerprint);
    shunt_json_object(&json);
    shunt_json_put_string(&json, SHUNT_KEY_TABLE, shunt_table_string(table, table->source));
    shunt_json_put_string(&json, SHUNT_KEY_FINGERPRINT, fingerprint);
    shunt_json_put_string(&json, SHUNT_KEY_MACHINE, shunt_table_string(table, table->machine));
    shunt_json_put_array(&json, SHUNT_KEY_HOSTS);
    for (size_t i = 0; i < hosts->count; i++)
        shunt_json_string(&json, hosts->patterns[i]);
    shunt_json_close(&json);
    json_model(&json, table);
    json_policy(&json, &table->policy);
    shunt_sheet_begin(&sheet);
    for (int op = 0; op < SHUNT_OP_COUNT; op++)
        put_rules(&sheet, table, (enum shunt_op)op);
    shunt_sheet_end(&sheet);
    shunt_json_close(&json);
    return shunt_tool_write(&text, stdout);
}

static void print_file(const struct shunt_table *table, const struct shunt_parse_hosts *hosts)
{
    char source[CELL];
    plain(source, shunt_table_string(table, table->source));
    printf("# %s, as " PACKAGE_STRING " reads it, with what it includes.\n", source);
    shunt_table_write(table, (const char *const *)hosts->patterns, hosts->count, stdout);
}

struct show {
    const char *host; /* NULL: this one */
    bool cfg, json;
};

static int show(const char *path, const struct show *options)
{
    int code = SHUNT_EXIT_OK;
    struct shunt_tool_query query = {.path = path, .host = options->host};
    struct shunt_parse_hosts hosts = {0};
    struct shunt_table *table = shunt_tool_table(&query, &code);
    if (!table)
        return code;
    const char *source = shunt_table_string(table, table->source);
    if (source[0] == '/')
        shunt_parse_hosts(source, &hosts);
    if (options->json)
        code = print_json(table, &hosts);
    else if (options->cfg)
        print_file(table, &hosts);
    else
        code = print_table(table, &hosts);
    shunt_parse_hosts_clear(&hosts);
    free(table);
    return code;
}

static int run(void *options, const struct shunt_words *words)
{
    const struct show *asked = options;
    const int code = shunt_tool_exclusive(words, "cfg,json");
    if (code != SHUNT_EXIT_OK)
        return code;
    if (asked->host && words->count > 0)
        return shunt_tool_usage(words->command,
                                "--host asks which file is chosen, so it goes without a file");
    return show(words->count > 0 ? words->word[0] : NULL, asked);
}

static const struct shunt_option list[] = {
    SHUNT_TEXT("host", "NAME", struct show, host,
               "on that host instead, with the files that are here"),
    SHUNT_FLAG(0, "cfg", struct show, cfg, "as one decision file that can be read back"),
    SHUNT_JSON(struct show, json, "for programs"),
};

const struct shunt_subcommand shunt_subcommand_show = {
    .name = "show",
    .summary = "print a table, its includes expanded, a line per rule",
    .usage = "shunt show [OPTION]... [FILE | built-in]",
    .about =
        "Prints a table as it was read: what FILE includes is in its place, and every rule is "
        "on a line with its conditions, algorithm, parameters, cap of memory and place. "
        "\"built-in\" is the table inside Shunt. Without FILE: the table of a job whose rank 0 "
        "runs on this host.",
    SHUNT_OPTIONS(list),
    .size = sizeof(struct show),
    .words_most = 1,
    .run = run,
};
