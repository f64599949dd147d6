/* SPDX-License-Identifier: BSD-3-Clause */
/* same.c: one copy of equal tables. With thousands of ranks, arrays of P on each of them are most
 * of what the process takes. */
#include "tools/simulate/same.h"

#include <stdlib.h>
#include <string.h>

#include "communicator/context.h"

/* `mine`, or in its place `common`, if they say the same. */
static int *one_of(int *mine, int *common, size_t count)
{
    if (mine == common || memcmp(mine, common, count * sizeof *mine) != 0)
        return mine;
    free(mine);
    return common;
}

static void share_layout(struct shunt_layout *mine, const struct shunt_layout *common)
{
    const size_t P = (size_t)mine->ranks;
    if (mine->ranks != common->ranks)
        return;
    mine->node_of = one_of(mine->node_of, common->node_of, P);
    mine->local_of = one_of(mine->local_of, common->local_of, P);
    mine->node_first = one_of(mine->node_first, common->node_first, P + 1);
    mine->members = one_of(mine->members, common->members, P);
}

void simulate_same(struct shunt_comm *comm)
{
    static const struct shunt_comm *first;
    const size_t P = (size_t)comm->size;
    if (!first)
        first = comm;
    if (!comm->context || !first->context)
        return;
    share_layout(&comm->layout, &first->layout);
    share_layout(&comm->context->last_layout, &first->layout);
    comm->context->first_of = one_of(comm->context->first_of, first->context->first_of, P);
}
