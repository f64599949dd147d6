/* SPDX-License-Identifier: BSD-3-Clause */
/* options.c: the options of `shunt log`. */
#include "tools/log/options.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "route/settings.h"
#include "route/words.h"
#include "tools/log/log.h"
#include "tools/tool.h"

enum { MEMORY_LEAST = 64 * 1024, MEMORY_DEFAULT = 64 * 1024 * 1024 };

static int wrong(const char *option, const char *value, const char *wanted)
{
    return shunt_tool_usage(&shunt_subcommand_log, "--%s: \"%s\" is not %s", option, value, wanted);
}

static int no_memory(void)
{
    shunt_tool_say("out of memory");
    return SHUNT_EXIT_IO;
}

/* "0,3-7" */
static int read_ranks(struct shunt_logs_filter *filter, const char *value)
{
    size_t room = 1;
    for (const char *at = value; *at != '\0'; at++)
        room += *at == ',';
    char *list = strdup(value);
    free(filter->ranks);
    filter->ranks = calloc(room, sizeof *filter->ranks);
    filter->rank_count = 0;
    if (!list || !filter->ranks) {
        free(list);
        return no_memory();
    }
    char *rest = list;
    bool good = true;
    for (char *word; good && (word = strsep(&rest, ",")) != NULL;) {
        struct shunt_range *range = &filter->ranks[filter->rank_count++];
        good = shunt_range_parse(word, false, range) && range->low <= range->high;
    }
    free(list);
    return good ? SHUNT_EXIT_OK : wrong("rank", value, "a list of ranks such as 0,3-7");
}

static int unknown_algorithm(const char *name)
{
    size_t count;
    const struct shunt_algorithm *const *rows = shunt_registry_rows(&count);
    const char **names = calloc(count, sizeof *names);
    char hint[128] = "";
    if (!names)
        return no_memory();
    for (size_t i = 0; i < count; i++)
        names[i] = rows[i]->name;
    shunt_hint_print(name, names, count, hint, sizeof hint);
    free(names);
    return shunt_tool_usage(&shunt_subcommand_log, "--algorithm: there is no algorithm \"%s\"%s",
                            name, hint);
}

static int read_algorithms(struct shunt_logs_filter *filter, const char *value)
{
    size_t room = 1;
    int code = SHUNT_EXIT_OK;
    for (const char *at = value; *at != '\0'; at++)
        room += *at == ',';
    char *list = strdup(value);
    free(filter->algorithms);
    filter->algorithms = calloc(room, sizeof *filter->algorithms);
    filter->algorithm_count = 0;
    if (!list || !filter->algorithms) {
        free(list);
        return no_memory();
    }
    char *rest = list;
    for (char *word; code == SHUNT_EXIT_OK && (word = strsep(&rest, ",")) != NULL;) {
        const struct shunt_algorithm *algorithm = shunt_registry_find(word);
        filter->algorithms[filter->algorithm_count++] = algorithm;
        if (!algorithm)
            code = unknown_algorithm(word);
    }
    free(list);
    return code;
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
static int read_time(struct shunt_logs_filter *filter, const char *value)
{
    const char *rest = value;
    filter->from = 0;
    filter->to = INFINITY;
    bool good = value[0] == '-' || read_number(value, &filter->from, &rest);
    good = good && *rest == '-';
    if (good && (rest[1] != '\0' || rest == value))
        good = read_number(rest + 1, &filter->to, &rest) && *rest == '\0';
    if (good && filter->from <= filter->to)
        return SHUNT_EXIT_OK;
    return wrong("time", value, "seconds since the start such as 10-12.5, 10- or -12.5");
}

/* "0.003", "3ms", "20us" */
static int read_slower(struct shunt_logs_filter *filter, const char *value)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"", 1}, {"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}};
    const char *rest;
    if (read_number(value, &filter->slower, &rest))
        for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
            if (strcmp(rest, units[i].name) == 0) {
                filter->slower *= units[i].seconds;
                return SHUNT_EXIT_OK;
            }
    return wrong("slower", value, "a time such as 0.003, 3ms or 20us");
}

static int read_operation(struct shunt_logs_filter *filter, const char *value)
{
    enum shunt_op op;
    if (!shunt_op_parse(value, &op))
        return wrong("operation", value, "alltoall or alltoallv");
    filter->operation = value;
    return SHUNT_EXIT_OK;
}

static int read_size(struct shunt_logs_filter *filter, const char *value)
{
    filter->sized = true;
    if (shunt_range_parse(value, true, &filter->size) && filter->size.low <= filter->size.high)
        return SHUNT_EXIT_OK;
    return wrong("size", value, "a range of bytes such as 1K-8K, 64- or 512");
}

static int read_memory(struct shunt_logs_options *options, const char *value)
{
    int64_t memory;
    if (!shunt_size_parse(value, &memory) || memory < MEMORY_LEAST)
        return wrong("memory", value, "a size of at least 64K");
    options->memory = (size_t)memory;
    return SHUNT_EXIT_OK;
}

static int read_option(struct shunt_logs_options *options, int option, const char *word)
{
    struct shunt_logs_filter *filter = &options->filter;
    switch (option) {
    case 'r':
        return read_ranks(filter, optarg);
    case 'c':
        filter->communicator = optarg;
        return SHUNT_EXIT_OK;
    case 'o':
        return read_operation(filter, optarg);
    case 'a':
        return read_algorithms(filter, optarg);
    case 'u':
        filter->rule = optarg;
        return SHUNT_EXIT_OK;
    case 's':
        return read_size(filter, optarg);
    case 't':
        return read_time(filter, optarg);
    case 'l':
        return read_slower(filter, optarg);
    case 'e':
        filter->reason = optarg;
        return SHUNT_EXIT_OK;
    case 'm':
        return read_memory(options, optarg);
    default:
        return shunt_tool_usage(&shunt_subcommand_log, "%s is not an option, or lacks its value",
                                word);
    }
}

/* Options without a value; false for others. */
static bool read_flag(struct shunt_logs_options *options, int option)
{
    switch (option) {
    case 'N':
        options->filter.native = true;
        return true;
    case 'R':
        options->filter.routed = true;
        return true;
    case 'f':
        options->follow = true;
        return true;
    case 'j':
        options->form = SHUNT_LOGS_JSON;
        return true;
    case 'C':
        options->form = SHUNT_LOGS_CSV;
        return true;
    case 'S':
        options->summary = true;
        return true;
    case 'w':
        options->wide = true;
        return true;
    case 'h':
        options->help = true;
        return true;
    default:
        return false;
    }
}

static bool is_stream(const char *path)
{
    struct stat status;
    return strcmp(path, "-") == 0 || (stat(path, &status) == 0 && S_ISFIFO(status.st_mode));
}

static int check_together(const struct shunt_logs_options *options)
{
    if (options->file_count == 0)
        return shunt_tool_usage(&shunt_subcommand_log,
                                "no FILE is named; \"-\" is the standard input");
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

int shunt_logs_options_read(struct shunt_logs_options *options, int argc, char **argv)
{
    static const struct option known[] = {{"rank", required_argument, NULL, 'r'},
                                          {"communicator", required_argument, NULL, 'c'},
                                          {"operation", required_argument, NULL, 'o'},
                                          {"algorithm", required_argument, NULL, 'a'},
                                          {"rule", required_argument, NULL, 'u'},
                                          {"size", required_argument, NULL, 's'},
                                          {"time", required_argument, NULL, 't'},
                                          {"slower", required_argument, NULL, 'l'},
                                          {"reason", required_argument, NULL, 'e'},
                                          {"memory", required_argument, NULL, 'm'},
                                          {"native", no_argument, NULL, 'N'},
                                          {"routed", no_argument, NULL, 'R'},
                                          {"follow", no_argument, NULL, 'f'},
                                          {"json", no_argument, NULL, 'j'},
                                          {"csv", no_argument, NULL, 'C'},
                                          {"summary", no_argument, NULL, 'S'},
                                          {"wide", no_argument, NULL, 'w'},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
    int option;
    *options = (struct shunt_logs_options){.memory = MEMORY_DEFAULT,
                                           .filter = {.to = INFINITY, .slower = -1}};
    opterr = 0;
    while ((option = getopt_long(argc, argv, "fjwh", known, NULL)) != -1) {
        const int code = read_flag(options, option)
                             ? SHUNT_EXIT_OK
                             : read_option(options, option, argv[optind - 1]);
        if (code != SHUNT_EXIT_OK || options->help)
            return code;
    }
    options->files = argv + optind;
    options->file_count = argc - optind;
    return check_together(options);
}

void shunt_logs_options_clear(struct shunt_logs_options *options)
{
    free(options->filter.ranks);
    free(options->filter.algorithms);
}
