/* SPDX-License-Identifier: BSD-3-Clause */
/* Sizes of what ranks share inside nodes and send between them, against layouts built block by
 * block. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "algorithms/registry.h"
#include "events/events.h"
#include "schedule/bundle.h"

/* Bytes of a chunk of `ppn` blocks, as an executor lays it out. */
static int64_t chunk(int ppn, int64_t block)
{
    const int64_t ends = 4 * ((int64_t)ppn + 1), blocks = ppn * block;
    return (ends + 7) / 8 * 8 + (blocks + 7) / 8 * 8;
}

static int64_t area(const struct shunt_layout *layout, int64_t block)
{
    int64_t bytes = 8 * ((int64_t)layout->nodes + 1);
    for (int n = 0; n < layout->nodes; n++)
        bytes += chunk(shunt_layout_ppn(layout, n), block);
    return bytes;
}

static void check(const struct shunt_layout *layout, int64_t capacity)
{
    assert_true(shunt_area_bytes(layout, capacity) >= area(layout, capacity));
    assert_int_equal(shunt_area_bytes(layout, capacity) % 64, 0);
    for (int n = 0; n < layout->nodes; n++) {
        const int to = shunt_layout_ppn(layout, n);
        const int64_t bundle =
            64 + (4 * (int64_t)layout->ppn_max + 7) / 8 * 8 + layout->ppn_max * chunk(to, capacity);
        assert_true(shunt_bundle_most(layout->ppn_max, to, capacity) >= bundle);
    }
}

static void every_block_has_its_room(void **state)
{
    (void)state;
    for (int P = 1; P <= 40; P++) {
        for (int N = 1; N <= P; N++) {
            struct shunt_layout layout;
            assert_int_equal(shunt_layout_blocks(&layout, P, N), 0);
            for (int64_t capacity = 1; capacity < 5000; capacity = capacity * 3 + 1)
                check(&layout, capacity);
            shunt_layout_clear(&layout);
        }
    }
}

/* What is copied in part by part: the node itself first, then, as parlinna_shared.c sends, those
 * before it; each of them once, and in time for its round. */
static void copied_in_once(const struct shunt_layout *layout, int node, int64_t batch,
                           int64_t parts)
{
    const int N = layout->nodes;
    const uint32_t rounds = (uint32_t)((N - 1 + batch - 1) / batch),
                   ahead = shunt_collect_ahead(rounds, parts);
    int next = 0, ranks = 0;
    assert_true(ahead >= 1 && ahead * parts >= rounds);
    for (uint32_t i = 0; i == 0 || ahead + i <= rounds; i++) {
        const struct shunt_node_range nodes = shunt_collect_nth(layout, node, batch, ahead, i);
        for (int k = nodes.count - 1; k >= 0; k--, next++) /* the nearest is the last */
            assert_int_equal((nodes.first + k) % N, (node - next + N) % N);
        ranks += shunt_node_range_ranks(layout, nodes);
        const int64_t due = (ahead + i) * batch; /* distances of rounds 0..ahead+i-1 */
        assert_int_equal(next, due < N - 1 ? due + 1 : N);
    }
    assert_int_equal(next, N);
    assert_int_equal(ranks, layout->ranks);
    assert_int_equal(shunt_collect_nodes(layout, node, batch, rounds, rounds + 3).count,
                     rounds == 0 ? 1 : 0);
}

static void parts_have_every_node_once(void **state)
{
    (void)state;
    for (int N = 1; N <= 12; N++) {
        struct shunt_layout layout;
        assert_int_equal(shunt_layout_blocks(&layout, 3 * N - 1, N), 0);
        for (int node = 0; node < N; node++)
            for (int64_t batch = 1; batch <= N; batch++)
                for (int64_t parts = 1; parts <= N; parts++)
                    copied_in_once(&layout, node, batch, parts);
        shunt_layout_clear(&layout);
    }
}

/* Bundles that arrive at a node: one per digit of each offset that is not 0. */
static void passing_bundles_are_counted(void **state)
{
    (void)state;
    for (int N = 1; N <= 64; N++) {
        struct shunt_layout layout;
        assert_int_equal(shunt_layout_blocks(&layout, N, N), 0);
        for (int64_t radix = 2; radix <= N; radix++) {
            int64_t hops = 0;
            for (int64_t o = 1; o < N; o++)
                for (int64_t rest = o; rest > 0; rest /= radix)
                    hops += rest % radix != 0;
            const struct shunt_node_messages messages = shunt_node_messages_of(&layout, 1, radix);
            assert_int_equal(messages.arriving, radix >= N ? N - 1 : hops);
            assert_true(messages.leaving >= 1 && messages.leaving < N);
        }
        shunt_layout_clear(&layout);
    }
}

static void memory_never_decreases_and_overflows_to_the_largest(void **state)
{
    (void)state;
    struct shunt_layout layout;
    assert_int_equal(shunt_layout_blocks(&layout, 64, 8), 0);
    const struct shunt_algorithm *algorithm = shunt_registry_find("node-pair");
    const struct shunt_params params = shunt_params_evaluate(algorithm, 0, NULL, &layout);
    int64_t before = 0;
    for (int64_t block = 0; block < INT64_MAX / 4; block = block * 2 + 1) {
        const int64_t bytes = algorithm->memory(&layout, &params, block);
        assert_true(bytes >= before);
        before = bytes;
    }
    assert_true(before == INT64_MAX);
    layout.segment_block = 100;
    assert_true(algorithm->memory(&layout, &params, 100) < INT64_MAX);
    assert_true(algorithm->memory(&layout, &params, 101) == INT64_MAX);
    assert_null(algorithm->infeasible(&layout, &params));
    layout.segment_block = -1;
    assert_non_null(algorithm->infeasible(&layout, &params));
    shunt_layout_clear(&layout);
}

/* A call of node-pair on nodes of so many ranks, in blocks or dealt in turn. */
struct shared_call {
    struct shunt_layout layout;
    struct shunt_params params;
    struct shunt_event_call call;
    struct shunt_events events[48];
};

static void make_call(struct shared_call *c, const int *sizes, int nodes, bool cyclic, int leaders)
{
    const struct shunt_algorithm *row = shunt_registry_find("node-pair");
    struct shunt_value given[SHUNT_VALUE_COUNT] = {{SHUNT_FORMULA_NUMBER, 0}};
    int ranks = 0;
    for (int n = 0; n < nodes; n++)
        ranks += sizes[n];
    assert_true(ranks >= 1 && ranks <= 48);
    assert_int_equal(shunt_layout_blocks(&c->layout, ranks, 1), 0);
    assert_int_equal(shunt_layout_subdivide(&c->layout, sizes, nodes, cyclic), 0);
    assert_int_equal(c->layout.nodes, nodes);
    given[SHUNT_PARAM_LEADERS].number = leaders;
    c->params = shunt_params_evaluate(row, 1U << SHUNT_PARAM_LEADERS, given, &c->layout);
    c->call =
        (struct shunt_event_call){.algorithm = row, .layout = &c->layout, .params = &c->params};
}

static void build_call(struct shared_call *c, enum shunt_op op, int64_t block)
{
    c->call.op = op;
    c->call.block = block;
    c->call.agrees = op == SHUNT_OP_ALLTOALLV;
    for (int p = 0; p < c->layout.ranks; p++)
        assert_int_equal(shunt_events_build(&c->events[p], &c->call, p), 0);
}

static void clear_call(struct shared_call *c)
{
    for (int p = 0; p < c->layout.ranks; p++)
        shunt_events_clear(&c->events[p]);
}

/* What a rank sends to another, or receives from it. */
struct told {
    int messages;
    int64_t blocks, bytes;
};

static struct told told(const struct shared_call *c, int rank, enum shunt_event_kind kind, int peer)
{
    struct told t = {0, 0, 0};
    for (size_t i = 0; i < c->events[rank].count; i++) {
        const struct shunt_event *e = &c->events[rank].event[i];
        if (e->kind != kind || (peer >= 0 && e->peer != peer))
            continue;
        t.messages++;
        t.blocks += (int64_t)e->blocks;
        t.bytes += e->bytes;
    }
    return t;
}

/* Messages between two nodes carry all blocks once, each side tells the same of them, and no header
 * is missing. Returns their number. */
static int check_pair(const struct shared_call *c, int from, int to)
{
    const int sources = shunt_layout_ppn(&c->layout, from),
              targets = shunt_layout_ppn(&c->layout, to);
    int messages = 0;
    int64_t blocks = 0, bytes = 0;
    for (int a = 0; a < sources; a++)
        for (int b = 0; b < targets; b++) {
            const int source = shunt_layout_rank(&c->layout, from, a),
                      target = shunt_layout_rank(&c->layout, to, b);
            const struct told sent = told(c, source, SHUNT_EVENT_SEND, target),
                              received = told(c, target, SHUNT_EVENT_RECEIVE, source);
            assert_int_equal(sent.messages, received.messages);
            assert_int_equal(sent.blocks, received.blocks);
            assert_int_equal(sent.bytes, received.bytes);
            messages += sent.messages;
            blocks += sent.blocks;
            bytes += sent.bytes;
        }
    assert_int_equal(blocks, sources * targets);
    assert_true(bytes >= blocks * c->call.block);
    if (c->call.op == SHUNT_OP_ALLTOALL)
        assert_int_equal(bytes, blocks * c->call.block);
    return messages;
}

/* So many messages for each pair of nodes, and none of more than its part of the blocks. */
static void check_shared(const int *sizes, int nodes, bool cyclic, int leaders, int parts)
{
    static struct shared_call c;
    make_call(&c, sizes, nodes, cyclic, leaders);
    assert_int_equal(shunt_bundle_parts(&c.layout, leaders), parts);
    for (int op = SHUNT_OP_ALLTOALL; op <= SHUNT_OP_ALLTOALLV; op++) {
        build_call(&c, (enum shunt_op)op, 100);
        for (int from = 0; from < nodes; from++)
            for (int to = 0; to < nodes; to++)
                if (to != from)
                    assert_int_equal(check_pair(&c, from, to), parts);
        for (int p = 0; p < c.layout.ranks; p++) {
            const struct told sent = told(&c, p, SHUNT_EVENT_SEND, -1);
            const int ppn = shunt_layout_ppn(&c.layout, c.layout.node_of[p]),
                      most = (ppn + parts - 1) / parts * c.layout.ppn_max;
            if (parts > 1 && sent.messages > 1)
                fail_msg("rank %d sends %d messages", p, sent.messages);
            assert_true(sent.blocks <= (int64_t)sent.messages * most);
        }
        clear_call(&c);
    }
    shunt_layout_clear(&c.layout);
}

static void leaders_share_the_bundles_of_few_nodes(void **state)
{
    (void)state;
    check_shared((const int[]){4, 4}, 2, false, 4, 4);
    check_shared((const int[]){4, 4}, 2, true, 4, 4);
    check_shared((const int[]){4, 4, 4}, 3, false, 4, 2);
    check_shared((const int[]){8, 8}, 2, false, 3, 3); /* parts of 2, 3 and 3 ranks */
    check_shared((const int[]){8, 8}, 2, false, 1000, 8);
    check_shared((const int[]){3, 7}, 2, false, 4, 3); /* as many as the smaller node has */
    check_shared((const int[]){7, 1}, 2, false, 4, 1);
    check_shared((const int[]){2, 6, 6}, 3, true, 4, 1);
    check_shared((const int[]){5, 4, 6}, 3, false, 5, 2);
    check_shared((const int[]){8, 8, 8}, 3, false, 7, 3); /* the last leader has nothing to do */
}

/* As ever: the i-th other node down is that of leader i, modulo their number. */
static void few_leaders_share_the_nodes(const int *sizes, int nodes, int leaders)
{
    static struct shared_call c;
    make_call(&c, sizes, nodes, false, leaders);
    assert_int_equal(shunt_bundle_parts(&c.layout, leaders), 1);
    build_call(&c, SHUNT_OP_ALLTOALL, 8);
    for (int from = 0; from < nodes; from++)
        for (int i = 0; i < nodes - 1; i++) {
            const int to = (from - 1 - i + nodes) % nodes, here = sizes[from], there = sizes[to];
            const int a = i % (leaders < here ? leaders : here),
                      b = i % (leaders < there ? leaders : there);
            const struct told sent = told(&c, shunt_layout_rank(&c.layout, from, a),
                                          SHUNT_EVENT_SEND, shunt_layout_rank(&c.layout, to, b));
            assert_int_equal(sent.messages, 1);
            assert_int_equal(sent.blocks, here * there);
        }
    clear_call(&c);
    shunt_layout_clear(&c.layout);
}

static void few_leaders_send_what_they_sent(void **state)
{
    (void)state;
    for (int leaders = 1; leaders <= 3; leaders++)
        few_leaders_share_the_nodes((const int[]){4, 4, 4, 4}, 4, leaders);
    for (int leaders = 1; leaders <= 8; leaders++)
        few_leaders_share_the_nodes((const int[]){3, 5, 8, 1, 2, 4, 6, 4, 3}, 9, leaders);
    few_leaders_share_the_nodes((const int[]){4, 4}, 2, 1);
    few_leaders_share_the_nodes((const int[]){4, 4, 4, 4}, 4, 4); /* not twice as many */
}

/* In the half of a segment: a header for each part of each node's bundle, and the parts, each at a
 * place of its own. */
static void parts_have_their_room(void **state)
{
    (void)state;
    for (int P = 2; P <= 48; P++)
        for (int N = 2; N <= P; N++) {
            struct shunt_layout layout;
            assert_int_equal(shunt_layout_blocks(&layout, P, N), 0);
            const int nodes = layout.nodes; /* the last may have had no rank left */
            const int64_t capacity = 100, room = shunt_arrivals_bytes(&layout, nodes - 1, capacity);
            for (int leaders = 1; leaders <= layout.ppn_max + 1; leaders++) {
                const int parts = shunt_bundle_parts(&layout, leaders);
                int64_t bytes = 0;
                assert_true(shunt_arrival_headers(&layout) >=
                            (int64_t)nodes * parts * SHUNT_BUNDLE_HEADER);
                for (int n = 1; n < nodes; n++)
                    for (int part = 0; part < parts; part++) {
                        const struct shunt_bundle_range r =
                            shunt_bundle_range(shunt_layout_ppn(&layout, n), parts, part);
                        assert_true(r.last > r.first);
                        bytes += shunt_bundle_align(shunt_bundle_most(
                            r.last - r.first, shunt_layout_ppn(&layout, 0), capacity));
                    }
                assert_true(bytes <= room);
            }
            shunt_layout_clear(&layout);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_block_has_its_room),
        cmocka_unit_test(parts_have_every_node_once),
        cmocka_unit_test(passing_bundles_are_counted),
        cmocka_unit_test(leaders_share_the_bundles_of_few_nodes),
        cmocka_unit_test(few_leaders_send_what_they_sent),
        cmocka_unit_test(parts_have_their_room),
        cmocka_unit_test(memory_never_decreases_and_overflows_to_the_largest),
    };
    return cmocka_run_group_tests_name("bundle", tests, NULL, NULL);
}
