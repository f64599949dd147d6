/* SPDX-License-Identifier: BSD-3-Clause */
/* rows.c: the rows of a report in all forms: kinds of calls, groups of them, and call sites. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "route/words.h"
#include "tools/common/sheet.h"
#include "tools/report/report.h"

/* Columns of names; longer ones have a line of their own. */
enum { NAME = 30, NAME_BYTES = 1024, FIGURE = 9, SHARE = 6 };

/* A gain, in the order of put_gain. */
#define GAIN(prefix, ...)                                                                          \
    {.key = SHUNT_KEY_BASIS, .within = {__VA_ARGS__}, .in = SHUNT_IN_JSON},                        \
        {.key = SHUNT_KEY_SPEEDUP, .name = prefix "speedup", .within = {__VA_ARGS__}, REAL},       \
        {.key = SHUNT_KEY_LOW, .name = prefix "low", .within = {__VA_ARGS__}, REAL},               \
        {.key = SHUNT_KEY_HIGH, .name = prefix "high", .within = {__VA_ARGS__}, REAL},             \
        {.key = SHUNT_KEY_BASIS, .name = prefix "basis", .in = SHUNT_IN_CSV},                      \
        {.key = SHUNT_KEY_CALLS, .within = {__VA_ARGS__}, .in = SHUNT_IN_JSON},                    \
    {                                                                                              \
        .key = SHUNT_KEY_COMPARED, .within = {__VA_ARGS__}, .in = SHUNT_IN_JSON                    \
    }
#define REAL .digits = SHUNT_SIGNIFICANT(9), .csv_digits = 6

/* JSON tells the basis of every gain there could be, CSV of those that are known. */
static struct shunt_field *put_gain(struct shunt_field *row, const struct shunt_report_gain *gain,
                                    bool asked)
{
    const char *basis = shunt_report_source_name(gain->source);
    const bool known = gain->source != SHUNT_REPORT_UNKNOWN,
               measured = gain->source == SHUNT_REPORT_MEASURED;
    *row++ = shunt_field_text(asked ? basis : NULL);
    *row++ = shunt_field_positive(gain->speedup);
    *row++ = shunt_field_positive(gain->low);
    *row++ = shunt_field_positive(gain->high);
    *row++ = shunt_field_text(known ? basis : NULL);
    *row++ = shunt_field_count(measured ? (int64_t)gain->native : -1);
    *row++ = shunt_field_some((int64_t)gain->compared);
    return row;
}

/* The rule of another table, for JSON. */
struct then_rule {
    const struct shunt_table *table;
    const struct shunt_rule *rule; /* NULL: none takes the calls */
};

static void put_then_rule(struct shunt_json *json, const void *value)
{
    const struct then_rule *then = value;
    const struct shunt_rule *rule = then->rule;
    shunt_json_put_rule(
        json, SHUNT_KEY_RULE, rule ? shunt_table_string(then->table, rule->file) : NULL,
        rule ? rule->line : 0, rule ? shunt_table_string(then->table, rule->id) : NULL);
}

static const struct shunt_column kind_columns[] = {
    {.key = SHUNT_KEY_OPERATION},
    {.key = SHUNT_KEY_FROM},
    {.key = SHUNT_KEY_TO},
    {.key = SHUNT_KEY_MEAN},
    {.key = SHUNT_KEY_COMMUNICATOR, .null = true},
    {.key = SHUNT_KEY_COMMUNICATOR_ID},
    {.key = SHUNT_KEY_RANKS},
    {.key = SHUNT_KEY_NODES},
    {.key = SHUNT_KEY_PPN_MAX},
    {.key = SHUNT_KEY_ALGORITHM, .null = true},
    {.key = SHUNT_KEY_PARAMETERS, .null = true},
    {.key = SHUNT_KEY_FILE, .within = {SHUNT_KEY_RULE}, .null = true},
    {.key = SHUNT_KEY_LINE, .within = {SHUNT_KEY_RULE}},
    {.key = SHUNT_KEY_ID, .within = {SHUNT_KEY_RULE}},
    {.key = SHUNT_KEY_REASON, .null = true},
    {.key = SHUNT_KEY_CALLS},
    {.key = SHUNT_KEY_ERRORS, .in = SHUNT_IN_CSV},
    {.key = SHUNT_KEY_BYTES},
    {.key = SHUNT_KEY_SECONDS, .null = true},
    {.key = SHUNT_KEY_ERRORS, .in = SHUNT_IN_JSON},
    GAIN("", SHUNT_KEY_GAIN),
    {.key = SHUNT_KEY_ALGORITHM, .name = "then_algorithm", .in = SHUNT_IN_CSV},
    {.key = SHUNT_KEY_RULE, .name = "then_rule", .in = SHUNT_IN_CSV},
    {.key = SHUNT_KEY_ALGORITHM, .within = {SHUNT_KEY_WHAT_IF}, .in = SHUNT_IN_JSON},
    {.key = SHUNT_KEY_PARAMETERS, .within = {SHUNT_KEY_WHAT_IF}, .in = SHUNT_IN_JSON},
    {.key = SHUNT_KEY_RULE,
     .within = {SHUNT_KEY_WHAT_IF},
     .in = SHUNT_IN_JSON,
     .own = put_then_rule},
    {.key = SHUNT_KEY_REASON, .within = {SHUNT_KEY_WHAT_IF}, .in = SHUNT_IN_JSON},
    GAIN("then_", SHUNT_KEY_WHAT_IF, SHUNT_KEY_GAIN),
    {.key = SHUNT_KEY_SECONDS, .name = "then_seconds", .within = {SHUNT_KEY_WHAT_IF}},
};

static struct shunt_field *put_size(struct shunt_field *row, const struct shunt_report_row *kind)
{
    *row++ = shunt_field_count(shunt_log_class_from(kind->cell.key.size));
    *row++ = shunt_field_count(shunt_log_class_to(kind->cell.key.size));
    return row;
}

/* id: room for what is printed. */
static struct shunt_field *put_communicator(struct shunt_field *row,
                                            const struct shunt_report *report,
                                            const struct shunt_report_row *kind, char id[24])
{
    const struct shunt_report_communicator *communicator =
        &report->calls.communicators[kind->communicator];
    snprintf(id, 24, "%016" PRIx64, communicator->id);
    *row++ = shunt_field_text(communicator->name);
    *row++ = shunt_field_text(communicator->id != 0 ? id : NULL);
    return row;
}

static struct shunt_field *put_rule(struct shunt_field *row, const struct shunt_report_row *kind)
{
    const struct shunt_log_key *key = &kind->cell.key.entry->key;
    const char *file = key->field[SHUNT_LOG_FILE], *id = key->field[SHUNT_LOG_ID];
    *row++ = shunt_field_text(file);
    *row++ = shunt_field_some(key->line);
    *row++ = shunt_field_text(id ? id : file ? "" : NULL);
    *row++ = shunt_field_text(key->field[SHUNT_LOG_REASON]);
    return row;
}

static struct shunt_field *put_part(struct shunt_field *row, uint64_t calls, uint64_t bytes,
                                    double seconds)
{
    *row++ = shunt_field_unsigned(calls);
    *row++ = shunt_field_unsigned(bytes);
    *row++ = shunt_field_real(seconds);
    return row;
}

static void put_then(struct shunt_sheet *sheet, const struct shunt_report *report,
                     const struct shunt_report_then *then, struct shunt_field *row,
                     struct shunt_field *at)
{
    const struct shunt_decision *decision = then->decision;
    const struct then_rule rule = {report->other, decision ? decision->rule : NULL};
    char algorithm[640], words[640], parameters[512] = "";
    shunt_report_then_print(report, then, algorithm, words, sizeof algorithm);
    if (decision)
        shunt_params_print(decision->algorithm, &decision->params, parameters, sizeof parameters);
    *at++ = shunt_field_text(algorithm);
    *at++ = shunt_field_text(words);
    *at++ = shunt_field_text(decision ? decision->algorithm->name : NULL);
    *at++ = shunt_field_text(decision ? parameters : NULL);
    *at++ = shunt_field_own(decision ? &rule : NULL);
    *at++ = shunt_field_text(then->why);
    at = put_gain(at, &then->gain, true);
    *at = shunt_field_real(then->seconds);
    shunt_sheet_row(sheet, row);
}

static void put_kind(struct shunt_sheet *sheet, const struct shunt_report *report,
                     const struct shunt_report_row *kind)
{
    struct shunt_field row[SHUNT_COUNT_OF(kind_columns)] = {0}, *at = row;
    char id[24];
    *at++ = shunt_field_text(shunt_op_name(kind->op));
    at = put_size(at, kind);
    *at++ = shunt_field_real(kind->ranks > 0 ? shunt_report_mean(kind) : -1);
    at = put_communicator(at, report, kind, id);
    *at++ = shunt_field_some(kind->ranks);
    *at++ = shunt_field_some(kind->nodes);
    *at++ = shunt_field_some(kind->ppn);
    *at++ = shunt_field_text(shunt_report_row_text(kind, SHUNT_LOG_ALGORITHM));
    *at++ = shunt_field_text(shunt_report_row_text(kind, SHUNT_LOG_PARAMS));
    at = put_rule(at, kind);
    *at++ = shunt_field_unsigned(kind->cell.calls);
    *at++ = shunt_field_unsigned(kind->errors);
    *at++ = shunt_field_unsigned(kind->cell.bytes);
    *at++ = shunt_field_real(kind->cell.seconds);
    *at++ = shunt_field_unsigned(kind->errors);
    at = put_gain(at, &kind->gain, shunt_report_row_routed(kind));
    if (report->other)
        put_then(sheet, report, &kind->then, row, at);
    else
        shunt_sheet_row(sheet, row);
}

int shunt_report_kinds_put(const struct shunt_report *report, struct shunt_log_text *text,
                           struct shunt_json *json)
{
    struct shunt_sheet sheet =
        SHUNT_SHEET(kind_columns, .form = json ? SHUNT_SHEET_JSON : SHUNT_SHEET_CSV, .json = json,
                    .list = SHUNT_KEY_ROWS, .text = text);
    shunt_sheet_begin(&sheet);
    for (uint32_t i = 0; i < report->calls.count; i++)
        put_kind(&sheet, report, report->calls.by_time[i]);
    return shunt_sheet_end(&sheet);
}

/* Figures of calls for people, behind their name. */
#define FIGURES                                                                                    \
    {.key = SHUNT_KEY_CALLS, .title = "calls", .least = FIGURE, .grouped = true},                  \
        {.key = SHUNT_KEY_BYTES, .title = "bytes", .least = FIGURE},                               \
        {.key = SHUNT_KEY_SECONDS, .title = "time", .least = FIGURE, .null = true},                \
    {                                                                                              \
        .key = SHUNT_KEY_FILLED, .title = "of time", .in = SHUNT_IN_TEXT, .least = SHARE           \
    }

/* People have one name for what rows have in common. */
static const struct shunt_column group_columns[] = {
    {.key = SHUNT_KEY_NAME, .in = SHUNT_IN_TEXT, .least = NAME, .most = NAME},
    {.key = SHUNT_KEY_COMMUNICATOR},
    {.key = SHUNT_KEY_COMMUNICATOR_ID},
    {.key = SHUNT_KEY_OPERATION},
    {.key = SHUNT_KEY_FROM},
    {.key = SHUNT_KEY_TO},
    {.key = SHUNT_KEY_FILE, .within = {SHUNT_KEY_RULE}},
    {.key = SHUNT_KEY_LINE, .within = {SHUNT_KEY_RULE}},
    {.key = SHUNT_KEY_ID, .within = {SHUNT_KEY_RULE}},
    {.key = SHUNT_KEY_REASON},
    FIGURES,
    {.key = SHUNT_KEY_FILLED, .title = "routed time", .in = SHUNT_IN_TEXT, .least = SHARE},
    {.key = SHUNT_KEY_SPEEDUP, .title = "speedup", .in = SHUNT_IN_TEXT},
    {.key = SHUNT_KEY_CALLS, .within = {SHUNT_KEY_ROUTED}},
    {.key = SHUNT_KEY_BYTES, .within = {SHUNT_KEY_ROUTED}},
    {.key = SHUNT_KEY_SECONDS, .within = {SHUNT_KEY_ROUTED}},
    GAIN("", SHUNT_KEY_GAIN),
};
enum { COMMUNICATOR = 1, OPERATION = 3, SIZE = 4, RULE = 6, REASON = 9, GROUP_FIGURES = 10 };

static struct shunt_field share(double part, double whole)
{
    return shunt_field_real(whole > 0 ? part / whole : 0);
}

static void put_group(struct shunt_sheet *sheet, const struct shunt_report *report,
                      enum shunt_report_by by, const struct shunt_report_group *group)
{
    struct shunt_field row[SHUNT_COUNT_OF(group_columns)] = {0}, *at = row + GROUP_FIGURES;
    const struct shunt_log_part *all = &group->all, *routed = &group->routed;
    char name[NAME_BYTES], speedup[64], id[24];
    struct shunt_log_text named = {.bytes = name, .capacity = sizeof name - 1},
                          told = {.bytes = speedup, .capacity = sizeof speedup - 1};
    shunt_report_put_group(&named, report, by, group->first);
    name[named.used] = '\0';
    shunt_report_put_speedup(&told, &group->gain);
    speedup[told.used] = '\0';
    row[0] = shunt_field_text(name);
    if (by == SHUNT_REPORT_BY_COMMUNICATOR)
        put_communicator(&row[COMMUNICATOR], report, group->first, id);
    else
        row[OPERATION] = shunt_field_text(shunt_op_name(group->first->op));
    if (by == SHUNT_REPORT_BY_SIZE)
        put_size(&row[SIZE], group->first);
    if (by == SHUNT_REPORT_BY_RULE)
        put_rule(&row[RULE], group->first);
    at = put_part(at, all->calls, all->bytes, all->seconds);
    *at++ = share(all->seconds, report->totals.all.seconds);
    *at++ = share(routed->seconds, all->seconds);
    *at++ = shunt_field_text(routed->calls > 0 ? speedup : NULL);
    at = put_part(at, routed->calls, routed->bytes, routed->seconds);
    if (routed->calls > 0)
        put_gain(at, &group->gain, true);
    shunt_sheet_row(sheet, row);
}

/* Rows of a table for people; what is left is one line. */
enum { LINES = 12 };

static void put_rest(struct shunt_log_text *text, const struct shunt_report_groups *groups,
                     size_t most)
{
    struct shunt_log_part rest = {0};
    for (size_t i = most; i < groups->count; i++) {
        rest.calls += groups->group[i].all.calls;
        rest.seconds += groups->group[i].all.seconds;
    }
    if (rest.calls == 0)
        return;
    shunt_log_text_string(text, "and ");
    shunt_log_text_count(text, groups->count - most);
    shunt_log_text_string(text, " more: ");
    shunt_report_put_further(text, &rest);
}

bool shunt_report_groups_put(const struct shunt_report *report, enum shunt_report_by by,
                             struct shunt_log_text *text, struct shunt_json *json)
{
    static const char *const titles[] = {"operation, all ranks", "blocks, all ranks",
                                         "communicator, all ranks", "rule, all ranks"};
    static const enum shunt_key lists[] = {SHUNT_KEY_BY_OPERATION, SHUNT_KEY_BY_SIZE,
                                           SHUNT_KEY_BY_COMMUNICATOR, SHUNT_KEY_BY_RULE};
    struct shunt_column column[SHUNT_COUNT_OF(group_columns)];
    struct shunt_report_groups groups;
    if (!shunt_report_groups_make(&groups, report, by)) {
        shunt_report_groups_clear(&groups);
        return false;
    }
    /* All sizes: there are few. */
    const size_t most =
        json || by == SHUNT_REPORT_BY_SIZE || groups.count < LINES ? groups.count : LINES;
    memcpy(column, group_columns, sizeof column);
    column[0].title = titles[by];
    column[COMMUNICATOR].null = by == SHUNT_REPORT_BY_COMMUNICATOR;
    column[RULE].null = column[REASON].null = by == SHUNT_REPORT_BY_RULE;
    struct shunt_sheet sheet =
        SHUNT_SHEET(column, .form = json ? SHUNT_SHEET_JSON : SHUNT_SHEET_TEXT, .json = json,
                    .list = lists[by], .text = text, .wide = report->options->wide);
    if (json)
        shunt_json_line(json);
    else if (groups.count > 0)
        shunt_log_text_string(text, "\n");
    if (json || groups.count > 0) {
        shunt_sheet_begin(&sheet);
        for (size_t i = 0; i < most; i++)
            put_group(&sheet, report, by, &groups.group[i]);
        shunt_sheet_end(&sheet);
    }
    if (!json)
        put_rest(text, &groups, most);
    shunt_report_groups_clear(&groups);
    return true;
}

static const struct shunt_column site_columns[] = {
    {.key = SHUNT_KEY_NAME,
     .title = "call site, all ranks",
     .in = SHUNT_IN_TEXT,
     .least = NAME,
     .most = NAME},
    {.key = SHUNT_KEY_OPERATION, .null = true},
    {.key = SHUNT_KEY_SITE, .null = true},
    {.key = SHUNT_KEY_SYMBOL, .null = true},
    FIGURES,
};

void shunt_report_sites_put(const struct shunt_report *report, struct shunt_log_text *text,
                            struct shunt_json *json)
{
    const struct shunt_log_set *sites = &report->facts.sites;
    struct shunt_sheet sheet =
        SHUNT_SHEET(site_columns, .form = json ? SHUNT_SHEET_JSON : SHUNT_SHEET_TEXT, .json = json,
                    .list = SHUNT_KEY_BY_SITE, .text = text, .wide = report->options->wide);
    if (!report->facts.sited)
        return;
    if (json)
        shunt_json_line(json);
    else
        shunt_log_text_string(text, "\n");
    shunt_sheet_begin(&sheet);
    for (size_t i = 0; i < sites->count; i++) {
        const struct shunt_log_entry *site = sites->slots[i];
        const char *operation = site->key.field[SHUNT_LOG_OPERATION];
        struct shunt_field row[SHUNT_COUNT_OF(site_columns)], *at = row;
        char name[NAME_BYTES];
        struct shunt_log_text named = {.bytes = name, .capacity = sizeof name - 1};
        shunt_log_text_string(&named, shunt_log_entry_field(site, SHUNT_LOG_OPERATION));
        shunt_log_text_string(&named, ", ");
        shunt_report_put_site(&named, site);
        name[named.used] = '\0';
        *at++ = shunt_field_text(name);
        *at++ = shunt_field_text(operation);
        *at++ = shunt_field_text(site->key.field[SHUNT_LOG_FILE]);
        *at++ = shunt_field_text(site->key.field[SHUNT_LOG_ID]);
        at = put_part(at, site->calls, site->bytes, site->seconds);
        *at = share(site->seconds, report->totals.all.seconds);
        shunt_sheet_row(&sheet, row);
    }
    shunt_sheet_end(&sheet);
}
