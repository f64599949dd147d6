/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory: what the row of an algorithm says of it is never less than what the executor takes, for
 * every row, on layouts of all kinds, for blocks of all sizes. Decisions go by the first. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "algorithms/registry.h"
#include "execute/executor.h"
#include "execute/forward_state.h"
#include "execute/share_state.h"
#include "schedule/bundle.h"

/* Bytes of a block. */
static const int64_t blocks[] = {0,
                                 1,
                                 7,
                                 15,
                                 16,
                                 17,
                                 100,
                                 4096,
                                 65535,
                                 1 << 20,
                                 1 << 28,
                                 1 << 30,
                                 UINT32_MAX,
                                 INT64_C(1) << 33,
                                 INT64_C(1) << 40,
                                 INT64_C(1) << 48};
enum { BLOCKS = sizeof blocks / sizeof blocks[0] };

static void give_up(const struct shunt_plan *plan, const struct shunt_comm *comm, int64_t block,
                    int64_t taken, int64_t said)
{
    char radix[64];
    shunt_param_print(shunt_plan_params(plan), SHUNT_PARAM_RADIX, radix, sizeof radix);
    fail_msg("%s radix=%s P=%d N=%d Q=%d..%d, rank %d, blocks of %lld bytes: takes %lld bytes, the "
             "row says %lld",
             plan->entry.key.algorithm->name, radix, comm->layout.ranks, comm->layout.nodes,
             comm->layout.ppn_min, comm->layout.ppn_max, comm->rank, (long long)block,
             (long long)taken, (long long)said);
}

/* This rank's share of the memory of its node, and its scratch. Shared memory is never made for
 * blocks of less than SHUNT_CAPACITY_LEAST. */
static int64_t taken_of_node(const struct shunt_comm *comm, struct shunt_plan *plan, int64_t block)
{
    const struct shunt_layout *layout = &comm->layout;
    const enum shunt_kind kind = plan->entry.key.algorithm->kind;
    const int64_t radix = shunt_plan_params(plan)->value[SHUNT_PARAM_RADIX];
    const int64_t capacity = shunt_capacity_of(kind == SHUNT_KIND_READ ? 0 : block);
    const int64_t arriving =
        kind == SHUNT_KIND_SEGMENT && layout->nodes > 1
            ? shunt_node_messages_of(layout, 1, radix ? radix : layout->nodes).arriving
            : 0;
    const int64_t shared = shunt_shared_bytes(layout, comm->node.index, arriving, capacity);
    shunt_share_state(plan)->capacity = capacity;
    const int64_t scratch = plan->executor->scratch(comm, plan, block);
    if (shared == INT64_MAX || scratch > INT64_MAX / 2)
        return INT64_MAX;
    return (shared + comm->node.ppn - 1) / comm->node.ppn + scratch;
}

/* A rule with this cap takes blocks up to the size for which the row says no more than that. */
static void check_cap(const struct shunt_comm *comm, struct shunt_plan *plan, int64_t block,
                      int64_t cap)
{
    const struct shunt_algorithm *algorithm = plan->entry.key.algorithm;
    plan->memory_cap = cap;
    if (algorithm->kept)
        shunt_forward_state(plan)->kept =
            shunt_algorithm_kept(algorithm, &comm->layout, shunt_plan_params(plan), cap);
    const int64_t taken = shunt_kind_shares(algorithm->kind) ? taken_of_node(comm, plan, block)
                          : plan->executor->scratch ? plan->executor->scratch(comm, plan, block)
                                                    : 0;
    if (taken > cap)
        give_up(plan, comm, block, taken, cap);
}

static void check_rank(const struct shunt_algorithm *algorithm, const struct shunt_layout *layout,
                       const struct shunt_params *params, int rank)
{
    struct shunt_comm comm = {.rank = rank, .size = layout->ranks, .layout = *layout};
    comm.node.index = layout->node_of[rank];
    comm.node.local = layout->local_of[rank];
    comm.node.ppn = shunt_layout_ppn(layout, comm.node.index);
    const struct shunt_executor *executor = shunt_executor_of(algorithm->kind);
    struct shunt_plan *plan = calloc(1, sizeof *plan + executor->state_bytes);
    assert_non_null(plan);
    plan->executor = executor;
    plan->entry.key = (struct shunt_plan_key){.algorithm = algorithm, .params = *params};
    plan->memory_cap = INT64_MAX;
    if (algorithm->build)
        assert_int_equal(algorithm->build(&plan->schedule, layout, rank, params), 0);
    if (executor->prepare)
        assert_true(executor->prepare(&comm, plan));
    for (int b = 0; b < BLOCKS; b++) {
        const int64_t said = algorithm->memory ? algorithm->memory(layout, params, blocks[b]) : 0;
        if (said > INT64_MAX / 4)
            continue; /* no rule takes such calls, for no cap is as large */
        check_cap(&comm, plan, blocks[b], said);
        if (said < INT64_MAX / 4) /* more than is needed: other messages may be kept */
            check_cap(&comm, plan, blocks[b], said * 3 + 1000);
    }
    if (executor->release)
        executor->release(plan);
    shunt_schedule_clear(&plan->schedule);
    free(plan);
}

static struct shunt_params params_of(const struct shunt_algorithm *algorithm,
                                     const struct shunt_layout *layout, int64_t radix,
                                     int64_t batch, int64_t metadata)
{
    struct shunt_value given[SHUNT_VALUE_COUNT] = {{SHUNT_FORMULA_NUMBER, 0}};
    given[SHUNT_PARAM_RADIX].number = radix;
    given[SHUNT_PARAM_BATCH_SIZE].number = batch;
    given[SHUNT_PARAM_LEADERS].number = batch;
    given[SHUNT_PARAM_METADATA].number = metadata;
    return shunt_params_evaluate(algorithm,
                                 1U << SHUNT_PARAM_RADIX | 1U << SHUNT_PARAM_BATCH_SIZE |
                                     1U << SHUNT_PARAM_LEADERS | 1U << SHUNT_PARAM_METADATA,
                                 given, layout);
}

/* SHUNT_TEST_THIN=n: every n-th rank only, for slow machines: valgrind. */
static int thin(void)
{
    const char *text = getenv("SHUNT_TEST_THIN");
    const int step = text ? (int)strtol(text, NULL, 10) : 1;
    return step > 1 ? step : 1;
}

/* Every row with some values of its parameters, on all ranks. */
static void check_layout(struct shunt_layout *layout)
{
    static const int64_t radices[] = {2, 3, 5, 100}, batches[] = {1, 2, 1000};
    size_t count;
    const struct shunt_algorithm *const *rows = shunt_registry_rows(&count);
    layout->segment_block = INT64_MAX;
    layout->peer_read = true;
    for (size_t i = 0; i < count; i++) {
        const struct shunt_param_spec *specs = rows[i]->params;
        const bool batched = specs[SHUNT_PARAM_BATCH_SIZE].used || specs[SHUNT_PARAM_LEADERS].used;
        for (int r = 0; r < (specs[SHUNT_PARAM_RADIX].used ? 4 : 1); r++) {
            for (int b = 0; b < (batched ? 3 : 1); b++) {
                for (int m = 0; m < (specs[SHUNT_PARAM_METADATA].used ? 2 : 1); m++) {
                    const struct shunt_params params =
                        params_of(rows[i], layout, radices[r], batches[b], m);
                    if (rows[i]->infeasible && rows[i]->infeasible(layout, &params))
                        continue;
                    for (int rank = 0; rank < layout->ranks; rank += thin())
                        check_rank(rows[i], layout, &params, rank);
                }
            }
        }
    }
    shunt_layout_clear(layout);
}

static void one_node_takes_no_more_than_the_row_says(void **state)
{
    (void)state;
    for (int P = 1; P <= 40; P += P < 18 ? 1 : 5) {
        struct shunt_layout layout;
        assert_int_equal(shunt_layout_blocks(&layout, P, 1), 0);
        check_layout(&layout);
    }
}

static void equal_nodes_take_no_more_than_the_row_says(void **state)
{
    (void)state;
    for (int N = 2; N <= 9; N++) {
        for (int Q = 1; Q <= 6; Q += N < 4 ? 1 : 2) {
            struct shunt_layout layout;
            assert_int_equal(shunt_layout_blocks(&layout, N * Q, N), 0);
            check_layout(&layout);
        }
    }
}

static void unequal_nodes_take_no_more_than_the_row_says(void **state)
{
    (void)state;
    static const int sizes[][5] = {{3, 5, 8, 1}, {1, 7},    {8, 1, 1},       {2, 3},
                                   {5, 5, 4},    {1, 1, 6}, {4, 2, 7, 3, 1}, {1, 8, 1, 8}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (int cyclic = 0; cyclic < 2; cyclic++) {
            int keys[48], P = 0;
            for (int n = 0; n < 5; n++)
                for (int k = 0; k < sizes[i][n]; k++)
                    keys[P++] = n;
            for (int k = 0; cyclic && k < P; k++) { /* another order of ranks */
                const int other = k * 7 % P, key = keys[k];
                keys[k] = keys[other];
                keys[other] = key;
            }
            struct shunt_layout layout;
            assert_int_equal(shunt_layout_from_keys(&layout, P, keys), 0);
            check_layout(&layout);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_node_takes_no_more_than_the_row_says),
        cmocka_unit_test(equal_nodes_take_no_more_than_the_row_says),
        cmocka_unit_test(unequal_nodes_take_no_more_than_the_row_says),
    };
    return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
