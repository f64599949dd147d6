/* SPDX-License-Identifier: BSD-3-Clause */
/* options.c: see options.h. */
#include "tools/machine/options.h"

#include <stdio.h>
#include <string.h>

enum { SECONDS = 30 };

/* What a file can hold in quotes, and a line of a table. */
static bool is_name(const char *text)
{
    for (const char *c = text; *c != '\0'; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            return false;
    return text[0] != '\0' && strlen(text) <= MACHINE_NAME_MOST;
}

static bool read_name(struct shunt_option_value *value)
{
    *(const char **)value->field = value->text;
    return is_name(value->text) ||
           shunt_option_refuse(value, NULL,
                               "is not a name of 1 to %d bytes without control "
                               "characters",
                               MACHINE_NAME_MOST);
}

static const struct shunt_option list[] = {
    SHUNT_OUTPUT(struct machine_options, output,
                 "write it there, and print a table; default: standard output, the table as "
                 "comments"),
    SHUNT_VALUE("name", "NAME", struct machine_options, name, read_name,
                "of the machine; default: from the names of its hosts"),
    SHUNT_FILE("energy-from", "FILE", struct machine_options, energy_from,
               "energies are not measured: those of this description, or of an installed one by "
               "its name"),
    SHUNT_NUMBER("time-limit", "SECONDS", struct machine_options, time_limit, 1,
                 MACHINE_SECONDS_MOST, "about so long at most, 1 to 3600 (30)"),
    SHUNT_FLAG(0, "force", struct machine_options, force, "write it on a busy machine too"),
    SHUNT_JSON(struct machine_options, json, "the table for programs"),
};

const struct shunt_subcommand shunt_subcommand_machine = {
    .name = "machine",
    .summary = "measure what predictions need to know of this machine, under mpiexec",
    .usage = "mpiexec -n RANKS shunt machine [OPTION]... [>FILE]",
    .about = "Measures messages inside of a node and between nodes, copies, barriers and what else "
             "the cost model knows, and writes a description of the machine: shunt-machine(5). "
             "Start it on all ranks of two nodes, when nothing else runs.",
    .status = "0 good, 1 the machine is busy, 2 usage, 3 a mistake in the description for "
              "--energy-from, 4 a file cannot be read or written, 5 MPI failed",
    SHUNT_OPTIONS(list),
    .size = sizeof(struct machine_options),
    .program = "shunt-machine",
};

bool machine_options_read(struct machine_options *options, struct shunt_words *words, int argc,
                          char **argv, char *diagnostic, size_t capacity)
{
    *options = (struct machine_options){.time_limit = SECONDS};
    if (!shunt_options_read(words, &shunt_subcommand_machine, options, argc, argv, diagnostic,
                            capacity))
        return false;
    if (words->help || !options->json || !options->output || strcmp(options->output, "-") != 0)
        return true;
    snprintf(diagnostic, capacity,
             "--json and --output=- both want standard output; give --output a file");
    return false;
}
