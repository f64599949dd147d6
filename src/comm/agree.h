/* SPDX-License-Identifier: BSD-3-Clause */
/* agree.h: small reductions over all ranks of a communicator that is set up. Collective. */
#ifndef SHUNT_COMM_AGREE_H
#define SHUNT_COMM_AGREE_H

#include "comm/comm.h"

/* Reduces *values over all ranks, in place. Returns MPI_SUCCESS or an error of the library. Where a
 * rank has left, the communicator is native for good when this returns. */
int shunt_agree(struct shunt_comm *comm, struct shunt_agreement *values);
/* For whoever agrees in another way: all ranks have said this. */
void shunt_agree_hear(struct shunt_comm *comm, const struct shunt_agreement *values);

/*
 * This rank leaves: local, waits for nobody. The library has refused a call of this rank alone, and
 * nobody can know whether the program repeats it. So this rank says SHUNT_FLAG_LEFT in its place of
 * the next agreement, and is native on this communicator for good. The others hear it there, with
 * their next call that is not native anyway, and are native as well: then every call is what it is
 * without Shunt.
 *
 * A call that is routed without an agreement would miss that. So MPI_Alltoall agrees first where
 * calls of MPI_Alltoallv have been native without an agreement since the last one (comm->unasked).
 * Where a rank alone makes a wrong call of MPI_Alltoallv, and MPI_Alltoall comes next for all, the
 * others hear it in the barrier of an algorithm that shares memory on one node; by other algorithms
 * they do not.
 */
void shunt_agree_leave(struct shunt_comm *comm);
/* The same, for a rank that has said so already (struct shunt_executor, leave). */
void shunt_agree_left(struct shunt_comm *comm);
/* What a rank that leaves says. */
extern const struct shunt_agreement shunt_agree_last;
/* Messages of a rank that leaves, which waits for none: `bytes` must stay until the process ends. A
 * long message of another rank is received into memory that is never given back, for its sender
 * waits until it is taken. */
void shunt_agree_send_last(struct shunt_comm *comm, const void *bytes, int count, int peer,
                           int tag);
void shunt_agree_drop(struct shunt_comm *comm, int64_t most, int peer, int tag);
/* The part between nodes, for the first rank of each: *values of the node becomes that of all. */
int shunt_agree_between_nodes(struct shunt_comm *comm, struct shunt_agreement *values);
/* Whether `ok` holds on every rank; an error of the library counts as no. */
bool shunt_agree_all(struct shunt_comm *comm, bool ok);

#endif
