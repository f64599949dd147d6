/* SPDX-License-Identifier: BSD-3-Clause */
/* identity.h: on which node this process is and how oversubscribed that is, from facts that need no
 * communication. */
#ifndef SHUNT_PROCESS_IDENTITY_H
#define SHUNT_PROCESS_IDENTITY_H

#include <stdbool.h>
#include <stdint.h>

#include "process/seats.h"

/* The same for processes of one node, and for no others. */
uint64_t shunt_identity_node(void);
/* Nodes of a job of so many ranks, as far as this process knows by itself: 0 otherwise. */
int shunt_identity_nodes(int ranks);
/* While an MPI program begins: where ranks share processors, its first call would wait for all of
 * them to ask. */
void shunt_identity_look_ahead(void);
/* Processors that this process may use, and the first of them. */
int shunt_identity_processors(int *first);
/* What this process tells others of where it runs. */
struct shunt_seat shunt_identity_seat(void);
/* Ranks of this node per processor, at least 1, as far as this process knows by itself. */
double shunt_identity_ranks_per_processor(void);
/* Whether these are more than one. */
bool shunt_identity_oversubscribed(void);

#endif
