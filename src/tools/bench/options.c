/* SPDX-License-Identifier: BSD-3-Clause */
/* options.c: see options.h. */
#include "tools/bench/options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "route/settings.h"

enum { REPETITIONS_MOST = 1000000 };

static const struct option known[] = {
    {"op", required_argument, NULL, 'o'},
    {"algorithm", required_argument, NULL, 'a'},
    {"distribution", required_argument, NULL, 'd'},
    {"block", required_argument, NULL, 'b'},
    {"repetitions", required_argument, NULL, 'r'},
    {"warm-up", required_argument, NULL, 'w'},
    {"inner", required_argument, NULL, 'i'},
    {"skew", required_argument, NULL, 'k'},
    {"seed", required_argument, NULL, 's'},
    {"csv", required_argument, NULL, 'c'},
    {"json", required_argument, NULL, 'j'},
    {"rules", required_argument, NULL, 'R'},
    {"check", no_argument, NULL, 'C'},
    {"lower-bound", no_argument, NULL, 'F'},
    {"phases", no_argument, NULL, 'P'},
    {"plain", no_argument, NULL, 'p'},
    {"paired", no_argument, NULL, 'n'},
    {NULL, 0, NULL, 0},
};

struct reader {
    struct bench_options *options;
    char *diagnostic;
    size_t capacity;
};

static bool wrong(struct reader *reader, const char *option, const char *value, const char *rule)
{
    snprintf(reader->diagnostic, reader->capacity, "--%s: \"%s\" is not %s", option, value, rule);
    return false;
}

static bool read_op(struct reader *reader, const char *word)
{
    bool found = false;
    for (int op = 0; op < SHUNT_OP_COUNT; op++) {
        if (strcmp(word, shunt_op_name((enum shunt_op)op)) == 0)
            reader->options->op[op] = found = true;
    }
    return found || wrong(reader, "op", word, "alltoall or alltoallv");
}

static bool read_block(struct reader *reader, const char *word)
{
    struct bench_options *options = reader->options;
    if (options->block_count == BENCH_LIST_MOST)
        return wrong(reader, "block", word, "within the limit of 64 sizes");
    if (!shunt_size_parse(word, &options->blocks[options->block_count]) ||
        options->blocks[options->block_count] > INT32_MAX)
        return wrong(reader, "block", word, "a size below 2G, such as 512 or 64K");
    options->block_count++;
    return true;
}

static bool read_distribution(struct reader *reader, const char *word)
{
    struct bench_options *options = reader->options;
    if (options->distribution_count == BENCH_LIST_MOST)
        return wrong(reader, "distribution", word, "within the limit of 64 distributions");
    if (!measure_distribution_parse(word, &options->distributions[options->distribution_count]))
        return wrong(reader, "distribution", word, measure_distribution_names);
    options->distribution_count++;
    return true;
}

/* Calls `read` for every word between commas of `list`, in which the commas become ends of strings.
 */
static bool each(struct reader *reader, char *list, bool (*read)(struct reader *, const char *))
{
    for (char *word = list, *next; word; word = next) {
        next = strchr(word, ',');
        if (next)
            *next++ = '\0';
        if (!read(reader, word))
            return false;
    }
    return true;
}

static bool read_number(struct reader *reader, const char *option, const char *text, int64_t least,
                        int64_t most, int64_t *number)
{
    char rule[64];
    snprintf(rule, sizeof rule, "a number from %lld to %lld", (long long)least, (long long)most);
    if (text[0] == '\0' || text[strspn(text, "0123456789")] != '\0' ||
        !shunt_size_parse(text, number) || *number < least || *number > most)
        return wrong(reader, option, text, rule);
    return true;
}

static bool read_count(struct reader *reader, const char *option, const char *text, int least,
                       int *count)
{
    int64_t number;
    if (!read_number(reader, option, text, least, REPETITIONS_MOST, &number))
        return false;
    *count = (int)number;
    return true;
}

static bool read_flag(struct reader *reader, int letter)
{
    struct bench_options *options = reader->options;
    options->check |= letter == 'C';
    options->lower_bound |= letter == 'F';
    options->phases |= letter == 'P';
    options->plain |= letter == 'p';
    options->paired |= letter == 'n';
    return true;
}

static bool read_option(struct reader *reader, int letter, char *value)
{
    struct bench_options *options = reader->options;
    int64_t number = 0;
    switch (letter) {
    case 'o':
        return each(reader, value, read_op);
    case 'a':
        return bench_selections_add(options, value, reader->diagnostic, reader->capacity);
    case 'd':
        return each(reader, value, read_distribution);
    case 'b':
        return each(reader, value, read_block);
    case 'r':
        return read_count(reader, "repetitions", value, 1, &options->repetitions);
    case 'w':
        return read_count(reader, "warm-up", value, 0, &options->warm_up);
    case 'i':
        return read_count(reader, "inner", value, 1, &options->inner);
    case 'k':
        return read_count(reader, "skew", value, 0, &options->skew);
    case 's':
        if (!read_number(reader, "seed", value, 0, INT64_MAX, &number))
            return false;
        options->seed = (uint64_t)number;
        return true;
    case 'c':
        options->csv = value;
        return true;
    case 'j':
        options->json = value;
        return true;
    case 'R':
        options->rules = value;
        return true;
    default:
        return read_flag(reader, letter);
    }
}

/* Whether two files, each of which may be NULL, are two. */
static bool different(struct reader *reader, const char *option, const char *file,
                      const char *other_option, const char *other_file)
{
    if (!file || !other_file || strcmp(file, other_file) != 0)
        return true;
    snprintf(reader->diagnostic, reader->capacity, "--%s and --%s name the same file, \"%s\"",
             option, other_option, file);
    return false;
}

/* What was not said, and what does not go together. */
static bool complete(struct reader *reader)
{
    struct bench_options *options = reader->options;
    static const int64_t sizes[] = {16, 512, 8192};
    const bool sized = options->block_count > 0;
    if (!options->op[SHUNT_OP_ALLTOALL] && !options->op[SHUNT_OP_ALLTOALLV])
        options->op[SHUNT_OP_ALLTOALLV] = true;
    if (options->distribution_count == 0)
        options->distributions[options->distribution_count++].shape = MEASURE_UNIFORM;
    for (size_t i = 0; !sized && i < sizeof sizes / sizeof sizes[0]; i++)
        options->blocks[options->block_count++] = sizes[i];
    if (options->plain &&
        (options->selection_count > 0 || options->all || options->lower_bound || options->phases)) {
        snprintf(reader->diagnostic, reader->capacity,
                 "--plain calls MPI as it is: no --algorithm, --lower-bound or --phases with it");
        return false;
    }
    if (options->paired && !options->plain) {
        snprintf(
            reader->diagnostic, reader->capacity,
            "--paired is for --plain: algorithms are measured beside the library's own anyway");
        return false;
    }
    if (options->plain && options->rules) {
        snprintf(reader->diagnostic, reader->capacity,
                 "--rules names algorithms, and --plain knows none");
        return false;
    }
    if (!different(reader, "csv", options->csv, "json", options->json) ||
        !different(reader, "csv", options->csv, "rules", options->rules) ||
        !different(reader, "json", options->json, "rules", options->rules))
        return false;
    if (options->plain)
        return true;
    options->all |= options->selection_count == 0;
    return bench_selections_prepare(options, reader->diagnostic, reader->capacity);
}

bool bench_options_read(struct bench_options *options, int argc, char **argv, char *diagnostic,
                        size_t capacity)
{
    struct reader reader = {options, diagnostic, capacity};
    int letter;
    memset(options, 0, sizeof *options);
    options->repetitions = 50;
    options->warm_up = 3;
    options->inner = 1;
    options->seed = 1;
    opterr = 0;
    optind = 1;
    while ((letter = getopt_long(argc, argv, "+", known, NULL)) != -1) {
        if (letter == '?') {
            snprintf(diagnostic, capacity, "%s is not an option, or lacks its value",
                     argv[optind - 1]);
            return false;
        }
        if (!read_option(&reader, letter, optarg))
            return false;
    }
    if (optind < argc) {
        snprintf(diagnostic, capacity, "unexpected argument \"%s\"", argv[optind]);
        return false;
    }
    return complete(&reader);
}

void bench_options_clear(struct bench_options *options)
{
    for (int i = 0; i < options->selection_count; i++)
        free(options->selections[i].force);
}
