/* SPDX-License-Identifier: BSD-3-Clause */
/* options.c: see options.h. Lists of operations, sizes and distributions are read as those of
 * `shunt bench` are, by the same code. */
#include "tools/tune/options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "tools/tune/nominate.h"

enum { SECONDS = 600, WORD_ROOM = 4096, WORDS_MOST = 8 };

static const struct option known[] = {
    {"output", required_argument, NULL, 'o'},
    {"op", required_argument, NULL, 'O'},
    {"block", required_argument, NULL, 'b'},
    {"distribution", required_argument, NULL, 'd'},
    {"seed", required_argument, NULL, 's'},
    {"layout", required_argument, NULL, 'l'},
    {"algorithm", required_argument, NULL, 'a'},
    {"candidates", required_argument, NULL, 'n'},
    {"machine", required_argument, NULL, 'm'},
    {"time-limit", required_argument, NULL, 't'},
    {"csv", required_argument, NULL, 'c'},
    {"resume", no_argument, NULL, 'r'},
    {"dry-run", no_argument, NULL, 'D'},
    {"force", no_argument, NULL, 'f'},
    {"from-log", no_argument, NULL, 'L'},
    {"validate", required_argument, NULL, 'v'},
    {"simulated", required_argument, NULL, 'S'},
    {"json", no_argument, NULL, 'j'},
    {NULL, 0, NULL, 0},
};

/* Words for the reader of bench. */
struct cells {
    char *words[WORDS_MOST];
    int count;
    bool op, block;
};

struct reader {
    struct tune_options *options;
    struct cells cells;
    char *diagnostic;
    size_t capacity;
};

static const char *option_name(int letter)
{
    int i = 0;
    while (known[i].name && known[i].val != letter)
        i++;
    return known[i].name ? known[i].name : "";
}

static bool pass_on(struct reader *reader, const char *option, const char *value)
{
    struct cells *cells = &reader->cells;
    const size_t capacity = strlen(option) + strlen(value) + 4;
    char *word = cells->count + 1 < WORDS_MOST ? malloc(capacity) : NULL;
    if (!word) {
        snprintf(reader->diagnostic, reader->capacity, "--%s is given too often", option);
        return false;
    }
    snprintf(word, capacity, "--%s=%s", option, value);
    cells->words[cells->count++] = word;
    return true;
}

static bool read_number(const char *text, int most, int *number)
{
    int64_t wide = 0;
    const char *rest = shunt_number_read(text, &wide);
    if (!rest || *rest != '\0' || wide < 1 || wide > most)
        return false;
    *number = (int)wide;
    return true;
}

/* "2x8,1x8", or "all", or "whole". */
static bool read_layouts(struct tune_options *options, const char *text)
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

/* NULL, or what the value has to be. */
static const char *read_value(struct tune_options *options, int letter, const char *value)
{
    switch (letter) {
    case 'o':
        options->output = value;
        break;
    case 'c':
        options->csv = value;
        break;
    case 'm':
        options->machine = value;
        break;
    case 'v':
        options->validate = value;
        break;
    case 'S':
        options->simulated = value;
        break;
    case 'l':
        return read_layouts(options, value)
                   ? NULL
                   : "\"whole\", \"all\", or layouts such as 2x8,1x8: nodes x ranks on each";
    case 'a':
        options->algorithms = value;
        return are_algorithms(value) ? NULL : "names of algorithms, see \"shunt algorithms\"";
    case 'n':
        return read_number(value, TUNE_NOMINATED_MOST, &options->candidates)
                   ? NULL
                   : "a number from 1 to 32";
    default:
        return read_number(value, TUNE_SECONDS_MOST, &options->time_limit)
                   ? NULL
                   : "a number from 1 to 604800";
    }
    return value[0] != '\0' ? NULL : "a name";
}

static bool read_option(struct reader *reader, int letter, const char *value)
{
    struct tune_options *options = reader->options;
    options->dry_run |= letter == 'D';
    options->resume |= letter == 'r';
    options->force |= letter == 'f';
    options->from_log |= letter == 'L';
    options->json |= letter == 'j';
    if (strchr("DrfLj", letter))
        return true;
    reader->cells.op |= letter == 'O';
    options->blocks_given |= letter == 'b';
    if (strchr("Obds", letter))
        return pass_on(reader, option_name(letter), value);
    const char *expected = read_value(options, letter, value);
    if (expected)
        snprintf(reader->diagnostic, reader->capacity, "--%s: \"%s\" is not %s",
                 option_name(letter), value, expected);
    return !expected;
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
    if (!o->from_log && o->log_count > 0)
        return "unexpected argument";
    if (!o->validate && !o->dry_run && !o->output)
        return "--output names the table: say -o FILE, or --dry-run to see what would be measured";
    if (o->output && strcmp(o->output, "-") == 0 && !o->csv && !o->simulated && !o->dry_run)
        return "with --output=- the samples need a name: --csv=FILE";
    if (o->simulated && o->layout_count == 0)
        return "--simulated needs --layout, such as 16x32: nodes x ranks on each";
    return NULL;
}

static bool complete(struct reader *reader)
{
    struct tune_options *o = reader->options;
    const char *wrong = conflict(o);
    if (wrong) {
        snprintf(reader->diagnostic, reader->capacity, "%s%s%s%s", wrong,
                 !o->from_log && o->log_count > 0 ? " \"" : "",
                 !o->from_log && o->log_count > 0 ? o->logs[0] : "",
                 !o->from_log && o->log_count > 0 ? "\"" : "");
        return false;
    }
    if (o->output && !o->csv && !o->simulated) {
        const size_t capacity = strlen(o->output) + sizeof ".csv";
        o->csv_owned = malloc(capacity);
        if (o->csv_owned)
            snprintf(o->csv_owned, capacity, "%s.csv", o->output);
        o->csv = o->csv_owned;
    }
    return (reader->cells.op || pass_on(reader, "op", "alltoall,alltoallv")) &&
           (o->blocks_given || pass_on(reader, "block", "1,16,128,512,2K,8K,32K,128K")) &&
           pass_on(reader, "algorithm", "native");
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

static bool read_cells(struct reader *reader)
{
    struct bench_options *cells = &reader->options->cells;
    char name[] = "tune", *words[WORDS_MOST + 1] = {name};
    memcpy(words + 1, reader->cells.words, sizeof reader->cells.words);
    if (!bench_options_read(cells, reader->cells.count + 1, words, reader->diagnostic,
                            reader->capacity))
        return false;
    for (int i = 0; i < cells->distribution_count; i++) {
        if (cells->distributions[i].shape != MEASURE_MATRIX)
            continue;
        snprintf(reader->diagnostic, reader->capacity,
                 "--distribution: a matrix has sizes of its own; rules are for sizes");
        return false;
    }
    order_blocks(cells);
    return true;
}

bool tune_options_read(struct tune_options *options, int argc, char **argv, char *diagnostic,
                       size_t capacity)
{
    struct reader reader = {.options = options, .diagnostic = diagnostic, .capacity = capacity};
    int letter;
    bool good = true;
    *options = (struct tune_options){.time_limit = SECONDS, .candidates = TUNE_NOMINATED};
    opterr = 0;
    optind = 1;
    while (good && (letter = getopt_long(argc, argv, "+o:", known, NULL)) != -1) {
        good = letter != '?';
        if (!good)
            snprintf(diagnostic, capacity, "%s is not an option, or lacks its value",
                     argv[optind - 1]);
        good = good && read_option(&reader, letter, optarg);
    }
    options->logs = argv + optind;
    options->log_count = argc - optind;
    good = good && complete(&reader) && read_cells(&reader);
    /* The lists were read in place: names of distributions point into no word. */
    for (int i = 0; i < reader.cells.count; i++)
        free(reader.cells.words[i]);
    return good;
}

void tune_options_clear(struct tune_options *options)
{
    bench_options_clear(&options->cells);
    free(options->csv_owned);
}
