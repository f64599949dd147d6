/* SPDX-License-Identifier: BSD-3-Clause */
/* trial.c: see trial.h. */
#include "intercept/trial.h"

#include "communicator/lifetime.h"
#include "communicator/wait.h"
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
    const int arm = shunt_learn_next(&trial->lesson->learn, &trial->timed);
    trial->decision = &trial->lesson->arm[arm];
    trial->native = arm == 0;
    trial->epoch = atomic_load(&shunt_comm_epoch);
    trial->begin = trial->timed ? shunt_clock() : 0;
    return true;
}

/* Nanoseconds of the call. What the library's own had to wait for an agreement, that nobody else
 * wanted, belongs to what learning costs. */
static int64_t time_of(const struct shunt_trial *trial, const struct shunt_exchange *x)
{
    const struct shunt_comm *comm = x->comm;
    const double end = shunt_clock();
    const bool agreed = x->op == SHUNT_OP_ALLTOALLV,
               extra = agreed && shunt_map_all_native(&comm->map[x->op]);
    double begin = agreed ? comm->lessons->begun : trial->begin;
    if (trial->native && extra) {
        trial->lesson->learn.agreement += (int64_t)(1e9 * (trial->begin - begin));
        begin = trial->begin;
    }
    return (int64_t)(1e9 * (end - begin));
}

/* Why the call went as it did, for the log. */
static void explain(const struct shunt_trial *trial, struct shunt_outcome *outcome)
{
    const struct shunt_rule *rule = outcome->decision ? outcome->decision->rule : NULL;
    if (trial->native)
        outcome->reason = trial->lesson->learn.phase != SHUNT_LEARN_REST
                              ? "no rule matched, and trials are under way"
                              : "no rule matched, and nothing faster was learned";
    else if (!outcome->reason && !rule)
        outcome->reason = SHUNT_LOG_LEARNED;
}

int shunt_trial_end(const struct shunt_trial *trial, struct shunt_exchange *x,
                    struct shunt_outcome *outcome, int status)
{
    struct shunt_comm *comm = x->comm;
    /* An error handler of the application may have freed the communicator; and what this rank alone
     * was refused, the others still wait for. */
    if (status != MPI_SUCCESS &&
        (atomic_load(&shunt_comm_epoch) != trial->epoch || shunt_counts_rejected(status)))
        return status;
    const bool lost = !trial->native && outcome->decision != trial->decision;
    const bool refused = !trial->native && outcome->reason != NULL;
    const int64_t took = lost || refused ? SHUNT_LEARN_LOST : trial->timed ? time_of(trial, x) : 0;
    if (!lost && !refused)
        explain(trial, outcome);
    const int made = shunt_lessons_made(comm, trial->lesson, took);
    return status != MPI_SUCCESS ? status : shunt_comm_raise(comm, made);
}

void shunt_trial_arrive(struct shunt_comm *comm)
{
    if (comm->lessons)
        comm->lessons->begun = shunt_trial_open(comm) ? shunt_clock() : 0;
}

bool shunt_trial_open(const struct shunt_comm *comm)
{
    return comm->lessons && comm->lessons->open[SHUNT_OP_ALLTOALLV] > 0;
}

const struct shunt_decision *shunt_trial_arm(struct shunt_exchange *x, int64_t block,
                                             uint64_t blocks)
{
    bool timed;
    const struct shunt_decision *decision = shunt_counts_decide(x, block, blocks);
    const struct shunt_lesson *lesson = lesson_of(x, block, decision);
    return lesson ? &lesson->arm[shunt_learn_next(&lesson->learn, &timed)] : decision;
}

void shunt_trial_count(struct shunt_exchange *x, struct shunt_outcome *outcome)
{
    const struct shunt_decision *decision = shunt_counts_decide(x, x->block, x->blocks);
    struct shunt_lesson *lesson = lesson_of(x, x->block, decision);
    if (!lesson)
        return;
    if (!outcome->decision->rule)
        outcome->reason = SHUNT_LOG_LEARNED;
    (void)shunt_lessons_made(x->comm, lesson, 0); /* no window is open, so nobody waits */
}
