/* SPDX-License-Identifier: BSD-3-Clause */
/* log.h: what a build with the library for JSON and one without give the subcommand `log`. */
#ifndef SHUNT_TOOLS_LOG_LOG_H
#define SHUNT_TOOLS_LOG_LOG_H

#include "tools/tool.h"

extern const struct shunt_subcommand shunt_subcommand_log;

/* Does what the options say; returns the exit code. */
int shunt_logs_run(int argc, char **argv);

#endif
