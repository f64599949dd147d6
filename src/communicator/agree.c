/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * agree.c: a small allreduce, through shared memory inside nodes where there is any, and over messages on the private communicator.
 *
 * Messages: recursive doubling; ranks beyond the largest power of two hand their values to a partner first and get the result last. Our own
 * and not MPI_Iallreduce because waiting must show what it waits for, and because one message per step is all it takes: ceil(log2 P) steps
 * (+2), P counting nodes where these have shared memory.
 */
#include "communicator/comm.h"

/* Sends `out` and/or receives `in` (either may be NULL) with one partner. */
static int meet(struct shunt_comm *comm, int peer, const struct shunt_agreement *out, struct shunt_agreement *in)
{
    MPI_Request requests[2];
    const int peers[2] = {peer, peer};
    int count = 0, status = MPI_SUCCESS;
    if (in)
        status = shunt_comm_receive(comm, in, (int)sizeof *in, MPI_BYTE, peer, SHUNT_TAG_AGREE, &requests[count++]);
    if (status == MPI_SUCCESS && out)
        status = shunt_comm_send(comm, out, (int)sizeof *out, MPI_BYTE, peer, SHUNT_TAG_AGREE, &requests[count++]);
    return status == MPI_SUCCESS ? shunt_wait_all(comm, count, requests, peers, NULL) : status;
}

/* Who takes part: all ranks, or the first rank of each node. */
struct party {
    int index, count;
    const struct shunt_layout *nodes; /* NULL: all ranks */
};

static int rank_of(const struct party *party, int index)
{
    return party->nodes ? shunt_layout_rank(party->nodes, index, 0) : index;
}

static int recursive_doubling(struct shunt_comm *comm, const struct party *party, struct shunt_agreement *values)
{
    int power = 1;
    while (power <= party->count / 2)
        power *= 2;
    struct shunt_agreement received;
    int status = MPI_SUCCESS;
    if (party->index >= power) {
        const int partner = rank_of(party, party->index - power);
        status = meet(comm, partner, values, NULL);
        return status == MPI_SUCCESS ? meet(comm, partner, NULL, values) : status;
    }
    const int extra = party->index + power < party->count ? rank_of(party, party->index + power) : -1;
    if (extra >= 0) {
        status = meet(comm, extra, NULL, &received);
        if (status == MPI_SUCCESS)
            shunt_agreement_add(values, &received);
    }
    for (int mask = 1; mask < power && status == MPI_SUCCESS; mask *= 2) {
        const struct shunt_agreement sent = *values;
        status = meet(comm, rank_of(party, party->index ^ mask), &sent, &received);
        if (status == MPI_SUCCESS)
            shunt_agreement_add(values, &received);
    }
    if (extra >= 0 && status == MPI_SUCCESS)
        status = meet(comm, extra, values, NULL);
    return status;
}

int shunt_agree_between_nodes(struct shunt_comm *comm, struct shunt_agreement *values)
{
    const struct party party = {.index = comm->layout.node_of[comm->rank], .count = comm->layout.nodes, .nodes = &comm->layout};
    return recursive_doubling(comm, &party, values);
}

int shunt_agree(struct shunt_comm *comm, struct shunt_agreement *values)
{
    shunt_phase(comm, SHUNT_PHASE_AGREEMENT);
    const struct party all = {.index = comm->rank, .count = comm->size};
    const int status = comm->node.control ? shunt_node_agree(comm, values) : recursive_doubling(comm, &all, values);
    shunt_phase(comm, SHUNT_PHASE_OTHER);
    return status;
}

bool shunt_agree_all(struct shunt_comm *comm, bool ok)
{
    struct shunt_agreement values = {.flags = ok ? 0 : SHUNT_FLAG_NO_MEMORY};
    return shunt_agree(comm, &values) == MPI_SUCCESS && values.flags == 0;
}
