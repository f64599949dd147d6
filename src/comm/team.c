/* SPDX-License-Identifier: BSD-3-Clause */
/* team.c: the teams of this process, and finding the one that serves a communicator. */
#include "comm/team.h"

#include <stdlib.h>

#include "process/errors.h"
#include "process/group.h"

static pthread_mutex_t lock =
    PTHREAD_MUTEX_INITIALIZER; /* of the list; never held across a PMPI call that communicates */
static struct shunt_team *teams;
static int team_count;

int shunt_team_count(void)
{
    pthread_mutex_lock(&lock);
    const int count = team_count;
    pthread_mutex_unlock(&lock);
    return count;
}

int shunt_team_lasting_count(void)
{
    int lasting = 0;
    pthread_mutex_lock(&lock);
    for (const struct shunt_team *team = teams; team; team = team->next)
        lasting += team->lasts && !team->world;
    pthread_mutex_unlock(&lock);
    return lasting;
}

bool shunt_team_covers(const struct shunt_team *team)
{
    return team && team->lasts && team->agreed.thread_level < MPI_THREAD_MULTIPLE;
}

bool shunt_team_warmup_told(void)
{
    bool told = false;
    pthread_mutex_lock(&lock);
    for (const struct shunt_team *team = teams; team; team = team->next)
        told = told || (shunt_team_covers(team) && team->agreed.warmup >= 0);
    pthread_mutex_unlock(&lock);
    return told;
}

void shunt_team_forget_all(void)
{
    pthread_mutex_lock(&lock);
    teams = NULL;
    team_count = 0;
    pthread_mutex_unlock(&lock);
}

void shunt_team_free(struct shunt_team *team)
{
    int finalized = 0;
    shunt_pmpi.Finalized(&finalized);
    if (!finalized && team->comm != MPI_COMM_NULL)
        shunt_pmpi.Comm_free(&team->comm);
    if (!finalized && team->group != MPI_GROUP_NULL)
        shunt_pmpi.Group_free(&team->group);
    shunt_areas_close(&team->areas);
    shunt_segment_close(&team->segment);
    for (int op = 0; op < SHUNT_OP_COUNT; op++)
        shunt_map_clear(&team->last_map[op]);
    shunt_layout_clear(&team->last_layout);
    pthread_mutex_destroy(&team->lock);
    free(team->stale);
    free(team->first_of);
    free(team->neighbours);
    free(team);
}

static int by_number(const void *left, const void *right)
{
    const int *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

int shunt_team_place(const struct shunt_team *team, int rank)
{
    const int *at = bsearch(&rank, team->neighbours, (size_t)team->here, sizeof rank, by_number);
    return at ? (int)(at - team->neighbours) : 0;
}

void shunt_team_drop(struct shunt_team *team)
{
    pthread_mutex_lock(&lock);
    const bool last = --team->users == 0;
    struct shunt_team **link = &teams;
    while (last && *link && *link != team)
        link = &(*link)->next;
    if (last && *link) {
        *link = team->next;
        team_count--;
    }
    pthread_mutex_unlock(&lock);
    if (last)
        shunt_team_free(team);
}

void shunt_team_add(struct shunt_team *team)
{
    pthread_mutex_lock(&lock);
    team->next = teams;
    teams = team;
    team_count++;
    pthread_mutex_unlock(&lock);
}

/* Holds the team after `after` (NULL: the first) that has room for `size` processes. */
static struct shunt_team *hold_next(const struct shunt_team *after, int size, int64_t id)
{
    pthread_mutex_lock(&lock);
    struct shunt_team *team = after ? after->next : teams;
    while (team && (team->size < size || (id != 0 && team->id != id)))
        team = team->next;
    if (team)
        team->users++;
    pthread_mutex_unlock(&lock);
    return team;
}

/* Where the members of a group are in a team. */
struct members {
    int *there; /* array of their ranks there, or NULL */
    bool same;  /* ranks there are ranks here */
};

static bool add_member(void *state, int rank, int there)
{
    struct members *members = state;
    if (there == MPI_UNDEFINED)
        return false;
    members->same = members->same && there == rank;
    if (members->there)
        members->there[rank] = there;
    return true;
}

/* Ranks of `group`'s members in the team; there may be NULL. False: some have none, or the
 * library failed. */
static bool translate(const struct shunt_team *team, MPI_Group group, int size, int *there,
                      bool *same)
{
    struct members members = {.there = there, .same = true};
    const bool all = shunt_group_translate(group, size, team->group, add_member, &members);
    *same = members.same;
    return all;
}

/* MPI_GROUP_NULL: the library does not tell. */
static MPI_Group group_of(const struct shunt_comm *comm)
{
    MPI_Group group = MPI_GROUP_NULL;
    struct shunt_hush hush;
    shunt_hush_begin_alone(&hush, comm->user);
    const int status = SHUNT_TWICE(shunt_pmpi.Comm_group(comm->user, &group));
    shunt_hush_end(&hush);
    return status == MPI_SUCCESS ? group : MPI_GROUP_NULL;
}

struct shunt_team *shunt_team_lasting(const struct shunt_comm *comm)
{
    MPI_Group group = MPI_GROUP_NULL;
    bool same;
    struct shunt_team *team = hold_next(NULL, comm->size, 0);
    while (team) {
        if (team->lasts && group == MPI_GROUP_NULL)
            group = group_of(comm);
        if (team->lasts && group != MPI_GROUP_NULL &&
            translate(team, group, comm->size, NULL, &same))
            break;
        struct shunt_team *next = hold_next(team, comm->size, 0);
        shunt_team_drop(team);
        team = next;
    }
    if (group != MPI_GROUP_NULL)
        shunt_pmpi.Group_free(&group);
    return team;
}

struct shunt_team *shunt_team_find(const struct shunt_comm *comm, int64_t id, int **there)
{
    struct shunt_team *team = hold_next(NULL, comm->size, id);
    MPI_Group group = MPI_GROUP_NULL;
    bool same = false;
    *there = NULL;
    if (!team)
        return NULL;
    int *ranks = malloc((size_t)comm->size * sizeof *ranks);
    if (!ranks)
        ranks = malloc((size_t)comm->size *
                       sizeof *ranks); /* twice, as all that other ranks count on */
    group = ranks ? group_of(comm) : MPI_GROUP_NULL;
    const bool usable = group != MPI_GROUP_NULL;
    while (team && !(usable && translate(team, group, comm->size, ranks, &same))) {
        struct shunt_team *next = usable ? hold_next(team, comm->size, id) : NULL;
        shunt_team_drop(team);
        team = next;
    }
    if (group != MPI_GROUP_NULL)
        shunt_pmpi.Group_free(&group);
    if (team && !same)
        *there = ranks;
    else
        free(ranks);
    return team;
}

void shunt_team_note_stale(struct shunt_team *team, int first_tag)
{
    pthread_mutex_lock(&team->lock);
    const size_t count = (size_t)team->stale_count + 1;
    int *more = realloc(team->stale, count * sizeof *more);
    if (more) {
        more[team->stale_count++] = first_tag;
        team->stale = more;
    } else {
        team->all_stale = true;
    }
    pthread_mutex_unlock(&team->lock);
}

bool shunt_team_is_stale(struct shunt_team *team, int first_tag)
{
    pthread_mutex_lock(&team->lock);
    bool stale = team->all_stale;
    for (int i = 0; i < team->stale_count; i++)
        stale |= team->stale[i] == first_tag;
    pthread_mutex_unlock(&team->lock);
    return stale;
}
