/* SPDX-License-Identifier: BSD-3-Clause */
/* options.c: the options of `shunt report`. */
#include <getopt.h>
#include <math.h>

#include "route/settings.h"
#include "tools/report/report.h"
#include "tools/tool.h"

enum { MEMORY_LEAST = 64 * 1024, MEMORY_DEFAULT = 64 * 1024 * 1024 };

static int take_form(struct shunt_report_options *options, enum shunt_report_form form)
{
    if (options->form != SHUNT_REPORT_TEXT && options->form != form)
        return shunt_tool_usage(&shunt_subcommand_report, "--csv and --json: one of the two");
    options->form = form;
    return SHUNT_EXIT_OK;
}

static int take(struct shunt_report_options *options, int option, const char *word)
{
    int64_t memory;
    switch (option) {
    case 'j':
        return take_form(options, SHUNT_REPORT_JSON);
    case 'C':
        return take_form(options, SHUNT_REPORT_CSV);
    case 'H':
        options->html = optarg;
        return SHUNT_EXIT_OK;
    case 't':
        options->table = optarg;
        return SHUNT_EXIT_OK;
    case 'c':
        options->config = optarg;
        return SHUNT_EXIT_OK;
    case 'M':
        options->machine = optarg;
        return SHUNT_EXIT_OK;
    case 'm':
        if (!shunt_size_parse(optarg, &memory) || memory < MEMORY_LEAST)
            return shunt_tool_usage(&shunt_subcommand_report,
                                    "--memory: \"%s\" is not a size of at least 64K", optarg);
        options->log.memory = (size_t)memory;
        return SHUNT_EXIT_OK;
    case 'w':
        options->wide = true;
        return SHUNT_EXIT_OK;
    case 'h':
        options->help = true;
        return SHUNT_EXIT_OK;
    default:
        return shunt_tool_usage(&shunt_subcommand_report, "%s is not an option, or lacks its value",
                                word);
    }
}

int shunt_report_options_read(struct shunt_report_options *options, int argc, char **argv)
{
    static const struct option known[] = {
        {"json", no_argument, NULL, 'j'},         {"csv", no_argument, NULL, 'C'},
        {"html", required_argument, NULL, 'H'},   {"table", required_argument, NULL, 't'},
        {"config", required_argument, NULL, 'c'}, {"machine", required_argument, NULL, 'M'},
        {"memory", required_argument, NULL, 'm'}, {"wide", no_argument, NULL, 'w'},
        {"help", no_argument, NULL, 'h'},         {NULL, 0, NULL, 0}};
    int option;
    *options = (struct shunt_report_options){
        .log = {.memory = MEMORY_DEFAULT, .filter = {.to = INFINITY, .slower = -1}}};
    opterr = 0;
    while ((option = getopt_long(argc, argv, "jwh", known, NULL)) != -1) {
        const int code = take(options, option, argv[optind - 1]);
        if (code != SHUNT_EXIT_OK || options->help)
            return code;
    }
    options->log.files = argv + optind;
    options->log.file_count = argc - optind;
    if (options->log.file_count > 0)
        return SHUNT_EXIT_OK;
    return shunt_tool_usage(&shunt_subcommand_report,
                            "no LOG is named; \"-\" is the standard input");
}
