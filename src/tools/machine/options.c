/* SPDX-License-Identifier: BSD-3-Clause */
/* options.c: see options.h. */
#include "tools/machine/options.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "base/size.h"

enum { SECONDS = 30 };

static const struct option known[] = {
    {"output", required_argument, NULL, 'o'},
    {"name", required_argument, NULL, 'n'},
    {"energy-from", required_argument, NULL, 'e'},
    {"time-limit", required_argument, NULL, 't'},
    {"force", no_argument, NULL, 'f'},
    {"json", no_argument, NULL, 'j'},
    {NULL, 0, NULL, 0},
};

/* What a file can hold in quotes, and a line of a table. */
static bool is_name(const char *text)
{
    for (const char *c = text; *c != '\0'; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            return false;
    return text[0] != '\0' && strlen(text) <= MACHINE_NAME_MOST;
}

static bool read_seconds(const char *text, int *seconds)
{
    int64_t number = 0;
    const char *rest = shunt_number_read(text, &number);
    if (!rest || *rest != '\0' || number < 1 || number > MACHINE_SECONDS_MOST)
        return false;
    *seconds = (int)number;
    return true;
}

/* NULL, or what the value has to be. */
static const char *read_option(struct machine_options *options, int letter, const char *value)
{
    switch (letter) {
    case 'o':
        options->output = value;
        return value[0] != '\0' ? NULL : "the name of a file";
    case 'n':
        options->name = value;
        return is_name(value) ? NULL : "a name of 1 to 63 bytes without control characters";
    case 'e':
        options->energy_from = value;
        return value[0] != '\0' ? NULL : "the name of a description, or its file";
    case 't':
        return read_seconds(value, &options->time_limit) ? NULL : "a number from 1 to 3600";
    case 'f':
        options->force = true;
        return NULL;
    default:
        options->json = true;
        return NULL;
    }
}

/* The option that a letter stands for. */
static const char *option_name(int letter)
{
    int i = 0;
    while (known[i].name && known[i].val != letter)
        i++;
    return known[i].name ? known[i].name : "";
}

bool machine_options_read(struct machine_options *options, int argc, char **argv, char *diagnostic,
                          size_t capacity)
{
    int letter;
    *options = (struct machine_options){.time_limit = SECONDS};
    opterr = 0;
    optind = 1;
    while ((letter = getopt_long(argc, argv, "+o:j", known, NULL)) != -1) {
        if (letter == '?') {
            snprintf(diagnostic, capacity, "%s is not an option, or lacks its value",
                     argv[optind - 1]);
            return false;
        }
        const char *expected = read_option(options, letter, optarg);
        if (expected) {
            snprintf(diagnostic, capacity, "--%s: \"%s\" is not %s", option_name(letter), optarg,
                     expected);
            return false;
        }
    }
    if (optind < argc) {
        snprintf(diagnostic, capacity, "unexpected argument \"%s\"", argv[optind]);
        return false;
    }
    if (options->json && options->output && strcmp(options->output, "-") == 0) {
        snprintf(diagnostic, capacity,
                 "--json and --output=- both want standard output; give --output a file");
        return false;
    }
    return true;
}
