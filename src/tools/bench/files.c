/* SPDX-License-Identifier: BSD-3-Clause */
/* files.c: results for programs: CSV, one line per candidate and case, and JSON, with the time of
 * each repetition. */
#include <errno.h>
#include <string.h>

#include "tools/bench/files.h"
#include "tools/tool.h"

static FILE *open_file(const char *name)
{
    if (strcmp(name, "-") == 0)
        return stdout;
    FILE *file = fopen(name, "w");
    if (!file)
        shunt_tool_say("%s cannot be written: %s", name, strerror(errno));
    return file;
}

static void json_text(FILE *file, const char *name, const char *text)
{
    fprintf(file, "\"%s\": ", name);
    shunt_tool_json(file, text);
}

static void json_header(const struct bench *bench)
{
    const struct bench_machine *m = &bench->machine;
    FILE *file = bench->json;
    fputs("{", file);
    json_text(file, "processor", m->processor);
    fprintf(file, ", \"processors\": %d, ", m->processors);
    json_text(file, "library", m->library);
    fprintf(file,
            ", \"ranks\": %d, \"nodes\": %d, \"ppn_min\": %d, \"ppn_max\": %d, \"oversubscribed\": "
            "%s, \"own_groups\": %s, ",
            bench->size, m->nodes, m->ppn_min, m->ppn_max, m->oversubscribed ? "true" : "false",
            m->groups ? "true" : "false");
    json_text(file, "test_layout", m->test_layout);
    fputs(", ", file);
    json_text(file, "helper", m->helper);
    fprintf(file, ", \"yields\": %s, ", m->yields ? "true" : "false");
    json_text(file, "date", m->date);
    fputs(", ", file);
    json_text(file, "command", bench->command);
    fprintf(file,
            ", \"repetitions\": %d, \"warm_up\": %d, \"inner\": %d, \"skew_us\": %d, \"seed\": "
            "%llu,\n\"cases\": [",
            bench->options.repetitions, bench->options.warm_up, bench->options.inner,
            bench->options.skew, (unsigned long long)bench->options.seed);
}

bool bench_files_open(struct bench *bench)
{
    const struct bench_options *options = &bench->options;
    bench->table = !(options->csv && strcmp(options->csv, "-") == 0) &&
                   !(options->json && strcmp(options->json, "-") == 0);
    if (options->csv && !(bench->csv = open_file(options->csv)))
        return false;
    if (options->json && !(bench->json = open_file(options->json)))
        return false;
    if (bench->csv)
        fputs("operation,distribution,block,largest,mean,ranks,nodes,algorithm,parameters,"
              "repetitions,least_us,median_us,low_us,high_us,"
              "speedup,"
              "speedup_low,speedup_high,lower_bound_ratio,wrong,agreement_us,metadata_us,copy_us,"
              "node_us,remote_us,other_us,reason\n",
              bench->csv);
    if (bench->json)
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
static void csv_figures(const struct bench *bench, const struct bench_result *r)
{
    FILE *file = bench->csv;
    const bool native = bench->candidates[0].kind == BENCH_NATIVE;
    if (r->reason[0]) {
        fputs(",,,,,,,,,,,,,,,", file);
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
        if (bench->options.phases && r->candidate->kind == BENCH_ROUTED)
            fprintf(file, "%.3f", 1e6 * r->phases[(phase + 1) % SHUNT_PHASE_COUNT]);
        fputc(',', file);
    }
}

static void csv_case(const struct bench *bench, const struct bench_case *c,
                     const struct bench_result *results, const char *distribution)
{
    FILE *file = bench->csv;
    for (int k = 0; k < bench->candidate_count; k++) {
        fprintf(file, "%s,", shunt_op_name(c->op));
        csv_text(file, distribution);
        fprintf(file, ",%lld,%lld,%.1f,%d,%d,%s,%s,%d,", (long long)c->block, (long long)c->largest,
                c->mean, bench->size, bench->machine.nodes, results[k].name, results[k].params,
                bench->options.repetitions);
        csv_figures(bench, &results[k]);
        csv_text(file, results[k].reason);
        fputc('\n', file);
    }
    fflush(file);
}

static void json_interval(FILE *file, const char *name, struct bench_interval interval,
                          double scale)
{
    fprintf(file, ", \"%s\": {\"median\": %.6g, \"low\": %.6g, \"high\": %.6g}", name,
            scale * interval.median, scale * interval.low, scale * interval.high);
}

static void json_figures(const struct bench *bench, const struct bench_result *r)
{
    FILE *file = bench->json;
    json_interval(file, "us", r->time, 1e6);
    if (bench->candidates[0].kind == BENCH_NATIVE)
        json_interval(file, "speedup", r->speedup, 1);
    if (r->lower_bound.median > 0)
        json_interval(file, "lower_bound_ratio", r->lower_bound, 1);
    if (bench->options.check)
        fprintf(file, ", \"wrong\": %lld", (long long)r->wrong);
    if (bench->options.phases && r->candidate->kind == BENCH_ROUTED) {
        fputs(", \"phases_us\": {", file);
        for (int phase = 0; phase < SHUNT_PHASE_COUNT; phase++)
            fprintf(file, "%s\"%s\": %.3f", phase ? ", " : "", bench_phase_name(phase),
                    1e6 * r->phases[phase]);
        fputc('}', file);
    }
    fputs(", \"times_us\": [", file);
    for (int i = 0; i < bench->options.repetitions; i++)
        fprintf(file, "%s%.3f", i ? ", " : "", 1e6 * r->seconds[i]);
    fputc(']', file);
}

static void json_case(const struct bench *bench, const struct bench_case *c,
                      const struct bench_result *results, const char *distribution)
{
    FILE *file = bench->json;
    fprintf(file, "%s\n{\"operation\": \"%s\", ", bench->case_index > 0 ? "," : "",
            shunt_op_name(c->op));
    json_text(file, "distribution", distribution);
    fprintf(file, ", \"block\": %lld, \"largest\": %lld, \"mean\": %.1f, \"candidates\": [",
            (long long)c->block, (long long)c->largest, c->mean);
    for (int k = 0; k < bench->candidate_count; k++) {
        fputs(k ? ",\n  {" : "\n  {", file);
        json_text(file, "algorithm", results[k].name);
        fputs(", ", file);
        json_text(file, "parameters", results[k].params);
        if (results[k].reason[0]) {
            fputs(", ", file);
            json_text(file, "reason", results[k].reason);
        } else {
            json_figures(bench, &results[k]);
        }
        fputc('}', file);
    }
    fputs("]}", file);
    fflush(file);
}

void bench_files_case(struct bench *bench, const struct bench_case *c,
                      const struct bench_result *results)
{
    char distribution[256] = "constant";
    if (c->op == SHUNT_OP_ALLTOALLV)
        bench_distribution_print(c->distribution, distribution, sizeof distribution);
    if (bench->csv)
        csv_case(bench, c, results, distribution);
    if (bench->json)
        json_case(bench, c, results, distribution);
}

static bool close_file(FILE *file, const char *name)
{
    if (!file)
        return true;
    bool good = fflush(file) == 0 && !ferror(file);
    if (file != stdout)
        good &= fclose(file) == 0;
    if (!good)
        shunt_tool_say("%s could not be written: %s", name, strerror(errno));
    return good;
}

bool bench_files_close(struct bench *bench)
{
    if (bench->json)
        fputs("\n]}\n", bench->json);
    const bool csv = close_file(bench->csv, bench->options.csv),
               json = close_file(bench->json, bench->options.json);
    return close_file(stdout, "standard output") && csv && json;
}
