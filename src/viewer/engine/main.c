/* SPDX-License-Identifier: BSD-3-Clause */
/* main.c: the engine of the viewer: those subcommands of `shunt` that only calculate, as they are,
 * in WebAssembly. What they print is what the command prints. */
#include <stdio.h>
#include <string.h>

#include "config.h"
#include "tools/common/tool.h"

static const struct shunt_subcommand *const subcommands[] = {
    &shunt_subcommand_schedule,
    &shunt_subcommand_algorithms,
    &shunt_subcommand_explain,
    &shunt_subcommand_predict,
};
#define SUBCOMMAND_COUNT (sizeof subcommands / sizeof subcommands[0])

static const struct shunt_subcommand *find_subcommand(const char *name)
{
    for (size_t i = 0; i < SUBCOMMAND_COUNT; i++)
        if (strcmp(name, subcommands[i]->name) == 0)
            return subcommands[i];
    return NULL;
}

int main(int argc, char **argv)
{
    const struct shunt_subcommand *subcommand = argc > 1 ? find_subcommand(argv[1]) : NULL;
    if (argc > 1 && strcmp(argv[1], "--version") == 0) {
        puts(PACKAGE_STRING);
        return SHUNT_EXIT_OK;
    }
    if (!subcommand) {
        shunt_tool_say("the viewer has no command \"%s\"", argc > 1 ? argv[1] : "");
        return SHUNT_EXIT_USAGE;
    }
    return shunt_tool_run(subcommand, argc - 1, argv + 1);
}
