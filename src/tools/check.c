/* SPDX-License-Identifier: BSD-3-Clause */
/* check.c: `shunt check`: every mistake of a decision file, and what is valid but cannot be meant. */
#include <getopt.h>
#include <stdlib.h>

#include "route/findings.h"
#include "tools/tool.h"

static int check(const char *path)
{
    int code;
    struct shunt_problems findings = {0};
    struct shunt_table *table = shunt_tool_table(path, &code);
    if (table == NULL)
        return code;
    shunt_table_findings(table, &findings);
    code = findings.count > 0 ? SHUNT_EXIT_FINDINGS : SHUNT_EXIT_OK;
    if (code == SHUNT_EXIT_OK)
        printf("%s: ok, rules: %u alltoall, %u alltoallv\n", shunt_table_string(table, table->source), table->rule_count[SHUNT_OP_ALLTOALL],
               table->rule_count[SHUNT_OP_ALLTOALLV]);
    shunt_tool_report(&findings);
    free(table);
    return code;
}

static int run(int argc, char **argv)
{
    static const struct option options[] = {{"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};
    int option;
    opterr = 0;
    while ((option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
        if (option != 'h')
            return shunt_tool_usage(&shunt_verb_check, "%s is not an option", argv[optind - 1]);
        fputs(shunt_verb_check.help, stdout);
        return SHUNT_EXIT_OK;
    }
    int worst = SHUNT_EXIT_OK;
    if (optind == argc)
        return check(NULL);
    for (int i = optind; i < argc; i++) {
        int code = check(argv[i]);
        worst = code > worst ? code : worst;
    }
    return worst;
}

const struct shunt_verb shunt_verb_check = {
    .name = "check",
    .summary = "report every mistake in decision files",
    .help = "usage: shunt check [FILE]...\n\n"
            "Reports every mistake in decision files, one per line, and rules that no call can reach.\n"
            "Without FILE: the table that a program started here would use.\n\n"
            "exit status: 0 good, 1 only rules that cannot be reached, 3 invalid, 4 a file cannot be read\n",
    .run = run,
};
