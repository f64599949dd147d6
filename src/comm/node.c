/* SPDX-License-Identifier: BSD-3-Clause */
/* node.c: the control block of the ranks of a node: making and finding it, memory for blocks,
 * barriers. */
#include "comm/node.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/hash.h"
#include "comm/agree.h"
#include "comm/team.h"
#include "comm/wait.h"

struct local_rank {
    _Alignas(SHUNT_CACHE_LINE) struct shunt_signal signal;
    /* number of the last exchange of which it needs no area any more */
    _Alignas(SHUNT_CACHE_LINE) struct shunt_signal read;
    struct shunt_flat_place flat;
    struct shunt_node_peer peer;
};

struct shunt_node_control {
    unsigned char head[SHUNT_PIECE_HEAD]; /* segment.c */
    _Atomic uint32_t members;             /* that have not left */
    shunt_piece offered;                  /* memory for blocks, before all agree about it */
    shunt_piece data;                     /* and afterwards */
    uint64_t data_bytes;
    struct shunt_areas_table areas; /* with several threads */
    struct shunt_barrier barrier;
    /* number of the last barrier of which local rank 0 has told the news */
    _Alignas(SHUNT_CACHE_LINE) struct shunt_signal told;
    struct shunt_node_news news[2];
    _Alignas(SHUNT_CACHE_LINE) struct local_rank ranks[]; /* array of ppn */
};

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

static size_t control_bytes(int ppn)
{
    return sizeof(struct shunt_node_control) + (size_t)ppn * sizeof(struct local_rank);
}

/* The same on the ranks of a node, and on no other node or communicator. */
static uint64_t control_key(const struct shunt_comm *comm)
{
    return shunt_hash_mix((uint64_t)comm->proposed_id) + (uint64_t)comm->node.index;
}

/* Memory that only this process sees, zeroed. */
static void *private_memory(size_t bytes)
{
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return at == MAP_FAILED ? NULL : at;
}

/* The first rank of a node makes the control block. */
static bool make_control(struct shunt_comm *comm)
{
    struct shunt_node *node = &comm->node;
    struct shunt_segment *segment = &comm->team->segment;
    const size_t bytes = control_bytes(node->ppn);
    node->piece = shunt_segment_take(segment, bytes);
    if (node->piece == 0)
        return false;
    node->control = (struct shunt_node_control *)(void *)(segment->at + node->piece);
    memset(node->control, 0, bytes);
    atomic_store(&node->control->members, (uint32_t)node->ppn);
    shunt_segment_show(segment, node->piece, control_key(comm), (uint32_t)node->ppn - 1);
    return true;
}

bool shunt_node_prepare(struct shunt_comm *comm)
{
    struct shunt_node *node = &comm->node;
    const struct shunt_layout *layout = &comm->layout;
    node->index = layout->node_of[comm->rank];
    node->local = layout->local_of[comm->rank];
    node->ppn = shunt_layout_ppn(layout, node->index);
    node->flat = !layout->oversubscribed && node->ppn > 1 && node->ppn <= SHUNT_FLAT_MOST;
    if (node->flat)
        comm->waiter.oversubscribed =
            false; /* whatever this rank knows: the others do not wake it */
    if (node->control || (!comm->team->shares && layout->ppn_max > 1))
        return true; /* it is there already, or there is none on any rank */
    if (node->ppn == 1) {
        node->control = private_memory(control_bytes(1));
        return node->control;
    }
    return node->local != 0 || make_control(comm);
}

/* Threads with communicators of their own have areas of their own. */
static bool has_own_areas(const struct shunt_comm *comm)
{
    return comm->node.areas && comm->node.areas != &comm->team->areas;
}

/* The last one of a node to leave a piece gives the memory back. */
static void leave(struct shunt_segment *segment, shunt_piece piece, int ppn)
{
    struct shunt_node_control *control = (void *)(segment->at + piece);
    if (atomic_fetch_sub(&control->members, 1) != 1)
        return;
    shunt_segment_give(segment, control->data, control->data_bytes);
    shunt_areas_give(&control->areas, segment, ppn);
    shunt_segment_give(segment, piece, control_bytes(ppn));
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
    next->data = private_memory(next->bytes + 2 * next->area_bytes);
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
        leave(&comm->team->segment, use->piece, use->ppn);
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

void shunt_node_end_exchange(struct shunt_comm *comm)
{
    struct shunt_node *node = &comm->node;
    shunt_signal_mark(&node->control->ranks[node->local].read, node->exchange);
}

/* Whoever is the last of its node gives the memory back. Nobody waits. */
void shunt_node_close(struct shunt_comm *comm)
{
    struct shunt_node *node = &comm->node;
    if (node->control && node->ppn == 1) {
        release_shared(comm, &node->shared, true);
        munmap(node->control, control_bytes(1));
    } else if (node->control) {
        shunt_node_end_exchange(comm);
        struct shunt_segment *segment = &comm->team->segment;
        const bool alone = !node->attached; /* the set-up failed, so the others never look for it */
        if (alone)
            shunt_segment_hide(segment, node->piece);
        if (alone)
            atomic_store(&node->control->members, 1);
        release_shared(comm, &node->shared, false); /* the last one to leave gives it back */
        leave(segment, node->piece, node->ppn);
    }
    if (has_own_areas(comm)) {
        shunt_areas_close(node->areas);
        free(node->areas);
    }
    node->areas = NULL;
    free(node->area);
    node->area = NULL;
    node->control = NULL;
    node->piece = 0;
    node->shared = node->next = (struct shunt_shared){0};
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
    struct local_rank *ranks = node->control->ranks;
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
