/* SPDX-License-Identifier: BSD-3-Clause */
/* tables.c: the table of the job, as far as it can be had, another one that is asked about, and the
 * rules that no call followed. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/environment.h"
#include "tools/predict/machine.h"
#include "tools/report/report.h"
#include "tools/tool.h"

static struct shunt_table *read_table(const char *path, int *code)
{
    struct shunt_tool_query query = {.path = path};
    return shunt_tool_table(&query, code);
}

int shunt_report_tables_open(struct shunt_report *report)
{
    const struct shunt_report_options *options = report->options;
    int code = SHUNT_EXIT_OK;
    if (options->machine)
        code = shunt_predict_machine(&report->machine, &shunt_subcommand_report, options->machine,
                                     NULL);
    report->has_machine = options->machine && code == SHUNT_EXIT_OK;
    if (code == SHUNT_EXIT_OK && options->config)
        report->used = read_table(options->config, &code);
    if (code == SHUNT_EXIT_OK && options->table)
        report->other = read_table(options->table, &code);
    if (report->other)
        shunt_report_calls_split(&report->calls, report->other);
    return code;
}

/* The table under the name that the log has, without a word on what is wrong with it. */
static struct shunt_table *find_source(const char *source)
{
    struct shunt_diagnostics problems = {0}, skipped = {0};
    struct shunt_tool_query query = {.path = source, .problems = &problems, .skipped = &skipped};
    int code;
    if (strcmp(source, SHUNT_BUILTIN_NAME) != 0 && (source[0] != '/' || access(source, R_OK) != 0))
        return NULL;
    struct shunt_table *table = shunt_tool_table(&query, &code);
    shunt_diagnostics_clear(&problems);
    shunt_diagnostics_clear(&skipped);
    return table;
}

/* Whether it is the table of the job, as far as the log tells. */
static bool is_that(const struct shunt_table *table, const char *fingerprint)
{
    return !fingerprint || strtoull(fingerprint, NULL, 16) == table->fingerprint;
}

void shunt_report_tables_find(struct shunt_report *report)
{
    char *note = report->used_note, source[400];
    const size_t capacity = sizeof report->used_note;
    if (report->used && !is_that(report->used, report->fingerprint))
        snprintf(note, capacity,
                 "the table of --config is not the one of the job: its fingerprint is another one");
    if (report->used)
        return;
    if (!report->source) {
        snprintf(note, capacity,
                 "the logs do not tell which table the job had; --config=FILE "
                 "names it");
        return;
    }
    shunt_tool_fit(report->source, source, sizeof source);
    report->used = find_source(report->source);
    if (!report->used) {
        snprintf(note, capacity,
                 "the table of the job, %s, cannot be read here; --config=FILE "
                 "names a copy",
                 source);
    } else if (!is_that(report->used, report->fingerprint)) {
        snprintf(note, capacity,
                 "the table of the job, %s, is not as it was then; --config=FILE "
                 "names a copy",
                 source);
        free(report->used);
        report->used = NULL;
    }
}

bool shunt_report_tables_map(struct shunt_report *report)
{
    for (uint32_t i = 0; i < report->calls.shape_count; i++) {
        struct shunt_report_shape *shape = &report->calls.shapes[i];
        for (int op = 0; shape->placed && op < SHUNT_OP_COUNT; op++) {
            const enum shunt_op which = (enum shunt_op)op;
            shape->used_mapped[op] =
                report->used &&
                shunt_map_build(&shape->used[op], report->used, which, &shape->layout, -1) == 0;
            shape->other_mapped[op] =
                report->other &&
                shunt_map_build(&shape->other[op], report->other, which, &shape->layout, -1) == 0;
            if ((report->used && !shape->used_mapped[op]) ||
                (report->other && !shape->other_mapped[op]))
                return false;
        }
    }
    return true;
}

void shunt_report_tables_event(struct shunt_report *report, const struct shunt_logs_event *summary)
{
    report->unused_told += summary->knows_rules;
    for (int i = 0; i < summary->unused_count; i++) {
        const struct shunt_logs_rule *rule = &summary->unused[i];
        const struct shunt_log_key key = {.field = {[SHUNT_LOG_OPERATION] = rule->operation,
                                                    [SHUNT_LOG_FILE] = rule->file,
                                                    [SHUNT_LOG_ID] = rule->id},
                                          .line = rule->line};
        struct shunt_log_entry *entry = shunt_log_set_get(&report->unused, &key);
        if (entry)
            entry->calls++;
    }
}

static bool same(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "") == 0;
}

/* Whether a call that was logged followed the rule. */
static bool followed(const struct shunt_report *report, const struct shunt_report_unused *rule)
{
    for (uint32_t i = 0; i < report->calls.count; i++) {
        const struct shunt_log_key *key = &report->calls.rows[i].cell.key.entry->key;
        if (key->field[SHUNT_LOG_FILE] && key->line == rule->line &&
            same(key->field[SHUNT_LOG_FILE], rule->file) &&
            same(key->field[SHUNT_LOG_ID], rule->id) &&
            same(key->field[SHUNT_LOG_OPERATION], rule->operation))
            return true;
    }
    return false;
}

static int by_line(const void *a, const void *b)
{
    const struct shunt_report_unused *x = a, *y = b;
    const int order = strcmp(x->file ? x->file : "", y->file ? y->file : "");
    if (order != 0)
        return order;
    return x->line != y->line ? x->line - y->line : strcmp(x->operation, y->operation);
}

static size_t from_summaries(const struct shunt_report *report, struct shunt_report_unused *list)
{
    size_t count = 0;
    for (size_t i = 0; i < report->unused.capacity; i++) {
        const struct shunt_log_entry *entry = report->unused.slots[i];
        if (!entry || entry->calls < report->unused_told)
            continue;
        list[count] = (struct shunt_report_unused){
            .operation = shunt_log_entry_field(entry, SHUNT_LOG_OPERATION),
            .file = shunt_log_entry_field(entry, SHUNT_LOG_FILE),
            .id = shunt_log_entry_field(entry, SHUNT_LOG_ID),
            .line = entry->key.line};
        count += !followed(report, &list[count]);
    }
    return count;
}

static size_t from_table(const struct shunt_report *report, struct shunt_report_unused *list)
{
    const struct shunt_table *table = report->used;
    size_t count = 0;
    for (int op = 0; op < SHUNT_OP_COUNT; op++) {
        for (uint32_t i = 0; i < table->rule_count[op]; i++) {
            const struct shunt_rule *rule = &table->rules[table->rule_first[op] + i];
            list[count] =
                (struct shunt_report_unused){.operation = shunt_op_name((enum shunt_op)op),
                                             .file = shunt_table_string(table, rule->file),
                                             .id = shunt_table_string(table, rule->id),
                                             .line = rule->line};
            count += !followed(report, &list[count]);
        }
    }
    return count;
}

struct shunt_report_unused *shunt_report_unused_find(const struct shunt_report *report,
                                                     size_t *count, bool *known)
{
    const bool told = report->unused_told > 0;
    size_t room = report->unused.count + 1;
    *count = 0;
    *known = told || report->used;
    for (int op = 0; !told && report->used && op < SHUNT_OP_COUNT; op++)
        room += report->used->rule_count[op];
    struct shunt_report_unused *list = *known ? calloc(room, sizeof *list) : NULL;
    if (!list)
        return NULL;
    *count = told ? from_summaries(report, list) : from_table(report, list);
    if (*count > 1)
        qsort(list, *count, sizeof *list, by_line);
    return list;
}
