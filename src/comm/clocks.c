/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clocks.c: what the clocks of the ranks differ by.
 *
 * Ranks of one node have the same CLOCK_MONOTONIC. The first rank of each other node sends some
 * messages to that of a node whose clock is known by then, which answers each with the time that
 * rank 0 has then: that belongs to the middle of the shortest journey there and back, give or take
 * half of it (Cristian 1989) and what the answer may be wrong by. A node answers those below it one
 * after the other; until it comes to this one, journeys only take longer. So that neither the time
 * that takes nor the uncertainty grow much with the nodes, they make a tree: a node's place is
 * written in digits, and above it is that without its lowest digit. The first rank of a node then
 * tells the others there. What CLOCK_MONOTONIC means on rank 0 all know from its settings.
 */
#include "comm/clocks.h"

#include "base/clock.h"
#include "comm/wait.h"
#include "log/clock.h"
#include "log/log.h"
#include "process/errors.h"

enum { ROUNDS = 10 };

/* Digits go up to this: at most 7 nodes are below another one with equal digits behind, and the
 * journeys to rank 0 are 4 for 4,096 nodes. */
enum { FAN = 8 };

/* The question was not heard, or there is nothing to tell. */
#define NO_TIME INT64_MIN

/* Nanoseconds to be added to CLOCK_MONOTONIC here for rank 0's, and by how many that may be wrong.
 */
struct difference {
    int64_t offset, uncertainty;
    int64_t known; /* 0: the library failed */
};

struct answer {
    int64_t time; /* CLOCK_MONOTONIC of rank 0, nanoseconds; or NO_TIME */
    int64_t uncertainty;
};

static int pass(struct shunt_comm *comm, const struct shunt_team *team, bool receive, void *bytes,
                size_t count, int peer)
{
    MPI_Request request;
    const int status = receive
                           ? SHUNT_TWICE(shunt_pmpi.Irecv(bytes, (int)count, MPI_BYTE, peer,
                                                          SHUNT_TAG_CLOCK, team->comm, &request))
                           : SHUNT_TWICE(shunt_pmpi.Isend(bytes, (int)count, MPI_BYTE, peer,
                                                          SHUNT_TAG_CLOCK, team->comm, &request));
    return status == MPI_SUCCESS ? shunt_wait_all(comm, 1, &request, &peer, NULL) : status;
}

/* To the first rank of another node, which this one's clock is already compared for. All rounds are
 * made whatever fails in them: the other side may have seen no failure, and would wait. */
static void answer(struct shunt_comm *comm, const struct shunt_team *team,
                   const struct difference *own, int peer)
{
    for (int i = 0; i < ROUNDS; i++) {
        struct answer said = {.time = NO_TIME, .uncertainty = own->uncertainty};
        int64_t question = 0;
        const int received = pass(comm, team, true, &question, sizeof question, peer);
        if (received == MPI_SUCCESS && own->known)
            said.time = shunt_now() + own->offset;
        (void)pass(comm, team, false, &said, sizeof said, peer);
    }
}

/* From the node above. */
static struct difference ask(struct shunt_comm *comm, const struct shunt_team *team, int peer)
{
    struct difference difference = {.uncertainty = INT64_MAX};
    for (int i = 0; i < ROUNDS; i++) {
        struct answer heard = {.time = NO_TIME};
        int64_t question = 0;
        const int64_t begin = shunt_now();
        const int sent = pass(comm, team, false, &question, sizeof question, peer);
        const int received = pass(comm, team, true, &heard, sizeof heard, peer);
        const int64_t half = (shunt_now() - begin + 1) / 2;
        if (sent == MPI_SUCCESS && received == MPI_SUCCESS && heard.time != NO_TIME &&
            half < difference.uncertainty - heard.uncertainty)
            difference =
                (struct difference){heard.time - begin - half, half + heard.uncertainty, 1};
    }
    return difference;
}

/* The node above another one in the tree, both by their places among all nodes (not for place 0):
 * without its lowest digit that is not 0. */
static int node_above(int node)
{
    int span = 1;
    while (node / span % FAN == 0)
        span *= FAN;
    return node - node / span % FAN * span;
}

/* The first rank of this node answers those below, the highest first, for most are below that. */
static void answer_below(struct shunt_comm *comm, const struct shunt_team *team,
                         const struct difference *own, int node, int nodes)
{
    for (int p = team->size - 1, other = nodes - 1; other > node; p--) {
        if (team->first_of[p] != p)
            continue;
        if (node_above(other) == node)
            answer(comm, team, own, p);
        other--;
    }
}

/* The first rank of a node: from the one above, to those below. */
static struct difference compare_nodes(struct shunt_comm *comm, const struct shunt_team *team)
{
    struct difference difference = {.known = 1};
    int nodes = 0, node = 0, above = 0;
    for (int p = 0; p < team->size; p++) {
        if (team->first_of[p] != p)
            continue;
        if (p == team->rank)
            node = nodes;
        nodes++;
    }
    if (node > 0) {
        const int place = node_above(node);
        for (int seen = -1; above < team->size; above++)
            if (team->first_of[above] == above && ++seen == place)
                break;
        difference = ask(comm, team, above);
    }
    answer_below(comm, team, &difference, node, nodes);
    return difference;
}

/* The first rank of a node to the others there. */
static void pass_on(struct shunt_comm *comm, const struct shunt_team *team,
                    struct difference *difference)
{
    const int first = team->first_of[team->rank];
    if (first != team->rank) {
        if (pass(comm, team, true, difference, sizeof *difference, first) != MPI_SUCCESS)
            difference->known = 0;
        return;
    }
    for (int p = first + 1; p < team->size; p++)
        if (team->first_of[p] == first)
            (void)pass(comm, team, false, difference, sizeof *difference, p);
}

void shunt_team_compare_clocks(struct shunt_comm *comm, const struct shunt_team *team)
{
    const int first = team->first_of[team->rank];
    struct difference difference = {.known = 1};
    if (first == team->rank)
        difference = compare_nodes(comm, team);
    if (first != 0) /* rank 0's node knows */
        pass_on(comm, team, &difference);
    const int64_t own = shunt_log_clock_base();
    if (difference.known && own != 0 && team->agreed.clock_base != 0)
        shunt_log_clock(team->agreed.clock_base + difference.offset - own, difference.uncertainty);
}
