/* SPDX-License-Identifier: BSD-3-Clause */
/* options.c: see options.h. */
#include "tools/bench/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "route/settings.h"
#include "route/words.h"

enum { REPETITIONS_MOST = 1000000 };

bool bench_read_ops(struct shunt_option_value *value)
{
    struct bench_options *options = value->field;
    char *rest = value->text;
    for (char *word = strsep(&rest, ","); word; word = strsep(&rest, ",")) {
        enum shunt_op op;
        if (!shunt_op_parse(word, &op))
            return shunt_option_refuse(value, word, "is not alltoall or alltoallv");
        options->op[op] = true;
    }
    return true;
}

bool bench_read_blocks(struct shunt_option_value *value)
{
    struct bench_options *options = value->field;
    char *rest = value->text;
    for (char *word = strsep(&rest, ","); word; word = strsep(&rest, ",")) {
        if (options->block_count == BENCH_LIST_MOST)
            return shunt_option_refuse(value, word, "is not within the limit of %d sizes",
                                       BENCH_LIST_MOST);
        int64_t *block = &options->blocks[options->block_count];
        if (!shunt_size_parse(word, block) || *block > INT32_MAX)
            return shunt_option_refuse(value, word, "is not a size below 2G, such as 512 or 64K");
        options->block_count++;
    }
    return true;
}

bool bench_read_distributions(struct shunt_option_value *value)
{
    struct bench_options *options = value->field;
    char *rest = value->text;
    for (char *word = strsep(&rest, ","); word; word = strsep(&rest, ",")) {
        if (options->distribution_count == BENCH_LIST_MOST)
            return shunt_option_refuse(value, word, "is not within the limit of %d distributions",
                                       BENCH_LIST_MOST);
        if (!measure_distribution_parse(word, &options->distributions[options->distribution_count]))
            return shunt_option_refuse(value, word, "is not %s", measure_distribution_names);
        options->distribution_count++;
    }
    return true;
}

static bool read_algorithms(struct shunt_option_value *value)
{
    return bench_selections_add(value->options, value->text, value->problem, value->capacity);
}

struct problem {
    char *text;
    size_t capacity;
};

/* Whether two files, each of which may be NULL, are two. */
static bool different(struct problem *problem, const char *option, const char *file,
                      const char *other_option, const char *other_file)
{
    if (!file || !other_file || strcmp(file, other_file) != 0)
        return true;
    snprintf(problem->text, problem->capacity, "--%s and --%s name the same file, \"%s\"", option,
             other_option, file);
    return false;
}

/* What was not said, and what does not go together. */
static bool complete(struct bench_options *options, struct problem *problem)
{
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
        snprintf(problem->text, problem->capacity,
                 "--plain calls MPI as it is: no --algorithm, --lower-bound or --phases with it");
        return false;
    }
    if (options->paired && !options->plain) {
        snprintf(
            problem->text, problem->capacity,
            "--paired is for --plain: algorithms are measured beside the library's own anyway");
        return false;
    }
    if (options->plain && options->rules) {
        snprintf(problem->text, problem->capacity,
                 "--rules names algorithms, and --plain knows none");
        return false;
    }
    if (!different(problem, "csv", options->csv, "json", options->json) ||
        !different(problem, "csv", options->csv, "rules", options->rules) ||
        !different(problem, "json", options->json, "rules", options->rules))
        return false;
    if (options->plain)
        return true;
    options->all |= options->selection_count == 0;
    return bench_selections_prepare(options, problem->text, problem->capacity);
}

#define COUNT(name, field, least, about)                                                           \
    SHUNT_NUMBER(name, "N", struct bench_options, field, least, REPETITIONS_MOST, about)

/* Operations, sizes and distributions begin the struct: their readers fill several members. */
static const struct shunt_option list[] = {
    SHUNT_VALUE("algorithm", "LIST", struct bench_options, selections, read_algorithms,
                "NAME[:PARAMETER=VALUE[,VALUE]...]...[,...] or \"all\"; may be repeated; default: "
                "all"),
    BENCH_OPTION_OP(struct bench_options, op, "alltoall, alltoallv; default: alltoallv"),
    BENCH_OPTION_BLOCK(struct bench_options, op,
                       "largest block in bytes, with K, M, G; default: 16,512,8K"),
    BENCH_OPTION_DISTRIBUTION(
        struct bench_options, op,
        "of the sizes of alltoallv: uniform (default), normal, power-law, power:EXPONENT, fft-n1, "
        "fft-n2, constant, neighbours:N, one-to-all, matrix:FILE"),
    COUNT("repetitions", repetitions, 1, "timed calls of each (50)"),
    COUNT("warm-up", warm_up, 0, "calls before them (3)"),
    COUNT("inner", inner, 1, "calls per timing (1)"),
    COUNT("skew", skew, 0, "every rank comes up to N microseconds late to each call (0)"),
    SHUNT_LONG("seed", "N", struct bench_options, seed, 0, INT64_MAX, "of sizes and orders (1)"),
    SHUNT_FLAG(0, "check", struct bench_options, check, "look at every byte received"),
    SHUNT_FLAG(0, "lower-bound", struct bench_options, lower_bound,
               "also measure the least an exchange through shared memory has to do"),
    SHUNT_FLAG(0, "phases", struct bench_options, phases, "also show what the time goes into"),
    SHUNT_FLAG(0, "plain", struct bench_options, plain,
               "only call MPI_Alltoall(v), as any program under a preloaded library does"),
    SHUNT_FLAG(0, "paired", struct bench_options, paired,
               "with --plain: the library's own in turn with it, through PMPI"),
    SHUNT_FILE("csv", "FILE", struct bench_options, csv,
               "results for programs; \"-\" is standard output, instead of the table"),
    SHUNT_FILE("json", "FILE", struct bench_options, json,
               "likewise, with the time of each repetition"),
    SHUNT_FILE("rules", "FILE", struct bench_options, rules,
               "a decision file of what won; likewise"),
};

const struct shunt_subcommand shunt_subcommand_bench = {
    .name = "bench",
    .summary = "measure algorithms against the MPI library's own, under mpiexec",
    .usage = "mpiexec -n RANKS shunt bench [OPTION]...",
    .about = "Runs algorithms and the MPI library's own in turn, in one job, and compares their "
             "times.",
    .status = "0 good, 1 --check found a wrong byte, 2 usage, 4 a file cannot be read or written, "
              "5 MPI failed",
    SHUNT_OPTIONS(list),
    .size = sizeof(struct bench_options),
    .program = "shunt-bench",
};

bool bench_options_read(struct bench_options *options, struct shunt_words *words, int argc,
                        char **argv, char *diagnostic, size_t capacity)
{
    struct problem problem = {diagnostic, capacity};
    *options = (struct bench_options){.repetitions = 50, .warm_up = 3, .inner = 1, .seed = 1};
    return shunt_options_read(words, &shunt_subcommand_bench, options, argc, argv, diagnostic,
                              capacity) &&
           (words->help || complete(options, &problem));
}

void bench_options_clear(struct bench_options *options)
{
    for (int i = 0; i < options->selection_count; i++)
        free(options->selections[i].force);
}
