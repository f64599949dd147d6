/* SPDX-License-Identifier: BSD-3-Clause */
/* clocks.h: what the clocks of the ranks differ by, for the times in the log. */
#ifndef SHUNT_COMM_CLOCKS_H
#define SHUNT_COMM_CLOCKS_H

#include "comm/team.h"

/*
 * Collective over a team that was just made and that lasts, where rank 0 records calls. Tells
 * the log of this process what to add to its clock. Nothing depends on the outcome: after an error
 * of the library this rank's log has its own clock. `comm`: whose set-up this is.
 */
void shunt_team_compare_clocks(struct shunt_comm *comm, const struct shunt_team *team);

#endif
