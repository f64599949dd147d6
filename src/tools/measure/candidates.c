/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * candidates.c: what is compared. A routed candidate goes through the code of an application's
 * call, from the look at the arguments on, with a communicator state of its own; its agreement is
 * part of its time.
 */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "comm/lifetime.h"
#include "execute/plan.h"
#include "intercept/intercept.h"
#include "route/words.h"
#include "tools/measure/exchange.h"
#include "tools/measure/program.h"

void measure_candidate_open(struct measure_candidate *candidate, const struct measure_world *world,
                            const char *text, const struct shunt_table *table)
{
    int error = MPI_SUCCESS;
    *candidate = (struct measure_candidate){.kind = MEASURE_ROUTED, .text = text};
    candidate->comm = shunt_comm_open(world->comm, table, &error);
    measure_must(error, "setting a communicator up");
}

static const struct shunt_decision *decision_of(const struct measure_case *c,
                                                const struct measure_candidate *candidate)
{
    return shunt_map_find(&candidate->comm->map[c->op], c->largest);
}

/* The first obstacle of a candidate whose communicator has maps. */
static void explain(const struct measure_case *c, const struct measure_candidate *candidate,
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

/* A candidate before `last` that is the same after evaluation of the parameters, or NULL. */
static const struct measure_candidate *same_before(const struct measure_case *c,
                                                   const struct measure_candidate *candidates,
                                                   int last, const struct shunt_decision *decision)
{
    for (int i = 0; i < last; i++) {
        const struct measure_candidate *other = &candidates[i];
        if (other->kind != MEASURE_ROUTED || other->comm->state != SHUNT_STATE_ROUTED)
            continue;
        const struct shunt_decision *theirs = decision_of(c, other);
        if (theirs->rule && theirs->algorithm == decision->algorithm &&
            memcmp(&theirs->params, &decision->params, sizeof theirs->params) == 0)
            return other;
    }
    return NULL;
}

/* "parlogna:radix=4:metadata=fused", of its name and parameters. */
static void join_name(struct measure_result *result)
{
    snprintf(result->text, sizeof result->text, "%s%s%s", result->name,
             result->params[0] ? ":" : "", result->params);
    for (char *blank = result->text; (blank = strchr(blank, ' '));)
        *blank = ':';
}

static bool routed_fits(const struct measure_case *c, const struct measure_candidate *candidates,
                        int index, struct measure_result *result)
{
    const struct measure_candidate *candidate = &candidates[index];
    const char *text = candidate->text, *colon = strchr(text, ':');
    snprintf(result->name, sizeof result->name, "%.*s", (int)strcspn(text, ":"), text);
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
    const struct measure_candidate *same = same_before(c, candidates, index, decision);
    if (same)
        snprintf(result->reason, sizeof result->reason, "the same as %s here", same->text);
    else
        join_name(result);
    return !same;
}

bool measure_candidate_fits(const struct measure_case *c,
                            const struct measure_candidate *candidates, int index,
                            struct measure_result *result)
{
    static const char *const names[] = {"native", "", "lower-bound", "as-is"};
    const struct measure_candidate *candidate = result->candidate = &candidates[index];
    if (candidate->kind == MEASURE_ROUTED)
        return routed_fits(c, candidates, index, result);
    snprintf(result->name, sizeof result->name, "%s", names[candidate->kind]);
    join_name(result);
    if (candidate->kind != MEASURE_LOWER_BOUND)
        return true;
    if (c->world->facts->nodes.count > 1)
        snprintf(result->reason, sizeof result->reason, "the lower bound is that of one node");
    else if (!measure_lower_bound_open(c))
        snprintf(result->reason, sizeof result->reason,
                 "no shared memory for twice the bytes of the exchange");
    return result->reason[0] == '\0';
}

bool measure_candidate_runs(const struct measure_case *c, struct measure_result *result)
{
    const struct measure_candidate *candidate = result->candidate;
    if (candidate->kind != MEASURE_ROUTED || c->largest == 0)
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

static int routed_call(struct shunt_comm *comm, const struct measure_case *c)
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

static int native_call(const struct measure_case *c)
{
    if (c->op == SHUNT_OP_ALLTOALL)
        return PMPI_Alltoall(c->send, (int)c->largest, MPI_BYTE, c->recv, (int)c->largest, MPI_BYTE,
                             c->world->comm);
    return PMPI_Alltoallv(c->send, c->send_counts, c->send_displs, MPI_BYTE, c->recv,
                          c->recv_counts, c->recv_displs, MPI_BYTE, c->world->comm);
}

/* Under whatever is preloaded. */
static int plain_call(const struct measure_case *c)
{
    if (c->op == SHUNT_OP_ALLTOALL)
        return MPI_Alltoall(c->send, (int)c->largest, MPI_BYTE, c->recv, (int)c->largest, MPI_BYTE,
                            c->world->comm);
    return MPI_Alltoallv(c->send, c->send_counts, c->send_displs, MPI_BYTE, c->recv, c->recv_counts,
                         c->recv_displs, MPI_BYTE, c->world->comm);
}

void measure_candidate_call(const struct measure_candidate *candidate, const struct measure_case *c)
{
    switch (candidate->kind) {
    case MEASURE_NATIVE:
        measure_must(native_call(c), "the native exchange");
        break;
    case MEASURE_ROUTED:
        measure_must(routed_call(candidate->comm, c), candidate->text);
        break;
    case MEASURE_LOWER_BOUND:
        measure_lower_bound_call(c);
        break;
    case MEASURE_AS_IS:
        measure_must(plain_call(c), "the exchange");
        break;
    }
}

double measure_candidate_time(const struct measure_candidate *candidate,
                              const struct measure_case *c, int calls)
{
    measure_must(PMPI_Barrier(c->world->comm), "MPI_Barrier");
    const double begin = shunt_clock();
    for (int i = 0; i < calls; i++)
        measure_candidate_call(candidate, c);
    return shunt_clock() - begin;
}
