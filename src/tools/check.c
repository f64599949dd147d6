/* SPDX-License-Identifier: BSD-3-Clause */
/* check.c: `shunt check`: every mistake of a decision file, and what is valid but cannot be meant.
 */
#include <getopt.h>
#include <stdlib.h>

#include "route/findings.h"
#include "tools/tool.h"

/* Reports on one file, or where `path` is NULL on the table of a host. */
static int check(const char *path, const char *host)
{
    int code;
    struct shunt_diagnostics findings = {0};
    struct shunt_tool_query query = {.path = path, .host = host, .findings = &findings};
    struct shunt_table *table = shunt_tool_table(&query, &code);
    if (!path)
        puts(query.choice);
    if (table) {
        shunt_table_findings(table, &findings);
        code = findings.count > 0 ? SHUNT_EXIT_FINDINGS : SHUNT_EXIT_OK;
    }
    if (table && findings.count == 0)
        printf("%s: ok, rules: %u alltoall, %u alltoallv\n",
               shunt_table_string(table, table->source), table->rule_count[SHUNT_OP_ALLTOALL],
               table->rule_count[SHUNT_OP_ALLTOALLV]);
    shunt_tool_report(&findings);
    free(table);
    return code;
}

static int run(int argc, char **argv)
{
    static const struct option options[] = {{"host", required_argument, NULL, 'n'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    const char *host = NULL;
    int option;
    opterr = 0;
    while ((option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
        if (option == 'h') {
            fputs(shunt_subcommand_check.help, stdout);
            return SHUNT_EXIT_OK;
        }
        if (option != 'n')
            return shunt_tool_usage(&shunt_subcommand_check,
                                    "%s is not an option, or lacks its value", argv[optind - 1]);
        host = optarg;
    }
    int worst = SHUNT_EXIT_OK;
    if (optind == argc)
        return check(NULL, host);
    if (host)
        return shunt_tool_usage(&shunt_subcommand_check,
                                "--host asks which file is chosen, so it goes without a file");
    for (int i = optind; i < argc; i++) {
        int code = check(argv[i], NULL);
        worst = code > worst ? code : worst;
    }
    return worst;
}

const struct shunt_subcommand shunt_subcommand_check = {
    .name = "check",
    .summary = "report every mistake in decision files",
    .help =
        "usage: shunt check [--host=NAME | FILE...]\n\n"
        "Reports every mistake in decision files, one per line, and what is valid but cannot be "
        "meant: rules that no call can\n"
        "reach, hosts that cannot be, files that no host will ever choose.\n"
        "Without FILE: the table of a job whose rank 0 runs on this host.\n\n"
        "  --host=NAME       on that host instead, with the files that are here\n\n"
        "exit status: 0 good, 1 valid, but something cannot be meant or was skipped, 3 invalid,\n"
        "4 a file cannot be read: missing, forbidden, empty, no text, too large, no regular file\n",
    .run = run,
};
