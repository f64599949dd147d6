/* SPDX-License-Identifier: BSD-3-Clause */
/* command.c: the options of `shunt log`. */
#include "tools/log/options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "route/settings.h"
#include "route/words.h"
#include "tools/common/tool.h"

/* Parts of a list between commas. */
static size_t parts_of(const char *list)
{
    size_t count = 1;
    for (; *list != '\0'; list++)
        count += *list == ',';
    return count;
}

static bool refuse_memory(struct shunt_option_value *value)
{
    return shunt_option_refuse(value, NULL, "cannot be taken: memory is short");
}

/* "0,3-7" */
static bool read_ranks(struct shunt_option_value *value)
{
    struct shunt_logs_filter *filter = value->options;
    char *rest = value->text;
    bool good = true;
    free(filter->ranks);
    filter->ranks = calloc(parts_of(value->text), sizeof *filter->ranks);
    filter->rank_count = 0;
    if (!filter->ranks)
        return refuse_memory(value);
    for (char *word; good && (word = strsep(&rest, ",")) != NULL;) {
        struct shunt_range *range = &filter->ranks[filter->rank_count++];
        good = shunt_range_parse(word, false, range) && range->low <= range->high;
        if (!good)
            return shunt_option_refuse(value, word, "is not of a list of ranks such as 0,3-7");
    }
    return true;
}

static bool refuse_algorithm(struct shunt_option_value *value, const char *name)
{
    size_t count;
    const struct shunt_algorithm *const *rows = shunt_registry_rows(&count);
    const char **names = calloc(count, sizeof *names);
    char hint[128] = "";
    if (!names)
        return refuse_memory(value);
    for (size_t i = 0; i < count; i++)
        names[i] = rows[i]->name;
    shunt_hint_print(name, names, count, hint, sizeof hint);
    free(names);
    return shunt_option_refuse(value, name, "is not the name of an algorithm%s", hint);
}

static bool read_algorithms(struct shunt_option_value *value)
{
    struct shunt_logs_filter *filter = value->options;
    char *rest = value->text;
    free(filter->algorithms);
    filter->algorithms = calloc(parts_of(value->text), sizeof *filter->algorithms);
    filter->algorithm_count = 0;
    if (!filter->algorithms)
        return refuse_memory(value);
    for (char *word; (word = strsep(&rest, ",")) != NULL;) {
        const struct shunt_algorithm *algorithm = shunt_registry_find(word);
        if (!algorithm)
            return refuse_algorithm(value, word);
        filter->algorithms[filter->algorithm_count++] = algorithm;
    }
    return true;
}

/* A number of seconds without sign; `rest` gets what follows. */
static bool read_number(const char *text, double *seconds, const char **rest)
{
    char *end;
    if (text[strspn(text, "0123456789.")] != '\0' && strspn(text, "0123456789.") == 0)
        return false;
    *seconds = strtod(text, &end);
    *rest = end;
    return end != text && text[0] != '-' && text[0] != '+' && isfinite(*seconds);
}

/* "10-12", "10-", "-12" */
static bool read_time(struct shunt_option_value *value)
{
    struct shunt_logs_filter *filter = value->options;
    const char *text = value->text, *rest = text;
    filter->from = 0;
    filter->to = INFINITY;
    bool good = text[0] == '-' || read_number(text, &filter->from, &rest);
    good = good && *rest == '-';
    if (good && (rest[1] != '\0' || rest == text))
        good = read_number(rest + 1, &filter->to, &rest) && *rest == '\0';
    return (good && filter->from <= filter->to) ||
           shunt_option_refuse(value, NULL,
                               "is not seconds since the start such as 10-12.5, 10- or -12.5");
}

/* "0.003", "3ms", "20us" */
static bool read_slower(struct shunt_option_value *value)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"", 1}, {"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}};
    double *slower = value->field;
    const char *rest;
    if (read_number(value->text, slower, &rest))
        for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
            if (strcmp(rest, units[i].name) == 0) {
                *slower *= units[i].seconds;
                return true;
            }
    return shunt_option_refuse(value, NULL, "is not a time such as 0.003, 3ms or 20us");
}

static bool read_operation(struct shunt_option_value *value)
{
    int place;
    struct shunt_option_value word = *value;
    word.field = &place;
    *(const char **)value->field = value->text;
    return shunt_read_word(&word);
}

static bool read_size(struct shunt_option_value *value)
{
    struct shunt_logs_filter *filter = value->options;
    filter->sized = true;
    return (shunt_range_parse(value->text, true, &filter->size) &&
            filter->size.low <= filter->size.high) ||
           shunt_option_refuse(value, NULL, "is not a range of bytes such as 1K-8K, 64- or 512");
}

bool shunt_read_sorting_memory(struct shunt_option_value *value)
{
    int64_t memory;
    if (!shunt_size_parse(value->text, &memory) || memory < SHUNT_LOGS_MEMORY_LEAST)
        return shunt_option_refuse(value, NULL, "is not a size of at least 64K");
    *(size_t *)value->field = (size_t)memory;
    return true;
}

static bool is_stream(const char *path)
{
    struct stat status;
    return strcmp(path, "-") == 0 || (stat(path, &status) == 0 && S_ISFIFO(status.st_mode));
}

static int check_together(const struct shunt_logs_options *options)
{
    for (int i = 0; options->follow && i < options->file_count; i++)
        if (is_stream(options->files[i]))
            return shunt_tool_usage(&shunt_subcommand_log,
                                    "%s: a pipe cannot be followed: name files, or go without "
                                    "--follow",
                                    options->files[i]);
    if (options->filter.native && options->filter.routed)
        return shunt_tool_usage(&shunt_subcommand_log,
                                "--native and --routed together leave no call");
    if (options->summary && (options->follow || options->form == SHUNT_LOGS_CSV))
        return shunt_tool_usage(&shunt_subcommand_log, "--summary goes without --follow and --csv");
    return SHUNT_EXIT_OK;
}

static int run(void *options, const struct shunt_words *words)
{
    struct shunt_logs_options *asked = options;
    asked->files = words->word;
    asked->file_count = words->count;
    asked->form = asked->csv ? SHUNT_LOGS_CSV : asked->json ? SHUNT_LOGS_JSON : SHUNT_LOGS_PEOPLE;
    const int code = check_together(asked);
    return code != SHUNT_EXIT_OK ? code : shunt_logs_run(asked);
}

static void clear(void *options)
{
    const struct shunt_logs_options *asked = options;
    free(asked->filter.ranks);
    free(asked->filter.algorithms);
}

static const struct shunt_option list[] = {
    SHUNT_VALUE("rank", "LIST", struct shunt_logs_options, filter, read_ranks,
                "of these ranks: 0,3-7"),
    SHUNT_TEXT("communicator", "NAME", struct shunt_logs_options, filter.communicator,
               "on this communicator: its name, a pattern such as row*, or the beginning of its "
               "identifier"),
    {SHUNT_OPTION("operation", "OP", struct shunt_logs_options, filter.operation, read_operation,
                  "alltoall or alltoallv"),
     .words = "alltoall,alltoallv"},
    SHUNT_VALUE("algorithm", "NAMES", struct shunt_logs_options, filter, read_algorithms,
                "done by one of these algorithms: bruck,parlogna"),
    SHUNT_TEXT("rule", "RULE", struct shunt_logs_options, filter.rule,
               "by this rule: its id, or FILE:LINE"),
    SHUNT_VALUE("size", "RANGE", struct shunt_logs_options, filter, read_size,
                "whose largest block has so many bytes: 512, 1K-8K, 64K-"),
    SHUNT_VALUE("time", "RANGE", struct shunt_logs_options, filter, read_time,
                "that began so many seconds after the start: 10-12.5, 10-, -3"),
    SHUNT_VALUE("slower", "TIME", struct shunt_logs_options, filter.slower, read_slower,
                "that took longer: 0.003, 3ms, 20us"),
    SHUNT_FLAG(0, "native", struct shunt_logs_options, filter.native, "left to the MPI library"),
    SHUNT_FLAG(0, "routed", struct shunt_logs_options, filter.routed, "not left to it"),
    SHUNT_TEXT("reason", "TEXT", struct shunt_logs_options, filter.reason,
               "whose reason has this text"),
    SHUNT_FLAG('f', "follow", struct shunt_logs_options, follow,
               "go on with what running programs write, until all their summaries are there"),
    SHUNT_JSON(struct shunt_logs_options, json, "the lines as they are in the files"),
    SHUNT_FLAG(0, "csv", struct shunt_logs_options, csv,
               "calls as a table for programs, with a first line of names"),
    SHUNT_FLAG(0, "summary", struct shunt_logs_options, summary,
               "instead: sums over ranks, who is slow, who comes last; with --json for programs"),
    SHUNT_WIDE(struct shunt_logs_options, wide,
               "a line for each call, however long; otherwise folded at 100 columns"),
    SHUNT_OPTION_SORTING_MEMORY(struct shunt_logs_options, memory),
};

const struct shunt_subcommand shunt_subcommand_log = {
    .name = "log",
    .summary = "print, filter and add up logs of calls (JSON Lines)",
    .usage = "shunt log [OPTION]... FILE...",
    .about = "Prints logs that were written as JSON Lines in people's form, those of all ranks in "
             "the order of time. FILE \"-\" is the standard input. All filters given must hold.",
    .status = "0 good, 1 some lines are no lines of a log or are cut off, 2 usage, 4 a file cannot "
              "be read, is no log, or is of another schema",
    SHUNT_OPTIONS(list),
    .size = sizeof(struct shunt_logs_options),
    .defaults =
        &(const struct shunt_logs_options){.memory = SHUNT_LOGS_MEMORY, .filter = SHUNT_LOGS_ALL},
    .words_most = -1,
    .missing = "no FILE is named; \"-\" is the standard input",
    .run = run,
    .clear = clear,
};
