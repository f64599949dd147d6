/* SPDX-License-Identifier: BSD-3-Clause */
/* bundle.c: sizes of bundles: what the ranks of one node have for those of another, in one message.
 */
#include "schedule/bundle.h"

/* Keeps every size far from overflow: sums of a few of them still fit. */
static const int64_t LIMIT = INT64_MAX / 16;

static const int64_t TWO_ALIGNMENTS = 2 * (int64_t)SHUNT_BUNDLE_ALIGN;

/* A message, and what a uint32_t in it can point to. */
enum { MESSAGE_MOST = 1 << 30 };

static int64_t times(int64_t a, int64_t b)
{
    return a > 0 && b > LIMIT / a ? LIMIT : a * b;
}

int64_t shunt_bundle_most(int from, int to, int64_t capacity)
{
    const int64_t chunk = shunt_chunk_header(to) + times(to, capacity) + SHUNT_BUNDLE_ALIGN;
    const int64_t bundle = shunt_bundle_header(from) + times(from, chunk);
    return capacity > MESSAGE_MOST || bundle > MESSAGE_MOST ? INT64_MAX : bundle;
}

int64_t shunt_area_bytes(const struct shunt_layout *layout, int64_t capacity)
{
    const int64_t N = layout->nodes, P = layout->ranks;
    /* Ends of blocks are 32-bit numbers. */
    if (times(layout->ppn_max, capacity) > UINT32_MAX - shunt_chunk_header(layout->ppn_max))
        return INT64_MAX;
    const int64_t headers =
        N * (shunt_chunk_header(0) + TWO_ALIGNMENTS) + P * (int64_t)sizeof(uint32_t);
    const int64_t bytes = (N + 1) * (int64_t)sizeof(uint64_t) + headers + times(P, capacity);
    return bytes >= LIMIT ? INT64_MAX : (bytes + 63) / 64 * 64;
}

int shunt_bundle_parts(const struct shunt_layout *layout, int64_t leaders)
{
    const int fewest = shunt_bundle_leaders(layout->ppn_min, leaders);
    return fewest < layout->nodes || layout->nodes == 1 ? 1 : fewest / (layout->nodes - 1);
}

struct shunt_node_messages shunt_node_messages_of(const struct shunt_layout *layout,
                                                  int64_t leaders, int64_t radix)
{
    const int64_t N = layout->nodes;
    struct shunt_node_messages messages = {0, 0};
    if (radix >= N) {
        messages.arriving = N - 1;
        messages.leaving = leaders > 0 ? (N - 1 + leaders - 1) / leaders : N - 1;
        return messages;
    }
    for (int64_t power = 1; power < N; power *= radix) {
        for (int64_t z = 1; z < radix && z * power < N; z++) {
            int64_t bundles = 0; /* offsets below N whose digit at `power` is z */
            for (int64_t base = z * power; base < N; base += power * radix)
                bundles += base + power <= N ? power : N - base;
            messages.arriving += bundles;
            messages.leaving = bundles > messages.leaving ? bundles : messages.leaving;
        }
    }
    return messages;
}

int64_t shunt_arrivals_bytes(const struct shunt_layout *layout, int64_t arriving, int64_t capacity)
{
    const int64_t most = shunt_bundle_most(layout->ppn_max, layout->ppn_max, capacity);
    if (layout->nodes == 1)
        return 0;
    /* 8 bytes more per bundle: its size, where several share a message. */
    const int64_t parts = shunt_bundle_parts(layout, layout->ppn_min),
                  headers = parts * TWO_ALIGNMENTS + (parts - 1) * SHUNT_BUNDLE_HEADER;
    const int64_t bytes = most == INT64_MAX ? LIMIT : times(arriving, most + headers);
    return bytes >= LIMIT ? INT64_MAX : (bytes + 63) / 64 * 64;
}

int64_t shunt_arrival_headers(const struct shunt_layout *layout)
{
    const int64_t parts = shunt_bundle_parts(layout, layout->ppn_min);
    return layout->nodes * parts * SHUNT_BUNDLE_HEADER;
}

int64_t shunt_arrivals_half(const struct shunt_layout *layout, int64_t arriving, int64_t capacity)
{
    const int64_t arrivals = shunt_arrivals_bytes(layout, arriving, capacity);
    if (arriving == 0 || arrivals == INT64_MAX)
        return arrivals;
    return arrivals + shunt_arrival_headers(layout);
}

int64_t shunt_shared_bytes(const struct shunt_layout *layout, int node, int64_t arriving,
                           int64_t capacity)
{
    const int64_t area = shunt_area_bytes(layout, capacity),
                  arrivals = shunt_arrivals_bytes(layout, arriving, capacity);
    if (area == INT64_MAX || arrivals == INT64_MAX)
        return INT64_MAX;
    const int64_t bytes =
        times(shunt_layout_ppn(layout, node), area) + arrivals + shunt_arrival_headers(layout);
    return bytes >= LIMIT ? INT64_MAX : 2 * bytes;
}

int64_t shunt_shared_most(const struct shunt_layout *layout, int64_t arriving, int64_t capacity)
{
    int64_t most = 0;
    for (int n = 0; n < layout->nodes; n++) {
        const int64_t shared = shunt_shared_bytes(layout, n, arriving, capacity);
        if (shared == INT64_MAX)
            return INT64_MAX;
        const int64_t ppn = shunt_layout_ppn(layout, n), share = (shared + ppn - 1) / ppn;
        most = share > most ? share : most;
    }
    return most;
}

int64_t shunt_bundle_memory(const struct shunt_layout *layout, int64_t leaders, int64_t radix,
                            int64_t capacity)
{
    const struct shunt_node_messages messages = shunt_node_messages_of(layout, leaders, radix);
    const int64_t leaving = shunt_arrivals_bytes(layout, messages.leaving, capacity);
    const int64_t shared = shunt_shared_most(layout, messages.arriving, capacity);
    if (leaving == INT64_MAX || shared == INT64_MAX ||
        (radix < layout->nodes && leaving > MESSAGE_MOST))
        return INT64_MAX;
    return shared + leaving;
}

uint32_t shunt_collect_ahead(uint32_t rounds, int64_t parts)
{
    const int64_t ahead = parts > 0 ? (rounds + parts - 1) / parts : rounds;
    return ahead > 0 ? (uint32_t)ahead : 1;
}

static int64_t distance_of(const struct shunt_layout *layout, int64_t batch, uint32_t round)
{
    const int64_t distance = times(round, batch) + 1;
    return distance < layout->nodes ? distance : layout->nodes;
}

struct shunt_node_range shunt_collect_nodes(const struct shunt_layout *layout, int node,
                                            int64_t batch, uint32_t from, uint32_t to)
{
    const int64_t N = layout->nodes, nearest = from == 0 ? 0 : distance_of(layout, batch, from),
                  end = distance_of(layout, batch, to);
    return (struct shunt_node_range){.first = (int)((node - end + 1 + N) % N),
                                     .count = end > nearest ? (int)(end - nearest) : 0};
}

struct shunt_node_range shunt_collect_nth(const struct shunt_layout *layout, int node,
                                          int64_t batch, uint32_t ahead, uint32_t i)
{
    return i == 0 ? shunt_collect_nodes(layout, node, batch, 0, ahead)
                  : shunt_collect_nodes(layout, node, batch, ahead + i - 1, ahead + i);
}

int shunt_node_range_ranks(const struct shunt_layout *layout, struct shunt_node_range nodes)
{
    const int end = nodes.first + nodes.count, over = end > layout->nodes ? end - layout->nodes : 0,
              *first = layout->node_first;
    return first[end - over] - first[nodes.first] + first[over];
}

int64_t shunt_collect_message(int ppn, int64_t capacity)
{
    const int64_t bytes = shunt_bundle_header(ppn) + times(ppn, capacity);
    return capacity > MESSAGE_MOST || bytes > MESSAGE_MOST ? INT64_MAX : bytes;
}

int64_t shunt_collect_arrivals(const struct shunt_layout *layout, int node, int64_t capacity)
{
    int64_t sum = 0;
    for (int n = 0; n < layout->nodes; n++) {
        const int64_t bytes =
            n == node ? 0 : shunt_collect_message(shunt_layout_ppn(layout, n), capacity);
        if (bytes == INT64_MAX || sum > LIMIT)
            return INT64_MAX;
        sum += shunt_bundle_align(bytes);
    }
    return sum;
}

/* What a rank of a node of `ppn` ranks needs for `arrivals` bytes, and for what it sends. */
static int64_t scratch_of(const struct shunt_layout *layout, int64_t ppn, int64_t arrivals,
                          int64_t batch, int64_t capacity)
{
    const int64_t message = shunt_collect_message((int)ppn, capacity),
                  per_node = (layout->ppn_max + ppn - 1) / ppn;
    if (arrivals == INT64_MAX || message == INT64_MAX)
        return INT64_MAX;
    const int64_t distances = batch < layout->nodes - 1 ? batch : layout->nodes - 1;
    const int64_t leaving = times(times(distances, per_node), shunt_bundle_align(message));
    return leaving >= LIMIT ? INT64_MAX : arrivals + leaving;
}

int64_t shunt_collect_scratch(const struct shunt_layout *layout, int node, int64_t batch,
                              int64_t capacity)
{
    return scratch_of(layout, shunt_layout_ppn(layout, node),
                      shunt_collect_arrivals(layout, node, capacity), batch, capacity);
}

/* A node has what all nodes send but itself: added up once, for there may be thousands of both. */
int64_t shunt_collect_memory(const struct shunt_layout *layout, int64_t batch, int64_t capacity)
{
    int64_t most = 0, all = 0, last = 0;
    for (int n = 0; n < layout->nodes; n++) {
        const int64_t message = shunt_collect_message(shunt_layout_ppn(layout, n), capacity);
        if (message == INT64_MAX || all > LIMIT)
            return INT64_MAX;
        all += shunt_bundle_align(message);
    }
    for (int n = 0; n < layout->nodes; n++) {
        const int64_t ppn = shunt_layout_ppn(layout, n);
        if (ppn == last)
            continue;
        last = ppn;
        const int64_t own = shunt_bundle_align(shunt_collect_message((int)ppn, capacity)),
                      shared = shunt_shared_bytes(layout, n, 0, capacity),
                      scratch = scratch_of(layout, ppn, all - own, batch, capacity);
        if (shared == INT64_MAX || scratch == INT64_MAX)
            return INT64_MAX;
        const int64_t share = (shared + ppn - 1) / ppn + scratch;
        most = share > most ? share : most;
    }
    return most;
}
