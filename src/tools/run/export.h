/* SPDX-License-Identifier: BSD-3-Clause */
/* export.h: brings variables to ranks on other hosts, where the launcher does not by itself. */
#ifndef SHUNT_TOOLS_EXPORT_H
#define SHUNT_TOOLS_EXPORT_H

/*
 * The command (array that ends with NULL) as it has to be started: the same one, or a new array
 * with the same words and some more, which is kept. The words of both stay the caller's.
 *
 * MPICH's launcher and Slurm's pass the whole environment on. That of Open MPI does so on its own
 * host alone, and to others passes on what -x names.
 */
char **shunt_export_command(char **command);

#endif
