/* SPDX-License-Identifier: BSD-3-Clause */
/* command.c: see command.h. */
#include "tools/bench/command.h"

#include <stdlib.h>
#include <string.h>

#include "tools/bench/fail.h"

char *bench_command_join(int argc, char **argv)
{
    size_t capacity = sizeof "shunt " + strlen(bench_subcommand);
    for (int i = 1; i < argc; i++)
        capacity += strlen(argv[i]) + 1;
    char *text = bench_need(malloc(capacity));
    char *at = stpcpy(stpcpy(text, "shunt "), bench_subcommand);
    for (int i = 1; i < argc; i++)
        at = stpcpy(stpcpy(at, " "), argv[i]);
    return text;
}
