/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dispatch.c: decides one call.
 *
 * Every condition here is either equal on all ranks by the MPI standard or by agreement, or local
 * without effect on communication; the comments say which. What is not one of the two must not be
 * added.
 */
#include "base/clock.h"
#include "base/size.h"
#include "comm/agree.h"
#include "comm/comm_log.h"
#include "comm/learning.h"
#include "comm/lifetime.h"
#include "comm/node.h"
#include "comm/setup.h"
#include "comm/wait.h"
#include "comm/warm_up.h"
#include "execute/blocks.h"
#include "execute/executor.h"
#include "intercept/carry_out.h"
#include "intercept/counts.h"
#include "intercept/intercept.h"
#include "intercept/record.h"
#include "intercept/trial.h"
#include "learn/windows.h"
#include "log/log.h"
#include "process/device.h"
#include "process/errors.h"
#include "process/imports.h"
#include "process/process.h"

/*
 * What the library refuses for this rank's own arguments is returned at once. Where the others
 * agree about such calls, this rank leaves: nobody knows whether the program repeats the call.
 * Elsewhere the others wait for what this rank has for them and for nothing else, as they do
 * natively.
 */
static int refuse(struct shunt_exchange *x, bool agrees, struct shunt_outcome *outcome)
{
    struct shunt_comm *comm = x->comm;
    comm->calls--;
    outcome->refused = true;
    if (comm->state == SHUNT_STATE_ROUTED && agrees)
        shunt_agree_leave(comm);
    return shunt_carry_native(x, outcome, "invalid arguments");
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
        return shunt_carry_native(x, outcome, shunt_carry_reason(x, decision));
    }
    if (shunt_counts_refused(x) || (block < 0 && !comm->agrees[x->op]))
        return refuse(x, comm->agrees[x->op], outcome);
    if ((comm->unasked && block > 0) ||
        (comm->agrees[x->op] && !shunt_trial_needs_nothing(x, block, decision))) {
        struct shunt_agreement values = {
            .flags = (block < 0 || x->type_error != MPI_SUCCESS ? SHUNT_FLAG_NATIVE : 0) |
                     (comm->agreed.gpu && shunt_counts_on_device(x) ? SHUNT_FLAG_DEVICE : 0)};
        const int status = agree(comm, &values, outcome);
        if (status != MPI_SUCCESS)
            return shunt_comm_raise(comm, x->op, status);
        if (values.flags)
            return shunt_carry_native(x, outcome, shunt_counts_why_native(&values));
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
    return shunt_carry_out(x, decision, true, outcome);
}

/* An Alltoallv whose route needs no size: a direct algorithm, whatever the blocks. The ranks agree
 * where its plan is to be made. */
static int route_alltoallv_blind(struct shunt_exchange *x, bool refused,
                                 struct shunt_outcome *outcome)
{
    struct shunt_comm *comm = x->comm;
    const struct shunt_plan *plan = shunt_plan_known(comm, x->op, &comm->map[x->op].decisions[0]);
    const bool agrees = !plan || plan->ready < 0;
    if (refused)
        return refuse(x, agrees, outcome);
    if (agrees) {
        struct shunt_agreement values = {0};
        const int status = agree(comm, &values, outcome);
        if (status != MPI_SUCCESS)
            return shunt_comm_raise(comm, x->op, status);
        if (values.flags)
            return shunt_carry_native(x, outcome, shunt_counts_why_native(&values));
    }
    if (x->type_error != MPI_SUCCESS)
        return shunt_comm_raise(comm, x->op, x->type_error);
    x->block = 0; /* direct: no scratch depends on it */
    return shunt_carry_out(x, &comm->map[x->op].decisions[0], false, outcome);
}

static int finish_alltoallv(struct shunt_exchange *x, const struct shunt_agreement *values,
                            struct shunt_outcome *outcome)
{
    if (values->flags & SHUNT_FLAG_FAILED)
        return shunt_comm_raise(x->comm, x->op, MPI_ERR_OTHER);
    const char *reason = shunt_counts_judge(x, values, outcome);
    if (reason)
        return shunt_carry_native(x, outcome, reason);
    const struct shunt_decision *decision = shunt_counts_decide(x, values->largest, values->blocks);
    if (x->block == 0 &&
        decision->algorithm->kind != SHUNT_KIND_NATIVE) { /* agreed: nothing to move anywhere */
        outcome->decision = decision;
        outcome->algorithm = decision->algorithm->name;
        return MPI_SUCCESS;
    }
    return shunt_carry_out(x, decision, (values->flags & SHUNT_FLAG_IN_PLACE) != 0, outcome);
}

/* A lesson's, where there are any, or the map's. */
static const struct shunt_decision *decide(struct shunt_exchange *x, int64_t largest,
                                           uint64_t blocks)
{
    return shunt_learning_about(x->comm, x->op) ? shunt_trial_candidate(x, largest, blocks)
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
    shunt_agree_hear(comm, &values);
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
    const int counted =
        shunt_learning_about(comm, x->op) ? shunt_trial_count(x, outcome) : MPI_SUCCESS;
    return shunt_comm_raise(comm, x->op, shunt_error_first(copied, counted));
}

/* Whether the agreement of this call travels with the blocks. */
static bool is_hot(const struct shunt_exchange *x)
{
    const struct shunt_comm *comm = x->comm;
    return comm->hot && (!shunt_learning_about(comm, x->op) || comm->calm[x->op].calls > 0 ||
                         shunt_lessons_expect(comm, comm->hot));
}

/* The agreement first, or together with the blocks. */
static int route_agreed(struct shunt_exchange *x, bool refused, struct shunt_outcome *outcome)
{
    struct shunt_comm *comm = x->comm;
    if (refused && is_hot(x)) {
        comm->hot_plan->executor->leave(comm, comm->hot_plan);
        shunt_agree_left(comm);
    }
    if (refused)
        return refuse(x, true, outcome);
    if (is_hot(x))
        return route_alltoallv_hot(x, outcome);
    struct shunt_agreement values = shunt_counts_say(x);
    const int status = agree(comm, &values, outcome);
    if (status != MPI_SUCCESS)
        return shunt_comm_raise(comm, x->op, status);
    shunt_adapt_hear(&comm->adapt, values.blocks);
    return finish_alltoallv(x, &values, outcome);
}

/* A call of which all ranks know that it is native, without an agreement. Then the next agreement
 * comes without blocks, whatever follows: comm->hot is of no use to a rank that leaves. */
static bool is_unasked(struct shunt_exchange *x, struct shunt_lesson **lesson)
{
    struct shunt_comm *comm = x->comm;
    *lesson = NULL;
    if (comm->adapt.left > 0)
        return true;
    if (!shunt_learning_about(comm, x->op) || comm->calm[x->op].calls > 0)
        return false;
    shunt_lessons_wake(comm, x->op);
    if (shunt_lessons_paused(comm))
        return true;
    *lesson = shunt_lessons_arrive(comm);
    return *lesson != NULL;
}

static int route_unasked(struct shunt_exchange *x, struct shunt_lesson *lesson,
                         struct shunt_outcome *outcome)
{
    struct shunt_comm *comm = x->comm;
    comm->unasked = true;
    if (lesson)
        return shunt_trial_native(x, lesson, outcome);
    if (comm->adapt.left == 0)
        return shunt_trial_pause(x, outcome);
    comm->adapt.left--; /* now: an error handler may make the next call within this one */
    return shunt_carry_native(x, outcome, "most blocks were empty when the ranks last agreed");
}

static int route_alltoallv(struct shunt_exchange *x, struct shunt_outcome *outcome)
{
    struct shunt_comm *comm = x->comm;
    struct shunt_lesson *lesson;
    const bool refused = shunt_counts_refused(x);
    if (!comm->agrees[x->op])
        return route_alltoallv_blind(x, refused, outcome);
    if (!is_unasked(x, &lesson))
        return route_agreed(x, refused, outcome);
    return refused ? refuse(x, true, outcome) : route_unasked(x, lesson, outcome);
}

/* Routes one call of a communicator that is past its warm-up. */
static int route(struct shunt_exchange *x, struct shunt_outcome *outcome)
{
    struct shunt_comm *comm = x->comm;
    if (comm->state == SHUNT_STATE_ROUTED && comm->refused &&
        (x->op == SHUNT_OP_ALLTOALLV || comm->unasked))
        shunt_agree_leave(comm);
    if (comm->state == SHUNT_STATE_NATIVE)
        return shunt_carry_native(x, outcome, comm->reason);
    if (!comm->routes[x->op]) {
        outcome->decision = comm->map[x->op].count == 1 ? &comm->map[x->op].decisions[0] : NULL;
        const struct shunt_decision *decision = outcome->decision;
        return shunt_carry_native(
            x, outcome,
            decision && (decision->rule || decision->modelled || shunt_comm_forced(x->comm, x->op))
                ? shunt_carry_reason(x, decision)
                : "no rule routes this operation here");
    }
    return x->op == SHUNT_OP_ALLTOALL ? route_alltoall(x, outcome) : route_alltoallv(x, outcome);
}

/* Whether it costs next to nothing to find out beforehand that the library refuses the call. */
static bool is_easy(const struct shunt_exchange *x)
{
    return (x->in_place || shunt_type_known(x->send.type) ||
            !shunt_pmpi_can_be_type(x->send.type)) &&
           (shunt_type_known(x->recv.type) || !shunt_pmpi_can_be_type(x->recv.type));
}

/*
 * Before set-up the library has refused a call of this rank alone: it leaves. Its part in the next
 * word would be out of order where the program goes on with nonblocking collective operations, so a
 * program that has any is taken to repeat the call, which does not count then.
 */
static void refuse_early(struct shunt_comm *comm)
{
    comm->calls--;
    comm->refused = false;
    if (!shunt_imports_nonblocking())
        shunt_warm_up_leave(comm);
}

/*
 * A native call before set-up. It counts at once, for an error handler may make the next call
 * within it, or leave it; and as long as nobody knows better, it is one that the library refuses.
 */
static int warm_up_natively(struct shunt_exchange *x, struct shunt_outcome *outcome)
{
    struct shunt_comm *comm = x->comm;
    const bool timed = shunt_warm_up_times(comm);
    const uint32_t turn = comm->turn;
    const int64_t begin = timed ? shunt_now() : 0;
    outcome->warmup = true;
    comm->refused = true;
    const int status = shunt_carry_native(x, outcome, "warm-up");
    if (!shunt_comm_lives(comm, turn))
        return status;
    comm->refused = false;
    if (shunt_counts_rejected(status))
        refuse_early(comm);
    if (status != MPI_SUCCESS)
        return status;
    if (timed)
        shunt_warm_up_took(comm, shunt_now() - begin);
    if (shunt_process_settings()->log == SHUNT_LOG_OFF)
        shunt_warm_up_rest(comm);
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
    if (comm->refused) { /* the last call: a handler of the program has jumped out of it */
        refuse_early(comm);
        if (comm->state == SHUNT_STATE_NATIVE)
            return shunt_carry_native(x, outcome, comm->reason);
    }
    const bool due = shunt_warm_up_due(comm);
    if ((due || shunt_pmpi_hides_errors() || is_easy(x)) && shunt_counts_come_to_nothing(x)) {
        outcome->refused = true;
        refuse_early(comm);
        return shunt_carry_native(x, outcome, "invalid arguments");
    }
    if (!due)
        return warm_up_natively(x, outcome);
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
