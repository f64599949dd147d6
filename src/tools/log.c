/* SPDX-License-Identifier: BSD-3-Clause */
/* log.c: `shunt log`: what it is and its help; what it does is in log/. */
#include "tools/log/log.h"

const struct shunt_subcommand shunt_subcommand_log = {
    .name = "log",
    .summary = "print, filter and add up logs of calls (JSON Lines)",
    .help = "usage: shunt log [OPTION]... FILE...\n\n"
            "Prints logs that were written as JSON Lines in people's form, those of all ranks in "
            "the order of\n"
            "time. FILE \"-\" is the standard input. All filters given must hold.\n\n"
            "  --rank=LIST          of these ranks: 0,3-7\n"
            "  --communicator=NAME  on this communicator: its name, a pattern such as row*, or the "
            "beginning of\n"
            "                       its identifier\n"
            "  --operation=OP       alltoall or alltoallv\n"
            "  --algorithm=NAMES    done by one of these algorithms: bruck,parlogna\n"
            "  --rule=RULE          by this rule: its id, or FILE:LINE\n"
            "  --size=RANGE         whose largest block has so many bytes: 512, 1K-8K, 64K-\n"
            "  --time=RANGE         that began so many seconds after the start: 10-12.5, 10-, -3\n"
            "  --slower=TIME        that took longer: 0.003, 3ms, 20us\n"
            "  --native             left to the MPI library\n"
            "  --routed             not left to it\n"
            "  --reason=TEXT        whose reason has this text\n"
            "  -f, --follow         go on with what running programs write, until all their "
            "summaries are there\n"
            "  -j, --json           the lines as they are in the files\n"
            "  --csv                calls as a table for programs, with a first line of names\n"
            "  --summary            instead: sums over ranks, who is slow, who comes last; with "
            "--json for\n"
            "                       programs\n"
            "  -w, --wide           a line for each call, however long; otherwise folded at 100 "
            "columns\n"
            "  --memory=SIZE        for putting lines in order (default 64M); the rest goes to a "
            "file in TMPDIR\n\n"
            "exit status: 0 good, 1 some lines are no lines of a log or are cut off, 2 usage,\n"
            "4 a file cannot be read, is no log, or is of another schema\n",
    .run = shunt_logs_run,
};
