/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bundle.h: sizes of what the ranks of a node keep in shared memory and send to other nodes. Bytes;
 * no MPI.
 *
 * A chunk holds the blocks of one rank for all ranks of one node. A bundle holds the chunks of all
 * ranks of one node for another: what one message between two nodes carries. Of `capacity` bytes is
 * the largest block for which there is space.
 *
 * Alltoallv: a chunk begins with the ends of its blocks (array of ppn + 1 of uint32_t, the first
 * 0), a bundle with a header and the places of its chunks (array of ppn of uint32_t). Alltoall: a
 * chunk is its blocks and a bundle its chunks, nothing else.
 */
#ifndef SHUNT_SCHEDULE_BUNDLE_H
#define SHUNT_SCHEDULE_BUNDLE_H

#include <stdint.h>

#include "schedule/layout.h"

/* Everything in shared memory that is not a user block is aligned to this. */
enum { SHUNT_BUNDLE_ALIGN = 8, SHUNT_BUNDLE_HEADER = 64 };

/* Most messages that one bundle is cut into. */
enum { SHUNT_BUNDLE_PIECES = 8 };

/* Shared memory is never made for smaller blocks. Enough for an address per block as well. */
enum { SHUNT_CAPACITY_LEAST = 16 };

/* The least capacity for such blocks. */
static inline int64_t shunt_capacity_of(int64_t block)
{
    return block < SHUNT_CAPACITY_LEAST ? SHUNT_CAPACITY_LEAST : block;
}

static inline int64_t shunt_bundle_align(int64_t bytes)
{
    return (bytes + SHUNT_BUNDLE_ALIGN - 1) / SHUNT_BUNDLE_ALIGN * SHUNT_BUNDLE_ALIGN;
}

/* Bytes before the blocks of a chunk for a node of `ppn` ranks, and before the chunks of a bundle
 * from one. Alltoallv only. */
static inline int64_t shunt_chunk_header(int ppn)
{
    return shunt_bundle_align(((int64_t)ppn + 1) * (int64_t)sizeof(uint32_t));
}
static inline int64_t shunt_bundle_header(int ppn)
{
    return SHUNT_BUNDLE_HEADER + shunt_bundle_align((int64_t)ppn * (int64_t)sizeof(uint32_t));
}

/* Most bytes of one bundle from a node of `from` ranks to one of `to`; INT64_MAX when one message
 * or a uint32_t could not hold it. */
int64_t shunt_bundle_most(int from, int to, int64_t capacity);

/* Bytes of one rank's own blocks, ready to be read by its neighbours: places of its N + 1 chunks,
 * then the chunks. */
int64_t shunt_area_bytes(const struct shunt_layout *layout, int64_t capacity);

/*
 * Leaders divide the messages between nodes: the i-th of a round is one of leader i, modulo their
 * number. Where every node has twice as many as there are other nodes, or more, several send a
 * bundle together, in parts: each the chunks of some ranks that follow one another. All pairs of
 * nodes have as many parts, and no rank more than one message.
 */
int shunt_bundle_parts(const struct shunt_layout *layout, int64_t leaders);

/* Leaders of a node of `ppn` ranks. */
static inline int shunt_bundle_leaders(int ppn, int64_t leaders)
{
    return leaders < 1 ? 1 : leaders < ppn ? (int)leaders : ppn;
}

/* The leader that has this part of the i-th message. */
static inline int shunt_bundle_leader(int leaders, int parts, uint32_t i, int part)
{
    return (int)(((int64_t)i * parts + part) % leaders);
}

/* The part of the i-th message that leader `leader` has; -1: none. */
static inline int shunt_bundle_part(int leaders, int parts, uint32_t i, int leader)
{
    const int64_t part = leader - (int64_t)i * parts % leaders;
    return part >= 0 && part < parts ? (int)part : -1;
}

/* The local ranks first..last-1 of a node of `ppn` whose chunks a part has. */
struct shunt_bundle_range {
    int first, last;
};
static inline struct shunt_bundle_range shunt_bundle_range(int ppn, int parts, int part)
{
    return (struct shunt_bundle_range){.first = (int)((int64_t)ppn * part / parts),
                                       .last = (int)((int64_t)ppn * (part + 1) / parts)};
}

/* Messages between nodes. */
struct shunt_node_messages {
    int64_t arriving; /* bundles that come to a node in one call, passing ones included */
    int64_t leaving;  /* most bundles that one rank sends in one round */
};

/* leaders: ranks per node that share the messages between nodes; radix: 2..N (N: every bundle goes
 * straight to its node). */
struct shunt_node_messages shunt_node_messages_of(const struct shunt_layout *layout,
                                                  int64_t leaders, int64_t radix);

/*
 * For node `node`: bytes for arriving bundles, of one call, in as many parts as there can be; for
 * a header of each part of each node's; for both; and all shared memory of the node, twice all that
 * and the areas (calls take turns). INT64_MAX when it does not fit.
 */
int64_t shunt_arrival_headers(const struct shunt_layout *layout);
int64_t shunt_arrivals_bytes(const struct shunt_layout *layout, int64_t arriving, int64_t capacity);
int64_t shunt_arrivals_half(const struct shunt_layout *layout, int64_t arriving, int64_t capacity);
int64_t shunt_shared_bytes(const struct shunt_layout *layout, int node, int64_t arriving,
                           int64_t capacity);

/* The same per rank of the node: the most of any node. */
int64_t shunt_shared_most(const struct shunt_layout *layout, int64_t arriving, int64_t capacity);

/* Bytes per rank, shared memory divided by its ranks plus what a leader needs for messages: the
 * most of any rank. */
int64_t shunt_bundle_memory(const struct shunt_layout *layout, int64_t leaders, int64_t radix,
                            int64_t capacity);

/*
 * parlinna-shared, in `rounds` of `batch` distances each: which blocks are copied in when. Those
 * for the node itself and for the nodes of the first `ahead` rounds are there before anything is
 * sent; in each round, those for the nodes of the round that is so many further on.
 */
uint32_t shunt_collect_ahead(uint32_t rounds, int64_t parts);

/* Nodes first, first + 1, ..., modulo the number of nodes. */
struct shunt_node_range {
    int first, count;
};
/* Those to which `node` sends in the rounds from `from` up to, not including, `to`; with round 0
 * goes the node itself, also where there are no rounds. */
struct shunt_node_range shunt_collect_nodes(const struct shunt_layout *layout, int node,
                                            int64_t batch, uint32_t from, uint32_t to);

/* And those whose blocks are copied in as the i-th, from 0: at first those of `ahead` rounds, then
 * those of one each. */
struct shunt_node_range shunt_collect_nth(const struct shunt_layout *layout, int node,
                                          int64_t batch, uint32_t ahead, uint32_t i);
/* The number of their ranks. */
int shunt_node_range_ranks(const struct shunt_layout *layout, struct shunt_node_range nodes);

/*
 * parlinna-shared: bytes of one message with a block of each of `ppn` ranks; of all messages that a
 * rank of `node` receives in one call; of those that it sends in one round of `batch` distances.
 * INT64_MAX when a message or the sum does not fit.
 */
int64_t shunt_collect_message(int ppn, int64_t capacity);
int64_t shunt_collect_arrivals(const struct shunt_layout *layout, int node, int64_t capacity);
int64_t shunt_collect_scratch(const struct shunt_layout *layout, int node, int64_t batch,
                              int64_t capacity);
/* As shunt_bundle_memory. */
int64_t shunt_collect_memory(const struct shunt_layout *layout, int64_t batch, int64_t capacity);

#endif
