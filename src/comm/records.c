/* SPDX-License-Identifier: BSD-3-Clause */
/* records.c: what the ranks of a team told each other: who is on which node, and how crowded
 * that is. */
#include <stdlib.h>

#include "comm/make_team.h"

struct keyed_rank {
    uint64_t node;
    int rank;
};

static int by_node_then_rank(const void *left, const void *right)
{
    const struct keyed_rank *a = left, *b = right;
    if (a->node != b->node)
        return a->node < b->node ? -1 : 1;
    return (a->rank > b->rank) - (a->rank < b->rank);
}

/* Fills first_of. Returns how many ranks are on this one's node, 0: no memory; *shared: some node
 * has two. */
static int find_nodes(struct shunt_team *team, const struct shunt_team_record *records,
                      bool *shared)
{
    struct keyed_rank *sorted = malloc((size_t)team->size * sizeof *sorted);
    int here = 0;
    if (!sorted)
        return 0;
    for (int p = 0; p < team->size; p++)
        sorted[p] = (struct keyed_rank){records[p].node, p};
    qsort(sorted, (size_t)team->size, sizeof *sorted, by_node_then_rank);
    int first = 0;
    *shared = false;
    for (int i = 0; i < team->size; i++) {
        if (i == 0 || sorted[i].node != sorted[i - 1].node)
            first = sorted[i].rank;
        else
            *shared = true;
        team->first_of[sorted[i].rank] = first;
        here += sorted[i].node == records[team->rank].node;
    }
    free(sorted);
    return here;
}

/* Ranks may be bound to processors, each to its own or several to the same. The same on all ranks
 * of a node: it decides which barriers they have. */
static bool is_oversubscribed(const struct shunt_team *team,
                              const struct shunt_team_record *records, int here)
{
    int processors = 0, ranks = here;
    for (int p = 0, last = -1; p < team->size; p++) {
        const struct shunt_seat *seat = &records[p].seat;
        if (records[p].node != records[team->rank].node)
            continue;
        ranks = seat->ranks_here > ranks ? seat->ranks_here : ranks;
        if (last < 0 || seat->processor != records[last].seat.processor)
            processors += seat->processors; /* bound elsewhere than the one before */
        last = p;
    }
    return ranks > processors;
}

/* What all ranks told each other, so that all find the same. False: no memory. */
static bool find_crowded(struct shunt_team *team, const struct shunt_team_record *records)
{
    struct shunt_seat *seats = malloc((size_t)team->size * sizeof *seats);
    if (!seats)
        return false;
    for (int p = 0; p < team->size; p++)
        seats[p] = records[p].seat;
    team->crowded = shunt_seats_crowded(seats, team->size);
    free(seats);
    return true;
}

/* False: no memory. */
static bool find_neighbours(struct shunt_team *team, int here)
{
    const int first = team->first_of[team->rank];
    team->neighbours = malloc((size_t)here * sizeof *team->neighbours);
    if (!team->neighbours)
        return false;
    team->here = 0;
    for (int p = first; p < team->size && team->here < here; p++)
        if (team->first_of[p] == first)
            team->neighbours[team->here++] = p;
    return true;
}

void shunt_team_read_records(struct shunt_team_draft *draft)
{
    struct shunt_team *team = draft->team;
    draft->here = find_nodes(team, draft->records, &draft->shared);
    draft->offer = draft->records[team->first_of[team->rank]].offer;
    team->oversubscribed = is_oversubscribed(team, draft->records, draft->here);
    if (!find_crowded(team, draft->records) || draft->here == 0 ||
        !find_neighbours(team, draft->here))
        draft->here = 0;
    free(draft->records);
    draft->records = NULL;
}
