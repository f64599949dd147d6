/* SPDX-License-Identifier: BSD-3-Clause */
/* lessons.c: see lessons.h. */
#include "learn/lessons.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "comm/decisions.h"
#include "learn/candidates.h"
#include "learn/learned_file.h"
#include "learn/verdicts.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the list */
static struct shunt_lessons *all;

bool shunt_learning_wanted(const struct shunt_comm *comm)
{
    const bool guards = comm->agreed.guard && !shunt_decisions_none(comm);
    return (comm->agreed.learn == SHUNT_LEARNING_ON || guards) && !comm->given &&
           !comm->agreed.verify && comm->size > 1;
}

bool shunt_learning_begin(struct shunt_comm *comm)
{
    if (!shunt_learning_wanted(comm) || comm->lessons)
        return true;
    comm->lessons = malloc(sizeof *comm->lessons);
    if (!comm->lessons)
        return false;
    memset(comm->lessons, 0, offsetof(struct shunt_lessons, lesson));
    comm->lessons->comm = comm;
    pthread_mutex_lock(&lock);
    comm->lessons->next = all;
    all = comm->lessons;
    pthread_mutex_unlock(&lock);
    return true;
}

void shunt_learning_end(struct shunt_comm *comm)
{
    struct shunt_lessons *lessons = comm->lessons;
    struct shunt_arithmetic arithmetic;
    if (!lessons)
        return;
    shunt_arithmetic_enter(&arithmetic);
    shunt_learned_note(comm);
    shunt_arithmetic_leave(&arithmetic);
    pthread_mutex_lock(&lock);
    struct shunt_lessons **at = &all;
    while (*at && *at != lessons)
        at = &(*at)->next;
    if (*at)
        *at = lessons->next;
    pthread_mutex_unlock(&lock);
    free(lessons);
    comm->lessons = NULL;
}

void shunt_lessons_visit(void (*visit)(const struct shunt_comm *comm,
                                       const struct shunt_lesson *lesson))
{
    pthread_mutex_lock(&lock);
    for (const struct shunt_lessons *l = all; l; l = l->next)
        for (int op = 0; op < SHUNT_OP_COUNT; op++)
            for (int i = 0; i < l->count[op]; i++)
                visit(l->comm, &l->lesson[op][i]);
    pthread_mutex_unlock(&lock);
}

/* What is agreed, and the same for both kinds of lessons. */
static bool may_learn(const struct shunt_comm *comm, enum shunt_op op)
{
    const bool forced = comm->force && comm->force->rule_count[op];
    return comm->lessons && !comm->lessons->ended && !forced;
}

bool shunt_learning_teaches(const struct shunt_comm *comm, enum shunt_op op)
{
    return comm->agreed.learn == SHUNT_LEARNING_ON && !comm->agreed.gpu && may_learn(comm, op);
}

static struct shunt_range class_of(int64_t block)
{
    const int64_t high = INT64_C(1) << shunt_class(block);
    return (struct shunt_range){high > 1 ? high / 2 + 1 : 1, high};
}

/* Whether the map has one choice for all of a class. */
static bool is_whole(const struct shunt_map *map, const struct shunt_range *block)
{
    return !map->sparser && shunt_map_find(map, block->low) == shunt_map_find(map, block->high);
}

static struct shunt_lesson *begin(struct shunt_comm *comm, enum shunt_op op, int64_t block,
                                  const struct shunt_decision *decision)
{
    struct shunt_lessons *lessons = comm->lessons;
    if (lessons->count[op] == SHUNT_LESSONS_MOST)
        return NULL;
    struct shunt_lesson *lesson = &lessons->lesson[op][lessons->count[op]];
    memset(lesson, 0, sizeof *lesson);
    lesson->op = op;
    lesson->block = class_of(block);
    lesson->class = is_whole(&comm->map[op], &lesson->block) ? shunt_class(block) : -1;
    shunt_candidates_begin(comm, lesson, decision);
    lessons->count[op]++;
    return lesson;
}

static bool is_about(const struct shunt_comm *comm, const struct shunt_lesson *lesson,
                     int64_t block, const struct shunt_decision *decision)
{
    return block >= lesson->block.low && block <= lesson->block.high &&
           lesson->routed == shunt_candidates_routed(comm, decision) &&
           (!lesson->routed || shunt_candidates_same(&lesson->candidates[1], decision));
}

static struct shunt_lesson *find_or_begin(struct shunt_comm *comm, enum shunt_op op, int64_t block,
                                          const struct shunt_decision *decision)
{
    struct shunt_lessons *lessons = comm->lessons;
    const bool routed = comm->agreed.guard && shunt_candidates_routed(comm, decision),
               wanted = shunt_learning_teaches(comm, op) && shunt_candidates_wanted(decision);
    if (block > SHUNT_LESSON_LARGEST || (!routed && !wanted))
        return NULL;
    for (int i = 0; i < lessons->count[op]; i++)
        if (is_about(comm, &lessons->lesson[op][i], block, decision))
            return &lessons->lesson[op][i];
    return begin(comm, op, block, decision);
}

struct shunt_lesson *shunt_lessons_find(struct shunt_comm *comm, enum shunt_op op, int64_t block,
                                        const struct shunt_decision *decision)
{
    shunt_lessons_wake(comm, op);
    if (!may_learn(comm, op) || block < 1)
        return NULL;
    struct shunt_lesson *lesson = find_or_begin(comm, op, block, decision);
    if (!lesson && op == SHUNT_OP_ALLTOALLV && decision->algorithm->kind != SHUNT_KIND_NATIVE)
        comm->lessons->aside = true;
    return lesson;
}

/* Whether calls of the lesson's class go by the map while nobody looks. */
static bool is_calm(const struct shunt_lesson *lesson)
{
    return lesson->routed && lesson->class >= 0 && lesson->learn.current > 0;
}

void shunt_lessons_wake(struct shunt_comm *comm, enum shunt_op op)
{
    struct shunt_calm *calm = &comm->calm[op];
    struct shunt_lessons *lessons = comm->lessons;
    const int64_t passed = calm->granted - calm->calls;
    int sharing = 0;
    if (calm->granted == 0)
        return;
    *calm = (struct shunt_calm){0};
    for (int i = 0; i < lessons->count[op]; i++)
        sharing += is_calm(&lessons->lesson[op][i]);
    /* Nobody knows which of them the calls belong to. */
    for (int i = 0; i < lessons->count[op] && passed > 0 && sharing > 0; i++)
        if (is_calm(&lessons->lesson[op][i]))
            shunt_learn_skip(&lessons->lesson[op][i].learn, passed / sharing);
}

void shunt_lessons_settle(struct shunt_comm *comm, enum shunt_op op)
{
    struct shunt_lessons *lessons = comm->lessons;
    struct shunt_calm calm = {0};
    int64_t calls = UINT32_MAX;
    for (int i = 0; i < lessons->count[op]; i++) {
        const struct shunt_lesson *lesson = &lessons->lesson[op][i];
        const int64_t quiet = shunt_learn_quiet(&lesson->learn);
        if (quiet <= 0)
            return;
        if (!is_calm(lesson))
            continue;
        calm.proven |= UINT64_C(1) << lesson->class;
        calls = quiet < calls ? quiet : calls;
    }
    if (calm.proven == 0)
        return;
    calm.calls = calm.granted = (uint32_t)calls;
    comm->calm[op] = calm;
    lessons->begun[op] = 0;
}
