/* SPDX-License-Identifier: BSD-3-Clause */
/* fail.c: the end of a measurement that cannot go on. */
#include "tools/bench/fail.h"

#include <stdlib.h>

#include "tools/tool.h"

const char *bench_subcommand = "bench";

_Noreturn void bench_fail(int code, const char *what)
{
    char text[MPI_MAX_ERROR_STRING + 1] = "unknown error";
    int length, rank = -1;
    PMPI_Error_string(code, text, &length);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    shunt_tool_say("%s: rank %d: %s failed: %s", bench_subcommand, rank, what, text);
    PMPI_Abort(MPI_COMM_WORLD, SHUNT_EXIT_MPI);
    exit(SHUNT_EXIT_MPI);
}
