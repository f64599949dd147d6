/* SPDX-License-Identifier: BSD-3-Clause */
/* options.c: see options.h. Lists of operations, sizes and distributions are read as those of
 * `shunt bench` are, by the same code. */
#include "tools/tune/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "tools/tune/nominate.h"

enum { SECONDS = 600 };

/* "2x8,1x8", or "all", or "whole". */
static bool parse_layouts(struct tune_options *options, const char *text)
{
    options->all_layouts = strcmp(text, "all") == 0;
    options->layout_count = 0;
    if (options->all_layouts || strcmp(text, "whole") == 0)
        return true;
    for (const char *at = text;; at++) {
        int nodes = 0, ppn = 0, length = 0;
        if (options->layout_count == TUNE_LAYOUTS_MOST || *at < '0' || *at > '9' ||
            sscanf(at, "%6dx%n", &nodes, &length) != 1 || length == 0)
            return false;
        at += length;
        if (*at < '0' || *at > '9' || sscanf(at, "%6d%n", &ppn, &length) != 1 || nodes < 1 ||
            ppn < 1 || nodes * (int64_t)ppn < 2)
            return false;
        at += length;
        options->layouts[options->layout_count].nodes = nodes;
        options->layouts[options->layout_count++].ppn = ppn;
        if (*at != ',')
            return *at == '\0';
    }
}

static bool read_layouts(struct shunt_option_value *value)
{
    return parse_layouts(value->options, value->text) ||
           shunt_option_refuse(value, NULL,
                               "is not \"whole\", \"all\", or layouts such as "
                               "2x8,1x8: nodes x ranks on each");
}

static bool are_algorithms(const char *names)
{
    char name[TUNE_TEXT_ROOM];
    for (const char *at = names;; at++) {
        const int length = (int)strcspn(at, ",");
        snprintf(name, sizeof name, "%.*s", length, at);
        if (!shunt_registry_find(name))
            return false;
        at += length;
        if (*at == '\0')
            return true;
    }
}

static bool read_algorithms(struct shunt_option_value *value)
{
    *(const char **)value->field = value->text;
    return are_algorithms(value->text) ||
           shunt_option_refuse(value, NULL, "is not names of algorithms, see \"shunt algorithms\"");
}

/* Two that do not go together. */
static const char *conflict(const struct tune_options *o)
{
    if (o->validate && (o->simulated || o->from_log || o->resume || o->dry_run || o->output))
        return "--validate measures a table that is there: no --output, --simulated, --from-log, "
               "--resume or --dry-run with it";
    if (o->json && (o->dry_run || (o->output && strcmp(o->output, "-") == 0)))
        return "--json is what came of a run, on standard output: no --dry-run or --output=- with "
               "it";
    if (o->simulated && (o->resume || o->csv || o->from_log))
        return "--simulated measures nothing: no --resume, --csv or --from-log with it";
    if (o->from_log && o->log_count == 0)
        return "--from-log needs files: logs of the application, with SHUNT_LOG=calls and "
               "SHUNT_LOG_FORMAT=json";
    if (!o->validate && !o->dry_run && !o->output)
        return "--output names the table: say -o FILE, or --dry-run to see what would be measured";
    if (o->output && strcmp(o->output, "-") == 0 && !o->csv && !o->simulated && !o->dry_run)
        return "with --output=- the samples need a name: --csv=FILE";
    if (o->simulated && o->layout_count == 0)
        return "--simulated needs --layout, such as 16x32: nodes x ranks on each";
    return NULL;
}

static const char *samples_of(struct tune_options *o)
{
    const size_t capacity = strlen(o->output) + sizeof ".csv";
    o->csv_owned = malloc(capacity);
    if (o->csv_owned)
        snprintf(o->csv_owned, capacity, "%s.csv", o->output);
    return o->csv_owned;
}

static int ascending(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Sizes in order, each once. */
static void order_blocks(struct bench_options *cells)
{
    int kept = 0;
    qsort(cells->blocks, (size_t)cells->block_count, sizeof *cells->blocks, ascending);
    for (int i = 0; i < cells->block_count; i++)
        if (kept == 0 || cells->blocks[kept - 1] != cells->blocks[i])
            cells->blocks[kept++] = cells->blocks[i];
    cells->block_count = kept;
}

/* What was not said of the cells, of which native is measured in each. */
static bool complete_cells(struct bench_options *cells, char *diagnostic, size_t capacity)
{
    static const int64_t sizes[] = {1, 16, 128, 512, 2048, 8192, 32768, 131072};
    const bool sized = cells->block_count > 0;
    char native[] = "native";
    if (!cells->op[SHUNT_OP_ALLTOALL] && !cells->op[SHUNT_OP_ALLTOALLV])
        cells->op[SHUNT_OP_ALLTOALL] = cells->op[SHUNT_OP_ALLTOALLV] = true;
    for (size_t i = 0; !sized && i < sizeof sizes / sizeof sizes[0]; i++)
        cells->blocks[cells->block_count++] = sizes[i];
    for (int i = 0; i < cells->distribution_count; i++) {
        if (cells->distributions[i].shape != MEASURE_MATRIX)
            continue;
        snprintf(diagnostic, capacity,
                 "--distribution: a matrix has sizes of its own; rules are for sizes");
        return false;
    }
    if (cells->distribution_count == 0)
        cells->distributions[cells->distribution_count++].shape = MEASURE_UNIFORM;
    order_blocks(cells);
    return bench_selections_add(cells, native, diagnostic, capacity) &&
           bench_selections_prepare(cells, diagnostic, capacity);
}

static const struct shunt_option list[] = {
    SHUNT_OUTPUT(struct tune_options, output, "the table; \"-\" is standard output"),
    BENCH_OPTION_OP(struct tune_options, cells, "alltoall, alltoallv; default: both"),
    BENCH_OPTION_BLOCK(
        struct tune_options, cells,
        "largest block in bytes, with K, M, G; default: 1,16,128,512,2K,8K,32K,128K"),
    BENCH_OPTION_DISTRIBUTION(
        struct tune_options, cells,
        "of the sizes of alltoallv, as for shunt bench; with several the worst counts (uniform)"),
    SHUNT_VALUE("layout", "LIST", struct tune_options, layouts, read_layouts,
                "nodes x ranks on each, such as 2x8,1x8; \"all\": powers of two; default: "
                "\"whole\""),
    SHUNT_VALUE("algorithm", "LIST", struct tune_options, algorithms, read_algorithms,
                "these alone; default: all"),
    SHUNT_NUMBER("candidates", "N", struct tune_options, candidates, 1, TUNE_NOMINATED_MOST,
                 "settings that are measured at each size at most (16)"),
    SHUNT_FILE("machine", "NAME", struct tune_options, machine,
               "description by which candidates are ordered; default: that of this host's table"),
    SHUNT_NUMBER("time-limit", "SECONDS", struct tune_options, time_limit, 1, TUNE_SECONDS_MOST,
                 "about so long at most (600)"),
    SHUNT_LONG("seed", "N", struct tune_options, cells.seed, 0, INT64_MAX,
               "of sizes and orders (1)"),
    SHUNT_FILE("csv", "FILE", struct tune_options, csv,
               "the samples, as they come; default: OUTPUT.csv"),
    SHUNT_FLAG(0, "resume", struct tune_options, resume, "go on with the samples in that file"),
    SHUNT_FLAG(0, "dry-run", struct tune_options, dry_run,
               "only tell what would be measured, and about how long it takes"),
    SHUNT_FLAG(0, "force", struct tune_options, force, "on a busy machine too"),
    SHUNT_FLAG(0, "from-log", struct tune_options, from_log,
               "only what an application called, by its logs; most time where it spent most"),
    SHUNT_FILE("validate", "FILE", struct tune_options, validate,
               "measure a table, or \"built-in\", against native, and tell where it loses"),
    SHUNT_FLAG(0, "json", struct tune_options, json,
               "what came of it, for programs, on standard output"),
    SHUNT_FILE("simulated", "MACHINE", struct tune_options, simulated,
               "by the cost model of that machine, without measuring"),
};

const struct shunt_subcommand shunt_subcommand_tune = {
    .name = "tune",
    .summary = "make a decision table from measurements, under mpiexec",
    .usage = "mpiexec -n RANKS shunt tune -o FILE [OPTION]...\n"
             "mpiexec -n RANKS shunt tune -o FILE --from-log [OPTION]... LOG...\n"
             "mpiexec -n RANKS shunt tune --validate=FILE [OPTION]...\n"
             "shunt tune -o FILE --simulated=MACHINE --layout=LIST [OPTION]...",
    .about = "Measures the algorithms beside the MPI library's own and writes a decision file of "
             "what is clearly faster.",
    .status = "0 good, 1 the machine is busy or --validate found a loss, 2 usage, 3 a mistake in a "
              "table or description, 4 a file cannot be read or written, 5 MPI failed",
    SHUNT_OPTIONS(list),
    .size = sizeof(struct tune_options),
    .words_most = -1,
    .program = "shunt-tune",
};

bool tune_options_read(struct tune_options *options, struct shunt_words *words, int argc,
                       char **argv, char *diagnostic, size_t capacity)
{
    *options =
        (struct tune_options){.time_limit = SECONDS,
                              .candidates = TUNE_NOMINATED,
                              .cells = {.repetitions = 50, .warm_up = 3, .inner = 1, .seed = 1}};
    if (!shunt_options_read(words, &shunt_subcommand_tune, options, argc, argv, diagnostic,
                            capacity))
        return false;
    if (words->help)
        return true;
    options->logs = words->word;
    options->log_count = words->count;
    options->blocks_given = shunt_given(words, "block");
    const char *wrong = conflict(options);
    if (!options->from_log && words->count > 0)
        snprintf(diagnostic, capacity, "\"%s\" is one word too many", words->word[0]);
    else if (wrong)
        snprintf(diagnostic, capacity, "%s", wrong);
    if (wrong || (!options->from_log && words->count > 0))
        return false;
    if (options->output && !options->csv && !options->simulated)
        options->csv = samples_of(options);
    if (options->output && !options->csv && !options->simulated) {
        snprintf(diagnostic, capacity, "out of memory");
        return false;
    }
    return complete_cells(&options->cells, diagnostic, capacity);
}

void tune_options_clear(struct tune_options *options)
{
    bench_options_clear(&options->cells);
    free(options->csv_owned);
}
