/* SPDX-License-Identifier: BSD-3-Clause */
/* whole_options.c: the options of whole, and what it says of them. */
#include <getopt.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "whole_options.h"

static const char *const kind_names[KINDS] = {"copies", "rows", "columns", "halves", "pencils"};
static const char *const pattern_names[PATTERNS] = {"full", "mixed", "sparse", "one", "empty"};

struct options options = {
    .uniform = true, .block = 8, .communicators = 1, .calls = 100, .limit = 10};

void print_usage(FILE *stream)
{
    fprintf(stream,
            "usage: mpiexec -n RANKS whole [OPTION]...\n"
            "  --op alltoall|alltoallv\n"
            "  --block BYTES        to each rank, at most; default 8\n"
            "  --communicators C    default 1\n"
            "  --kind KIND          copies (of MPI_COMM_WORLD, and first that itself), rows or "
            "columns of a process grid, halves,\n"
            "                       pencils (rows and columns in turn)\n"
            "  --calls N            on each communicator; default 100\n"
            "  --pattern PATTERN    of MPI_Alltoallv: full, mixed (any length up to the block), "
            "sparse (six neighbours),\n"
            "                       one (only rank 0 sends), empty\n"
            "  --limit SECONDS      no longer than about that; default 10\n"
            "  --wired              first a byte from each rank to each other\n"
            "  --setup              time each call on one fresh communicator after the other\n"
            "The exit status is 0, 1 when bytes are wrong, or 2 for these lines.\n");
}

static bool parse_number(const char *text, int least, int *number)
{
    char rest;
    return sscanf(text, "%9d%c", number, &rest) == 1 && *number >= least;
}

static bool parse_name(const char *text, const char *const *names, int count, int *number)
{
    for (*number = 0; *number < count; ++*number)
        if (strcmp(text, names[*number]) == 0)
            return true;
    return false;
}

static bool parse_seconds(const char *text, double *seconds)
{
    char rest;
    return sscanf(text, "%12lf%c", seconds, &rest) == 1 && *seconds > 0;
}

static bool parse_option(int letter, const char *value)
{
    switch (letter) {
    case 'o':
        options.uniform = strcmp(value, "alltoall") == 0;
        return options.uniform || strcmp(value, "alltoallv") == 0;
    case 'b':
        return parse_number(value, 1, &options.block);
    case 'c':
        return parse_number(value, 1, &options.communicators);
    case 'k':
        return parse_name(value, kind_names, KINDS, &options.kind);
    case 'n':
        return parse_number(value, 1, &options.calls);
    case 'p':
        return parse_name(value, pattern_names, PATTERNS, &options.pattern);
    case 'l':
        return parse_seconds(value, &options.limit);
    case 'w':
        return options.wired = true;
    case 's':
        return options.setup = true;
    case 'h':
        return options.help = true;
    default:
        return false;
    }
}

bool parse_options(int argc, char **argv, int ranks)
{
    static const struct option known[] = {{"op", required_argument, NULL, 'o'},
                                          {"block", required_argument, NULL, 'b'},
                                          {"communicators", required_argument, NULL, 'c'},
                                          {"kind", required_argument, NULL, 'k'},
                                          {"calls", required_argument, NULL, 'n'},
                                          {"pattern", required_argument, NULL, 'p'},
                                          {"limit", required_argument, NULL, 'l'},
                                          {"wired", no_argument, NULL, 'w'},
                                          {"setup", no_argument, NULL, 's'},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
    int letter;

    opterr = 0;
    while ((letter = getopt_long(argc, argv, "", known, NULL)) != -1)
        if (!parse_option(letter, optarg))
            return false;
    return optind == argc && options.block <= INT_MAX / ranks &&
           (!options.uniform || options.pattern == FULL);
}
