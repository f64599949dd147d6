/* SPDX-License-Identifier: BSD-3-Clause */
/* command.c: the options of `shunt report`. */
#include "tools/common/tool.h"
#include "tools/report/report.h"

static int run(void *options, const struct shunt_words *words)
{
    struct shunt_report_options *asked = options;
    const int code = shunt_tool_exclusive(words, "csv,json");
    asked->log.files = words->word;
    asked->log.file_count = words->count;
    return code != SHUNT_EXIT_OK ? code : shunt_report_run(asked);
}

static const struct shunt_option list[] = {
    SHUNT_FILE("html", "FILE", struct shunt_report_options, html,
               "write the page of shunt view with it too, which draws it"),
    SHUNT_FILE("table", "FILE", struct shunt_report_options, table,
               "what this table would have done, or \"built-in\"; each figure with what it rests "
               "on"),
    SHUNT_FILE("machine", "FILE", struct shunt_report_options, machine,
               "what the logs have no calls for, by the model of this machine, or of one of that "
               "name"),
    SHUNT_FILE("config", "FILE", struct shunt_report_options, config,
               "the table that the job had, where it is no longer where the logs say"),
    SHUNT_JSON(struct shunt_report_options, json,
               "for programs, as report.schema.json describes it"),
    SHUNT_FLAG(0, "csv", struct shunt_report_options, csv, "a line for each kind of calls"),
    SHUNT_WIDE(struct shunt_report_options, wide,
               "lines however long; otherwise folded at 100 columns"),
    SHUNT_OPTION_SORTING_MEMORY(struct shunt_report_options, log.memory),
};

const struct shunt_subcommand shunt_subcommand_report = {
    .name = "report",
    .summary = "tell what a run did, from its logs: text, CSV, JSON, a page with plots",
    .usage = "shunt report [OPTION]... LOG...",
    .about = "Reads the logs of all ranks (JSON Lines, as for shunt log) and tells what all-to-all "
             "took of the run, and by operation, size, communicator and rule the calls, bytes and "
             "times with the gain against native; who arrives late and who waits; which rules no "
             "call followed. LOG \"-\" is the standard input.",
    .status = "0 good, 1 some lines are no lines of a log or are cut off, 2 usage, 3 a table or a "
              "machine is wrong, 4 a file cannot be read or written, is no log, or is of another "
              "schema",
    SHUNT_OPTIONS(list),
    .size = sizeof(struct shunt_report_options),
    .defaults = &(const struct shunt_report_options){.log = {.memory = SHUNT_LOGS_MEMORY,
                                                             .filter = SHUNT_LOGS_ALL}},
    .words_most = -1,
    .missing = "no LOG is named; \"-\" is the standard input",
    .run = run,
};
