/* SPDX-License-Identifier: BSD-3-Clause */
/* group.h: where the members of one group are in another one. Local. */
#ifndef SHUNT_PROCESS_GROUP_H
#define SHUNT_PROCESS_GROUP_H

#include <stdbool.h>

#include "pmpi/pmpi.h"

/* A member: its rank in the group, and in the other one, MPI_UNDEFINED where it is not in that.
 * False: that is enough. */
typedef bool (*shunt_group_visit)(void *context, int rank, int there);

/* Tells of the first `size` members of `group`, in their order. False: the library failed, or
 * `visit` had enough. Needs no memory. */
bool shunt_group_translate(MPI_Group group, int size, MPI_Group other, shunt_group_visit visit,
                           void *context);

#endif
