/* SPDX-License-Identifier: BSD-3-Clause */
/* foresight.c: see foresight.h. */
#include "communicator/foresight.h"

#include <stdatomic.h>
#include <stdio.h>

#include "base/environment.h"
#include "communicator/identity.h"
#include "communicator/learned.h"
#include "communicator/process.h"
#include "communicator/tables.h"
#include "route/forecast.h"
#include "route/learned.h"

/* Calls without which their mean says nothing; and events that the model may run for an operation,
 * some milliseconds at the end of the job. */
enum { FEW = 4, WORK = 1 << 18 };
/* Nanoseconds in calls that are worth a rule; and how many times as fast the model has to promise
 * it to be on every machine. */
enum { WORTH = 1000000 };
static const double PROMISING = 1.5;
/* The rule then holds for blocks of up to so many times the mean: that is of a rank that may send
 * little, and what counts is the largest block of all ranks. */
enum { WIDTH = 64, LARGEST = 1 << 16 };

/* By the variable, or else by the table, which is looked for once. */
static bool learns(void)
{
    enum { UNKNOWN, NO, YES };
    static atomic_int known;
    const int64_t asked = shunt_process_settings()->learn;
    if (asked >= 0)
        return asked == SHUNT_LEARNING_ON;
    if (atomic_load_explicit(&known, memory_order_relaxed) == UNKNOWN) {
        const struct shunt_table *table = shunt_tables_look();
        const struct shunt_policy policy = table ? table->policy : shunt_policy_default();
        atomic_store(&known, policy.learn == SHUNT_LEARNING_ON ? YES : NO);
    }
    return atomic_load_explicit(&known, memory_order_relaxed) == YES;
}

bool shunt_foresight_learns(void)
{
    return shunt_process_first_of_job() && learns();
}

bool shunt_foresight_wanted(const struct shunt_comm *comm)
{
    return comm->rank == 0 && !comm->given && comm->size > 1 && shunt_foresight_learns();
}

void shunt_foresight_native(struct shunt_comm *comm, enum shunt_op op, uint64_t bytes,
                            int64_t nanoseconds)
{
    struct shunt_tally *seen = &comm->seen[op];
    seen->calls++;
    seen->bytes += bytes;
    seen->nanoseconds += nanoseconds;
}

bool shunt_foresight_watches(const struct shunt_comm *comm)
{
    return comm->rank == 0 && comm->lessons && comm->lessons->presumes;
}

void shunt_foresight_routed(struct shunt_comm *comm, enum shunt_op op, int64_t nanoseconds)
{
    comm->routed[op].calls++;
    comm->routed[op].nanoseconds += nanoseconds;
}

static double mean_us(const struct shunt_tally *seen)
{
    return 1e-3 * (double)seen->nanoseconds / (double)seen->calls;
}

/* The rule as the file is to have it. */
static void keep(struct shunt_learned *note, const char *what, double mine_us)
{
    const struct shunt_rule *rule = &note->rule;
    char mine[32] = "";
    if (mine_us > 0)
        snprintf(mine, sizeof mine, "%.3g us, ", mine_us);
    snprintf(note->id, sizeof note->id, "%s: %lld ranks on %lld nodes, whole runs: %snative %lu us",
             what, (long long)rule->ranks.low, (long long)rule->nodes.low, mine,
             (unsigned long)rule->native_us);
    shunt_learned_keep(note);
}

/* With those before set-up. */
static int64_t lesson_calls(const struct shunt_comm *comm, enum shunt_op op)
{
    int64_t calls = 0;
    for (int i = 0; comm->lessons && i < comm->lessons->count[op]; i++)
        calls += comm->lessons->lesson[op][i].learn.calls;
    return calls;
}

/* Whether lessons have come to no end: sizes of which there were too few calls each. */
static bool leaves_open(const struct shunt_comm *comm, enum shunt_op op)
{
    for (int i = 0; comm->lessons && i < comm->lessons->count[op]; i++) {
        const struct shunt_lesson *lesson = &comm->lessons->lesson[op][i];
        const struct shunt_learn *learn = &lesson->learn;
        if (!lesson->routed && (learn->current > 0 || learn->phase == SHUNT_LEARN_REST))
            return false;
    }
    return true;
}

/* What the model promises for calls as they were. */
static void expect(const struct shunt_comm *comm, enum shunt_op op,
                   const struct shunt_layout *layout)
{
    int first;
    struct shunt_forecast forecast;
    const struct shunt_tally *seen = &comm->seen[op];
    const uint64_t mean = seen->bytes / seen->calls / (uint64_t)comm->size;
    const int64_t size = mean < 1                      ? 1
                         : mean < SHUNT_LESSON_LARGEST ? (int64_t)mean
                                                       : SHUNT_LESSON_LARGEST;
    const int processors = shunt_identity_processors(&first);
    const struct shunt_table *table = shunt_tables_look();
    const struct shunt_forecast_ask ask = {
        .op = op,
        .layout = layout,
        .block = {size, size},
        .size = size,
        .memory = table ? table->policy.memory : shunt_policy_default().memory,
        .machine = table && table->modelled ? &table->model : NULL,
        .processors = processors > 1 ? processors : 0, /* it may be bound to the one */
        .work = WORK};
    shunt_forecast(&forecast, &ask);
    if (forecast.count == 0 || forecast.one[0].low < PROMISING)
        return;
    struct shunt_learned note = {.op = op, .rule = forecast.one[0].rule};
    note.rule.block = (struct shunt_range){1, WIDTH * size < LARGEST ? WIDTH * size : LARGEST};
    const int64_t before = (int64_t)seen->calls, in_all = lesson_calls(comm, op);
    note.rule.calls = before > in_all ? before : in_all;
    note.rule.native_us = (uint32_t)(mean_us(seen) + 1);
    note.rule.expected = 1;
    keep(&note, "expected", 0);
}

/* Of calls that went by what was expected. */
static void judge(const struct shunt_comm *comm, enum shunt_op op)
{
    const struct shunt_tally *routed = &comm->routed[op];
    const struct shunt_rule *rule = comm->lessons->presumed[op];
    if (!rule || routed->calls < FEW)
        return;
    const double mine = mean_us(routed), native = (double)rule->native_us;
    struct shunt_learned note = {.op = op, .rule = *rule};
    if (mine < 0.9 * native) {
        note.rule.expected = 0;
        keep(&note, "learned", mine);
    } else if (mine >= native) {
        note.rule.algorithm = shunt_registry_index(shunt_registry_find("native"));
        note.rule.present = 0;
        keep(&note, "tried in vain", mine);
    }
}

/* How many nodes a communicator is on that was never set up; 0: not known. All ranks of the job are
 * taken to lie as those of this node: what is expected of another layout takes no call. */
static int guess_nodes(const struct shunt_comm *comm)
{
    const int known = shunt_identity_nodes(comm->size), here = shunt_environment_local_ranks();
    if (known > 0)
        return known;
    return here > 0 && comm->user == MPI_COMM_WORLD ? (comm->size + here - 1) / here : 0;
}

static bool find_layout(const struct shunt_comm *comm, struct shunt_layout *layout)
{
    if (comm->state == SHUNT_STATE_ROUTED)
        return shunt_layout_copy(layout, &comm->layout) == 0;
    const int nodes = comm->state == SHUNT_STATE_COUNTING ? guess_nodes(comm) : 0;
    return nodes > 0 && shunt_layout_blocks(layout, comm->size, nodes) == 0;
}

void shunt_foresight_note(const struct shunt_comm *comm)
{
    struct shunt_layout layout = {0};
    if (!shunt_foresight_wanted(comm))
        return;
    for (int op = 0; op < SHUNT_OP_COUNT && comm->lessons; op++)
        judge(comm, (enum shunt_op)op);
    if (!find_layout(comm, &layout))
        return;
    for (int i = 0; i < SHUNT_OP_COUNT; i++) {
        const enum shunt_op op = (enum shunt_op)i;
        const struct shunt_tally *seen = &comm->seen[op];
        if (seen->calls >= FEW && seen->nanoseconds >= WORTH && leaves_open(comm, op) &&
            !shunt_learned_has(shunt_tables_look(), op, comm->size))
            expect(comm, op, &layout);
    }
    shunt_layout_clear(&layout);
}
