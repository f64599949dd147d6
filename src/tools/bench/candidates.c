/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * candidates.c: what is compared. A routed candidate goes through the code of an application's
 * call, from the look at the arguments on, with a communicator state of its own; its agreement is
 * part of its time.
 */
#include <stdlib.h>
#include <string.h>

#include "comm/lifetime.h"
#include "execute/plan.h"
#include "intercept/intercept.h"
#include "route/words.h"
#include "tools/bench/candidates.h"
#include "tools/bench/fail.h"
#include "tools/bench/lower_bound.h"

void bench_candidate_open(struct bench_candidate *candidate,
                          const struct bench_selection *selection, MPI_Comm world)
{
    int error = MPI_SUCCESS;
    *candidate = (struct bench_candidate){.kind = BENCH_ROUTED, .selection = selection};
    candidate->comm = shunt_comm_open(world, selection->force, &error);
    bench_must(error, "setting a communicator up");
}

void bench_candidates_open(struct bench *bench)
{
    const struct bench_options *options = &bench->options;
    bench->candidates =
        bench_need(calloc((size_t)options->selection_count + 2, sizeof *bench->candidates));
    if (!options->plain || options->paired)
        bench->candidates[bench->candidate_count++].kind = BENCH_NATIVE;
    if (options->plain)
        bench->candidates[bench->candidate_count++].kind = BENCH_AS_IS;
    for (int i = 0; i < options->selection_count; i++)
        if (options->selections[i].algorithm->kind != SHUNT_KIND_NATIVE)
            bench_candidate_open(&bench->candidates[bench->candidate_count++],
                                 &options->selections[i], bench->world);
    if (options->lower_bound)
        bench->candidates[bench->candidate_count++].kind = BENCH_LOWER_BOUND;
}

void bench_candidates_close(struct bench *bench)
{
    for (int i = 0; i < bench->candidate_count; i++)
        shunt_comm_close(bench->candidates[i].comm);
    free(bench->candidates);
}

static const struct shunt_decision *decision_of(const struct bench_case *c,
                                                const struct bench_candidate *candidate)
{
    return shunt_map_find(&candidate->comm->map[c->op], c->largest);
}

/* The first obstacle of a candidate whose communicator has maps. */
static void explain(const struct bench_case *c, const struct bench_candidate *candidate,
                    char *reason, size_t capacity)
{
    const struct shunt_comm *comm = candidate->comm;
    const struct shunt_table *table = comm->force;
    if (table->rule_count[c->op] == 0)
        snprintf(reason, capacity, "does not serve %s", shunt_op_name(c->op));
    else if (shunt_rule_matches(table, &table->rules[table->rule_first[c->op]], c->op,
                                &comm->layout, comm->agreed.memory, c->largest, SHUNT_DENSITY_FULL,
                                reason, capacity))
        snprintf(reason, capacity, "not feasible");
}

/* An earlier candidate that is the same after evaluation of the parameters, or NULL. */
static const struct bench_candidate *same_before(const struct bench *bench,
                                                 const struct bench_case *c,
                                                 const struct bench_candidate *candidate,
                                                 const struct shunt_decision *decision)
{
    for (const struct bench_candidate *other = bench->candidates; other < candidate; other++) {
        if (other->kind != BENCH_ROUTED || other->comm->state != SHUNT_STATE_ROUTED)
            continue;
        const struct shunt_decision *theirs = decision_of(c, other);
        if (theirs->rule && theirs->algorithm == decision->algorithm &&
            memcmp(&theirs->params, &decision->params, sizeof theirs->params) == 0)
            return other;
    }
    return NULL;
}

/* "parlogna:radix=4:metadata=fused", of its name and parameters. */
static void join_name(struct bench_result *result)
{
    snprintf(result->text, sizeof result->text, "%s%s%s", result->name,
             result->params[0] ? ":" : "", result->params);
    for (char *blank = result->text; (blank = strchr(blank, ' '));)
        *blank = ':';
}

static bool routed_fits(const struct bench *bench, const struct bench_case *c,
                        const struct bench_candidate *candidate, struct bench_result *result)
{
    const char *text = candidate->selection->text, *colon = strchr(text, ':');
    snprintf(result->name, sizeof result->name, "%s", candidate->selection->algorithm->name);
    snprintf(result->params, sizeof result->params, "%s", colon ? colon + 1 : "");
    join_name(result);
    if (candidate->comm->state != SHUNT_STATE_ROUTED) {
        snprintf(result->reason, sizeof result->reason, "%s", candidate->comm->reason);
        return false;
    }
    const struct shunt_decision *decision = decision_of(c, candidate);
    if (!decision->rule) {
        explain(c, candidate, result->reason, sizeof result->reason);
        return false;
    }
    shunt_params_print(decision->algorithm, &decision->params, result->params,
                       sizeof result->params);
    const struct bench_candidate *same = same_before(bench, c, candidate, decision);
    if (same)
        snprintf(result->reason, sizeof result->reason, "the same as %s here",
                 same->selection->text);
    else
        join_name(result);
    return !same;
}

bool bench_candidate_fits(const struct bench *bench, const struct bench_case *c,
                          const struct bench_candidate *candidate, struct bench_result *result)
{
    static const char *const names[] = {"native", "", "lower-bound", "as-is"};
    result->candidate = candidate;
    if (candidate->kind == BENCH_ROUTED)
        return routed_fits(bench, c, candidate, result);
    snprintf(result->name, sizeof result->name, "%s", names[candidate->kind]);
    join_name(result);
    if (candidate->kind != BENCH_LOWER_BOUND)
        return true;
    if (bench->machine.nodes > 1)
        snprintf(result->reason, sizeof result->reason, "the lower bound is that of one node");
    else if (!bench_lower_bound_open(bench, c))
        snprintf(result->reason, sizeof result->reason,
                 "no shared memory for twice the bytes of the exchange");
    return result->reason[0] == '\0';
}

bool bench_candidate_runs(const struct bench_case *c, struct bench_result *result)
{
    const struct bench_candidate *candidate = result->candidate;
    if (candidate->kind != BENCH_ROUTED || c->largest == 0)
        return true;
    struct shunt_comm *comm = candidate->comm;
    const struct shunt_decision *decision =
        comm->state == SHUNT_STATE_ROUTED ? decision_of(c, candidate) : NULL;
    /* Without shared memory the decision is made anew. */
    const struct shunt_plan *plan =
        decision && decision->rule ? shunt_plan_known(comm, c->op, decision) : NULL;
    /* A route that needs no size has made its plan without one. */
    const bool sized = c->op == SHUNT_OP_ALLTOALL || comm->agrees[c->op];
    if (plan && plan->ready >= (sized ? c->largest : 0))
        return true;
    snprintf(result->reason, sizeof result->reason,
             "falls back to native: no memory for its buffers, or blocks it cannot take");
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
        return PMPI_Alltoall(c->send, (int)c->largest, MPI_BYTE, c->recv, (int)c->largest, MPI_BYTE,
                             c->world);
    return PMPI_Alltoallv(c->send, c->send_counts, c->send_displs, MPI_BYTE, c->recv,
                          c->recv_counts, c->recv_displs, MPI_BYTE, c->world);
}

/* Under whatever is preloaded. */
static int plain_call(const struct bench_case *c)
{
    if (c->op == SHUNT_OP_ALLTOALL)
        return MPI_Alltoall(c->send, (int)c->largest, MPI_BYTE, c->recv, (int)c->largest, MPI_BYTE,
                            c->world);
    return MPI_Alltoallv(c->send, c->send_counts, c->send_displs, MPI_BYTE, c->recv, c->recv_counts,
                         c->recv_displs, MPI_BYTE, c->world);
}

void bench_candidate_call(const struct bench_candidate *candidate, const struct bench_case *c)
{
    switch (candidate->kind) {
    case BENCH_NATIVE:
        bench_must(native_call(c), "the native exchange");
        break;
    case BENCH_ROUTED:
        bench_must(routed_call(candidate->comm, c), candidate->selection->text);
        break;
    case BENCH_LOWER_BOUND:
        bench_lower_bound_call(c);
        break;
    case BENCH_AS_IS:
        bench_must(plain_call(c), "the exchange");
        break;
    }
}
