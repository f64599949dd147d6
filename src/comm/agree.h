/* SPDX-License-Identifier: BSD-3-Clause */
/* agree.h: small reductions over all ranks of a communicator that is set up. Collective. */
#ifndef SHUNT_COMM_AGREE_H
#define SHUNT_COMM_AGREE_H

#include "comm/comm.h"

/* Reduces *values over all ranks, in place. Returns MPI_SUCCESS or an error of the library. */
int shunt_agree(struct shunt_comm *comm, struct shunt_agreement *values);
/* The part between nodes, for the first rank of each: *values of the node becomes that of all. */
int shunt_agree_between_nodes(struct shunt_comm *comm, struct shunt_agreement *values);
/* Whether `ok` holds on every rank; an error of the library counts as no. */
bool shunt_agree_all(struct shunt_comm *comm, bool ok);

#endif
