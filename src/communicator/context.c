/* SPDX-License-Identifier: BSD-3-Clause */
/* context.c: the contexts of this process, and finding the one that serves a communicator. */
#include "communicator/context.h"

#include <stdlib.h>

#include "communicator/errors.h"
#include "communicator/group.h"

static pthread_mutex_t lock =
    PTHREAD_MUTEX_INITIALIZER; /* of the list; never held across a PMPI call that communicates */
static struct shunt_context *contexts;
static int context_count;

int shunt_context_count(void)
{
    pthread_mutex_lock(&lock);
    const int count = context_count;
    pthread_mutex_unlock(&lock);
    return count;
}

int shunt_context_lasting_count(void)
{
    int lasting = 0;
    pthread_mutex_lock(&lock);
    for (const struct shunt_context *context = contexts; context; context = context->next)
        lasting += context->lasts && !context->world;
    pthread_mutex_unlock(&lock);
    return lasting;
}

bool shunt_context_covers(const struct shunt_context *context)
{
    return context && context->lasts && context->agreed.thread_level < MPI_THREAD_MULTIPLE;
}

bool shunt_context_warmup_told(void)
{
    bool told = false;
    pthread_mutex_lock(&lock);
    for (const struct shunt_context *context = contexts; context; context = context->next)
        told = told || (shunt_context_covers(context) && context->agreed.warmup >= 0);
    pthread_mutex_unlock(&lock);
    return told;
}

void shunt_context_forget_all(void)
{
    pthread_mutex_lock(&lock);
    contexts = NULL;
    context_count = 0;
    pthread_mutex_unlock(&lock);
}

void shunt_context_free(struct shunt_context *context)
{
    int finalized = 0;
    shunt_pmpi.Finalized(&finalized);
    if (!finalized && context->comm != MPI_COMM_NULL)
        shunt_pmpi.Comm_free(&context->comm);
    if (!finalized && context->group != MPI_GROUP_NULL)
        shunt_pmpi.Group_free(&context->group);
    shunt_areas_close(&context->areas);
    shunt_segment_close(&context->segment);
    for (int op = 0; op < SHUNT_OP_COUNT; op++)
        shunt_map_clear(&context->last_map[op]);
    shunt_layout_clear(&context->last_layout);
    pthread_mutex_destroy(&context->lock);
    free(context->first_of);
    free(context->neighbours);
    free(context);
}

static int by_number(const void *left, const void *right)
{
    const int *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

int shunt_context_place(const struct shunt_context *context, int rank)
{
    const int *at =
        bsearch(&rank, context->neighbours, (size_t)context->here, sizeof rank, by_number);
    return at ? (int)(at - context->neighbours) : 0;
}

void shunt_context_drop(struct shunt_context *context)
{
    pthread_mutex_lock(&lock);
    const bool last = --context->users == 0;
    struct shunt_context **link = &contexts;
    while (last && *link && *link != context)
        link = &(*link)->next;
    if (last && *link) {
        *link = context->next;
        context_count--;
    }
    pthread_mutex_unlock(&lock);
    if (last)
        shunt_context_free(context);
}

void shunt_context_add(struct shunt_context *context)
{
    pthread_mutex_lock(&lock);
    context->next = contexts;
    contexts = context;
    context_count++;
    pthread_mutex_unlock(&lock);
}

/* Holds the context after `after` (NULL: the first) that has room for `size` processes. */
static struct shunt_context *hold_next(const struct shunt_context *after, int size, int64_t id)
{
    pthread_mutex_lock(&lock);
    struct shunt_context *context = after ? after->next : contexts;
    while (context && (context->size < size || (id != 0 && context->id != id)))
        context = context->next;
    if (context)
        context->users++;
    pthread_mutex_unlock(&lock);
    return context;
}

/* Where the members of a group are in a context. */
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

/* Ranks of `group`'s members in the context; there may be NULL. False: some have none, or the
 * library failed. */
static bool translate(const struct shunt_context *context, MPI_Group group, int size, int *there,
                      bool *same)
{
    struct members members = {.there = there, .same = true};
    const bool all = shunt_group_translate(group, size, context->group, add_member, &members);
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

struct shunt_context *shunt_context_lasting(const struct shunt_comm *comm)
{
    MPI_Group group = MPI_GROUP_NULL;
    bool same;
    struct shunt_context *context = hold_next(NULL, comm->size, 0);
    while (context) {
        if (context->lasts && group == MPI_GROUP_NULL)
            group = group_of(comm);
        if (context->lasts && group != MPI_GROUP_NULL &&
            translate(context, group, comm->size, NULL, &same))
            break;
        struct shunt_context *next = hold_next(context, comm->size, 0);
        shunt_context_drop(context);
        context = next;
    }
    if (group != MPI_GROUP_NULL)
        shunt_pmpi.Group_free(&group);
    return context;
}

struct shunt_context *shunt_context_find(const struct shunt_comm *comm, int64_t id, int **there)
{
    struct shunt_context *context = hold_next(NULL, comm->size, id);
    MPI_Group group = MPI_GROUP_NULL;
    bool same = false;
    *there = NULL;
    if (!context)
        return NULL;
    int *ranks = malloc((size_t)comm->size * sizeof *ranks);
    if (!ranks)
        ranks = malloc((size_t)comm->size *
                       sizeof *ranks); /* twice, as all that other ranks count on */
    group = ranks ? group_of(comm) : MPI_GROUP_NULL;
    const bool usable = group != MPI_GROUP_NULL;
    while (context && !(usable && translate(context, group, comm->size, ranks, &same))) {
        struct shunt_context *next = usable ? hold_next(context, comm->size, id) : NULL;
        shunt_context_drop(context);
        context = next;
    }
    if (group != MPI_GROUP_NULL)
        shunt_pmpi.Group_free(&group);
    if (context && !same)
        *there = ranks;
    else
        free(ranks);
    return context;
}
