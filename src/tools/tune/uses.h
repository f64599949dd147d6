/* SPDX-License-Identifier: BSD-3-Clause */
/* uses.h: what an application called, added up: operation, layout and size class, with the time
 * that it spent there. No MPI. */
#ifndef SHUNT_TUNE_USES_H
#define SHUNT_TUNE_USES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "algorithms/operation.h"

struct tune_use {
    enum shunt_op op;
    int ranks, nodes, ppn_max; /* nodes 0: not known, the communicator was not set up */
    int64_t block;             /* bytes: the largest of the class, powers of two apart */
    double seconds;            /* of all ranks that were logged */
    uint64_t calls;
};

struct tune_uses {
    size_t count;
    struct tune_use *use; /* array of count, owned */
    uint64_t unsized;     /* calls whose size is not known */
    char library[128];    /* the MPI library that the first header names; "": none does */
};

/* One call. False when memory is short. */
bool tune_uses_add(struct tune_uses *uses, const struct tune_use *call);

/* Reads logs; problems are said. An exit code. */
int tune_uses_read(struct tune_uses *uses, char *const *paths, int count);
void tune_uses_clear(struct tune_uses *uses);

#endif
