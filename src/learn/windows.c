/* SPDX-License-Identifier: BSD-3-Clause */
/* windows.c: see windows.h. */
#include "learn/windows.h"

#include <string.h>

#include "base/clock.h"
#include "comm/agree.h"
#include "comm/collective.h"
#include "comm/wait.h"
#include "learn/candidate_order.h"
#include "learn/candidates.h"
#include "learn/learn_candidates.h"
#include "learn/verdicts.h"
#include "log/log.h"
#include "process/process.h"

/* Calls of a lesson in a row, after which the next one is taken for another of these. */
enum { ALIKE = 3 };

/* The maximum over ranks of a window's times, whether all have the same candidates, and once what
 * order rank 0 has found for these. */
static int agree(struct shunt_comm *comm, struct shunt_lesson *lesson)
{
    int64_t said[SHUNT_LEARN_SAID + 3];
    const int times = shunt_learn_count(&lesson->learn);
    const int64_t hash = shunt_candidates_hash(lesson);
    memcpy(said, lesson->learn.said, (size_t)times * sizeof *said);
    said[times] = hash;
    said[times + 1] = -hash;
    said[times + 2] =
        comm->rank == 0 && !lesson->ordered ? shunt_candidate_order_ask(comm, lesson) : 0;
    const int status = shunt_collective_max(comm, said, times + 3);
    if (status != MPI_SUCCESS)
        return status;
    memcpy(lesson->learn.said, said, (size_t)times * sizeof *said);
    if (said[times] != -said[times + 1])
        lesson->learn.candidate_count = 1; /* nothing is tried */
    if (!lesson->ordered)
        shunt_candidate_order_put(lesson, said[times + 2]);
    return MPI_SUCCESS;
}

/*
 * Whether nobody has left; then the agreement, and whether it came about on all ranks: one that
 * does not know what the others have heard could not go on as they do. An error of the last step is
 * for the caller, for others may have taken the one before for good.
 */
static int close_window(struct shunt_comm *comm, struct shunt_lesson *lesson)
{
    const bool here = shunt_agree_all(comm, true);
    if (comm->state == SHUNT_STATE_NATIVE) {
        comm->lessons->ended = true;
        return MPI_SUCCESS;
    }
    const bool heard = agree(comm, lesson) == MPI_SUCCESS && here;
    struct shunt_agreement values = {.flags = heard ? 0 : SHUNT_FLAG_FAILED};
    const int status = shunt_agree(comm, &values);
    if (status == MPI_SUCCESS && values.flags == 0)
        return MPI_SUCCESS;
    comm->lessons->ended = true;
    memset(comm->calm, 0, sizeof comm->calm);
    if (comm->rank == 0)
        shunt_log_say("nothing more is learned on %s: its ranks could not tell each other how long "
                      "calls took",
                      shunt_comm_describe(comm));
    return status;
}

/* Nothing is to be learnt of MPI_Alltoallv for so many calls: no lesson is in a window, and all
 * have come to the library's own. Where a table routes other sizes these may come meanwhile. */
static void put_off(const struct shunt_comm *comm)
{
    struct shunt_lessons *lessons = comm->lessons;
    const int count = lessons->count[SHUNT_OP_ALLTOALLV];
    int64_t calls = shunt_map_all_native(&comm->map[SHUNT_OP_ALLTOALLV])
                        ? INT64_MAX / SHUNT_LESSONS_MOST
                        : SHUNT_ADAPT_MOST / count;
    if (lessons->aside)
        return;
    for (int i = 0; i < count; i++) {
        const struct shunt_learn *learn = &lessons->lesson[SHUNT_OP_ALLTOALLV][i].learn;
        const int64_t left = learn->until - learn->calls;
        if (learn->length > 0 || learn->current != 0)
            return;
        calls = left < calls ? left : calls;
    }
    lessons->pause = count * calls;
    lessons->paused = 0;
}

static void log_verdict(const struct shunt_comm *comm, const struct shunt_lesson *lesson, bool left)
{
    const struct shunt_decision *decision = &lesson->candidates[1];
    const struct shunt_rule *rule = decision->rule;
    const struct shunt_layout *layout = &comm->layout;
    const struct shunt_log_left one = {
        .operation = shunt_op_name(lesson->op),
        .algorithm = decision->algorithm->name,
        .rule_file = rule ? shunt_table_string(decision->table, rule->file) : NULL,
        .rule_id = rule ? shunt_table_string(decision->table, rule->id) : NULL,
        .rule_line = rule ? rule->line : 0,
        .from = lesson->block.low,
        .to = lesson->block.high,
        .ranks = comm->size,
        .nodes = layout->nodes,
        .ppn_min = layout->ppn_min,
        .ppn_max = layout->ppn_max,
        .native = shunt_learn_median(&lesson->learn, 0),
        .rule = shunt_learn_median(&lesson->learn, 1),
        .call = comm->calls};
    shunt_log_left(&one, left);
}

/* The call ended: a verdict may be another one. */
static void tell_verdict(const struct shunt_comm *comm, const struct shunt_lesson *lesson,
                         enum shunt_learn_verdict before)
{
    const enum shunt_learn_verdict verdict = shunt_learn_verdict(&lesson->learn);
    if (verdict == before)
        return;
    shunt_verdicts_keep(comm, lesson->op, lesson->class, verdict);
    if (shunt_process_settings()->log != SHUNT_LOG_OFF)
        log_verdict(comm, lesson, verdict == SHUNT_LEARN_LEFT);
}

int shunt_lessons_made(struct shunt_comm *comm, struct shunt_lesson *lesson, int64_t nanoseconds)
{
    struct shunt_lessons *lessons = comm->lessons;
    const enum shunt_learn_verdict before = shunt_learn_verdict(&lesson->learn);
    if (lesson->op == SHUNT_OP_ALLTOALLV) {
        lessons->row = lesson == lessons->previous ? lessons->row + 1 : 1;
        lessons->last = lesson;
    }
    if (shunt_learn_made(&lesson->learn, nanoseconds)) {
        const int64_t begin = shunt_now();
        const int status = close_window(comm, lesson);
        if (lessons->ended)
            return status;
        shunt_learn_close(&lesson->learn, shunt_now() - begin);
    }
    tell_verdict(comm, lesson, before);
    shunt_lessons_settle(comm, lesson->op);
    if (lesson->op == SHUNT_OP_ALLTOALLV)
        put_off(comm);
    return MPI_SUCCESS;
}

struct shunt_lesson *shunt_lessons_arrive(struct shunt_comm *comm)
{
    struct shunt_lessons *lessons = comm->lessons;
    struct shunt_lesson *lesson = lessons->last;
    bool timed;
    lessons->begun[SHUNT_OP_ALLTOALLV] = shunt_now();
    lessons->previous = lesson;
    lessons->last = NULL;
    const bool alike = lesson && lessons->row >= ALIKE && lesson->learn.turn > 0 &&
                       lesson->learn.run <= SHUNT_LEARN_LONG_RUN &&
                       shunt_learn_next(&lesson->learn, &timed) == 0;
    return alike && !lessons->ended && shunt_lessons_alone(comm, lesson) ? lesson : NULL;
}

bool shunt_lessons_expect(const struct shunt_comm *comm, const struct shunt_decision *decision)
{
    bool timed;
    const struct shunt_lesson *lesson = comm->lessons->previous;
    return !lesson || comm->lessons->ended ||
           &lesson->candidates[shunt_learn_next(&lesson->learn, &timed)] == decision;
}

bool shunt_lessons_alone(const struct shunt_comm *comm, const struct shunt_lesson *lesson)
{
    const struct shunt_lessons *lessons = comm->lessons;
    for (int i = 0; i < lessons->count[SHUNT_OP_ALLTOALLV]; i++) {
        const struct shunt_lesson *other = &lessons->lesson[SHUNT_OP_ALLTOALLV][i];
        if (other != lesson && other->learn.current > 0)
            return false;
    }
    return !lessons->aside;
}

bool shunt_lessons_paused(const struct shunt_comm *comm)
{
    return !comm->lessons->ended && comm->lessons->paused < comm->lessons->pause;
}

/* The calls of a pause count for all lessons alike: nobody knows their sizes. */
void shunt_lessons_slept(struct shunt_comm *comm)
{
    struct shunt_lessons *lessons = comm->lessons;
    if (++lessons->paused < lessons->pause)
        return;
    for (int i = 0; i < lessons->count[SHUNT_OP_ALLTOALLV]; i++) {
        struct shunt_lesson *lesson = &lessons->lesson[SHUNT_OP_ALLTOALLV][i];
        shunt_learn_skip(&lesson->learn, lessons->paused / lessons->count[SHUNT_OP_ALLTOALLV]);
    }
    lessons->pause = 0;
}
