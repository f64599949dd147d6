/* SPDX-License-Identifier: BSD-3-Clause */
/* decisions.c: maps of a communicator, and that all ranks have the same. */
#include "comm/decisions.h"

#include "base/arithmetic.h"
#include "comm/team.h"
#include "log/log.h"
#include "process/process.h"

/* The decisions of the team's last communicator, if that had the same layout. */
static bool copy_decisions(struct shunt_comm *comm)
{
    struct shunt_team *team = comm->team;
    bool copied = !comm->given && comm->layout.segment_block == INT64_MAX && comm->layout.peer_read;
    pthread_mutex_lock(&team->lock);
    copied = copied && shunt_layout_same(&comm->layout, &team->last_layout);
    for (int op = 0; op < SHUNT_OP_COUNT && copied; op++)
        copied = shunt_map_copy(&comm->map[op], &team->last_map[op]) == 0;
    pthread_mutex_unlock(&team->lock);
    for (int op = 0; op < SHUNT_OP_COUNT && !copied; op++)
        shunt_map_clear(&comm->map[op]);
    return copied;
}

static void keep_decisions(const struct shunt_comm *comm)
{
    struct shunt_team *team = comm->team;
    if (comm->given || comm->layout.segment_block != INT64_MAX || !comm->layout.peer_read)
        return;
    pthread_mutex_lock(&team->lock);
    shunt_layout_clear(&team->last_layout);
    bool kept = shunt_layout_copy(&team->last_layout, &comm->layout) == 0;
    for (int op = 0; op < SHUNT_OP_COUNT; op++) {
        shunt_map_clear(&team->last_map[op]);
        kept = kept && shunt_map_copy(&team->last_map[op], &comm->map[op]) == 0;
    }
    if (!kept)
        shunt_layout_clear(&team->last_layout);
    pthread_mutex_unlock(&team->lock);
}

/* The model computes. */
static bool build_map(struct shunt_comm *comm, enum shunt_op op, const struct shunt_table *table)
{
    struct shunt_arithmetic arithmetic;
    shunt_arithmetic_enter(&arithmetic);
    const bool built =
        shunt_map_build(&comm->map[op], table, op, &comm->layout, comm->agreed.memory) == 0;
    shunt_arithmetic_leave(&arithmetic);
    return built;
}

bool shunt_decisions_build(struct shunt_comm *comm)
{
    for (int op = 0; op < SHUNT_OP_COUNT; op++)
        shunt_map_clear(&comm->map[op]);
    const bool copied = copy_decisions(comm);
    for (int op = 0; op < SHUNT_OP_COUNT; op++) {
        const struct shunt_table *table =
            comm->force && comm->force->rule_count[op] ? comm->force : comm->table;
        if (!copied && !build_map(comm, (enum shunt_op)op, table))
            return false;
    }
    if (!copied)
        keep_decisions(comm);
    return true;
}

bool shunt_decisions_none(const struct shunt_comm *comm)
{
    return shunt_map_all_native(&comm->map[SHUNT_OP_ALLTOALL]) &&
           shunt_map_all_native(&comm->map[SHUNT_OP_ALLTOALLV]);
}

bool shunt_decisions_unmodelled(const struct shunt_comm *comm)
{
    bool unmodelled = false;
    for (int op = 0; op < SHUNT_OP_COUNT; op++)
        unmodelled = unmodelled || comm->map[op].unmodelled;
    return unmodelled;
}

int64_t shunt_decisions_modelled(const struct shunt_comm *comm)
{
    uint64_t sum = 0;
    for (int op = 0; op < SHUNT_OP_COUNT; op++)
        sum = 3 * sum + shunt_map_modelled(&comm->map[op]);
    return (int64_t)sum; /* of few enough bits for all ranks' to be added up */
}

void shunt_decisions_settle(struct shunt_comm *comm, bool unmodelled, bool differs)
{
    struct shunt_team *team = comm->team;
    if (!unmodelled && !differs) {
        const bool limited = comm->map[SHUNT_OP_ALLTOALL].limited;
        if (limited && comm->rank == 0 && shunt_process_settings()->log != SHUNT_LOG_OFF)
            shunt_log_say("the model has looked at part of the block sizes of a communicator of "
                          "%d ranks on %d nodes: the rest of those without a rule is native",
                          comm->size, comm->layout.nodes);
        return;
    }
    for (int op = 0; op < SHUNT_OP_COUNT; op++)
        shunt_map_forget_model(&comm->map[op]);
    pthread_mutex_lock(&team->lock);
    shunt_layout_clear(&team->last_layout); /* so that the next one asks the model again */
    pthread_mutex_unlock(&team->lock);
    if (comm->rank != 0)
        return;
    if (unmodelled)
        shunt_log_say("the model cannot be asked on some rank (no memory): block sizes without a "
                      "rule are native");
    else
        shunt_log_say("the model chooses differently on some ranks: block sizes without a rule "
                      "are native");
}

struct shunt_agreement shunt_decisions_say(const struct shunt_comm *comm, bool ok)
{
    const int64_t modelled = shunt_decisions_modelled(comm);
    return (struct shunt_agreement){
        .largest = modelled,
        .total = (uint64_t)modelled,
        .flags = (ok ? 0 : SHUNT_FLAG_NO_MEMORY) |
                 (shunt_decisions_unmodelled(comm) ? SHUNT_FLAG_UNMODELLED : 0)};
}

/* All are the largest where they add up to that many times the largest. */
void shunt_decisions_hear(struct shunt_comm *comm, const struct shunt_agreement *values)
{
    shunt_decisions_settle(comm, (values->flags & SHUNT_FLAG_UNMODELLED) != 0,
                           values->total != (uint64_t)values->largest * (uint64_t)comm->size);
}
