/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * autogroup.h: whether other ranks run when this one yields.
 *
 * Linux gives each session a scheduling group of its own (autogroups), and launchers start a
 * session for each rank; a process that yields then gives way to nobody but its own threads. Not so
 * where a batch system or a service has put the job into a control group with a share of the
 * processors.
 */
#ifndef SHUNT_COMMUNICATOR_AUTOGROUP_H
#define SHUNT_COMMUNICATOR_AUTOGROUP_H

#include <stdbool.h>

/* Found once in a process, which reads two small files for it. False: not known. */
bool shunt_autogroup_alone(void);

/* Whether a process whose /proc/PID/cgroup is this text is in a control group with a share; root:
 * where control groups are ("/sys/fs/cgroup"). */
bool shunt_autogroup_has_share(const char *cgroups, const char *root);

#endif
