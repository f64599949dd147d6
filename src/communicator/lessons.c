/* SPDX-License-Identifier: BSD-3-Clause */
/* lessons.c: see lessons.h. */
#include "communicator/lessons.h"

#include <pthread.h>
#include <stdlib.h>

#include "communicator/arms.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the list */
static struct shunt_lessons *all;

bool shunt_lessons_wanted(const struct shunt_comm *comm)
{
    return comm->agreed.learn == SHUNT_LEARNING_ON && !comm->given && !comm->agreed.verify &&
           comm->size > 1;
}

bool shunt_lessons_reserve(struct shunt_comm *comm)
{
    if (!shunt_lessons_wanted(comm) || comm->lessons)
        return true;
    comm->lessons = calloc(1, sizeof *comm->lessons);
    if (!comm->lessons)
        return false;
    comm->lessons->comm = comm;
    pthread_mutex_lock(&lock);
    comm->lessons->next = all;
    all = comm->lessons;
    pthread_mutex_unlock(&lock);
    return true;
}

void shunt_lessons_release(struct shunt_comm *comm)
{
    struct shunt_lessons *lessons = comm->lessons;
    if (!lessons)
        return;
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

bool shunt_lessons_teach(const struct shunt_comm *comm, enum shunt_op op)
{
    const bool forced = comm->force && comm->force->rule_count[op];
    return comm->lessons && !comm->lessons->ended && !comm->agreed.gpu && !forced;
}
static struct shunt_range class_of(int64_t block)
{
    int64_t high = 1;
    while (high < block)
        high *= 2;
    return (struct shunt_range){high > 1 ? high / 2 + 1 : 1, high};
}

static struct shunt_lesson *begin(struct shunt_comm *comm, enum shunt_op op, int64_t block,
                                  const struct shunt_decision *decision)
{
    struct shunt_lessons *lessons = comm->lessons;
    if (lessons->count[op] == SHUNT_LESSONS_MOST)
        return NULL;
    struct shunt_lesson *lesson = &lessons->lesson[op][lessons->count[op]];
    lesson->op = op;
    lesson->block = class_of(block);
    shunt_arms_begin(comm, lesson, decision);
    lessons->count[op]++;
    return lesson;
}

static bool is_about(const struct shunt_lesson *lesson, int64_t block,
                     const struct shunt_decision *decision)
{
    return block >= lesson->block.low && block <= lesson->block.high &&
           lesson->routed == shunt_arms_routed(decision) &&
           (!lesson->routed || shunt_arms_same(&lesson->arm[1], decision));
}

static struct shunt_lesson *find_or_begin(struct shunt_comm *comm, enum shunt_op op, int64_t block,
                                          const struct shunt_decision *decision)
{
    struct shunt_lessons *lessons = comm->lessons;
    if (block > SHUNT_LESSON_LARGEST ||
        (!shunt_arms_wanted(decision) && !shunt_arms_routed(decision)))
        return NULL;
    for (int i = 0; i < lessons->count[op]; i++)
        if (is_about(&lessons->lesson[op][i], block, decision))
            return &lessons->lesson[op][i];
    return begin(comm, op, block, decision);
}

struct shunt_lesson *shunt_lessons_find(struct shunt_comm *comm, enum shunt_op op, int64_t block,
                                        const struct shunt_decision *decision)
{
    if (!shunt_lessons_teach(comm, op) || block < 1)
        return NULL;
    struct shunt_lesson *lesson = find_or_begin(comm, op, block, decision);
    if (!lesson && op == SHUNT_OP_ALLTOALLV && decision->algorithm->kind != SHUNT_KIND_NATIVE)
        comm->lessons->aside = true;
    return lesson;
}
