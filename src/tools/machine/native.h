/* SPDX-License-Identifier: BSD-3-Clause */
/* native.h: when MPICH's own MPI_Alltoall changes its algorithm, as the library tells. */
#ifndef SHUNT_TOOLS_MACHINE_NATIVE_H
#define SHUNT_TOOLS_MACHINE_NATIVE_H

struct machine_run;

/* Local, at the leader: fills native_short and so on, and their rows. */
void machine_native_find(struct machine_run *run);

#endif
