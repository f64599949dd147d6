/* SPDX-License-Identifier: BSD-3-Clause */
/* node.c: the control block of the ranks of a node: making and finding it, and barriers. */
#include "comm/node.h"

#include <sched.h>
#include <string.h>
#include <sys/mman.h>

#include "base/hash.h"
#include "comm/node_control.h"
#include "comm/team.h"
#include "comm/wait.h"

/* Lets the library do what is due; finds nothing itself, for no message has this tag. */
static void make_progress(void *who)
{
    const struct shunt_comm *comm = who;
    int found = 0;
    shunt_pmpi.Iprobe(MPI_ANY_SOURCE, comm->first_tag + SHUNT_TAG_NOBODY, comm->private_comm,
                      &found, MPI_STATUS_IGNORE);
}

static void look(void *who, struct shunt_watch *watch)
{
    shunt_watch_look(who, watch, -1);
}

void shunt_node_init(struct shunt_comm *comm)
{
    comm->waiter = (struct shunt_waiter){.progress = make_progress, .look = look, .who = comm};
}

/* The same on the ranks of a node, and on no other node or communicator. */
static uint64_t control_key(const struct shunt_comm *comm)
{
    return shunt_hash_mix((uint64_t)comm->proposed_id) + (uint64_t)comm->node.index;
}

void *shunt_node_private(size_t bytes)
{
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return at == MAP_FAILED ? NULL : at;
}

void shunt_node_leave(struct shunt_segment *segment, shunt_piece piece, int ppn)
{
    struct shunt_node_control *control = (void *)(segment->at + piece);
    if (atomic_fetch_sub(&control->members, 1) != 1)
        return;
    shunt_segment_give(segment, control->data, control->data_bytes);
    shunt_areas_give(&control->areas, segment, ppn);
    shunt_segment_give(segment, piece, shunt_node_control_bytes(ppn));
}

/* The first rank of a node makes the control block. */
static bool make_control(struct shunt_comm *comm)
{
    struct shunt_node *node = &comm->node;
    struct shunt_segment *segment = &comm->team->segment;
    const size_t bytes = shunt_node_control_bytes(node->ppn);
    node->piece = shunt_segment_take(segment, bytes);
    if (node->piece == 0)
        return false;
    node->control = (struct shunt_node_control *)(void *)(segment->at + node->piece);
    memset(node->control, 0, bytes);
    atomic_store(&node->control->members, (uint32_t)node->ppn);
    return shunt_segment_show(segment, node->piece, control_key(comm), (uint32_t)node->ppn - 1);
}

bool shunt_node_prepare(struct shunt_comm *comm)
{
    struct shunt_node *node = &comm->node;
    const struct shunt_layout *layout = &comm->layout;
    node->index = layout->node_of[comm->rank];
    node->local = layout->local_of[comm->rank];
    node->ppn = shunt_layout_ppn(layout, node->index);
    node->flat = !layout->oversubscribed && !comm->team->oversubscribed && node->ppn > 1 &&
                 node->ppn <= SHUNT_FLAT_MOST;
    if (node->control || (!comm->team->shares && layout->ppn_max > 1))
        return true; /* it is there already, or there is none on any rank */
    if (node->ppn == 1) {
        node->control = shunt_node_private(shunt_node_control_bytes(1));
        return node->control;
    }
    return node->local != 0 || make_control(comm);
}

static void find_control(struct shunt_comm *comm)
{
    struct shunt_node *node = &comm->node;
    struct shunt_segment *segment = &comm->team->segment;
    struct shunt_watch watch = {0};
    while ((node->piece = shunt_segment_found(segment, control_key(comm))) == 0) {
        make_progress(comm); /* the first rank has lost what all others agreed about */
        sched_yield();
        shunt_watch_look(comm, &watch, 0);
    }
    node->control = (struct shunt_node_control *)(void *)(segment->at + node->piece);
}

void shunt_node_attach(struct shunt_comm *comm)
{
    comm->node.attached = true;
    if (!comm->node.control && comm->node.ppn > 1 && comm->team->shares)
        find_control(comm);
}

static void leave_control(struct shunt_comm *comm)
{
    struct shunt_node *node = &comm->node;
    struct shunt_segment *segment = &comm->team->segment;
    if (!node->attached) { /* the set-up failed, so the others never look for it */
        shunt_segment_hide(segment, node->piece);
        atomic_store(&node->control->members, 1);
    }
    shunt_node_leave(segment, node->piece, node->ppn);
}

/* Whoever is the last of its node gives the memory back. Nobody waits. */
void shunt_node_close(struct shunt_comm *comm)
{
    struct shunt_node *node = &comm->node;
    if (!node->control)
        return;
    if (node->ppn > 1)
        shunt_node_end_exchange(comm);
    shunt_node_release_areas(comm);
    if (node->ppn > 1)
        leave_control(comm);
    else
        munmap(node->control, shunt_node_control_bytes(1));
    node->control = NULL;
    node->piece = 0;
}

uint32_t shunt_node_arrive(struct shunt_comm *comm, const struct shunt_agreement *mine)
{
    struct shunt_node *node = &comm->node;
    const uint32_t barrier = ++node->barrier;
    shunt_trace_event(SHUNT_EVENT_BARRIER, -1, 0);
    if (node->flat)
        shunt_flat_arrive(&node->control->ranks[node->local].flat, barrier, mine);
    else
        shunt_barrier_arrive(&node->control->barrier, barrier, node->ppn, mine);
    return barrier;
}

/* Each rank begins with the next one, so that not all look at the same. */
static void wait_flat(struct shunt_comm *comm, uint32_t barrier, struct shunt_agreement *all)
{
    const struct shunt_node *node = &comm->node;
    struct shunt_local_rank *ranks = node->control->ranks;
    if (all)
        *all = ranks[node->local].flat.at[barrier % 2].values;
    for (int local = node->local + 1; local < node->ppn; local++)
        shunt_flat_wait(&ranks[local].flat, barrier, &comm->waiter, all);
    for (int local = 0; local < node->local; local++)
        shunt_flat_wait(&ranks[local].flat, barrier, &comm->waiter, all);
}

void shunt_node_wait(struct shunt_comm *comm, uint32_t barrier, struct shunt_agreement *all)
{
    if (comm->node.flat)
        wait_flat(comm, barrier, all);
    else
        shunt_barrier_wait(&comm->node.control->barrier, barrier, &comm->waiter, all);
}

struct shunt_signal *shunt_node_signal(struct shunt_comm *comm, int local)
{
    return &comm->node.control->ranks[local].signal;
}

struct shunt_node_peer *shunt_node_peer(struct shunt_comm *comm, int local)
{
    return &comm->node.control->ranks[local].peer;
}

void shunt_node_tell(struct shunt_comm *comm, uint32_t barrier, const struct shunt_node_news *news)
{
    struct shunt_node_control *control = comm->node.control;
    control->news[barrier % 2] = *news;
    shunt_signal_raise(&control->told, barrier);
}

void shunt_node_learn(struct shunt_comm *comm, uint32_t barrier, struct shunt_node_news *news)
{
    struct shunt_node_control *control = comm->node.control;
    shunt_node_await(comm, &control->told, barrier);
    *news = control->news[barrier % 2];
}
