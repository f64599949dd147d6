/* SPDX-License-Identifier: BSD-3-Clause */
/* area.c: blocks go into the shared segment and come out of it. */
#include <string.h>

#include "comm/node.h"
#include "execute/area.h"
#include "process/errors.h"
#include "schedule/bundle.h"

/* A copy that is put off for as long as the next block lies right behind the last one, on both
 * sides: most buffers have no gaps. */
struct copy {
    char *to;
    const char *from;
    size_t bytes;
};

static inline void copy_finish(const struct copy *copy)
{
    if (copy->bytes > 0)
        memcpy(copy->to, copy->from, copy->bytes);
}

static inline void copy_add(struct copy *copy, char *to, const char *from, size_t bytes)
{
    if (from == copy->from + copy->bytes && to == copy->to + copy->bytes) {
        copy->bytes += bytes;
        return;
    }
    copy_finish(copy);
    *copy = (struct copy){to, from, bytes};
}

/* For the members first..last-1 of the layout. */
static int copy_in_uniform(const struct shunt_exchange *x, char *area, int first, int last)
{
    const struct shunt_layout *layout = &x->comm->layout;
    area += first * x->block;
    struct copy copy = {.to = area, .from = area};
    int status = MPI_SUCCESS;
    for (int i = first; i < last; i++, area += x->block) {
        const int peer = layout->members[i];
        if (peer == x->comm->rank)
            continue;
        shunt_trace_copy(SHUNT_EVENT_COPY_IN, 1, x->block);
        if (x->send.plain)
            copy_add(&copy, area, shunt_side_address(x, &x->send, peer), (size_t)x->block);
        else
            status = shunt_error_first(status, shunt_block_read(x, peer, area));
    }
    copy_finish(&copy);
    return status;
}

/* The blocks of one chunk, plain: appends their ends to `ends`. Returns their bytes. */
static int64_t copy_in_plain(const struct shunt_exchange *x, const int *members, int ppn,
                             char *blocks, uint32_t *ends)
{
    const struct shunt_side send =
        x->send; /* a copy: what is written here cannot change it, and the compiler knows */
    const int me = x->comm->rank;
    struct copy copy = {.to = blocks, .from = blocks};
    int64_t end = 0;
    for (int d = 0; d < ppn; d++) {
        const int peer = members[d];
        const int64_t bytes = peer == me ? 0 : shunt_listed_count(&send, peer) * send.size;
        shunt_trace_copy(SHUNT_EVENT_COPY_IN, 1, bytes);
        if (bytes > 0)
            copy_add(&copy, blocks + end, shunt_element_at(&send, shunt_listed_displ(&send, peer)),
                     (size_t)bytes);
        end += bytes;
        ends[d] = (uint32_t)end;
    }
    copy_finish(&copy);
    return end;
}

/* The same for other types. */
static int64_t copy_in_packed(const struct shunt_exchange *x, const int *members, int ppn,
                              char *blocks, uint32_t *ends, int *status)
{
    int64_t end = 0;
    for (int d = 0; d < ppn; d++) {
        if (members[d] != x->comm->rank) {
            *status = shunt_error_first(*status, shunt_block_read(x, members[d], blocks + end));
            end += shunt_send_bytes(x, members[d]);
        }
        ends[d] = (uint32_t)end;
    }
    return end;
}

/* Returns the end of the chunk. */
static char *copy_in_chunk(const struct shunt_exchange *x, int node, char *at, int *status)
{
    const struct shunt_layout *layout = &x->comm->layout;
    const int ppn = shunt_layout_ppn(layout, node),
              *members = &layout->members[layout->node_first[node]];
    uint32_t *ends = (uint32_t *)(void *)at;
    char *blocks = at + shunt_chunk_header(ppn);
    ends[0] = 0;
    return blocks + shunt_bundle_align(
                        x->send.plain ? copy_in_plain(x, members, ppn, blocks, ends + 1)
                                      : copy_in_packed(x, members, ppn, blocks, ends + 1, status));
}

static int copy_in_sized(struct shunt_area *area, int first, int last)
{
    uint64_t *offsets = (uint64_t *)(void *)area->at;
    int status = MPI_SUCCESS;
    for (int n = first; n < last; n++) {
        offsets[n] = (uint64_t)(area->end - area->at);
        area->end = copy_in_chunk(area->view, n, area->end, &status);
    }
    offsets[area->view->comm->layout.nodes] = (uint64_t)(area->end - area->at);
    return status;
}

/* Nodes that follow one another. */
static int copy_in_nodes(struct shunt_area *area, int first, int last)
{
    const int *begin = area->view->comm->layout.node_first;
    return area->view->op == SHUNT_OP_ALLTOALL
               ? copy_in_uniform(area->view, area->at, begin[first], begin[last])
               : copy_in_sized(area, first, last);
}

void shunt_area_begin(struct shunt_area *area, const struct shunt_exchange *view, int half,
                      const struct shunt_agreement *values)
{
    const struct shunt_node *node = &view->comm->node;
    const size_t offsets = ((size_t)view->comm->layout.nodes + 1) * sizeof(uint64_t);
    area->view = view;
    area->at = shunt_node_area(view->comm, half, node->local);
    area->end = area->at + offsets;
    area->nothing =
        view->op == SHUNT_OP_ALLTOALLV && ((values->flags & ~(uint64_t)SHUNT_FLAG_IN_PLACE) != 0 ||
                                           values->largest > node->shared.capacity);
}

int shunt_area_copy_in(struct shunt_area *area, struct shunt_node_range nodes)
{
    const int N = area->view->comm->layout.nodes, end = nodes.first + nodes.count;
    if (area->nothing || nodes.count == 0)
        return MPI_SUCCESS;
    const int status = copy_in_nodes(area, nodes.first, end < N ? end : N);
    return end <= N ? status : shunt_error_first(status, copy_in_nodes(area, 0, end - N));
}

/* How to find blocks for one rank in the areas. */
struct finder {
    bool uniform;
    int node, local;       /* of the rank */
    int64_t header;        /* bytes of a chunk before its blocks */
    int64_t block, offset; /* Alltoall: bytes of the block, and where it begins in every area */
};

static struct finder find_for(const struct shunt_exchange *x, int target)
{
    const struct shunt_layout *layout = &x->comm->layout;
    struct finder finder = {.uniform = x->op == SHUNT_OP_ALLTOALL,
                            .node = layout->node_of[target],
                            .local = layout->local_of[target]};
    finder.header = shunt_chunk_header(shunt_layout_ppn(layout, finder.node));
    finder.block = x->block;
    finder.offset = ((int64_t)layout->node_first[finder.node] + finder.local) * x->block;
    return finder;
}

static inline int64_t find_block(const struct finder *finder, const char *area, const char **at)
{
    if (finder->uniform) {
        *at = area + finder->offset;
        return finder->block;
    }
    const char *chunk = area + ((const uint64_t *)(const void *)area)[finder->node];
    const uint32_t *ends = (const uint32_t *)(const void *)chunk + finder->local;
    *at = chunk + finder->header + ends[0];
    return (int64_t)ends[1] - ends[0];
}

int64_t shunt_area_block(const struct shunt_exchange *x, int half, int source, int target,
                         const char **at)
{
    const struct finder finder = find_for(x, target);
    return find_block(&finder, shunt_node_area(x->comm, half, x->comm->layout.local_of[source]),
                      at);
}

int shunt_area_copy_out(const struct shunt_exchange *x, int half)
{
    const struct shunt_node *own = &x->comm->node;
    const struct shunt_layout *layout = &x->comm->layout;
    const struct finder finder = find_for(x, x->comm->rank);
    const int *sources = &layout->members[layout->node_first[own->index]], ppn = own->ppn,
              me = own->local;
    const struct shunt_exchange copy =
        *x; /* what is written cannot change it, and the compiler knows */
    int status = MPI_SUCCESS;
    for (int i = 1; i < ppn; i++) { /* not all ranks from the same one at a time */
        const int a = me + i < ppn ? me + i : me + i - ppn;
        const char *from;
        /* Sparse exchanges: not even a look at what the agreement has shown to be empty. */
        if (!finder.uniform && shunt_listed_count(&copy.recv, sources[a]) == 0)
            continue;
        const int64_t bytes = find_block(&finder, shunt_node_area(x->comm, half, a), &from);
        shunt_trace_copy(SHUNT_EVENT_COPY_OUT, 1, bytes);
        status = shunt_error_first(status, shunt_area_store(&copy, sources[a], from, bytes));
    }
    return status;
}
