/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * team.h: what a set of processes knows about itself once, for all communicators that consist of
 * them.
 *
 * The first communicator that is set up makes a team: settings and tables that count for all its
 * processes, the node of each, a private communicator, and memory that the ranks of a node share. A
 * later communicator whose processes all belong to a team needs none of this again: its layout
 * follows by local translation of groups, its messages travel on the team's communicator with
 * tags of their own, and its shared memory is a piece of the team's. So it takes one broadcast
 * and one reduction to set it up (setup.c).
 *
 * All members make a team together and hold it under the same number. It goes when the last
 * communicator that uses it is freed; one that has all processes of MPI_COMM_WORLD never: callbacks
 * may communicate until MPI_Finalize is over, in another order on each rank. The first few of the
 * others last as well. Of these all members know that all have them, and in which order they were
 * made.
 */
#ifndef SHUNT_COMM_TEAM_H
#define SHUNT_COMM_TEAM_H

#include <pthread.h>
#include <stdatomic.h>

#include "comm/comm.h"
#include "shm/segment.h"

struct shunt_team {
    struct shunt_team *next;
    int64_t id;    /* positive; the same on all members, and no other team of the job has it */
    MPI_Comm comm; /* private */
    MPI_Group group;
    int rank, size;
    int *first_of;         /* array of size: lowest rank on the same node */
    int here, *neighbours; /* ranks on this one's node, in order: array of `here` */
    struct shunt_agreed agreed;
    const struct shunt_table *table, *force; /* NULL: none */
    struct shunt_segment segment; /* !at: the ranks of this node have no memory in common */
    struct shunt_areas areas;     /* of this node's ranks; not with several threads */
    bool shares;                  /* on every node, or no node has two ranks */
    bool world;                   /* it has all processes of MPI_COMM_WORLD */
    bool lasts;                   /* until MPI ends */
    bool oversubscribed;          /* this node has more ranks than processors */
    bool crowded;                 /* some machine has: the same on all members, rules test it */
    int tag_ranges;               /* communicators that can have tags of their own */
    _Atomic int users;            /* communicators */
    pthread_mutex_t lock;         /* of the rest; never held across a PMPI call */
    /* First tags of communicators that this rank has left: messages with these may still be on
     * their way, so nothing is set up with them again. all_stale: there was no memory for one. */
    int *stale, stale_count;
    bool all_stale;
    /* Decisions of the last communicator, for the next one with the same layout: processes make
     * many alike. */
    struct shunt_layout last_layout;
    struct shunt_map last_map[SHUNT_OP_COUNT];
};

/*
 * The team that has all processes of `comm`, the one with this number if `id` is not 0; NULL:
 * none. *there becomes an array of P (malloc) of ranks in it, or NULL where these are the same;
 * undefined without a team. *there cannot be made: NULL as well. The result is held for the
 * caller; shunt_team_drop.
 */
struct shunt_team *shunt_team_find(const struct shunt_comm *comm, int64_t id, int **there);
void shunt_team_drop(struct shunt_team *team);
/* A team that lasts and has all processes of `comm`, held for the caller; NULL: none. Needs no
 * memory, and looks at no team that other ranks may have dropped by now: all of them find the
 * same. */
struct shunt_team *shunt_team_lasting(const struct shunt_comm *comm);
/* Whether all ranks of a communicator with such a team (NULL: none) are sure that all of them
 * have it: only one thread at a time sets something up. */
bool shunt_team_covers(const struct shunt_team *team);
/* Whether a team of this kind has agreed about the warm-up. */
bool shunt_team_warmup_told(void);
/* Enters a team that has just been made, held for the caller; and frees one that was not
 * entered. */
void shunt_team_add(struct shunt_team *team);
void shunt_team_free(struct shunt_team *team);

/* This rank has left the communicator with these tags; whether it has left one that had them. */
void shunt_team_note_stale(struct shunt_team *team, int first_tag);
bool shunt_team_is_stale(struct shunt_team *team, int first_tag);

/* Which of its node's ranks a rank of the team is. */
int shunt_team_place(const struct shunt_team *team, int rank);

/* How many teams this process has; how many of them last besides the one of MPI_COMM_WORLD. */
int shunt_team_count(void);
int shunt_team_lasting_count(void);
/* MPI has ended, and with it whatever teams refer to. */
void shunt_team_forget_all(void);

#endif
