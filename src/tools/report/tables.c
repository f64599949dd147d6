/* SPDX-License-Identifier: BSD-3-Clause */
/* tables.c: the table of the job, as far as it can be had, another one that is asked about, and the
 * rules that no call followed. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/environment.h"
#include "route/learned.h"
#include "tools/common/tool.h"
#include "tools/predict/predict.h"
#include "tools/report/report.h"

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

/* A table that is at its place, without a word on what is wrong with it. */
static struct shunt_table *find_table(const char *place)
{
    struct shunt_diagnostics problems = {0}, skipped = {0};
    struct shunt_tool_query query = {.path = place, .problems = &problems, .skipped = &skipped};
    int code;
    struct shunt_table *table = shunt_tool_table(&query, &code);
    shunt_diagnostics_clear(&problems);
    shunt_diagnostics_clear(&skipped);
    return table;
}

static bool is_there(const char *place)
{
    return strcmp(place, SHUNT_BUILTIN_NAME) == 0 || (place[0] == '/' && access(place, R_OK) == 0);
}

/* Where the table of the job was, as the log tells. */
struct places {
    char *table;         /* owned; NULL: memory is short */
    const char *learned; /* the file of what programs had learned, or NULL */
};

/* Names of files may have commas themselves: the first name ends where a file is that is there. */
static struct places places_of(const char *source)
{
    static const char and[] = SHUNT_LEARNED_AND "/";
    struct places places = {.table = strdup(source)};
    if (is_there(source))
        return places;
    for (const char *at = strstr(source, and); places.table && at; at = strstr(at + 1, and)) {
        char *table = strndup(source, (size_t)(at - source));
        const bool found = table && is_there(table);
        if (table && (found || !places.learned)) {
            free(places.table);
            places = (struct places){table, at + strlen(SHUNT_LEARNED_AND)};
        } else {
            free(table);
        }
        if (found)
            break;
    }
    return places;
}

/* Whether it is the table of the job, as far as the log tells. */
static bool is_that(const struct shunt_table *table, const char *fingerprint)
{
    return !fingerprint || strtoull(fingerprint, NULL, 16) == table->fingerprint;
}

/* Completes the table as the library did by what programs had learned before the job. What has
 * changed since is left out; but a copy (--config) is taken with it, for the fingerprint of a copy
 * says nothing: names of files are in it. */
static void complete(struct shunt_report *report, const char *name, const char *learned_name)
{
    const bool copied = report->options->config != NULL;
    struct shunt_table *learned = is_there(learned_name) ? find_table(learned_name) : NULL;
    struct shunt_table *joined = learned ? shunt_learned_join(report->used, learned) : NULL;
    const bool same = joined && is_that(joined, report->fingerprint);
    char file[400];
    shunt_tool_fit(learned_name, file, sizeof file);
    if (!joined)
        snprintf(report->used_note, sizeof report->used_note,
                 "what programs had learned before the job, %s, cannot be read here: its rules are "
                 "missing from %s",
                 file, name);
    else if (!same && copied)
        snprintf(report->used_note, sizeof report->used_note,
                 "the table of --config, with what programs had learned before the job, %s, is not "
                 "the one of the job: its fingerprint is another one",
                 file);
    else if (!same)
        snprintf(report->used_note, sizeof report->used_note,
                 "%s, or what programs had learned before the job, %s, is not as it was then: the "
                 "rules of the latter are left out",
                 name, file);
    free(learned);
    if (same || (joined && copied)) {
        free(report->used);
        report->used = joined;
    } else {
        free(joined);
    }
}

/* A table of one file. */
static void judge(struct shunt_report *report, const char *name)
{
    if (is_that(report->used, report->fingerprint))
        return;
    if (report->options->config) {
        snprintf(report->used_note, sizeof report->used_note,
                 "the table of --config is not the one of the job: its fingerprint is another one");
        return;
    }
    snprintf(report->used_note, sizeof report->used_note,
             "%s, is not as it was then; --config=FILE names a copy", name);
    free(report->used);
    report->used = NULL;
}

void shunt_report_tables_find(struct shunt_report *report)
{
    char place[400], name[450] = "the table of --config";
    if (!report->source) {
        snprintf(report->used_note, sizeof report->used_note, "%s",
                 report->used ? ""
                              : "the logs do not tell which table the job had; --config=FILE "
                                "names it");
        return;
    }
    const struct places places = places_of(report->source);
    shunt_tool_fit(places.table ? places.table : report->source, place, sizeof place);
    if (!report->used) {
        snprintf(name, sizeof name, "the table of the job, %s", place);
        report->used = places.table && is_there(places.table) ? find_table(places.table) : NULL;
    }
    if (!report->used)
        snprintf(report->used_note, sizeof report->used_note,
                 "%s, cannot be read here; --config=FILE names a copy", name);
    else if (places.learned)
        complete(report, name, places.learned);
    else
        judge(report, name);
    free(places.table);
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

/* The seconds of a native call that a rule of the row's operation tells, if the row followed it. */
static double native_of(const struct shunt_table *table, const struct shunt_report_row *row)
{
    const struct shunt_log_key *key = &row->cell.key.entry->key;
    for (uint32_t i = 0; i < table->rule_count[row->op]; i++) {
        const struct shunt_rule *rule = &table->rules[table->rule_first[row->op] + i];
        if (rule->native_us > 0 && rule->line == key->line &&
            same(key->field[SHUNT_LOG_FILE], shunt_table_string(table, rule->file)) &&
            same(key->field[SHUNT_LOG_ID], shunt_table_string(table, rule->id)))
            return 1e-6 * (double)rule->native_us;
    }
    return 0;
}

void shunt_report_tables_learned(struct shunt_report *report)
{
    for (uint32_t i = 0; report->used && i < report->calls.count; i++)
        if (shunt_report_row_routed(&report->calls.rows[i]))
            report->calls.rows[i].learned_native = native_of(report->used, &report->calls.rows[i]);
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
