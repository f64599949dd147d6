/* SPDX-License-Identifier: BSD-3-Clause */
/* executor.c: which executor carries out which kind of algorithm. */
#include "execute/executor.h"

static int run_native(struct shunt_exchange *x, struct shunt_plan *plan)
{
    (void)plan;
    return shunt_exchange_native(x);
}

const struct shunt_executor shunt_executor_native = {.run = run_native};

const struct shunt_executor *shunt_executor_of(enum shunt_kind kind)
{
    static const struct shunt_executor *const executors[] = {
        [SHUNT_KIND_NATIVE] = &shunt_executor_native,
        [SHUNT_KIND_DIRECT] = &shunt_executor_direct,
        [SHUNT_KIND_SEGMENT] = &shunt_executor_segment,
        [SHUNT_KIND_COLLECT] = &shunt_executor_collect,
        [SHUNT_KIND_READ] = &shunt_executor_read,
        [SHUNT_KIND_FORWARD] = &shunt_executor_forward,
        [SHUNT_KIND_PADDED] = &shunt_executor_padded,
        [SHUNT_KIND_LIBRARY] = &shunt_executor_library,
        [SHUNT_KIND_DATATYPE] = &shunt_executor_datatype,
    };
    return executors[kind];
}

size_t shunt_executor_requests(const struct shunt_plan *plan, int64_t block)
{
    const struct shunt_schedule *s = &plan->schedule;
    const int64_t longest = block + SHUNT_LENGTH_FUSED;
    const int64_t bytes = shunt_reserve_bytes(s->max_round_send, longest) +
                          shunt_reserve_bytes(s->max_round_recv, longest);
    return 2 * (size_t)s->max_round_steps + (size_t)(bytes / SHUNT_MESSAGE_MAX) + 2;
}
