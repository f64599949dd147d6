/* SPDX-License-Identifier: BSD-3-Clause */
/* export.c: see export.h. */
#include "tools/run/export.h"

#include <stdlib.h>
#include <string.h>

#include "base/environment.h"
#include "tools/run/line.h"

/* The name of a variable that ranks need, copied; NULL: this is none. */
static char *name_of(const char *variable)
{
    const size_t length = strcspn(variable, "=");
    return strncmp(variable, "LD_PRELOAD=", 11) == 0 || strncmp(variable, "SHUNT_", 6) == 0
               ? strndup(variable, length)
               : NULL;
}

/* Whether the user has said what is passed on, which forbids -x, or names one of ours. */
static bool says_itself(const struct shunt_line *line, char *const *command)
{
    static const char list[] = "mca_base_env_list";
    bool says = line->preloads || shunt_environment_value("OMPI_MCA_mca_base_env_list");
    for (; *command; command++)
        says = says || strcmp(*command, list) == 0;
    return says;
}

char **shunt_export_command(char **command)
{
    static char option[] = "-x";
    struct shunt_line line;
    char *const *environment = shunt_environment();
    size_t words = 0, variables = 0, used = 0;
    shunt_line_read(command, &line);
    if (!line.launcher || !line.elsewhere || !shunt_line_open_mpi(&line) ||
        says_itself(&line, command))
        return command;
    while (command[words])
        words++;
    while (environment[variables])
        variables++;
    /* Every section of the line has options of its own. */
    size_t sections = 1;
    for (char *const *word = line.rest; *word; word++)
        sections += strcmp(*word, ":") == 0;
    char **more = calloc(words + 2 * variables * sections + 1, sizeof *more);
    if (!more)
        return command;
    for (char **word = command; *word; word++) {
        const bool first = word + 1 == line.rest, next = word >= line.rest && **word == ':';
        more[used++] = *word;
        if (!first && !(next && strcmp(*word, ":") == 0))
            continue;
        for (size_t i = 0; i < variables; i++) {
            char *name = name_of(environment[i]);
            if (!name)
                continue;
            more[used++] = option;
            more[used++] = name;
        }
    }
    return more;
}
