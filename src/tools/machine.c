/* SPDX-License-Identifier: BSD-3-Clause */
/* machine.c: `shunt machine`: becomes the program that measures a description of the machine. */
#include "tools/tool.h"

static int machine(int argc, char **argv)
{
    (void)argc;
    return shunt_tool_become("shunt-machine", argv);
}

const struct shunt_subcommand shunt_subcommand_machine = {
    .name = "machine",
    .summary = "measure what predictions need to know of this machine, under mpiexec",
    .help =
        "usage: mpiexec -n RANKS shunt machine [OPTION]... [>FILE]\n\n"
        "Measures messages inside of a node and between nodes, copies, barriers and what else the "
        "cost model\n"
        "knows, and writes a description of the machine: shunt-machine(5). Start it on all ranks "
        "of two\n"
        "nodes, when nothing else runs.\n\n"
        "  -o, --output=FILE       write it there, and print a table; default: standard output, "
        "the table as\n"
        "                          comments\n"
        "  --name=NAME             of the machine; default: from the names of its hosts\n"
        "  --energy-from=FILE      energies are not measured: those of this description, or of an "
        "installed\n"
        "                          one by its name\n"
        "  --time-limit=SECONDS    about so long at most, 1 to 3600 (30)\n"
        "  --force                 write it on a busy machine too\n"
        "  -j, --json              the table for programs\n\n"
        "exit status: 0 good, 1 the machine is busy, 2 usage, 3 a mistake in the description for\n"
        "--energy-from, 4 a file cannot be read or written, 5 MPI failed\n",
    .run = machine,
};
