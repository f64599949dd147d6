/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lessons.h: what a communicator finds out while the program runs, for each operation and class of
 * sizes (learn/learn.h): whether what a table or the model routes is faster than the library's own
 * (the guard, on by default), and, with SHUNT_LEARN=on, which algorithm is fastest where no rule
 * routes.
 *
 * A class is a power of two and what lies above the one below it: 257 to 512 bytes. Classes of an
 * operation are told apart up to SHUNT_LESSONS_MOST, in the order in which they come, which is the
 * same on all ranks as long as every rank counts the same calls: those that were carried out, and
 * none that the library rejected on this rank alone. Each choice in a class has a lesson of its
 * own. With SHUNT_LEARN=on what a rule of the file of earlier runs says is a lesson that goes on.
 *
 * Between windows, calls of classes whose rule has proved itself are not looked at (struct
 * shunt_calm): they go by the map and are counted, and the first call of another class ends that.
 *
 * Proposals are tried in the order that the model has (route/forecast.h), the most promising first:
 * rank 0 asks it, within what a fiftieth of the time so far or SHUNT_LESSONS_WORK allows, and tells
 * the others in the first agreement about times, before anything is tried.
 */
#ifndef SHUNT_LEARN_LESSONS_H
#define SHUNT_LEARN_LESSONS_H

#include "comm/comm.h"
#include "comm/learning.h"
#include "learn/learn.h"

enum {
    SHUNT_LESSONS_MOST = 16,
    SHUNT_LESSON_LARGEST = 1 << 24,
    SHUNT_LESSONS_WORK = 1 << 15, /* events: a third of a millisecond */
    SHUNT_LESSONS_WORK_MOST = 1 << 20
};

struct shunt_lesson {
    enum shunt_op op;
    struct shunt_range block;
    struct shunt_learn learn;
    struct shunt_decision candidates[SHUNT_LEARN_CANDIDATES];
    struct shunt_rule
        rule[SHUNT_LEARN_CANDIDATES];     /* of candidates but the first, as a file would have it */
    int proposal[SHUNT_LEARN_CANDIDATES]; /* number of the proposal that a candidate is; -1: it is
                                           * none
                                           */
    bool ordered;                         /* the candidates are in the order that the model has */
    bool routed; /* candidate 1 is what a table, or the model, has chosen for these calls */
    int class;   /* of `block`, as verdicts.h counts them; -1: other choices share it */
};

struct shunt_lessons {
    int count[SHUNT_OP_COUNT];
    bool ended; /* an agreement has failed: nothing is learned any more */
    bool aside; /* a call of MPI_Alltoallv was routed without a lesson */
    /* Of MPI_Alltoallv: the lesson of the last call and of the one before, NULL: it had none; calls
     * of that lesson in a row. */
    struct shunt_lesson *last, *previous;
    int row;
    /* Calls of MPI_Alltoallv that are not looked at: without agreements they take what they take
     * natively. */
    int64_t pause;
    int64_t paused; /* calls since the pause began */
    /* The current call, before it agrees about anything; by shunt_now. 0: nobody looked */
    int64_t begun[SHUNT_OP_COUNT];
    struct shunt_lessons *next; /* of this process */
    const struct shunt_comm *comm;
    /* Those that have begun; the rest is not touched, for set-up is to cost little. */
    struct shunt_lesson lesson[SHUNT_OP_COUNT][SHUNT_LESSONS_MOST];
};

/* Whether a call with such blocks is one that no lesson looks at. */
static inline bool shunt_lessons_calm(const struct shunt_comm *comm, enum shunt_op op,
                                      int64_t block)
{
    return comm->calm[op].calls > 0 && comm->calm[op].proven >> shunt_class(block) & 1;
}
/* Calls that nobody looked at are told to the lessons; until a lesson says so, all are looked at.
 */
void shunt_lessons_wake(struct shunt_comm *comm, enum shunt_op op);
/* Lets calls pass that no lesson has to look at, as long as none has. */
void shunt_lessons_settle(struct shunt_comm *comm, enum shunt_op op);

/* The lesson of calls with such blocks, for which the map has `decision`, begun where there is none
 * yet; NULL: the decision stands. */
struct shunt_lesson *shunt_lessons_find(struct shunt_comm *comm, enum shunt_op op, int64_t block,
                                        const struct shunt_decision *decision);

/* Tells `visit` of every lesson of this process; the caller knows that no call is under way. */
void shunt_lessons_visit(void (*visit)(const struct shunt_comm *comm,
                                       const struct shunt_lesson *lesson));

#endif
