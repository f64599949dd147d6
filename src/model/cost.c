/* SPDX-License-Identifier: BSD-3-Clause */
/* cost.c: what a call costs, from its program and from running it. */
#include "model/cost.h"

#include "model/program.h"
#include "model/run.h"
#include "model/symmetry.h"

const char *shunt_cost_method_name(enum shunt_cost_method method)
{
    return method == SHUNT_COST_EXACT ? "exact" : "symmetric";
}

static int64_t times(int64_t a, int64_t b)
{
    int64_t product;
    return __builtin_mul_overflow(a, b, &product) ? INT64_MAX : product;
}

/* Where the library is asked, what it does then: the call itself, or, with padded blocks and a byte
 * more in each (src/execute/padded.c), its MPI_Alltoall between two copies. */
static struct shunt_program_call resolve(const struct shunt_cost_call *cost,
                                         struct shunt_params *params)
{
    struct shunt_program_call call = {.cost = cost, .call = cost->call};
    struct shunt_event_call *c = &call.call;
    if (c->algorithm->build)
        return call;
    if (c->algorithm->kind == SHUNT_KIND_LIBRARY && c->block > 0) {
        c->op = SHUNT_OP_ALLTOALL;
        c->block += c->block < INT64_MAX;
        call.around = (uint64_t)c->layout->ranks - 1;
    }
    c->algorithm = shunt_cost_native(params, cost->machine, c->op, c->layout, c->block);
    c->params = params;
    return call;
}

static double dynamic_energy(const struct shunt_machine *machine, enum shunt_level level,
                             uint64_t messages, int64_t bytes)
{
    const struct shunt_link *link = &machine->link[level];
    return (double)messages * link->message_energy + (double)bytes * link->byte_energy;
}

/* Messages and bytes of all ranks, of which the program has those of one node or all. */
static void add_messages(struct shunt_cost *cost, const struct shunt_cost_call *call,
                         const struct shunt_program *program)
{
    const int copies = call->call.layout->ranks / program->period;
    for (enum shunt_level level = 0; level < SHUNT_LEVEL_COUNT; level++) {
        const uint64_t messages = program->messages[level] * (uint64_t)copies;
        const int64_t bytes = times(program->bytes[level], copies);
        cost->messages += messages;
        cost->bytes = bytes > INT64_MAX - cost->bytes ? INT64_MAX : cost->bytes + bytes;
        cost->dynamic_energy += dynamic_energy(call->machine, level, messages, bytes);
        if (level == SHUNT_LEVEL_BETWEEN) {
            cost->remote_messages = messages;
            cost->remote_bytes = bytes;
        }
    }
    cost->rounds = program->rounds;
    cost->descriptors = times(call->machine->descriptor, program->most_sends);
}

static void add_energy(struct shunt_cost *cost, const struct shunt_cost_call *call)
{
    const struct shunt_machine *m = call->machine;
    const double cards =
        m->power == SHUNT_POWER_CARD ? (double)call->call.layout->nodes * (double)m->cards : 1;
    cost->energy = cost->dynamic_energy + m->static_power * cards * cost->time;
}

static enum shunt_cost_result predict(struct shunt_cost *cost, const struct shunt_cost_call *call,
                                      const struct shunt_program_call *resolved)
{
    const struct shunt_event_call *asked = &call->call;
    struct shunt_program program = {0};
    struct shunt_program_call known = *resolved;
    struct shunt_symmetry symmetry = {0};
    enum shunt_cost_result result =
        shunt_symmetry_find(&symmetry, resolved) ? SHUNT_COST_MEMORY : SHUNT_COST_OK;
    known.symmetry = &symmetry;
    if (result == SHUNT_COST_OK)
        result = shunt_program_build(&program, &known);
    if (result == SHUNT_COST_OK)
        result = shunt_run(&cost->time, &program, call->machine, asked->layout, NULL);
    if (result == SHUNT_COST_OK) {
        add_messages(cost, call, &program);
        add_energy(cost, call);
        cost->method =
            symmetry.period < asked->layout->ranks ? SHUNT_COST_SYMMETRIC : SHUNT_COST_EXACT;
        if (asked->algorithm->memory)
            cost->memory = asked->algorithm->memory(asked->layout, asked->params, asked->block);
    }
    shunt_program_clear(&program);
    shunt_symmetry_clear(&symmetry);
    return result;
}

/* Whether bundles have more bytes than a number can say. Only direct exchanges may get so far, for
 * these need no memory. */
static bool is_beyond_numbers(const struct shunt_event_call *call)
{
    enum { HEADERS = 64 }; /* of a block, at most */
    const double all = (double)call->layout->ranks * (double)call->layout->ppn_max;
    return shunt_kind_shares(call->algorithm->kind) &&
           all * ((double)call->block + HEADERS) > (double)(INT64_C(1) << 62);
}

enum shunt_cost_result shunt_cost_predict(struct shunt_cost *cost,
                                          const struct shunt_cost_call *call)
{
    struct shunt_params params;
    struct shunt_event_sizes sizes = {0};
    struct shunt_program_call resolved = resolve(call, &params);
    enum shunt_cost_result result = SHUNT_COST_OK;
    *cost = (struct shunt_cost){0};
    if (is_beyond_numbers(&resolved.call))
        return SHUNT_COST_LARGE;
    /* Padded blocks are all equal again. */
    if (call->counts && call->call.algorithm->kind != SHUNT_KIND_LIBRARY) {
        resolved.sizes = &sizes;
        if (shunt_event_sizes_prepare(&sizes, &resolved.call, call->counts))
            result = SHUNT_COST_MEMORY;
    }
    if (result == SHUNT_COST_OK)
        result = predict(cost, call, &resolved);
    shunt_event_sizes_clear(&sizes);
    return result;
}
