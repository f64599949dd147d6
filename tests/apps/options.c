/* SPDX-License-Identifier: BSD-3-Clause */
/* options.c: the options of paths and points. */
#include "options.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool parse_number(const char *text, uint64_t least, uint64_t most, uint64_t *number)
{
    int end = 0;
    return sscanf(text, "%10" SCNu64 "%n", number, &end) == 1 && text[end] == '\0' &&
           text[0] != '-' && *number >= least && *number <= most;
}

struct options options_parse(int argc, char **argv, uint64_t least, uint64_t most)
{
    struct options options = {.seed = 1};
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        bool valued = true;
        if (strcmp(argv[i], "--generate") == 0)
            options.wrong |= !parse_number(value, least, most, &options.generate);
        else if (strcmp(argv[i], "--seed") == 0)
            options.wrong |= !parse_number(value, 0, UINT32_MAX, &options.seed);
        else if (strcmp(argv[i], "--write") == 0)
            options.write = value;
        else
            valued = false;
        if (valued)
            i++;
        else if (strcmp(argv[i], "--serial") == 0)
            options.serial = true;
        else if (strcmp(argv[i], "--check") == 0)
            options.check = true;
        else if (strcmp(argv[i], "--help") == 0)
            options.help = true;
        else if (argv[i][0] == '-' || options.file)
            options.wrong = true;
        else
            options.file = argv[i];
    }
    options.wrong |= !options.file == !options.generate || (options.write && !*options.write);
    return options;
}
