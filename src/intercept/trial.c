/* SPDX-License-Identifier: BSD-3-Clause */
/* trial.c: see trial.h. */
#include "intercept/trial.h"

#include "base/clock.h"
#include "comm/lifetime.h"
#include "comm/setup.h"
#include "comm/wait.h"
#include "intercept/carry_out.h"
#include "intercept/counts.h"
#include "log/record.h"

/* The lesson of a call, if it has one. */
static struct shunt_lesson *lesson_of(struct shunt_exchange *x, int64_t block,
                                      const struct shunt_decision *decision)
{
    return x->comm->lessons ? shunt_lessons_find(x->comm, x->op, block, decision) : NULL;
}

bool shunt_trial_begin(struct shunt_trial *trial, struct shunt_exchange *x,
                       const struct shunt_decision *decision)
{
    *trial = (struct shunt_trial){.lesson = lesson_of(x, x->block, decision)};
    if (!trial->lesson)
        return false;
    const int candidate = shunt_learn_next(&trial->lesson->learn, &trial->timed);
    trial->decision = &trial->lesson->candidates[candidate];
    trial->native = candidate == 0;
    trial->turn = x->comm->turn;
    trial->begin = trial->timed ? shunt_now() : 0;
    return true;
}

bool shunt_trial_needs_nothing(struct shunt_exchange *x, int64_t block,
                               const struct shunt_decision *decision)
{
    struct shunt_comm *comm = x->comm;
    bool timed;
    if (!comm->lessons || block < 1 || shunt_lessons_calm(comm, x->op, block))
        return false;
    comm->lessons->begun[x->op] = shunt_now();
    const struct shunt_lesson *lesson = lesson_of(x, block, decision);
    return lesson && shunt_learn_next(&lesson->learn, &timed) == 0;
}

/* Nanoseconds of the call. What the library's own had to wait for an agreement, that nobody else
 * wanted, belongs to what learning costs. */
static int64_t time_of(const struct shunt_trial *trial, const struct shunt_exchange *x)
{
    const struct shunt_comm *comm = x->comm;
    const int64_t end = shunt_now();
    const int64_t begun = comm->agrees[x->op] ? comm->lessons->begun[x->op] : 0;
    const bool extra =
        begun > 0 && (x->op == SHUNT_OP_ALLTOALL || shunt_lessons_alone(comm, trial->lesson));
    int64_t begin = begun > 0 ? begun : trial->begin;
    if (trial->native && extra) {
        trial->lesson->learn.agreement += trial->begin - begin;
        begin = trial->begin;
    }
    return end - begin;
}

/* Why a call is native, for the log. */
static const char *why_native(const struct shunt_lesson *lesson)
{
    const struct shunt_learn *learn = &lesson->learn;
    if (lesson->routed)
        return learn->current > 0 ? SHUNT_LOG_IN_TURN
                                  : "native was faster than what the table chose";
    if (learn->phase == SHUNT_LEARN_REST)
        return SHUNT_LOG_NO_RULE ", and nothing faster was learned";
    return learn->length > 0 ? SHUNT_LOG_TRIALS
                             : SHUNT_LOG_NO_RULE ", and the next trial waits for what it may cost";
}

/* Why the call went as it did. */
static void explain(const struct shunt_lesson *lesson, bool native, struct shunt_outcome *outcome)
{
    const struct shunt_decision *decision = outcome->decision;
    if (native)
        outcome->reason = why_native(lesson);
    else if (!outcome->reason && !lesson->routed && !(decision && decision->rule))
        outcome->reason = SHUNT_LOG_LEARNED;
}

/* The call counts; and what is to be done where learning ends with it. */
static int count(struct shunt_comm *comm, struct shunt_lesson *lesson, int64_t took)
{
    const int status = shunt_lessons_made(comm, lesson, took);
    if (comm->lessons->ended) {
        comm->hot = NULL;
        shunt_comm_settle_anew(comm);
    }
    return status;
}

/* Whether the call is one that all ranks count. An error handler of the application may have freed
 * the communicator; a rank may have left it; and after a call that this rank alone was refused, it
 * leaves. */
static bool counts(const struct shunt_comm *comm, int status, uint32_t turn)
{
    return shunt_comm_lives(comm, turn) && comm->state == SHUNT_STATE_ROUTED &&
           !shunt_counts_rejected(status);
}

int shunt_trial_end(const struct shunt_trial *trial, struct shunt_exchange *x,
                    struct shunt_outcome *outcome, int status)
{
    struct shunt_comm *comm = x->comm;
    if (!counts(comm, status, trial->turn))
        return status;
    const bool lost = !trial->native && outcome->decision != trial->decision;
    const bool refused = !trial->native && outcome->reason != NULL;
    const int64_t took = lost || refused ? SHUNT_LEARN_LOST : trial->timed ? time_of(trial, x) : 0;
    if (!lost && !refused)
        explain(trial->lesson, trial->native, outcome);
    const int made = count(comm, trial->lesson, took);
    return status != MPI_SUCCESS ? status : shunt_comm_raise(comm, x->op, made);
}

const struct shunt_decision *shunt_trial_candidate(struct shunt_exchange *x, int64_t block,
                                                   uint64_t blocks)
{
    bool timed;
    const struct shunt_decision *decision = shunt_counts_decide(x, block, blocks);
    if (shunt_lessons_calm(x->comm, x->op, block))
        return decision;
    const struct shunt_lesson *lesson = lesson_of(x, block, decision);
    return lesson ? &lesson->candidates[shunt_learn_next(&lesson->learn, &timed)] : decision;
}

int shunt_trial_count(struct shunt_exchange *x, struct shunt_outcome *outcome)
{
    if (shunt_lessons_calm(x->comm, x->op, x->block)) {
        x->comm->calm[x->op].calls--;
        return MPI_SUCCESS;
    }
    const struct shunt_decision *decision = shunt_counts_decide(x, x->block, x->blocks);
    struct shunt_lesson *lesson = lesson_of(x, x->block, decision);
    if (!lesson)
        return MPI_SUCCESS;
    const bool timed = lesson->learn.length > 0 && x->comm->lessons->begun[x->op] > 0;
    explain(lesson, false, outcome);
    return count(x->comm, lesson, timed ? shunt_now() - x->comm->lessons->begun[x->op] : 0);
}

int shunt_trial_native(struct shunt_exchange *x, struct shunt_lesson *lesson,
                       struct shunt_outcome *outcome)
{
    struct shunt_comm *comm = x->comm;
    const uint32_t turn = comm->turn;
    outcome->decision = &lesson->candidates[0];
    const int status = shunt_carry_native(x, outcome, why_native(lesson));
    if (!counts(comm, status, turn))
        return status;
    const int made = count(comm, lesson, shunt_now() - comm->lessons->begun[x->op]);
    return status != MPI_SUCCESS ? status : shunt_comm_raise(comm, x->op, made);
}

int shunt_trial_pause(struct shunt_exchange *x, struct shunt_outcome *outcome)
{
    struct shunt_comm *comm = x->comm;
    const uint32_t turn = comm->turn;
    const struct shunt_lesson *first = &comm->lessons->lesson[SHUNT_OP_ALLTOALLV][0];
    /* Of several lessons nobody knows which one would have it. */
    outcome->decision =
        comm->lessons->count[SHUNT_OP_ALLTOALLV] == 1 ? &first->candidates[0] : NULL;
    const int status = shunt_carry_native(x, outcome, why_native(first));
    if (counts(comm, status, turn))
        shunt_lessons_slept(comm);
    return status;
}
