/* SPDX-License-Identifier: BSD-3-Clause */
/* command.h: `shunt explain --grid`. */
#ifndef SHUNT_EXPLAIN_COMMAND_H
#define SHUNT_EXPLAIN_COMMAND_H

/* All of it; argv[0] is the subcommand. An exit code. */
int shunt_explain_grid(int argc, char **argv);

#endif
