/* SPDX-License-Identifier: BSD-3-Clause */
/* tune.c: `shunt tune`: becomes the program that measures what is best, and writes a table. */
#include "tools/tool.h"

static int tune(int argc, char **argv)
{
    (void)argc;
    return shunt_tool_become("shunt-tune", argv);
}

const struct shunt_subcommand shunt_subcommand_tune = {
    .name = "tune",
    .summary = "make a decision table from measurements, under mpiexec",
    .help = "usage: mpiexec -n RANKS shunt tune -o FILE [OPTION]...\n"
            "       mpiexec -n RANKS shunt tune -o FILE --from-log [OPTION]... LOG...\n"
            "       mpiexec -n RANKS shunt tune --validate=FILE [OPTION]...\n"
            "       shunt tune -o FILE --simulated=MACHINE --layout=LIST [OPTION]...\n\n"
            "Measures the algorithms beside the MPI library's own and writes a decision file of "
            "what is clearly\n"
            "faster.\n\n"
            "  -o, --output=FILE    the table; \"-\" is standard output\n"
            "  --op=LIST            alltoall, alltoallv. Default: both\n"
            "  --block=LIST         largest block in bytes, with K, M, G. Default: "
            "1,16,128,512,2K,8K,32K,128K\n"
            "  --distribution=LIST  of the sizes of alltoallv, as for shunt bench; with several "
            "the worst counts\n"
            "                       (uniform)\n"
            "  --layout=LIST        nodes x ranks on each, such as 2x8,1x8; \"all\": powers of "
            "two; default:\n"
            "                       \"whole\"\n"
            "  --algorithm=LIST     these alone. Default: all\n"
            "  --candidates=N       settings that are measured at each size at most (16)\n"
            "  --machine=NAME       description by which candidates are ordered; default: that of "
            "this host's\n"
            "                       table\n"
            "  --time-limit=SECONDS about so long at most (600)\n"
            "  --seed=N             of sizes and orders (1)\n"
            "  --csv=FILE           the samples, as they come. Default: OUTPUT.csv\n"
            "  --resume             go on with the samples in that file\n"
            "  --dry-run            only tell what would be measured, and about how long it takes\n"
            "  --force              on a busy machine too\n"
            "  --from-log           only what an application called, by its logs; most time where "
            "it spent most\n"
            "  --validate=FILE      measure a table, or \"built-in\", against native, and tell "
            "where it loses\n"
            "  --json               what came of it, for programs, on standard output\n"
            "  --simulated=MACHINE  by the cost model of that machine, without measuring\n\n"
            "exit status: 0 good, 1 the machine is busy or --validate found a loss, 2 usage, 3 a "
            "mistake in a\n"
            "table or description, 4 a file cannot be read or written, 5 MPI failed\n",
    .run = tune,
};
