/* SPDX-License-Identifier: BSD-3-Clause */
/* tags.h: tags of communicators that share a private one. */
#ifndef SHUNT_COMM_TAGS_H
#define SHUNT_COMM_TAGS_H

#include "comm/team.h"

/*
 * The places of the communicators of which this process is rank 0. Two of them never have one place
 * at the same time where threads could use both at once: false when no place is left for that.
 * Without threads the order of messages keeps them apart.
 */
bool shunt_tags_take(struct shunt_comm *comm, const struct shunt_team *team);
void shunt_tags_release(struct shunt_comm *comm);

#endif
