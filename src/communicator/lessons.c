/* SPDX-License-Identifier: BSD-3-Clause */
/* lessons.c: see lessons.h. */
#include "communicator/lessons.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "communicator/agree.h"
#include "communicator/collective.h"
#include "communicator/identity.h"
#include "communicator/wait.h"
#include "log/log.h"
#include "route/forecast.h"
#include "route/learned.h"

/* How many times as long native has to take on every machine, so that a trial is expected to cost
 * nothing. And how an order is spelled. */
#define PROMISING 1.5
enum { ORDER_BITS = 4, PROMISED = 8 };
/* Calls by an algorithm that is only expected to be faster, before it is checked; and by one that a
 * table has chosen: a run of native ones then costs a fiftieth, if these take twice as long. */
enum { PRESUMED = 24, ROUTED = SHUNT_LEARN_SHARE * SHUNT_LEARN_RUN };
/* Calls of a lesson in a row, after which the next one is taken for another of these. */
enum { ALIKE = 3 };

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

/* Whether a decision leaves anything to be learnt. */
static bool is_gap(const struct shunt_decision *decision)
{
    if (decision->rule && decision->rule->calls > 0)
        return true; /* of an earlier run */
    return decision->algorithm->kind == SHUNT_KIND_NATIVE &&
           (!decision->rule || shunt_learned_is_rest(decision->rule));
}

/* Whether it is a table's, or the model's, and not of earlier runs. */
static bool is_routed(const struct shunt_decision *decision)
{
    return decision->algorithm->kind != SHUNT_KIND_NATIVE &&
           !(decision->rule && decision->rule->calls > 0);
}

static bool same_choice(const struct shunt_decision *a, const struct shunt_decision *b)
{
    return a->algorithm == b->algorithm && memcmp(&a->params, &b->params, sizeof a->params) == 0;
}

static struct shunt_range class_of(int64_t block)
{
    int64_t high = 1;
    while (high < block)
        high *= 2;
    return (struct shunt_range){high > 1 ? high / 2 + 1 : 1, high};
}

/* Arms of a new lesson; the one of an earlier run comes first. Returns how many. */
static int fill_arms(const struct shunt_comm *comm, struct shunt_lesson *lesson,
                     const struct shunt_decision *known)
{
    struct shunt_rule rules[SHUNT_PROPOSALS_MOST];
    struct shunt_params params[SHUNT_PROPOSALS_MOST];
    int arms = 1;
    const int count = shunt_proposals(rules, params, lesson->op, &comm->layout, lesson->block,
                                      comm->agreed.memory);
    lesson->arm[0] = (struct shunt_decision){.algorithm = shunt_registry_find("native"),
                                             .rule_index = UINT32_MAX};
    if (known) {
        lesson->proposal[arms] = -1;
        lesson->rule[arms] = *known->rule;
        lesson->arm[arms++] = *known;
    }
    for (int i = 0; i < count && arms < SHUNT_LEARN_ARMS; i++) {
        const struct shunt_algorithm *algorithm = shunt_registry_row(rules[i].algorithm);
        const struct shunt_decision arm = {
            .algorithm = algorithm, .rule_index = UINT32_MAX, .params = params[i]};
        if (known && same_choice(known, &arm))
            continue;
        lesson->proposal[arms] = i;
        lesson->rule[arms] = rules[i];
        lesson->arm[arms++] = arm;
    }
    return arms;
}

/* What an earlier run expects to be faster, though nobody has tried it: from the table, which all
 * ranks have. False: nothing. */
static bool presume(struct shunt_comm *comm, const struct shunt_lesson *lesson,
                    struct shunt_decision *decision)
{
    struct shunt_params params;
    const struct shunt_rule *rule = shunt_learned_expected(
        comm->table, lesson->op, &comm->layout, lesson->block, comm->agreed.memory, &params);
    if (!rule || shunt_registry_row(rule->algorithm)->kind == SHUNT_KIND_NATIVE)
        return false;
    *decision = (struct shunt_decision){.algorithm = shunt_registry_row(rule->algorithm),
                                        .table = comm->table,
                                        .rule = rule,
                                        .rule_index = UINT32_MAX,
                                        .params = params};
    comm->lessons->presumed[lesson->op] = rule;
    comm->lessons->presumes = true;
    return true;
}

/* The log is to have the rule that would have routed native calls. */
static int fill_routed(struct shunt_lesson *lesson, const struct shunt_decision *decision)
{
    lesson->routed = lesson->ordered = true;
    lesson->proposal[1] = -1;
    lesson->arm[0] = lesson->arm[1] = *decision;
    lesson->arm[0].algorithm = shunt_registry_find("native");
    memset(&lesson->arm[0].params, 0, sizeof lesson->arm[0].params);
    lesson->arm[0].gain = 0;
    return 2;
}

static void begin_routed(struct shunt_lesson *lesson, const struct shunt_decision *decision)
{
    const int arms = fill_routed(lesson, decision);
    shunt_learn_trust(&lesson->learn, arms, ROUTED);
}

/* What no table routes. */
static void begin_gap(struct shunt_comm *comm, struct shunt_lesson *lesson,
                      const struct shunt_decision *decision)
{
    struct shunt_decision expected;
    const enum shunt_op op = lesson->op;
    if (decision->algorithm->kind == SHUNT_KIND_NATIVE && presume(comm, lesson, &expected))
        decision = &expected;
    const bool known = decision->algorithm->kind != SHUNT_KIND_NATIVE;
    /* Those before set-up were of any size, and count once. */
    const int64_t before = comm->lessons->count[op] == 0 ? (int64_t)comm->done : 0;
    const int arms = fill_arms(comm, lesson, known ? decision : NULL);
    shunt_learn_begin(&lesson->learn, arms, before, known);
    if (decision == &expected)
        lesson->learn.until =
            lesson->learn.calls + PRESUMED; /* nobody has held it against the library's own yet */
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
    if (is_routed(decision))
        begin_routed(lesson, decision);
    else
        begin_gap(comm, lesson, decision);
    lessons->count[op]++;
    return lesson;
}

static bool is_about(const struct shunt_lesson *lesson, int64_t block,
                     const struct shunt_decision *decision)
{
    return block >= lesson->block.low && block <= lesson->block.high &&
           lesson->routed == is_routed(decision) &&
           (!lesson->routed || same_choice(&lesson->arm[1], decision));
}

static struct shunt_lesson *find_or_begin(struct shunt_comm *comm, enum shunt_op op, int64_t block,
                                          const struct shunt_decision *decision)
{
    struct shunt_lessons *lessons = comm->lessons;
    if (block > SHUNT_LESSON_LARGEST || (!is_gap(decision) && !is_routed(decision)))
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

/* What the arms are, as a number of 62 bits: memory that was short, or another library, may have
 * made them others on some rank. */
static int64_t arms_hash(const struct shunt_lesson *lesson)
{
    uint64_t hash = shunt_hash_value(SHUNT_HASH_EMPTY, (uint64_t)lesson->learn.arms);
    for (int a = 0; a < lesson->learn.arms; a++) {
        hash = shunt_hash_value(hash, (uint64_t)shunt_registry_index(lesson->arm[a].algorithm));
        hash = shunt_hash_bytes(hash, (const char *)&lesson->arm[a].params,
                                sizeof lesson->arm[a].params);
    }
    return (int64_t)(hash >> 2);
}

/* How much the model may be asked: events of some 40 ns. */
static uint64_t work_for(const struct shunt_learn *learn)
{
    enum { EVENT = 40 };
    int64_t sum = 0;
    for (int i = 0; i < learn->length; i++)
        sum += learn->said[i];
    const int64_t spent = learn->length > 0 ? learn->calls * (sum / learn->length) : 0,
                  work = spent / SHUNT_LEARN_SHARE / EVENT;
    return (uint64_t)(work < SHUNT_LESSONS_WORK        ? SHUNT_LESSONS_WORK
                      : work < SHUNT_LESSONS_WORK_MOST ? work
                                                       : SHUNT_LESSONS_WORK_MOST);
}

/* The order of the proposals, of each its number and whether the model promises it to gain on every
 * machine, the first one lowest. Of rank 0. */
static int64_t ask_order(const struct shunt_comm *comm, const struct shunt_lesson *lesson)
{
    int first;
    int64_t order = 0;
    struct shunt_forecast forecast;
    const int processors = shunt_identity_processors(&first);
    const struct shunt_forecast_ask ask = {
        .op = lesson->op,
        .layout = &comm->layout,
        .block = lesson->block,
        .size = lesson->block.high,
        .memory = comm->agreed.memory,
        .machine = comm->table && comm->table->modelled ? &comm->table->model : NULL,
        .processors = processors > 1 ? processors : 0, /* it may be bound to the one */
        .work = work_for(&lesson->learn)};
    shunt_forecast(&forecast, &ask);
    for (int i = 0; i < forecast.count; i++)
        order |=
            (int64_t)(forecast.one[i].number | (forecast.one[i].low >= PROMISING ? PROMISED : 0))
            << ORDER_BITS * i;
    return order;
}

/* Which arm comes next of those from `from` on: the one whose proposal comes first in the order. */
static int next_in_order(const struct shunt_lesson *lesson, int from, int64_t order, bool *promised)
{
    for (int i = 0; i < SHUNT_PROPOSALS_MOST; i++) {
        const int64_t entry = order >> ORDER_BITS * i;
        for (int a = from; a < lesson->learn.arms; a++)
            if (lesson->proposal[a] == (entry & (PROMISED - 1))) {
                *promised = (entry & PROMISED) != 0;
                return a;
            }
    }
    *promised = false;
    return from;
}

/* None of these arms has been tried. */
static void put_in_order(struct shunt_lesson *lesson, int64_t order)
{
    const int from = lesson->learn.arms > 1 && lesson->proposal[1] < 0 ? 2 : 1;
    for (int a = from; a < lesson->learn.arms; a++) {
        bool promised;
        const int next = next_in_order(lesson, a, order, &promised),
                  proposal = lesson->proposal[next];
        const struct shunt_decision arm = lesson->arm[next];
        const struct shunt_rule rule = lesson->rule[next];
        for (int at = next; at > a; at--) {
            lesson->arm[at] = lesson->arm[at - 1];
            lesson->rule[at] = lesson->rule[at - 1];
            lesson->proposal[at] = lesson->proposal[at - 1];
        }
        lesson->arm[a] = arm;
        lesson->rule[a] = rule;
        lesson->proposal[a] = proposal;
        if (promised)
            shunt_learn_promise(&lesson->learn, a);
    }
    lesson->ordered = true;
}

/* The maximum over ranks of a window's times, whether all have the same arms, and once what order
 * rank 0 has found for these. */
static int agree(struct shunt_comm *comm, struct shunt_lesson *lesson)
{
    int64_t said[SHUNT_LEARN_SAID + 3];
    const int times = shunt_learn_count(&lesson->learn);
    const int64_t hash = arms_hash(lesson);
    memcpy(said, lesson->learn.said, (size_t)times * sizeof *said);
    said[times] = hash;
    said[times + 1] = -hash;
    said[times + 2] = comm->rank == 0 && !lesson->ordered ? ask_order(comm, lesson) : 0;
    const int status = shunt_collective_max(comm, said, times + 3);
    if (status != MPI_SUCCESS)
        return status;
    memcpy(lesson->learn.said, said, (size_t)times * sizeof *said);
    if (said[times] != -said[times + 1])
        lesson->learn.arms = 1; /* nothing is tried */
    if (!lesson->ordered)
        put_in_order(lesson, said[times + 2]);
    return MPI_SUCCESS;
}

/*
 * The agreement, and whether it came about on all ranks: one that does not know what the others
 * have heard could not go on as they do. An error of the second step is for the caller, for others
 * may have taken the first one for good.
 */
static int close_window(struct shunt_comm *comm, struct shunt_lesson *lesson)
{
    const int heard = agree(comm, lesson);
    struct shunt_agreement values = {.flags = heard == MPI_SUCCESS ? 0 : SHUNT_FLAG_FAILED};
    const int status = shunt_agree(comm, &values);
    if (status == MPI_SUCCESS && values.flags == 0)
        return MPI_SUCCESS;
    comm->lessons->ended = true;
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

int shunt_lessons_made(struct shunt_comm *comm, struct shunt_lesson *lesson, int64_t nanoseconds)
{
    struct shunt_lessons *lessons = comm->lessons;
    if (lesson->op == SHUNT_OP_ALLTOALLV) {
        lessons->row = lesson == lessons->previous ? lessons->row + 1 : 1;
        lessons->last = lesson;
    }
    if (shunt_learn_made(&lesson->learn, nanoseconds)) {
        const double begin = shunt_clock();
        const int status = close_window(comm, lesson);
        if (lessons->ended)
            return status;
        shunt_learn_close(&lesson->learn, (int64_t)(1e9 * (shunt_clock() - begin)));
    }
    if (lesson->op == SHUNT_OP_ALLTOALLV)
        put_off(comm);
    return MPI_SUCCESS;
}

struct shunt_lesson *shunt_lessons_arrive(struct shunt_comm *comm)
{
    struct shunt_lessons *lessons = comm->lessons;
    struct shunt_lesson *lesson = lessons->last;
    bool timed;
    lessons->begun = shunt_clock();
    lessons->previous = lesson;
    lessons->last = NULL;
    const bool alike = lesson && lessons->row >= ALIKE && lesson->learn.turn > 0 &&
                       shunt_learn_next(&lesson->learn, &timed) == 0;
    return alike && !lessons->ended && shunt_lessons_alone(comm, lesson) ? lesson : NULL;
}

void shunt_lessons_refused(struct shunt_comm *comm)
{
    comm->lessons->last = comm->lessons->previous;
}

bool shunt_lessons_expect(const struct shunt_comm *comm, const struct shunt_decision *decision)
{
    bool timed;
    const struct shunt_lesson *lesson = comm->lessons->previous;
    return !lesson || comm->lessons->ended ||
           &lesson->arm[shunt_learn_next(&lesson->learn, &timed)] == decision;
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
