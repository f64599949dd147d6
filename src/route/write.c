/* SPDX-License-Identifier: BSD-3-Clause */
/* write.c: a table as a decision file. */
#include <inttypes.h>
#include <string.h>

#include "base/size.h"
#include "route/decimal.h"
#include "route/machine.h"
#include "route/quote.h"
#include "route/words.h"
#include "route/write.h"

void shunt_rule_value_print(const struct shunt_rule *rule, enum shunt_param param, char *text,
                            size_t capacity)
{
    const struct shunt_value value = rule->given[param];
    text[0] = '\0';
    if ((rule->present & (1U << param)) == 0)
        return;
    const char *word = shunt_param_word(param, value.number);
    if (word) {
        snprintf(text, capacity, "%s", word);
        return;
    }
    if (shunt_param_is_size(param)) {
        shunt_size_print(value.number, text, capacity);
        return;
    }
    shunt_value_print(value, text, capacity);
    for (int digit = 1; param == SHUNT_PARAM_RADIX && digit < SHUNT_RADIX_MOST; digit++) {
        const int index = shunt_radix_index(digit);
        const size_t used = strlen(text);
        if ((rule->present & (1U << index)) == 0 || used + 2 > capacity)
            break;
        text[used] = 'x';
        shunt_value_print(rule->given[index], text + used + 1, capacity - used - 1);
    }
}

static void write_range(FILE *stream, const char *key, struct shunt_range range, bool sizes)
{
    char text[64];
    if (range.low == 0 && range.high == INT64_MAX)
        return;
    if (sizes)
        shunt_range_spell(range, text, sizeof text);
    else
        shunt_range_print(range, text, sizeof text);
    fprintf(stream, "%s = \"%s\"; ", key, text);
}

static void write_size(FILE *stream, const char *key, int64_t bytes)
{
    char text[32];
    shunt_size_print(bytes, text, sizeof text);
    fprintf(stream, "%s = \"%s\"; ", key, text);
}

/* Small numbers as such, all else in quotes: large ones would need an L. */
static void write_value(FILE *stream, const struct shunt_rule *rule, enum shunt_param param)
{
    char text[256];
    shunt_rule_value_print(rule, param, text, sizeof text);
    if (text[0] == '\0')
        return;
    const size_t digits = strspn(text, "0123456789");
    const char *quotes = digits < 10 && text[digits] == '\0' ? "" : "\"";
    fprintf(stream, "%s = %s%s%s; ", shunt_param_name(param), quotes, text, quotes);
}

static void write_rule(FILE *stream, const struct shunt_table *table, const struct shunt_rule *rule)
{
    const char *id = shunt_table_string(table, rule->id);
    fputs("  { ", stream);
    if (id[0] != '\0') {
        fputs("id = ", stream);
        shunt_quote_write(stream, id);
        fputs("; ", stream);
    }
    write_range(stream, "ranks", rule->ranks, false);
    write_range(stream, "nodes", rule->nodes, false);
    write_range(stream, "ppn", rule->ppn, false);
    write_range(stream, "block", rule->block, true);
    write_range(stream, "density", rule->density, false);
    if (rule->oversubscribed != SHUNT_CROWD_ANY)
        fprintf(stream, "oversubscribed = %s; ",
                rule->oversubscribed == SHUNT_CROWD_YES ? "true" : "false");
    if (rule->memory < INT64_MAX)
        write_size(stream, "memory", rule->memory);
    if (rule->calls > 0)
        fprintf(stream, "calls = %" PRId64 "%s; ", rule->calls, rule->calls > INT32_MAX ? "L" : "");
    if (rule->native_us > 0)
        fprintf(stream, "native_us = %" PRIu32 "%s; ", rule->native_us,
                rule->native_us > INT32_MAX ? "L" : "");
    if (rule->expected)
        fputs("expected = true; ", stream);
    fprintf(stream, "algorithm = \"%s\"; ", shunt_registry_row(rule->algorithm)->name);
    for (int i = 0; i < SHUNT_PARAM_COUNT; i++)
        write_value(stream, rule, (enum shunt_param)i);
    putc('}', stream);
}

static void write_machine(FILE *stream, const struct shunt_table *table, const char *const *hosts,
                          size_t host_count)
{
    const char *machine = shunt_table_string(table, table->machine);
    if (machine[0] == '\0' && host_count == 0 && !table->modelled)
        return;
    fputs("machine = { ", stream);
    if (machine[0] != '\0') {
        fputs("name = ", stream);
        shunt_quote_write(stream, machine);
        fputs("; ", stream);
    }
    for (size_t i = 0; i < host_count; i++) {
        fputs(i == 0 ? "hosts = ( " : ", ", stream);
        shunt_quote_write(stream, hosts[i]);
    }
    if (host_count > 0)
        fputs(" ); ", stream);
    if (table->modelled) {
        fputs("\n  model = ", stream);
        shunt_machine_write_group(stream, &table->model);
        fputs("; ", stream);
    }
    fputs("};\n", stream);
}

static void write_fraction(FILE *stream, const char *key, double number)
{
    char text[64];
    shunt_decimal_print(number, 0, text, sizeof text);
    fprintf(stream, "%s = %s; ", key, text);
}

/* What differs from a file without these keys. */
static void write_choice(FILE *stream, const struct shunt_policy *policy)
{
    const struct shunt_policy usual = shunt_policy_default();
    bool same = true;
    for (int i = 0; i < SHUNT_OBJECTIVE_COUNT; i++)
        same = same && !(policy->objective[i] < usual.objective[i]) &&
               !(policy->objective[i] > usual.objective[i]);
    if (policy->no_match == SHUNT_NO_MATCH_MODEL)
        fputs("no_match = \"model\"; ", stream);
    if (policy->learn != usual.learn)
        fprintf(stream, "learn = \"%s\"; ",
                shunt_learning_name((enum shunt_learning)policy->learn));
    if (!policy->guard)
        fputs("guard = false; ", stream);
    if (!policy->adapt)
        fputs("adapt = false; ", stream);
    if (policy->margin < usual.margin || policy->margin > usual.margin)
        write_fraction(stream, "margin", policy->margin);
    if (same)
        return;
    fputs("objective = { ", stream);
    for (int i = 0; i < SHUNT_OBJECTIVE_COUNT; i++)
        write_fraction(stream, shunt_objective_name((enum shunt_objective)i), policy->objective[i]);
    fputs("}; ", stream);
}

static void write_policy(FILE *stream, const struct shunt_policy *policy)
{
    fputs("policy = { ", stream);
    if (policy->warmup >= 0)
        fprintf(stream, "warmup = %" PRId64 "%s; ", policy->warmup,
                policy->warmup > INT32_MAX ? "L" : "");
    fprintf(stream, "max_communicators = %" PRId64 "%s; ", policy->max_communicators,
            policy->max_communicators > INT32_MAX ? "L" : "");
    write_size(stream, "memory", policy->memory);
    write_choice(stream, policy);
    fputs("};\n", stream);
}

void shunt_table_write(const struct shunt_table *table, const char *const *hosts, size_t host_count,
                       FILE *stream)
{
    fputs("schema = 1;\n", stream);
    write_machine(stream, table, hosts, host_count);
    write_policy(stream, &table->policy);
    for (int op = 0; op < SHUNT_OP_COUNT; op++) {
        fprintf(stream, "%s = (\n", shunt_op_name((enum shunt_op)op));
        for (uint32_t i = 0; i < table->rule_count[op]; i++) {
            write_rule(stream, table, &table->rules[table->rule_first[op] + i]);
            fputs(i + 1 < table->rule_count[op] ? ",\n" : "\n", stream);
        }
        fputs(");\n", stream);
    }
}
