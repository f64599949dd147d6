/* SPDX-License-Identifier: BSD-3-Clause */
/* files.c: results for programs: CSV, one line per candidate and case, and JSON, with the time of
 * each repetition. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "tools/bench/bench.h"
#include "tools/common/tool.h"

static void json_header(struct bench *bench)
{
    struct shunt_json *json = &bench->writer;
    bench->text = (struct shunt_log_text){.grows = true};
    *json = (struct shunt_json){.text = &bench->text, .whole = true};
    shunt_json_object(json);
    shunt_json_put_string(json, SHUNT_KEY_VERSION, PACKAGE_VERSION);
    measure_facts_json(json, &bench->job.facts, bench->job.facts.processors, true,
                       bench->job.command);
    shunt_json_put_known(json, SHUNT_KEY_REPETITIONS, bench->options.repetitions);
    shunt_json_put_known(json, SHUNT_KEY_WARM_UP, bench->options.warm_up);
    shunt_json_put_known(json, SHUNT_KEY_INNER, bench->options.inner);
    shunt_json_put_known(json, SHUNT_KEY_SKEW_US, bench->options.skew);
    shunt_json_put_unsigned(json, SHUNT_KEY_SEED, bench->options.seed);
    shunt_json_line(json);
    shunt_json_put_array(json, SHUNT_KEY_CASES);
}

/* row: NULL for the names. */
static void csv_line(const struct bench *bench, const struct shunt_field *row)
{
    struct shunt_log_text line = {.grows = true};
    shunt_sheet_line(&line, bench_columns, BENCH_COLUMNS, row);
    measure_need(line.cut ? NULL : line.bytes);
    fwrite(line.bytes, 1, line.used, bench->csv.stream); /* an error is found when it is closed */
    free(line.bytes);
}

static void csv_case(const struct bench *bench, const struct measure_case *c,
                     const struct measure_result *results)
{
    for (int k = 0; k < bench->candidate_count; k++) {
        struct shunt_field row[BENCH_COLUMNS];
        struct bench_row_room room;
        bench_row_make(row, &room, bench, c, &results[k]);
        csv_line(bench, row);
    }
    fflush(bench->csv.stream);
}

bool bench_files_open(struct bench *bench)
{
    const struct bench_options *options = &bench->options;
    bench->table = !(options->csv && strcmp(options->csv, "-") == 0) &&
                   !(options->json && strcmp(options->json, "-") == 0) &&
                   !(options->rules && strcmp(options->rules, "-") == 0);
    if (options->csv && !measure_output_open(&bench->csv, options->csv))
        return false;
    if (options->json && !measure_output_open(&bench->json, options->json))
        return false;
    if (bench->csv.stream)
        csv_line(bench, NULL);
    if (bench->json.stream)
        json_header(bench);
    return true;
}

static void json_warning(void *context, const char *text)
{
    shunt_json_string(context, text);
}

/* What follows from the figures. */
static void json_verdict(struct bench *bench, const struct measure_result *results)
{
    struct shunt_json *json = &bench->writer;
    const struct measure_result *winner = bench_verdict_winner(bench, results);
    if (bench_verdict_wanted(bench))
        shunt_json_put_string(json, SHUNT_KEY_WINNER,
                              winner                          ? winner->text
                              : bench_verdict_can_tell(bench) ? "native"
                                                              : NULL);
    shunt_json_put_array(json, SHUNT_KEY_WARNINGS);
    bench_warnings(bench, results, json_warning, json);
    shunt_json_close(json);
}

/*
 * Writes what is new. The file is JSON at any time: it ends with what closes the lists, which the
 * next case replaces. Standard output gets all of it at once, in the end.
 */
static void json_put(struct bench *bench, const char *end)
{
    struct shunt_log_text *text = &bench->text;
    FILE *stream = bench->json.stream;
    if (!bench->json.file.part || text->cut)
        return;
    fseek(stream, bench->json_bytes, SEEK_SET); /* an error is found when it is closed */
    fwrite(text->bytes, 1, text->used, stream);
    fputs(end, stream);
    fflush(stream);
    bench->json_bytes += (long)text->used;
    text->used = 0;
}

static void json_case(struct bench *bench, const struct measure_case *c,
                      const struct measure_result *results)
{
    struct shunt_json *json = &bench->writer;
    char distribution[BENCH_DISTRIBUTION_ROOM];
    bench_distribution_name(c, distribution);
    shunt_json_line(json);
    shunt_json_object(json);
    shunt_json_put_string(json, SHUNT_KEY_OPERATION, shunt_op_name(c->op));
    shunt_json_put_string(json, SHUNT_KEY_DISTRIBUTION, distribution);
    shunt_json_put_known(json, SHUNT_KEY_BLOCK, c->block);
    shunt_json_put_known(json, SHUNT_KEY_LARGEST, c->largest);
    shunt_json_put_number(json, SHUNT_KEY_MEAN, c->mean);
    json_verdict(bench, results);
    struct shunt_sheet sheet = {
        .form = SHUNT_SHEET_JSON, .json = json, .list = SHUNT_KEY_CANDIDATES};
    bench_rows_put(&sheet, bench, c, results);
    shunt_json_close(json);
    json_put(bench, "\n]\n}\n");
}

static void json_rules(struct bench *bench)
{
    struct shunt_json *json = &bench->writer;
    char text[BENCH_RULE_ROOM];
    int count;
    struct bench_rule *rules = bench_rules_find(&bench->rules, &count);
    shunt_json_put_array(json, SHUNT_KEY_RULES);
    for (int i = 0; i < count; i++) {
        bench_rule_print(&bench->rules, &rules[i], text, sizeof text);
        shunt_json_line(json);
        shunt_json_object(json);
        shunt_json_put_string(json, SHUNT_KEY_OPERATION, shunt_op_name(rules[i].op));
        shunt_json_put_string(json, SHUNT_KEY_CANDIDATE,
                              bench->rules.candidates[rules[i].candidate]);
        shunt_json_put_string(json, SHUNT_KEY_TEXT, text);
        shunt_json_close(json);
    }
    shunt_json_close(json);
    free(rules);
}

/* The end, and standard output. When memory was too short for all of it, a file is not named. */
static bool json_finish(struct bench *bench)
{
    struct shunt_json *json = &bench->writer;
    if (!bench->json.stream)
        return true;
    shunt_json_line(json);
    shunt_json_close(json);
    if (bench_verdict_wanted(bench)) {
        shunt_json_line(json);
        json_rules(bench);
    }
    shunt_json_close(json);
    const bool whole = !bench->text.cut;
    json_put(bench, "\n");
    if (!bench->json.file.part || !whole)
        return shunt_tool_write(&bench->text, bench->json.stream) == SHUNT_EXIT_OK;
    free(bench->text.bytes);
    return true;
}

void bench_files_case(struct bench *bench, const struct measure_case *c,
                      const struct measure_result *results)
{
    if (bench->csv.stream)
        csv_case(bench, c, results);
    if (bench->json.stream)
        json_case(bench, c, results);
}

bool bench_files_close(struct bench *bench)
{
    struct measure_output standard = {.name = "standard output", .stream = stdout};
    const bool whole = json_finish(bench), csv = measure_output_close(&bench->csv, true),
               json = measure_output_close(&bench->json, whole);
    return measure_output_close(&standard, true) && csv && json && whole;
}
