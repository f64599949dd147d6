/* SPDX-License-Identifier: BSD-3-Clause */
/* node_areas.c: the memory that blocks go through on a node: making and finding it, and who may
 * write into a half. */
#include <stdlib.h>
#include <sys/mman.h>

#include "comm/agree.h"
#include "comm/node_control.h"
#include "comm/team.h"

/* Threads with communicators of their own have areas of their own. */
static bool has_own_areas(const struct shunt_comm *comm)
{
    return comm->node.areas && comm->node.areas != &comm->team->areas;
}

/* Where the areas are to be taken from. False: no memory. */
static bool choose_areas(struct shunt_comm *comm)
{
    struct shunt_node *node = &comm->node;
    if (!node->area)
        node->area = calloc((size_t)node->ppn, sizeof *node->area);
    if (!node->area || node->areas || node->ppn == 1)
        return node->area;
    if (comm->agreed.thread_level < MPI_THREAD_MULTIPLE) {
        node->areas = &comm->team->areas;
        return true;
    }
    node->areas = calloc(1, sizeof *node->areas);
    if (!node->areas)
        return false;
    node->areas->table = &node->control->areas;
    node->areas->places = node->ppn;
    node->areas->place = node->local;
    return true;
}

/* The only rank of its node has all of it to itself. */
static bool offer_alone(struct shunt_shared *next)
{
    next->data = shunt_node_private(next->bytes + 2 * next->area_bytes);
    return next->data;
}

bool shunt_node_offer(struct shunt_comm *comm)
{
    struct shunt_node *node = &comm->node;
    struct shunt_segment *segment = &comm->team->segment;
    struct shunt_shared *next = &node->next;
    next->class = shunt_areas_class(next->area_bytes);
    next->made = true;
    if (!choose_areas(comm))
        return false;
    if (node->ppn == 1)
        return offer_alone(next);
    const bool taken = shunt_areas_take(node->areas, segment, next->class, next->area_bytes);
    if (node->local != 0 || next->bytes == 0)
        return taken;
    next->piece = shunt_segment_take_far(segment, next->bytes);
    if (next->piece != 0)
        next->data = shunt_segment_map(segment, next->piece, next->bytes);
    node->control->offered = next->piece;
    return taken && next->data;
}

/* This rank's part: its own mapping goes. The first one of a node, or the only one, gives the
 * memory back as well. */
static void release_shared(struct shunt_comm *comm, struct shunt_shared *shared, bool gives)
{
    if (shared->piece != 0)
        shunt_segment_unmap(shared->data, shared->bytes);
    else if (shared->data)
        munmap(shared->data, shared->bytes + 2 * shared->area_bytes);
    if (gives)
        shunt_segment_give(&comm->team->segment, shared->piece, shared->bytes);
    *shared = (struct shunt_shared){0};
}

/* Whether this rank has the memory that the first one of its node has taken. */
static bool has_offered(struct shunt_comm *comm)
{
    struct shunt_node *node = &comm->node;
    struct shunt_shared *next = &node->next;
    if (!next->data) {
        next->piece = node->control->offered;
        next->data = shunt_segment_map(&comm->team->segment, next->piece, next->bytes);
    }
    return next->data;
}

/* Of each local rank. */
static void find_areas(struct shunt_comm *comm)
{
    struct shunt_node *node = &comm->node;
    const struct shunt_shared *shared = &node->shared;
    if (node->ppn == 1) {
        node->area[0] = shared->data + shared->bytes;
        node->area_half = shared->area_bytes;
        return;
    }
    node->area_half = shunt_areas_half(shared->class);
    for (int local = 0; local < node->ppn; local++) {
        const int rank = shunt_layout_rank(&comm->layout, node->index, local);
        const int place = has_own_areas(comm)
                              ? local
                              : shunt_team_place(comm->team, shunt_comm_there(comm, rank));
        node->area[local] = shunt_areas_of(node->areas, shared->class, place);
    }
}

/* A half is no longer in use by an exchange that is over for all. */
static void let_go(struct shunt_comm *comm, struct shunt_areas_use *use)
{
    if (use->control && !has_own_areas(comm))
        shunt_node_leave(&comm->team->segment, use->piece, use->ppn);
    *use = (struct shunt_areas_use){0};
}

/* This communicator has come to areas of another class, and all its ranks to an agreement since. */
static void let_go_of_class(struct shunt_comm *comm, int class)
{
    struct shunt_node *node = &comm->node;
    for (int half = 0; node->areas && half < 2; half++)
        if (node->areas->class[class].used[half].control == node->control)
            let_go(comm, &node->areas->class[class].used[half]);
}

/* Everybody has finished with the arrivals of before, for everybody has come to the agreement. */
bool shunt_node_commit(struct shunt_comm *comm, bool everywhere)
{
    struct shunt_node *node = &comm->node;
    struct shunt_shared *next = &node->next;
    const bool gives = node->local == 0;
    if (!next->made)
        return everywhere;
    if (everywhere && next->arriving > 0 && comm->layout.ppn_max > 1)
        everywhere = shunt_agree_all(comm, node->ppn == 1 || has_offered(comm));
    if (!everywhere) {
        release_shared(comm, next, gives);
        return false;
    }
    if (node->shared.made && node->shared.class != next->class)
        let_go_of_class(comm, node->shared.class);
    release_shared(comm, &node->shared, gives);
    if (gives) {
        node->control->data = next->piece;
        node->control->data_bytes = next->bytes;
    }
    node->shared = *next;
    *next = (struct shunt_shared){0};
    find_areas(comm);
    return true;
}

/*
 * What this rank's half was used for last, by another communicator: its neighbours there may still
 * be reading. Only where the communicator changes; and its control block stays as long as it is
 * looked at.
 */
static void take_over(struct shunt_comm *comm, struct shunt_areas_use *use)
{
    struct shunt_node *node = &comm->node;
    for (int local = 0; use->control && local < use->ppn; local++)
        if (local != use->local)
            shunt_signal_wait_mark(&comm->waiter, &use->control->ranks[local].read, use->exchange);
    let_go(comm, use);
    *use = (struct shunt_areas_use){
        .control = node->control, .piece = node->piece, .ppn = node->ppn, .local = node->local};
    if (!has_own_areas(comm))
        atomic_fetch_add(&node->control->members, 1);
}

int shunt_node_begin_exchange(struct shunt_comm *comm)
{
    struct shunt_node *node = &comm->node;
    const uint32_t exchange = ++node->exchange;
    if (node->ppn > 1) {
        struct shunt_areas_use *use = &node->areas->class[node->shared.class].used[exchange % 2];
        if (use->control != node->control)
            take_over(comm, use);
        use->exchange = exchange;
    }
    return (int)(exchange % 2);
}

int shunt_node_skip_exchange(struct shunt_comm *comm)
{
    const uint32_t exchange = ++comm->node.exchange;
    shunt_node_end_exchange(comm);
    return (int)(exchange % 2);
}

void shunt_node_end_exchange(struct shunt_comm *comm)
{
    struct shunt_node *node = &comm->node;
    shunt_signal_mark(&node->control->ranks[node->local].read, node->exchange);
}

void shunt_node_release_areas(struct shunt_comm *comm)
{
    struct shunt_node *node = &comm->node;
    release_shared(comm, &node->shared,
                   node->ppn == 1); /* else the last one to leave gives it back */
    if (has_own_areas(comm)) {
        shunt_areas_close(node->areas);
        free(node->areas);
    }
    free(node->area);
    node->areas = NULL;
    node->area = NULL;
    node->shared = node->next = (struct shunt_shared){0};
}
