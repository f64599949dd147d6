/* SPDX-License-Identifier: BSD-3-Clause */
/* same.c: one copy of equal tables. With thousands of ranks, arrays of P on each of them are most
 * of what the process takes. */
#include "same.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "comm/team.h"

enum { PAGE = 4096 };

/* Layouts that ranks have in common, never freed: all on one node, and as they are. */
enum { KNOWN_MOST = 4 };
static struct shunt_layout known[KNOWN_MOST];
static int known_count;

/* The functions of schedule/layout.h, and those that are called in their place. */
int __real_shunt_layout_from_keys(struct shunt_layout *layout, int ranks, const int *keys);
int __real_shunt_layout_subdivide(struct shunt_layout *layout, const int *pieces, int count,
                                  bool cyclic);
int __real_shunt_layout_copy(struct shunt_layout *layout, const struct shunt_layout *from);
void __real_shunt_layout_clear(struct shunt_layout *layout);
int __wrap_shunt_layout_from_keys(struct shunt_layout *layout, int ranks, const int *keys);
int __wrap_shunt_layout_subdivide(struct shunt_layout *layout, const int *pieces, int count,
                                  bool cyclic);
int __wrap_shunt_layout_copy(struct shunt_layout *layout, const struct shunt_layout *from);
void __wrap_shunt_layout_clear(struct shunt_layout *layout);

/* Its arrays become those of a known layout, if one says the same, or become known. */
static void share(struct shunt_layout *layout)
{
    int k = 0;
    while (k < known_count && !shunt_layout_same(layout, &known[k]))
        k++;
    if (k == KNOWN_MOST)
        return;
    if (k == known_count) {
        known[known_count++] = *layout;
        return;
    }
    struct shunt_layout common = known[k];
    common.segment_block = layout->segment_block;
    common.peer_read = layout->peer_read;
    __real_shunt_layout_clear(layout);
    *layout = common;
}

int __wrap_shunt_layout_from_keys(struct shunt_layout *layout, int ranks, const int *keys)
{
    const int status = __real_shunt_layout_from_keys(layout, ranks, keys);
    if (status == 0)
        share(layout);
    return status;
}

int __wrap_shunt_layout_copy(struct shunt_layout *layout, const struct shunt_layout *from)
{
    const int status = __real_shunt_layout_copy(layout, from);
    if (status == 0)
        share(layout);
    return status;
}

/* Of a copy, for the arrays that were there are freed. */
int __wrap_shunt_layout_subdivide(struct shunt_layout *layout, const int *pieces, int count,
                                  bool cyclic)
{
    struct shunt_layout finer;
    if (__real_shunt_layout_copy(&finer, layout) != 0)
        return -1;
    if (__real_shunt_layout_subdivide(&finer, pieces, count, cyclic) != 0) {
        __real_shunt_layout_clear(&finer);
        return -1;
    }
    share(&finer);
    __wrap_shunt_layout_clear(layout);
    *layout = finer;
    return 0;
}

void __wrap_shunt_layout_clear(struct shunt_layout *layout)
{
    for (int k = 0; k < known_count; k++)
        if (layout->node_of == known[k].node_of)
            *layout = (struct shunt_layout){0};
    __real_shunt_layout_clear(layout);
}

/*
 * Keys of the checksum of sizes are there to tell pairs of ranks apart. What is sent and received
 * adds up with any keys, and here nobody doubts that it does: one row of ones serves all.
 */
static uint64_t *keys_of_all(size_t ranks)
{
    static uint64_t *keys;
    if (keys)
        return keys;
    keys = malloc(2 * ranks * sizeof *keys);
    if (!keys)
        abort();
    for (size_t i = 0; i < 2 * ranks; i++)
        keys[i] = 1;
    return keys;
}

void simulate_same(struct shunt_comm *comm)
{
    static const struct shunt_comm *first;
    const size_t bytes = (size_t)comm->size * sizeof *comm->team->first_of;
    if (!comm->team)
        return;
    if (!first)
        first = comm;
    if (comm != first && memcmp(comm->team->first_of, first->team->first_of, bytes) == 0) {
        free(comm->team->first_of);
        comm->team->first_of = first->team->first_of;
    }
    if (comm->buffers.pair_keys) {
        free(comm->buffers.pair_keys);
        comm->buffers.pair_keys = keys_of_all((size_t)comm->size);
    }
}

/* Whole pages alone. */
static void drop(char *at, size_t bytes)
{
    const size_t before = (size_t)(-(uintptr_t)at & (PAGE - 1));
    if (at && bytes >= before + PAGE)
        madvise(at + before, (bytes - before) & ~(size_t)(PAGE - 1), MADV_DONTNEED);
}

void simulate_drop(const struct shunt_comm *comm)
{
    drop(comm->buffers.scratch, comm->buffers.scratch_bytes);
    if (comm->node.area)
        drop(comm->node.area[comm->node.local], 2 * comm->node.area_half);
    if (comm->node.local == 0)
        drop(comm->node.shared.data, comm->node.shared.bytes);
}
