/* SPDX-License-Identifier: BSD-3-Clause */
/* report.c: `shunt report`: what it is and its help; what it does is in report/. */
#include "tools/report/run.h"

const struct shunt_subcommand shunt_subcommand_report = {
    .name = "report",
    .summary = "tell what a run did, from its logs: text, CSV, JSON, a page with plots",
    .help =
        "usage: shunt report [OPTION]... LOG...\n\n"
        "Reads the logs of all ranks (JSON Lines, as for shunt log) and tells what all-to-all took "
        "of the\n"
        "run, and by operation, size, communicator and rule the calls, bytes and times with the "
        "gain against\n"
        "native; who arrives late and who waits; which rules no call followed. LOG \"-\" is the "
        "standard input.\n\n"
        "  --html=FILE      write the page of shunt view with it too, which draws it\n"
        "  --table=FILE     what this table would have done, or \"built-in\"; each figure with "
        "what it rests on\n"
        "  --machine=FILE   what the logs have no calls for, by the model of this machine, or of "
        "one of that\n"
        "                   name\n"
        "  --config=FILE    the table that the job had, where it is no longer where the logs say\n"
        "  -j, --json       for programs, as report.schema.json describes it\n"
        "  --csv            a line for each kind of calls\n"
        "  -w, --wide       lines however long; otherwise folded at 100 columns\n"
        "  --memory=SIZE    for putting lines in order (default 64M); the rest goes to a file in "
        "TMPDIR\n\n"
        "exit status: 0 good, 1 some lines are no lines of a log or are cut off, 2 usage, 3 a "
        "table or a\n"
        "machine is wrong, 4 a file cannot be read or written, is no log, or is of another "
        "schema\n",
    .run = shunt_report_run,
};
