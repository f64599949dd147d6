/* SPDX-License-Identifier: BSD-3-Clause */
/* carry_out.c: see carry_out.h. */
#include "intercept/carry_out.h"

#include "comm/learning.h"
#include "comm/lifetime.h"
#include "comm/setup.h"
#include "execute/executor.h"
#include "intercept/counts.h"
#include "intercept/intercept.h"
#include "intercept/trial.h"
#include "learn/lessons.h"
#include "log/log.h"

/* Where calls are counted together with the others, one that fails may be one that the program
 * repeats. An error handler of the program may not return, and may free the communicator. */
int shunt_carry_native(const struct shunt_exchange *x, struct shunt_outcome *outcome,
                       const char *reason)
{
    struct shunt_comm *comm = x->comm;
    const bool counted = comm->state == SHUNT_STATE_ROUTED && x->op == SHUNT_OP_ALLTOALLV &&
                         comm->agrees[SHUNT_OP_ALLTOALLV];
    const uint32_t turn = comm->turn;
    outcome->algorithm = "native";
    outcome->reason = reason;
    if (!counted)
        return shunt_exchange_native(x);
    comm->hot = NULL;
    comm->refused = true;
    const int status = shunt_exchange_native(x);
    if (shunt_comm_lives(comm, turn) && !shunt_counts_rejected(status))
        comm->refused = false;
    return status;
}

const char *shunt_carry_reason(const struct shunt_exchange *x,
                               const struct shunt_decision *decision)
{
    if (decision->rule)
        return NULL;
    if (decision->modelled)
        return SHUNT_LOG_NO_RULE ", and the model predicts too little gain";
    return shunt_comm_forced(x->comm, x->op) ? "SHUNT_FORCE is not feasible here"
                                             : SHUNT_LOG_NO_RULE;
}

static int follow(struct shunt_exchange *x, const struct shunt_decision *decision, bool staging,
                  struct shunt_outcome *outcome);

/* There is no plan, on all ranks alike: the call is native, or, where the communicator lacks what
 * the kind needs, the next rule takes over from now on. */
static int without(struct shunt_exchange *x, const struct shunt_decision *decision, bool staging,
                   struct shunt_outcome *outcome)
{
    struct shunt_comm *comm = x->comm;
    const enum shunt_lack lack = shunt_executor_of(decision->algorithm->kind)->lacks;
    if (comm->state == SHUNT_STATE_NATIVE) /* a rank has left */
        return shunt_carry_native(x, outcome, comm->reason);
    if (lack == SHUNT_LACKS_NOTHING)
        return shunt_carry_native(x, outcome, "no memory for the algorithm's buffers");
    outcome->decision = NULL;
    if (!shunt_comm_decide_without(comm, lack, x->block))
        return shunt_carry_native(x, outcome, comm->reason);
    return follow(x, shunt_counts_decide(x, x->block, x->blocks), staging, outcome);
}

/* Runs the decision. x->block is set. Agreed: everything it looks at. */
static int follow(struct shunt_exchange *x, const struct shunt_decision *decision, bool staging,
                  struct shunt_outcome *outcome)
{
    struct shunt_comm *comm = x->comm;
    outcome->decision = decision;
    outcome->algorithm = decision->algorithm->name;
    if (x->op == SHUNT_OP_ALLTOALLV)
        comm->hot = NULL;
    if (decision->algorithm->kind == SHUNT_KIND_NATIVE)
        return shunt_carry_native(x, outcome, shunt_carry_reason(x, decision));
    if (!comm->agreed.large_counts && x->block > INT32_MAX)
        return shunt_carry_native(x, outcome, "blocks over 2 GiB need an MPI-4 library");
    struct shunt_plan *plan = shunt_plan_get(x, decision, staging);
    if (!plan)
        return without(x, decision, staging, outcome);
    if (x->op == SHUNT_OP_ALLTOALLV && shunt_kind_joins(decision->algorithm->kind) &&
        !comm->agreed.verify) {
        comm->hot = decision;
        comm->hot_plan = plan;
    }
    comm->diag.doing = decision->algorithm->name;
    const int status =
        comm->agreed.verify ? shunt_verify_run(x, plan, outcome) : plan->executor->run(x, plan);
    if (x->raised)
        return status; /* and the handler may have freed the communicator */
    comm->diag.doing = "agreement";
    if (x->declined)
        return shunt_carry_native(x, outcome,
                                  comm->state == SHUNT_STATE_NATIVE
                                      ? comm->reason
                                      : "no memory for the algorithm's buffers");
    return shunt_comm_raise(comm, x->op, status);
}

static __attribute__((noinline)) int learn(struct shunt_exchange *x,
                                           const struct shunt_decision *decision, bool staging,
                                           struct shunt_outcome *outcome)
{
    struct shunt_trial trial;
    if (!shunt_trial_begin(&trial, x, decision))
        return follow(x, decision, staging, outcome);
    const int status = follow(x, trial.decision, staging, outcome);
    return shunt_trial_end(&trial, x, outcome, status);
}

int shunt_carry_out(struct shunt_exchange *x, const struct shunt_decision *decision, bool staging,
                    struct shunt_outcome *outcome)
{
    struct shunt_comm *comm = x->comm;
    if (!shunt_learning_about(comm, x->op))
        return follow(x, decision, staging, outcome);
    if (!shunt_lessons_calm(comm, x->op, x->block))
        return learn(x, decision, staging, outcome);
    comm->calm[x->op].calls--;
    return follow(x, decision, staging, outcome);
}
