/* SPDX-License-Identifier: BSD-3-Clause */
/* bench.c: `shunt bench`: becomes the measuring program. */
#include "tools/tool.h"

static int bench(int argc, char **argv)
{
    (void)argc;
    return shunt_tool_become("shunt-bench", argv);
}

const struct shunt_subcommand shunt_subcommand_bench = {
    .name = "bench",
    .summary = "measure algorithms against the MPI library's own, under mpiexec",
    .help =
        "usage: mpiexec -n RANKS shunt bench [OPTION]...\n\n"
        "Runs algorithms and the MPI library's own in turn, in one job, and compares their "
        "times.\n\n"
        "  --algorithm=LIST     NAME[:PARAMETER=VALUE[,VALUE]...]...[,...] or \"all\"; may be "
        "repeated.\n"
        "                       Default: all\n"
        "  --op=LIST            alltoall, alltoallv. Default: alltoallv\n"
        "  --block=LIST         largest block in bytes, with K, M, G. Default: 16,512,8K\n"
        "  --distribution=LIST  of the sizes of alltoallv: uniform (default), normal, power-law,\n"
        "                       power:EXPONENT, fft-n1, fft-n2, constant, neighbours:N, "
        "one-to-all,\n"
        "                       matrix:FILE\n"
        "  --repetitions=N      timed calls of each (50); --warm-up=N calls before them (3); "
        "--inner=N calls\n"
        "                       per timing (1)\n"
        "  --skew=N             every rank comes up to N microseconds late to each call (0)\n"
        "  --seed=N             of sizes and orders (1)\n"
        "  --check              look at every byte received\n"
        "  --lower-bound        also measure the least an exchange through shared memory has "
        "to do\n"
        "  --phases             also show what the time goes into\n"
        "  --plain              only call MPI_Alltoall(v), as any program under a preloaded "
        "library does\n"
        "  --paired             with --plain: the library's own in turn with it, through PMPI\n"
        "  --csv=FILE --json=FILE  results for programs; \"-\" is standard output, instead of the "
        "table\n"
        "  --rules=FILE         a decision file of what won; likewise\n\n"
        "exit status: 0 good, 1 --check found a wrong byte, 2 usage, 4 a file cannot be read or "
        "written,\n"
        "5 MPI failed\n",
    .run = bench,
};
