/* SPDX-License-Identifier: BSD-3-Clause */
/* command.h: the command line of a measuring program, for those who read its results. */
#ifndef SHUNT_BENCH_COMMAND_H
#define SHUNT_BENCH_COMMAND_H

/* "shunt bench --block=64": a malloc block. Ends the job when memory is short. */
char *bench_command_join(int argc, char **argv);

#endif
