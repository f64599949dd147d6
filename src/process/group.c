/* SPDX-License-Identifier: BSD-3-Clause */
/* group.c: ranks of one group in another, some at a time. */
#include "process/group.h"

#include "process/errors.h"

bool shunt_group_translate(MPI_Group group, int size, MPI_Group other, shunt_group_visit visit,
                           void *context)
{
    enum { CHUNK = 256 };
    int ranks[CHUNK], there[CHUNK];
    for (int first = 0; first < size; first += CHUNK) {
        const int count = size - first < CHUNK ? size - first : CHUNK;
        for (int i = 0; i < count; i++)
            ranks[i] = first + i;
        if (SHUNT_TWICE(shunt_pmpi.Group_translate_ranks(group, count, ranks, other, there)) !=
            MPI_SUCCESS)
            return false;
        for (int i = 0; i < count; i++)
            if (!visit(context, ranks[i], there[i]))
                return false;
    }
    return true;
}
