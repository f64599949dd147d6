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
        fputs(
            "operation,distribution,block,largest,mean,ranks,nodes,algorithm,parameters,"
            "repetitions,least_us,median_us,low_us,high_us,"
            "speedup,"
            "speedup_low,speedup_high,lower_bound_ratio,wrong,agreement_us,prepare_us,metadata_us,"
            "copy_us,node_us,rearrange_us,remote_us,other_us,reason,candidate\n",
            bench->csv.stream);
    if (bench->json.stream)
        json_header(bench);
    return true;
}

static void csv_text(FILE *file, const char *text)
{
    fputc('"', file);
    for (; *text; text++)
        fprintf(file, *text == '"' ? "\"\"" : "%c", *text);
    fputc('"', file);
}

/* Figures; empty where there is none. */
static void csv_figures(const struct bench *bench, const struct measure_result *r)
{
    FILE *file = bench->csv.stream;
    const bool native = bench->candidates[0].kind == MEASURE_NATIVE;
    if (r->reason[0]) {
        fputs(",,,,,,,,,,,,,,,,,", file);
        return;
    }
    fprintf(file, "%.3f,%.3f,%.3f,%.3f,", 1e6 * r->time.least, 1e6 * r->time.median,
            1e6 * r->time.low, 1e6 * r->time.high);
    if (native)
        fprintf(file, "%.4f,%.4f,%.4f,", r->speedup.median, r->speedup.low, r->speedup.high);
    else
        fputs(",,,", file);
    if (r->lower_bound.median > 0)
        fprintf(file, "%.4f", r->lower_bound.median);
    fprintf(file, ",%lld,", (long long)r->wrong);
    for (int phase = 0; phase < SHUNT_PHASE_COUNT; phase++) {
        if (bench->options.phases && r->candidate->kind == MEASURE_ROUTED)
            fprintf(file, "%.3f", 1e6 * r->phases[(phase + 1) % SHUNT_PHASE_COUNT]);
        fputc(',', file);
    }
}

static void csv_case(const struct bench *bench, const struct measure_case *c,
                     const struct measure_result *results, const char *distribution)
{
    FILE *file = bench->csv.stream;
    for (int k = 0; k < bench->candidate_count; k++) {
        fprintf(file, "%s,", shunt_op_name(c->op));
        csv_text(file, distribution);
        fprintf(file, ",%lld,%lld,%.1f,%d,%d,%s,%s,%d,", (long long)c->block, (long long)c->largest,
                c->mean, bench->world.size, bench->job.facts.nodes.count, results[k].name,
                results[k].params, bench->options.repetitions);
        csv_figures(bench, &results[k]);
        csv_text(file, results[k].reason);
        fprintf(file, ",%s", results[k].text);
        fputc('\n', file);
    }
    fflush(file);
}

static void json_interval(struct shunt_json *json, enum shunt_key key,
                          struct measure_interval interval, double scale, int digits)
{
    shunt_json_put_object(json, key);
    shunt_json_put_fixed(json, SHUNT_KEY_MEDIAN, scale * interval.median, digits);
    shunt_json_put_fixed(json, SHUNT_KEY_LOW, scale * interval.low, digits);
    shunt_json_put_fixed(json, SHUNT_KEY_HIGH, scale * interval.high, digits);
    shunt_json_close(json);
}

static void json_phases(struct shunt_json *json, const struct measure_result *r)
{
    shunt_json_put_object(json, SHUNT_KEY_PHASES_US);
    for (int phase = 0; phase < SHUNT_PHASE_COUNT; phase++) {
        shunt_json_name(json, bench_phase_name(phase));
        shunt_json_fixed(json, 1e6 * r->phases[phase], 3);
    }
    shunt_json_close(json);
}

static void json_figures(struct bench *bench, const struct measure_result *r)
{
    struct shunt_json *json = &bench->writer;
    json_interval(json, SHUNT_KEY_US, r->time, 1e6, 3);
    if (bench->candidates[0].kind == MEASURE_NATIVE)
        json_interval(json, SHUNT_KEY_SPEEDUP, r->speedup, 1, 6);
    if (r->lower_bound.median > 0)
        json_interval(json, SHUNT_KEY_LOWER_BOUND_RATIO, r->lower_bound, 1, 6);
    if (bench->options.check)
        shunt_json_put_known(json, SHUNT_KEY_WRONG, r->wrong);
    if (bench->options.phases && r->candidate->kind == MEASURE_ROUTED)
        json_phases(json, r);
    shunt_json_put_array(json, SHUNT_KEY_TIMES_US);
    for (int i = 0; i < bench->options.repetitions; i++)
        shunt_json_fixed(json, 1e6 * r->seconds[i], 3);
    shunt_json_close(json);
}

static void json_candidate(struct bench *bench, const struct measure_result *r)
{
    struct shunt_json *json = &bench->writer;
    shunt_json_line(json);
    shunt_json_object(json);
    shunt_json_put_string(json, SHUNT_KEY_CANDIDATE, r->text);
    shunt_json_put_string(json, SHUNT_KEY_ALGORITHM, r->name);
    shunt_json_put_string(json, SHUNT_KEY_PARAMETERS, r->params);
    if (r->reason[0])
        shunt_json_put_string(json, SHUNT_KEY_REASON, r->reason);
    else
        json_figures(bench, r);
    shunt_json_close(json);
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
                      const struct measure_result *results, const char *distribution)
{
    struct shunt_json *json = &bench->writer;
    shunt_json_line(json);
    shunt_json_object(json);
    shunt_json_put_string(json, SHUNT_KEY_OPERATION, shunt_op_name(c->op));
    shunt_json_put_string(json, SHUNT_KEY_DISTRIBUTION, distribution);
    shunt_json_put_known(json, SHUNT_KEY_BLOCK, c->block);
    shunt_json_put_known(json, SHUNT_KEY_LARGEST, c->largest);
    shunt_json_put_number(json, SHUNT_KEY_MEAN, c->mean);
    json_verdict(bench, results);
    shunt_json_put_array(json, SHUNT_KEY_CANDIDATES);
    for (int k = 0; k < bench->candidate_count; k++)
        json_candidate(bench, &results[k]);
    shunt_json_close(json);
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
    char distribution[256] = "constant";
    if (c->op == SHUNT_OP_ALLTOALLV)
        measure_distribution_print(c->distribution, distribution, sizeof distribution);
    if (bench->csv.stream)
        csv_case(bench, c, results, distribution);
    if (bench->json.stream)
        json_case(bench, c, results, distribution);
}

bool bench_files_close(struct bench *bench)
{
    struct measure_output standard = {.name = "standard output", .stream = stdout};
    const bool whole = json_finish(bench), csv = measure_output_close(&bench->csv, true),
               json = measure_output_close(&bench->json, whole);
    return measure_output_close(&standard, true) && csv && json && whole;
}
