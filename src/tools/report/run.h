/* SPDX-License-Identifier: BSD-3-Clause */
/* run.h: what a build with the library for JSON and one without give the subcommand `report`. */
#ifndef SHUNT_TOOLS_REPORT_RUN_H
#define SHUNT_TOOLS_REPORT_RUN_H

#include "tools/tool.h"

extern const struct shunt_subcommand shunt_subcommand_report;

/* Does what the options say; returns the exit code. */
int shunt_report_run(int argc, char **argv);

#endif
