/* SPDX-License-Identifier: BSD-3-Clause */
/* make_team.h: all processes of a communicator make a team together. */
#ifndef SHUNT_COMM_MAKE_CONTEXT_H
#define SHUNT_COMM_MAKE_CONTEXT_H

#include "comm/team.h"
#include "process/seats.h"

/* What a process tells the others when a team is made. */
struct shunt_team_record {
    uint64_t node; /* the same for processes that can share memory */
    struct shunt_segment_offer offer;
    struct shunt_seat seat;
};

/* What is made before anything is exchanged, so that its failure can be told. */
struct shunt_team_draft {
    struct shunt_team *team;
    struct shunt_team_record *records; /* array of size; NULL: gone, what they say is below */
    struct shunt_segment_offer offer;  /* of the first rank of this one's node */
    int here;                          /* ranks on this one's node; 0: no memory to find out */
    bool shared;                       /* some node has two ranks */
};

/* Local. False: something is lacking here, which the others are to be told. In any case
 * shunt_team_finish or shunt_team_discard. */
bool shunt_team_begin(const struct shunt_comm *comm, struct shunt_team_draft *draft);
void shunt_team_discard(struct shunt_team_draft *draft);
/* Keeps of the records what is needed, and gives them back before anybody waits for others again:
 * with thousands of ranks they are the largest there is. draft->here 0: no memory. */
void shunt_team_read_records(struct shunt_team_draft *draft);
/*
 * Collective over comm->user, after all ranks agreed that all have a draft. most: the largest
 * number of teams that any of them has. learns: all were asked for trials. NULL on all ranks alike:
 * comm->reason says why, and the draft is still to be discarded. Held for the caller.
 */
struct shunt_team *shunt_team_finish(struct shunt_comm *comm, struct shunt_team_draft *draft,
                                     int64_t most, bool learns);

#endif
