/* SPDX-License-Identifier: BSD-3-Clause */
/* native.c: a call as the library does it. */
#include "execute/exchange.h"

int shunt_exchange_native(const struct shunt_exchange *x)
{
    const struct shunt_side *s = &x->send, *r = &x->recv;
    const MPI_Comm comm = x->comm->user;
    if (x->op == SHUNT_OP_ALLTOALL && x->wide)
        return shunt_pmpi.Alltoall_c(s->buffer, (MPI_Count)s->count, s->type, r->buffer,
                                     (MPI_Count)r->count, r->type, comm);
    if (x->op == SHUNT_OP_ALLTOALL)
        return shunt_pmpi.Alltoall(s->buffer, (int)s->count, s->type, r->buffer, (int)r->count,
                                   r->type, comm);
    if (x->wide)
        return shunt_pmpi.Alltoallv_c(s->buffer, s->counts, s->displs, s->type, r->buffer,
                                      r->counts, r->displs, r->type, comm);
    return shunt_pmpi.Alltoallv(s->buffer, s->counts, s->displs, s->type, r->buffer, r->counts,
                                r->displs, r->type, comm);
}
