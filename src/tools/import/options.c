/* SPDX-License-Identifier: BSD-3-Clause */
/* options.c: what `shunt import` is asked. */
#include <getopt.h>
#include <string.h>

#include "route/words.h"
#include "tools/import/import.h"
#include "tools/shape.h"

static const struct shunt_subcommand *const asker = &shunt_subcommand_import;

static int take_form(struct shunt_import *import, const char *text)
{
    import->form_given = true;
    if (strcmp(text, "mpich") == 0)
        import->form = SHUNT_IMPORT_MPICH;
    else if (strcmp(text, "open-mpi") == 0)
        import->form = SHUNT_IMPORT_OPEN_MPI;
    else
        return shunt_tool_usage(asker, "--format: \"%s\" is neither mpich nor open-mpi", text);
    return -1;
}

/* Exit code, or -1 to go on. */
static int take(struct shunt_import *import, int option, const char *value, const char *word)
{
    int most;
    switch (option) {
    case 'f':
        return take_form(import, value);
    case 'r':
        if (!shunt_tool_number(value, SHUNT_RANKS_MAX, &most) || most < 2)
            return shunt_tool_usage(asker, "--ranks: \"%s\" is not a number from 2 to %d", value,
                                    SHUNT_RANKS_MAX);
        import->ranks.high = most;
        return -1;
    case 'o':
        import->output = value;
        return -1;
    case 'h':
        import->help = true;
        return SHUNT_EXIT_OK;
    default:
        return shunt_tool_usage(asker, "%s is not an option, or lacks its value", word);
    }
}

int shunt_import_read(struct shunt_import *import, int argc, char **argv)
{
    static const struct option options[] = {{"format", required_argument, NULL, 'f'},
                                            {"ranks", required_argument, NULL, 'r'},
                                            {"output", required_argument, NULL, 'o'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    int option;
    /* One rank alone is copied, not routed. */
    *import = (struct shunt_import){.ranks = {2, 65536}};
    opterr = 0;
    while ((option = getopt_long(argc, argv, "ho:", options, NULL)) != -1) {
        const int code = take(import, option, optarg, argv[optind - 1]);
        if (code >= 0)
            return code;
    }
    if (optind == argc)
        return shunt_tool_usage(asker, "the file is missing that is to be read");
    if (argc - optind > 1)
        return shunt_tool_usage(asker, "\"%s\" is one word too many", argv[optind + 1]);
    import->path = argv[optind];
    return SHUNT_EXIT_OK;
}
