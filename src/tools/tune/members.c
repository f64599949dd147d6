/* SPDX-License-Identifier: BSD-3-Clause */
/* members.c: the candidates that a team has open, and the buffers that they are called with. */
#include <stdlib.h>
#include <string.h>

#include "comm/lifetime.h"
#include "tools/measure/program.h"
#include "tools/tune/team.h"

static void close_cases(struct tune_team *team)
{
    for (int c = 0; c < team->case_count; c++)
        measure_case_close(&team->cases[c]);
    team->case_count = 0;
}

static void open_cases(struct tune_team *team, enum shunt_op op, int64_t block)
{
    static const struct measure_distribution constant = {.shape = MEASURE_CONSTANT};
    const bool alike = op == SHUNT_OP_ALLTOALL;
    if (team->case_count > 0 && team->cases[0].op == op && team->cases[0].block == block)
        return;
    close_cases(team);
    team->case_count = alike ? 1 : team->asked->distribution_count;
    for (int c = 0; c < team->case_count; c++)
        measure_case_open(&team->cases[c], &team->world, op,
                          alike ? &constant : &team->asked->distributions[c], block);
}

int64_t tune_members_largest(const struct tune_team *team)
{
    int64_t largest = 0;
    for (int c = 0; c < team->case_count; c++)
        largest = team->cases[c].largest > largest ? team->cases[c].largest : largest;
    return largest;
}

static void close_member(struct tune_member *member)
{
    shunt_comm_close(member->candidate.comm);
    free(member->table);
    free(member);
}

/*
 * A table with one rule, and that for some sizes, as those are that will be written: so ranks have
 * to agree about the sizes of MPI_Alltoallv. Those of TUNE_NATIVE_AGREED are none of the rule's.
 */
static struct shunt_table *table_of(const struct tune_team *team, enum shunt_op op,
                                    const char *text)
{
    const bool none = strcmp(text, TUNE_NATIVE_AGREED) == 0;
    char forced[TUNE_TEXT_ROOM + 32];
    struct shunt_diagnostics diagnostics = {0};
    snprintf(forced, sizeof forced, "%s=%s", shunt_op_name(op), none ? "spread-out" : text);
    struct shunt_table *table = shunt_table_from_force(forced, &diagnostics);
    shunt_diagnostics_clear(&diagnostics);
    if (table)
        table->rules[table->rule_first[op]].block =
            (struct shunt_range){none ? tune_members_largest(team) + 1 : 0, INT32_MAX};
    return table;
}

static struct tune_member *open_member(struct tune_team *team, enum shunt_op op, const char *text)
{
    struct tune_member *member = measure_need(calloc(1, sizeof *member));
    snprintf(member->text, sizeof member->text, "%s", text);
    member->fresh = true;
    if (strcmp(text, "native") == 0)
        return member;
    member->table = table_of(team, op, text);
    member->native = strcmp(text, TUNE_NATIVE_AGREED) == 0;
    int there = member->table != NULL; /* memory may be short on one rank */
    measure_must(PMPI_Allreduce(MPI_IN_PLACE, &there, 1, MPI_INT, MPI_MIN, team->world.comm),
                 "MPI_Allreduce");
    if (!there) {
        member->failed = true;
        return member;
    }
    measure_candidate_open(&member->candidate, &team->world, member->text, member->table);
    const struct shunt_comm *comm = member->candidate.comm;
    for (int c = 0; c < team->case_count; c++)
        member->failed |=
            comm->state != SHUNT_STATE_ROUTED ||
            member->native ==
                (shunt_map_find(&comm->map[op], team->cases[c].largest)->rule != NULL);
    return member;
}

static struct tune_member *take_member(struct tune_team *team, const char *text)
{
    for (int i = 0; i < team->member_count; i++) {
        struct tune_member *member = team->members[i];
        if (member && strcmp(member->text, text) == 0) {
            team->members[i] = NULL;
            return member;
        }
    }
    return NULL;
}

void tune_members_set(struct tune_team *team, const struct tune_order *order)
{
    const int64_t block = team->case_count > 0 ? team->cases[0].block : -1;
    const bool same = block == order->block && team->cases[0].op == (enum shunt_op)order->op &&
                      order->stage != TUNE_STAGE_HELD_OUT;
    struct tune_member *members[TUNE_BATCH_MOST] = {NULL};
    for (int k = 0; same && k < order->count; k++)
        members[k] = take_member(team, order->texts[k]);
    for (int i = 0; i < team->member_count; i++)
        if (team->members[i])
            close_member(team->members[i]);
    open_cases(team, (enum shunt_op)order->op, order->block);
    for (int k = 0; k < order->count; k++)
        team->members[k] =
            members[k] ? members[k] : open_member(team, (enum shunt_op)order->op, order->texts[k]);
    team->member_count = order->count;
}

void tune_members_close(struct tune_team *team)
{
    for (int i = 0; i < team->member_count; i++)
        close_member(team->members[i]);
    close_cases(team);
}
