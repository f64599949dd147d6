/* SPDX-License-Identifier: BSD-3-Clause */
/* coverage.c: gaps and overlaps of a table, in words and as JSON. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/check/check.h"
#include "tools/common/fold.h"
#include "tools/common/rules.h"

/* Lines for people; elements for programs. */
enum { LINES = 8, ELEMENTS = 1000, WORDS = SHUNT_RULES_ROOM };

static void describe(const struct shunt_box *box, const struct shunt_box *space,
                     char text[SHUNT_RULES_ROOM])
{
    text[0] = '\0';
    shunt_rules_layouts_print(box, space, text);
    shunt_rules_sizes_print(box, space, text);
}

static const char *source_of(const struct shunt_table *table)
{
    return shunt_table_string(table, table->source);
}

/* A line without the file, to standard output with it. */
static void tell(const struct shunt_table *table, const char *line)
{
    char *source = shunt_tool_clean(source_of(table));
    shunt_fold_print(stdout, "%s: %s\n", source ? source : "?", line);
    free(source);
}

/* A line without the file: to `findings`, or else to standard output with it. */
static void tell_gap(const struct shunt_table *table, const char *line, bool finding,
                     struct shunt_diagnostics *findings)
{
    if (finding)
        shunt_diagnostics_add(findings, "%s: %s", source_of(table), line);
    else
        tell(table, line);
}

static void tell_gaps(const struct shunt_table *table, enum shunt_op op,
                      const struct shunt_check_options *options,
                      const struct shunt_coverage *coverage, size_t most,
                      struct shunt_diagnostics *findings)
{
    const char *name = shunt_op_name(op);
    char words[WORDS], line[WORDS + 64];
    if (table->rule_count[op] == 0) {
        snprintf(line, sizeof line, "%s: no rules, so every call is %s", name,
                 shunt_rules_otherwise(table, op));
        tell_gap(table, line, options->complete, findings);
        return;
    }
    for (size_t i = 0; i < coverage->gap_count && i < most; i++) {
        describe(&coverage->gaps[i], &options->space, words);
        snprintf(line, sizeof line, "%s: no rule takes %s: %s", name,
                 words[0] != '\0' ? words : "any of these calls", shunt_rules_otherwise(table, op));
        tell_gap(table, line, options->complete, findings);
    }
    if (coverage->gap_count > most || !coverage->gaps_complete) {
        snprintf(line, sizeof line, "%s: %s", name,
                 coverage->gap_count > most
                     ? "there are more such calls (--json lists more)"
                     : "more calls may have no rule: the rules overlap in too "
                       "many ways to look at all of them");
        tell_gap(table, line, options->complete, findings);
    }
}

/* `rule "small"`, `rule 3`. */
static void name_rule(const struct shunt_table *table, const struct shunt_rule *rule,
                      uint32_t index, char *text, size_t capacity)
{
    const char *id = shunt_table_string(table, rule->id);
    if (id[0] != '\0')
        snprintf(text, capacity, "rule \"%.200s\"", id);
    else
        snprintf(text, capacity, "rule %" PRIu32, index + 1);
}

static void tell_overlap(const struct shunt_table *table, enum shunt_op op,
                         const struct shunt_check_options *options,
                         const struct shunt_overlap *overlap)
{
    const struct shunt_rule *rules = &table->rules[table->rule_first[op]];
    const struct shunt_rule *first = &rules[overlap->first], *second = &rules[overlap->second];
    const char *first_file = shunt_table_string(table, first->file),
               *second_file = shunt_table_string(table, second->file);
    char words[WORDS], one[256], other[256], file[560], place[600];
    describe(&overlap->box, &options->space, words);
    name_rule(table, first, overlap->first, one, sizeof one);
    name_rule(table, second, overlap->second, other, sizeof other);
    shunt_tool_fit(first_file, file, sizeof file);
    if (strcmp(first_file, second_file) == 0)
        snprintf(place, sizeof place, "line %d", first->line);
    else
        snprintf(place, sizeof place, "%s:%d", file, first->line);
    char *clean = shunt_tool_clean(second_file);
    shunt_fold_print(stdout, "%s:%d: %s %s and %s in %s could both take %s: the earlier one does\n",
                     clean ? clean : "?", second->line, shunt_op_name(op), other, one, place,
                     words[0] != '\0' ? words : "every call");
    free(clean);
}

static void tell_overlaps(const struct shunt_table *table, enum shunt_op op,
                          const struct shunt_check_options *options,
                          const struct shunt_coverage *coverage)
{
    char line[WORDS];
    for (size_t i = 0; i < coverage->overlap_count && i < LINES; i++)
        tell_overlap(table, op, options, &coverage->overlaps[i]);
    if (coverage->overlap_count > LINES || !coverage->overlaps_complete) {
        snprintf(line, sizeof line, "%s: more rules overlap%s", shunt_op_name(op),
                 coverage->overlaps_complete || coverage->overlap_count > LINES
                     ? " (--json lists more)"
                     : ", or may: there are too many to look at all of them");
        tell(table, line);
    }
    if (coverage->nested > 0) {
        snprintf(line, sizeof line,
                 "%s: %zu time%s a later rule takes all that an earlier one does and more, as a "
                 "rule for the rest has to",
                 shunt_op_name(op), coverage->nested, shunt_tool_plural(coverage->nested));
        tell(table, line);
    }
}

bool shunt_check_coverage(const struct shunt_table *table, enum shunt_op op,
                          const struct shunt_check_options *options,
                          struct shunt_diagnostics *findings)
{
    struct shunt_coverage coverage;
    const bool found =
        shunt_coverage_find(&coverage, table, op, &options->space, LINES + 1, options->overlaps);
    if (found) {
        tell_gaps(table, op, options, &coverage, LINES, findings);
        if (options->overlaps)
            tell_overlaps(table, op, options, &coverage);
    }
    shunt_coverage_clear(&coverage);
    return found;
}

static void json_overlaps(struct shunt_json *json, const struct shunt_table *table,
                          enum shunt_op op, const struct shunt_coverage *coverage)
{
    const struct shunt_rule *rules = &table->rules[table->rule_first[op]];
    shunt_json_put_array(json, SHUNT_KEY_OVERLAPS);
    for (size_t i = 0; i < coverage->overlap_count; i++) {
        const struct shunt_overlap *overlap = &coverage->overlaps[i];
        shunt_json_line(json);
        shunt_json_object(json);
        shunt_json_put_array(json, SHUNT_KEY_RULES);
        for (int one = 0; one < 2; one++) {
            shunt_json_object(json);
            shunt_rule_json(json, table, &rules[one == 0 ? overlap->first : overlap->second]);
            shunt_json_close(json);
        }
        shunt_json_close(json);
        shunt_rules_box_json(json, &overlap->box);
        shunt_json_close(json);
    }
    shunt_json_close(json);
}

bool shunt_check_coverage_json(const struct shunt_table *table, enum shunt_op op,
                               const struct shunt_check_options *options, struct shunt_json *json,
                               struct shunt_diagnostics *findings)
{
    struct shunt_coverage coverage;
    const bool found =
        shunt_coverage_find(&coverage, table, op, &options->space, ELEMENTS, options->overlaps);
    if (found) {
        shunt_json_line(json);
        shunt_json_object(json);
        shunt_json_put_string(json, SHUNT_KEY_OPERATION, shunt_op_name(op));
        shunt_json_put_array(json, SHUNT_KEY_GAPS);
        for (size_t i = 0; i < coverage.gap_count; i++) {
            shunt_json_line(json);
            shunt_json_object(json);
            shunt_rules_box_json(json, &coverage.gaps[i]);
            shunt_json_close(json);
        }
        shunt_json_close(json);
        if (options->overlaps)
            json_overlaps(json, table, op, &coverage);
        shunt_json_put_flag(json, SHUNT_KEY_COMPLETE,
                            coverage.gaps_complete && coverage.overlaps_complete);
        shunt_json_close(json);
        if (options->complete)
            tell_gaps(table, op, options, &coverage, ELEMENTS, findings);
    }
    shunt_coverage_clear(&coverage);
    return found;
}
