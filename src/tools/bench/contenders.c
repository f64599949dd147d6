/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * contenders.c: what is compared. A routed contender goes through the code of an application's call, from the look at the arguments on,
 * with a communicator state of its own; its agreement is part of its time.
 */
#include <stdlib.h>
#include <string.h>

#include "communicator/lifetime.h"
#include "intercept/intercept.h"
#include "route/words.h"
#include "tools/bench/contenders.h"
#include "tools/bench/fail.h"
#include "tools/bench/floor.h"

static void open_routed(struct bench_contender *contender, const struct bench_candidate *candidate)
{
    int error = MPI_SUCCESS;
    *contender = (struct bench_contender){.kind = BENCH_ROUTED, .candidate = candidate};
    contender->comm = shunt_comm_open(MPI_COMM_WORLD, candidate->force, &error);
    bench_must(error, "setting a communicator up");
}

void bench_contenders_open(struct bench *bench)
{
    const struct bench_options *options = &bench->options;
    bench->contenders = bench_need(calloc((size_t)options->candidate_count + 2, sizeof *bench->contenders));
    if (!options->plain || options->paired)
        bench->contenders[bench->contender_count++].kind = BENCH_NATIVE;
    if (options->plain)
        bench->contenders[bench->contender_count++].kind = BENCH_AS_IS;
    for (int i = 0; i < options->candidate_count; i++)
        if (options->candidates[i].algorithm->kind != SHUNT_KIND_NATIVE)
            open_routed(&bench->contenders[bench->contender_count++], &options->candidates[i]);
    if (options->floor)
        bench->contenders[bench->contender_count++].kind = BENCH_FLOOR;
}

void bench_contenders_close(struct bench *bench)
{
    for (int i = 0; i < bench->contender_count; i++)
        shunt_comm_close(bench->contenders[i].comm);
    free(bench->contenders);
}

static const struct shunt_decision *decision_of(const struct bench_case *c, const struct bench_contender *contender)
{
    return shunt_map_find(&contender->comm->map[c->op], c->largest);
}

/* The first obstacle of a contender whose communicator has maps. */
static void explain(const struct bench_case *c, const struct bench_contender *contender, char *reason, size_t room)
{
    const struct shunt_comm *comm = contender->comm;
    const struct shunt_table *table = comm->force;
    if (table->rule_count[c->op] == 0)
        snprintf(reason, room, "does not serve %s", shunt_op_name(c->op));
    else if (shunt_rule_matches(table, &table->rules[table->rule_first[c->op]], c->op, &comm->layout, comm->agreed.memory, c->largest,
                                reason, room))
        snprintf(reason, room, "not feasible");
}

/* An earlier contender that is the same after evaluation of the parameters, or NULL. */
static const struct bench_contender *same_before(const struct bench *bench, const struct bench_case *c,
                                                 const struct bench_contender *contender, const struct shunt_decision *decision)
{
    for (const struct bench_contender *other = bench->contenders; other < contender; other++) {
        if (other->kind != BENCH_ROUTED || other->comm->stage != SHUNT_STAGE_ROUTED)
            continue;
        const struct shunt_decision *theirs = decision_of(c, other);
        if (theirs->rule && theirs->algorithm == decision->algorithm &&
            memcmp(&theirs->params, &decision->params, sizeof theirs->params) == 0)
            return other;
    }
    return NULL;
}

static bool routed_fits(const struct bench *bench, const struct bench_case *c, const struct bench_contender *contender,
                        struct bench_result *result)
{
    const char *text = contender->candidate->text, *colon = strchr(text, ':');
    snprintf(result->name, sizeof result->name, "%s", contender->candidate->algorithm->name);
    snprintf(result->params, sizeof result->params, "%s", colon ? colon + 1 : "");
    if (contender->comm->stage != SHUNT_STAGE_ROUTED) {
        snprintf(result->reason, sizeof result->reason, "%s", contender->comm->reason);
        return false;
    }
    const struct shunt_decision *decision = decision_of(c, contender);
    if (!decision->rule) {
        explain(c, contender, result->reason, sizeof result->reason);
        return false;
    }
    shunt_params_print(decision->algorithm, &decision->params, result->params, sizeof result->params);
    const struct bench_contender *same = same_before(bench, c, contender, decision);
    if (same)
        snprintf(result->reason, sizeof result->reason, "the same as %s here", same->candidate->text);
    return !same;
}

bool bench_contender_fits(const struct bench *bench, const struct bench_case *c, const struct bench_contender *contender,
                          struct bench_result *result)
{
    static const char *const names[] = {"native", "", "floor", "as-is"};
    result->contender = contender;
    if (contender->kind == BENCH_ROUTED)
        return routed_fits(bench, c, contender, result);
    snprintf(result->name, sizeof result->name, "%s", names[contender->kind]);
    if (contender->kind != BENCH_FLOOR)
        return true;
    if (bench->machine.nodes > 1)
        snprintf(result->reason, sizeof result->reason, "the floor is that of one node");
    else if (!bench_floor_open(bench, c))
        snprintf(result->reason, sizeof result->reason, "no shared memory for twice the bytes of the exchange");
    return result->reason[0] == '\0';
}

bool bench_contender_runs(const struct bench_case *c, struct bench_result *result)
{
    const struct bench_contender *contender = result->contender;
    if (contender->kind != BENCH_ROUTED || c->largest == 0)
        return true;
    const struct shunt_comm *comm = contender->comm;
    const struct shunt_decision *decision = comm->stage == SHUNT_STAGE_ROUTED ? decision_of(c, contender) : NULL;
    /* Without shared memory the decision is made anew. */
    const struct shunt_plan *plan = decision && decision->rule ? comm->plans[c->op][decision - comm->map[c->op].decisions] : NULL;
    /* A route that needs no size has made its plan without one. */
    const bool sized = c->op == SHUNT_OP_ALLTOALL || comm->agrees[c->op];
    if (plan && plan->ready >= (sized ? c->largest : 0))
        return true;
    snprintf(result->reason, sizeof result->reason, "falls back to native: no memory for its buffers, or blocks it cannot take");
    return false;
}

static int routed_call(struct shunt_comm *comm, const struct bench_case *c)
{
    struct shunt_exchange x = {.op = c->op, .comm = comm};
    x.send = (struct shunt_side){.buffer = c->send, .count = c->largest, .type = MPI_BYTE};
    x.recv = (struct shunt_side){.buffer = c->recv, .count = c->largest, .type = MPI_BYTE};
    if (c->op == SHUNT_OP_ALLTOALLV) {
        x.send.counts = c->send_counts;
        x.send.displs = c->send_displs;
        x.recv.counts = c->recv_counts;
        x.recv.displs = c->recv_displs;
    }
    return shunt_dispatch(&x);
}

static int native_call(const struct bench_case *c)
{
    if (c->op == SHUNT_OP_ALLTOALL)
        return PMPI_Alltoall(c->send, (int)c->largest, MPI_BYTE, c->recv, (int)c->largest, MPI_BYTE, MPI_COMM_WORLD);
    return PMPI_Alltoallv(c->send, c->send_counts, c->send_displs, MPI_BYTE, c->recv, c->recv_counts, c->recv_displs, MPI_BYTE,
                          MPI_COMM_WORLD);
}

/* Under whatever is preloaded. */
static int plain_call(const struct bench_case *c)
{
    if (c->op == SHUNT_OP_ALLTOALL)
        return MPI_Alltoall(c->send, (int)c->largest, MPI_BYTE, c->recv, (int)c->largest, MPI_BYTE, MPI_COMM_WORLD);
    return MPI_Alltoallv(c->send, c->send_counts, c->send_displs, MPI_BYTE, c->recv, c->recv_counts, c->recv_displs, MPI_BYTE,
                         MPI_COMM_WORLD);
}

void bench_contender_call(const struct bench_contender *contender, const struct bench_case *c)
{
    switch (contender->kind) {
    case BENCH_NATIVE:
        bench_must(native_call(c), "the native exchange");
        break;
    case BENCH_ROUTED:
        bench_must(routed_call(contender->comm, c), contender->candidate->text);
        break;
    case BENCH_FLOOR:
        bench_floor_call(c);
        break;
    case BENCH_AS_IS:
        bench_must(plain_call(c), "the exchange");
        break;
    }
}
