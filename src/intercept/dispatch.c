/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dispatch.c: decides one call and carries it out.
 *
 * Every condition here is either equal on all ranks by the MPI standard or by agreement, or local
 * without effect on communication; the comments say which. What is not one of the two must not be
 * added.
 */
#include "base/clock.h"
#include "base/size.h"
#include "comm/agree.h"
#include "comm/comm_log.h"
#include "comm/lifetime.h"
#include "comm/node.h"
#include "comm/setup.h"
#include "comm/wait.h"
#include "comm/warm_up.h"
#include "execute/blocks.h"
#include "execute/executor.h"
#include "intercept/counts.h"
#include "intercept/intercept.h"
#include "intercept/record.h"
#include "intercept/trial.h"
#include "learn/windows.h"
#include "log/log.h"
#include "process/device.h"
#include "process/errors.h"
#include "process/process.h"

/* Why a call without a rule is native, as `decision` has it. Constant texts: the summary counts by
 * them. */
static const char *no_rule(const struct shunt_exchange *x, const struct shunt_decision *decision)
{
    if (decision->rule)
        return NULL;
    if (decision->modelled)
        return SHUNT_LOG_NO_RULE ", and the model predicts too little gain";
    return shunt_comm_forced(x->comm, x->op) ? "SHUNT_FORCE is not feasible here"
                                             : SHUNT_LOG_NO_RULE;
}

static int native(const struct shunt_exchange *x, struct shunt_outcome *outcome, const char *reason)
{
    outcome->algorithm = "native";
    outcome->reason = reason;
    return shunt_exchange_native(x);
}

/* What the library refuses for this rank's own arguments is returned at once and was no call: the
 * others wait for this rank's next one, as they do natively. */
static int refuse(struct shunt_exchange *x, struct shunt_outcome *outcome)
{
    x->comm->calls--;
    outcome->refused = true;
    return native(x, outcome, "invalid arguments");
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
    if (lack == SHUNT_LACKS_NOTHING)
        return native(x, outcome, "no memory for the algorithm's buffers");
    outcome->decision = NULL;
    if (!shunt_comm_decide_without(comm, lack, x->block))
        return native(x, outcome, comm->reason);
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
        return native(x, outcome, no_rule(x, decision));
    if (!comm->agreed.large_counts && x->block > INT32_MAX)
        return native(x, outcome, "blocks over 2 GiB need an MPI-4 library");
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
        return native(x, outcome, "no memory for the algorithm's buffers");
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

/* Runs what the table decides, or, where that leaves something to be learnt, what a lesson says. */
static int carry_out(struct shunt_exchange *x, const struct shunt_decision *decision, bool staging,
                     struct shunt_outcome *outcome)
{
    struct shunt_comm *comm = x->comm;
    if (!comm->lessons)
        return follow(x, decision, staging, outcome);
    if (!shunt_lessons_calm(comm, x->op, x->block))
        return learn(x, decision, staging, outcome);
    comm->calm[x->op].calls--;
    return follow(x, decision, staging, outcome);
}

/* The agreement alone, with how long it took for the log. */
static int agree(struct shunt_comm *comm, struct shunt_agreement *values,
                 struct shunt_outcome *outcome)
{
    const bool timed = shunt_process_settings()->log != SHUNT_LOG_OFF;
    const int64_t begin = timed ? shunt_now() : 0;
    const int status = shunt_agree(comm, values);
    outcome->agreement = timed ? shunt_now() - begin : 0;
    return status;
}

/* Lets the entry point pass on calls of these sizes by itself. */
static void remember_quiet(struct shunt_comm *comm, const struct shunt_map *map,
                           const struct shunt_decision *decision)
{
    const size_t i = (size_t)(decision - map->decisions);
    comm->quiet_from = map->from[i];
    comm->quiet_to = i + 1 < map->count ? map->from[i + 1] - 1 : INT64_MAX;
}

/* Alltoall: the block size is the same on all ranks, so no agreement is needed (except about device
 * memory). */
static int route_alltoall(struct shunt_exchange *x, struct shunt_outcome *outcome)
{
    struct shunt_comm *comm = x->comm;
    const struct shunt_map *map = &comm->map[x->op];
    const struct shunt_side *side = x->in_place ? &x->recv : &x->send;
    const int64_t size = shunt_type_size(side->type);
    const int64_t block = size < 0 || side->count < 0 ? -1 : shunt_bytes_of(side->count, size);
    const struct shunt_decision *decision = shunt_map_find(map, block < 0 ? 0 : block);
    outcome->largest = block;
    outcome->blocks = block > 0 ? (int64_t)comm->size * comm->size : block;
    /* A native answer needs no further look at the arguments, nor any agreement. */
    if (decision->algorithm->kind == SHUNT_KIND_NATIVE && !shunt_learning_teaches(comm, x->op)) {
        outcome->decision = decision;
        if (block >= 0 && shunt_process_settings()->log == SHUNT_LOG_OFF)
            remember_quiet(comm, map, decision);
        return native(x, outcome, no_rule(x, decision));
    }
    if (shunt_counts_refused(x) || (block < 0 && !comm->agrees[x->op]))
        return refuse(x, outcome);
    if (comm->agrees[x->op] && !shunt_trial_needs_nothing(x, block, decision)) {
        struct shunt_agreement values = {
            .flags = (block < 0 || x->type_error != MPI_SUCCESS ? SHUNT_FLAG_NATIVE : 0) |
                     (shunt_counts_on_device(x) ? SHUNT_FLAG_DEVICE : 0)};
        const int status = agree(comm, &values, outcome);
        if (status != MPI_SUCCESS)
            return shunt_comm_raise(comm, x->op, status);
        if (values.flags)
            return native(x, outcome,
                          values.flags & SHUNT_FLAG_DEVICE ? shunt_device_reason()
                                                           : "invalid arguments on some rank");
    }
    if (x->type_error != MPI_SUCCESS)
        return shunt_comm_raise(comm, x->op, x->type_error);
    x->block = block;
    x->matched = block <= shunt_recv_bytes(x, 0);
    if (block == 0 && decision->algorithm->kind != SHUNT_KIND_NATIVE) { /* on all ranks: nothing to
                                                                           move */
        outcome->decision = decision;
        outcome->algorithm = decision->algorithm->name;
        return MPI_SUCCESS;
    }
    return carry_out(x, decision, true, outcome);
}

/* An Alltoallv whose route needs no size: a direct algorithm, whatever the blocks. */
static int route_alltoallv_blind(struct shunt_exchange *x, struct shunt_outcome *outcome)
{
    if (x->type_error != MPI_SUCCESS)
        return shunt_comm_raise(x->comm, x->op, x->type_error);
    x->block = 0; /* direct: no scratch depends on it */
    return carry_out(x, &x->comm->map[x->op].decisions[0], false, outcome);
}

static int finish_alltoallv(struct shunt_exchange *x, const struct shunt_agreement *values,
                            struct shunt_outcome *outcome)
{
    if (values->flags & SHUNT_FLAG_FAILED)
        return shunt_comm_raise(x->comm, x->op, MPI_ERR_OTHER);
    const char *reason = shunt_counts_judge(x, values, outcome);
    if (reason)
        return native(x, outcome, reason);
    const struct shunt_decision *decision = shunt_counts_decide(x, values->largest, values->blocks);
    if (x->block == 0 &&
        decision->algorithm->kind != SHUNT_KIND_NATIVE) { /* agreed: nothing to move anywhere */
        outcome->decision = decision;
        outcome->algorithm = decision->algorithm->name;
        return MPI_SUCCESS;
    }
    return carry_out(x, decision, (values->flags & SHUNT_FLAG_IN_PLACE) != 0, outcome);
}

/* A lesson's, where there are any, or the map's. */
static const struct shunt_decision *decide(struct shunt_exchange *x, int64_t largest,
                                           uint64_t blocks)
{
    return x->comm->lessons ? shunt_trial_arm(x, largest, blocks)
                            : shunt_counts_decide(x, largest, blocks);
}

/*
 * The agreement and the blocks together, by the decision of the last call. Most programs repeat
 * sizes; where the agreement then decides otherwise, the blocks that have travelled are dropped, or
 * overwritten where they have reached the user (parlinna_shared.c).
 */
static int route_alltoallv_hot(struct shunt_exchange *x, struct shunt_outcome *outcome)
{
    struct shunt_comm *comm = x->comm;
    const struct shunt_decision *hot = comm->hot;
    struct shunt_plan *plan = comm->hot_plan;
    struct shunt_agreement values = shunt_counts_say(x);
    outcome->agreement = -1; /* it has no time of its own */
    comm->diag.doing = hot->algorithm->name;
    const int status = plan->executor->exchange(x, plan, &values);
    comm->diag.doing = "agreement";
    if (status != MPI_SUCCESS && (values.flags & SHUNT_FLAG_NATIVE) == 0) {
        shunt_node_end_exchange(comm);
        return shunt_comm_raise(comm, x->op, status);
    }
    shunt_adapt_hear(&comm->adapt, values.blocks);
    const bool fits = values.largest <= plan->ready;
    if (values.flags & ~(uint64_t)SHUNT_FLAG_IN_PLACE || values.checksum != 0 || !fits ||
        decide(x, values.largest, values.blocks) != hot) {
        shunt_node_end_exchange(comm);
        return finish_alltoallv(x, &values, outcome);
    }
    shunt_counts_judge(x, &values, outcome);
    outcome->decision = hot;
    outcome->algorithm = hot->algorithm->name;
    const int copied = plan->executor->copy_out(x, plan);
    shunt_node_end_exchange(comm);
    const int counted = comm->lessons ? shunt_trial_count(x, outcome) : MPI_SUCCESS;
    return shunt_comm_raise(comm, x->op, shunt_error_first(copied, counted));
}

/* The agreement first, or together with the blocks. */
static int route_agreed(struct shunt_exchange *x, struct shunt_outcome *outcome)
{
    struct shunt_comm *comm = x->comm;
    if (comm->hot &&
        (!comm->lessons || comm->calm[x->op].calls > 0 || shunt_lessons_expect(comm, comm->hot)))
        return route_alltoallv_hot(x, outcome);
    struct shunt_agreement values = shunt_counts_say(x);
    const int status = agree(comm, &values, outcome);
    if (status != MPI_SUCCESS)
        return shunt_comm_raise(comm, x->op, status);
    shunt_adapt_hear(&comm->adapt, values.blocks);
    return finish_alltoallv(x, &values, outcome);
}

static int route_alltoallv(struct shunt_exchange *x, struct shunt_outcome *outcome)
{
    struct shunt_comm *comm = x->comm;
    if (shunt_counts_refused(x))
        return refuse(x, outcome);
    if (!comm->agrees[x->op])
        return route_alltoallv_blind(x, outcome);
    if (comm->adapt.left > 0) {
        comm->adapt.left--; /* now: an error handler may make the next call within this one */
        return native(x, outcome, "most blocks were empty when the ranks last agreed");
    }
    if (comm->lessons && comm->calm[x->op].calls == 0) {
        shunt_lessons_wake(comm, x->op);
        if (shunt_lessons_paused(comm))
            return shunt_trial_pause(x, outcome);
        struct shunt_lesson *lesson = shunt_lessons_arrive(comm);
        if (lesson)
            return shunt_trial_native(x, lesson, outcome);
    }
    return route_agreed(x, outcome);
}

/* Routes one call of a communicator that is past its warm-up. */
static int route(struct shunt_exchange *x, struct shunt_outcome *outcome)
{
    const struct shunt_comm *comm = x->comm;
    if (comm->state == SHUNT_STATE_NATIVE)
        return native(x, outcome, comm->reason);
    if (!comm->routes[x->op]) {
        outcome->decision = comm->map[x->op].count == 1 ? &comm->map[x->op].decisions[0] : NULL;
        const struct shunt_decision *decision = outcome->decision;
        return native(
            x, outcome,
            decision && (decision->rule || decision->modelled || shunt_comm_forced(x->comm, x->op))
                ? no_rule(x, decision)
                : "no rule routes this operation here");
    }
    return x->op == SHUNT_OP_ALLTOALL ? route_alltoall(x, outcome) : route_alltoallv(x, outcome);
}

/* A native call before set-up was carried out, which took so long where its time was taken. */
static void warmed_up(struct shunt_exchange *x, bool timed, int64_t nanoseconds)
{
    struct shunt_comm *comm = x->comm;
    if (timed)
        shunt_warm_up_took(comm, nanoseconds);
    if (shunt_process_settings()->log == SHUNT_LOG_OFF)
        shunt_warm_up_rest(comm);
}

/* It counts already: an error handler may make the next one within it, or leave it. */
static int warm_up_natively(struct shunt_exchange *x, struct shunt_outcome *outcome)
{
    struct shunt_comm *comm = x->comm;
    const bool timed = shunt_warm_up_times(comm);
    const uint32_t turn = comm->turn;
    const int64_t begin = timed ? shunt_now() : 0;
    outcome->warmup = true;
    const int status = native(x, outcome, "warm-up");
    if (status == MPI_SUCCESS)
        warmed_up(x, timed, timed ? shunt_now() - begin : 0);
    else if (shunt_comm_lives(comm, turn) && shunt_counts_rejected(status))
        comm->calls--; /* nor was this one foreseen to be refused */
    return status;
}

/* Whether it costs nothing to find out beforehand that the library refuses the call. */
static bool is_easy(const struct shunt_exchange *x)
{
    return (x->in_place || shunt_type_predefined(x->send.type)) &&
           shunt_type_predefined(x->recv.type);
}

/* It counts when it is over: only then is it known whether the library refuses it. */
static int count_later(struct shunt_exchange *x, struct shunt_outcome *outcome)
{
    struct shunt_comm *comm = x->comm;
    const bool timed = shunt_warm_up_times(comm);
    const uint32_t turn = comm->turn;
    const int64_t begin = timed ? shunt_now() : 0;
    comm->calls--;
    outcome->warmup = true;
    const int status = native(x, outcome, "warm-up");
    if (status == MPI_SUCCESS || (shunt_comm_lives(comm, turn) && !shunt_counts_rejected(status)))
        comm->calls++;
    if (status != MPI_SUCCESS)
        return status;
    warmed_up(x, timed, timed ? shunt_now() - begin : 0);
    if (!x->in_place) /* to be remembered, if they are predefined */
        (void)shunt_type_size(x->send.type);
    (void)shunt_type_size(x->recv.type);
    return MPI_SUCCESS;
}

/* A call of a communicator that is not set up yet; perhaps that comes first. */
static int warm_up(struct shunt_exchange *x, struct shunt_outcome *outcome)
{
    struct shunt_comm *comm = x->comm;
    const bool logged = shunt_process_settings()->log != SHUNT_LOG_OFF;
    if (!shunt_warm_up_due(comm) && !shunt_pmpi_hides_errors() && !is_easy(x))
        return count_later(x, outcome);
    if (shunt_counts_come_to_nothing(x))
        return refuse(x, outcome);
    const int64_t begin = logged ? shunt_now() : 0;
    shunt_warm_up(comm);
    const int64_t waited = logged ? shunt_now() - begin : 0;
    if (comm->state == SHUNT_STATE_COUNTING) {
        outcome->aside = waited;
        return warm_up_natively(x, outcome);
    }
    outcome->set_up = waited;
    return route(x, outcome);
}

static int decide_and_run(struct shunt_exchange *x, struct shunt_outcome *outcome)
{
    return x->comm->state == SHUNT_STATE_COUNTING ? warm_up(x, outcome) : route(x, outcome);
}

int shunt_dispatch(struct shunt_exchange *x)
{
    struct shunt_comm *comm = x->comm;
    /* Every field is named, as in entry.c. */
    struct shunt_outcome outcome = {.decision = NULL,
                                    .algorithm = "native",
                                    .reason = NULL,
                                    .largest = -1,
                                    .total = 0,
                                    .blocks = -1,
                                    .warmup = false,
                                    .refused = false,
                                    .agreement = 0,
                                    .native = 0,
                                    .aside = 0,
                                    .set_up = 0};
    const bool logged = shunt_process_settings()->log != SHUNT_LOG_OFF;
    if (logged) {
        comm->diag.arrival = shunt_now();
        shunt_comm_log_begin();
    }
    comm->calls++;
    if (!logged)
        return decide_and_run(x, &outcome);
    const struct shunt_account account = shunt_record_begin(x);
    const uint32_t turn = comm->turn;
    const int status = decide_and_run(x, &outcome);
    /* An error handler of the application may have freed the communicator; then there is nothing
     * left to describe. */
    if (status == MPI_SUCCESS || shunt_comm_lives(comm, turn))
        shunt_record(x, &outcome, &account, status);
    else
        shunt_record_drop(&account);
    return status;
}
