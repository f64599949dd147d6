/* SPDX-License-Identifier: BSD-3-Clause */
/* node.c: meetings of the ranks of a node, and the agreement built on them. */
#include "communicator/node.h"

#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/hash.h"
#include "communicator/context.h"

/*
 * Gates are used in turn. The last rank to arrive at meeting k clears the gate of k + 2, which meeting k - 2 used: everybody has left that
 * one, for everybody has arrived at k.
 */
enum { GATES = 4 };

struct gate {
    _Alignas(SHUNT_CACHE_LINE) _Atomic uint32_t arrived;
    _Atomic uint32_t flags;
    _Atomic int64_t largest;
    _Atomic uint64_t total, checksum;
};

/* Per local rank. */
struct seat {
    struct shunt_signal signal;
    struct shunt_node_peer peer;
};

struct shunt_node_control {
    unsigned char head[SHUNT_PIECE_HEAD]; /* segment.c */
    _Atomic uint32_t members;             /* that have not left */
    shunt_piece offered;                  /* memory for blocks, before all agree about it */
    shunt_piece data;                     /* and afterwards */
    uint64_t data_bytes;
    struct gate gates[GATES];
    struct shunt_signal opened; /* number of the last meeting that is complete */
    struct shunt_signal agreed; /* number of the last meeting whose agreement is complete */
    struct shunt_agreement result[2];
    int result_status[2];
    struct shunt_notice notices[SHUNT_NOTICES];
    _Alignas(SHUNT_CACHE_LINE) struct seat seats[]; /* array of ppn; after it ppn bytes for segment.c */
};

/*
 * Waiting with a processor for every rank: spin, and yield after some microseconds: another program may have one of the processors, or the
 * system may have put two ranks on one. Where a signal comes with a yield, the next waits spin less before they yield, and more again where
 * it comes without.
 */
enum { POLLS_PER_PROGRESS = 64, SPINS_MOST = 512, SPINS_LEAST = 16 };

/*
 * Waiting with more ranks than processors: yield, then sleep. A yield is cheap where it brings the next rank to the processor; it does not
 * where every rank has a scheduling group of its own (Linux' autogroups: launchers start a session per rank), or where a rank computes for
 * long. Then waits take many yields, in which the ranks that work wait for those that do not, and the ranks of the node better sleep at
 * once: all of them, for ranks that yield are in the way of those that sleep. So one rank decides for all, for some meetings; then yields
 * have another chance.
 *
 * The first nap is long because timers that expire soon are expensive to set.
 */
enum { NAP_FIRST_NS = 8000000, NAP_NS = 1000000, POLLS_PER_NAP = 16 };
enum { YIELDS_MOST = 16, MEETINGS_ASLEEP = 256 };
static const double YIELDS_TOO_MANY = 12, YIELDS_AFRESH = 8, YIELDS_WEIGHT = 0.0625; /* of a running average per wait */

/*
 * Equality is enough: a signal goes on to a later meeting only when every rank has arrived there, and so has stopped waiting for this one.
 * (And it is safe when the number of meetings wraps around between two uses of a signal.)
 */
static bool reached(const struct shunt_signal *signal, uint32_t value)
{
    return atomic_load_explicit(&signal->value, memory_order_acquire) == value;
}

void shunt_signal_raise(struct shunt_signal *signal, uint32_t value)
{
    atomic_store(&signal->value, value); /* sequentially consistent: a sleeper counts itself before its last look at the value */
    if (atomic_load(&signal->sleepers) != 0)
        syscall(SYS_futex, &signal->value, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

/* Returns whether the time passed without the signal. */
static bool sleep_a_little(struct shunt_signal *signal, uint32_t value, long nanoseconds)
{
    const struct timespec time = {.tv_sec = 0, .tv_nsec = nanoseconds};
    atomic_fetch_add(&signal->sleepers, 1);
    const uint32_t seen = atomic_load(&signal->value);
    if (seen != value)
        syscall(SYS_futex, &signal->value, FUTEX_WAIT, seen, &time, NULL, 0);
    atomic_fetch_sub(&signal->sleepers, 1);
    return !reached(signal, value);
}

/* Lets the library do what is due; finds nothing itself, for no message has this tag. */
static void make_progress(struct shunt_comm *comm)
{
    int found = 0;
    shunt_pmpi.Iprobe(MPI_ANY_SOURCE, comm->first_tag + SHUNT_TAG_NOBODY, comm->private_comm, &found, MPI_STATUS_IGNORE);
}

static inline void pause_processor(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

static bool sleeps_at_once(const struct shunt_signal *signal, uint32_t value)
{
    return atomic_load_explicit(&signal->asleep_until, memory_order_relaxed) - value - 1 < MEETINGS_ASLEEP;
}

/* Returns whether the signal came. */
static bool yield_awhile(struct shunt_comm *comm, struct shunt_signal *signal, uint32_t value)
{
    double *average = &comm->node.yields;
    int yields = 0;
    bool came = false;
    if (sleeps_at_once(signal, value))
        return false;
    while (!came && yields < YIELDS_MOST) {
        sched_yield();
        yields++;
        came = reached(signal, value);
    }
    *average += YIELDS_WEIGHT * (yields - *average);
    if (*average > YIELDS_TOO_MANY) {
        *average = YIELDS_AFRESH;
        atomic_store_explicit(&signal->asleep_until, value + 1 + MEETINGS_ASLEEP, memory_order_relaxed);
    }
    return came;
}

static void wait_crowded(struct shunt_comm *comm, struct shunt_signal *signal, uint32_t value)
{
    struct shunt_watch watch = {0};
    if (yield_awhile(comm, signal, value))
        return;
    make_progress(comm); /* of messages that left the library unfinished, before nobody looks after them for a while */
    if (reached(signal, value))
        return;
    for (long nap = NAP_FIRST_NS; sleep_a_little(signal, value, nap); nap = NAP_NS) {
        /* A long wait: perhaps the neighbour needs a message of ours first. */
        for (int polls = 0; polls < POLLS_PER_NAP; polls++)
            make_progress(comm);
        shunt_watch_look(comm, &watch, -1);
    }
}

static void wait_alone(struct shunt_comm *comm, struct shunt_signal *signal, uint32_t value)
{
    struct shunt_watch watch = {0};
    uint32_t *spins = &comm->node.spins, left = *spins;
    for (unsigned long polls = 1; !reached(signal, value); polls++) {
        pause_processor();
        if (polls % POLLS_PER_PROGRESS == 0)
            make_progress(comm);
        if (left-- > 0)
            continue;
        sched_yield();
        if (reached(signal, value)) {
            *spins = *spins > SPINS_LEAST ? *spins / 2 : SPINS_LEAST;
            return;
        }
        shunt_watch_look(comm, &watch, -1);
        left = *spins;
    }
    *spins = *spins < SPINS_MOST ? *spins + *spins / 8 + 1 : SPINS_MOST;
}

void shunt_signal_wait(struct shunt_comm *comm, struct shunt_signal *signal, uint32_t value)
{
    if (reached(signal, value))
        return;
    if (comm->oversubscribed)
        wait_crowded(comm, signal, value);
    else
        wait_alone(comm, signal, value);
}

static size_t seats_end(int ppn)
{
    return sizeof(struct shunt_node_control) + (size_t)ppn * sizeof(struct seat);
}

static size_t control_bytes(int ppn)
{
    return seats_end(ppn) + (size_t)ppn;
}

/*
 * The same on the ranks of a node, and on no other node. Communicators with a board may have the same key where they have the same members:
 * these set them up in the same order.
 */
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
    struct shunt_segment *segment = &comm->context->segment;
    const size_t bytes = control_bytes(node->ppn);
    node->piece = shunt_segment_take(segment, bytes);
    if (node->piece == 0)
        return false;
    node->control = (struct shunt_node_control *)(void *)(segment->at + node->piece);
    memset(node->control, 0, bytes);
    atomic_store(&node->control->members, (uint32_t)node->ppn);
    if (shunt_segment_show(segment, node->piece, control_key(comm), (uint32_t)node->ppn - 1, (uint32_t)seats_end(node->ppn)))
        return true;
    shunt_segment_give(segment, node->piece, bytes);
    node->control = NULL;
    node->piece = 0;
    return false;
}

bool shunt_node_prepare(struct shunt_comm *comm)
{
    struct shunt_node *node = &comm->node;
    const struct shunt_layout *layout = &comm->layout;
    node->index = layout->node_of[comm->rank];
    node->local = layout->local_of[comm->rank];
    node->ppn = shunt_layout_ppn(layout, node->index);
    if (node->control || (!comm->context->shares && layout->ppn_max > 1))
        return true; /* it is there already, or there is none on any rank */
    if (node->ppn == 1) {
        node->control = private_memory(control_bytes(1));
        return node->control;
    }
    return node->local != 0 || make_control(comm);
}

/* Waits for the first rank of the node, where that has not been waited for otherwise. */
static void find_control(struct shunt_comm *comm)
{
    struct shunt_node *node = &comm->node;
    struct shunt_segment *segment = &comm->context->segment;
    struct shunt_watch watch = {0};
    const uint64_t key = control_key(comm);
    shunt_piece piece;
    while ((piece = shunt_segment_found(segment, key, (uint32_t)node->local)) == 0) {
        make_progress(comm);
        sched_yield();
        shunt_watch_look(comm, &watch, 0);
    }
    if (piece == SHUNT_PIECE_NONE)
        return;
    node->piece = piece;
    node->control = (struct shunt_node_control *)(void *)(segment->at + piece);
}

void shunt_node_attach(struct shunt_comm *comm)
{
    comm->node.attached = true;
    if (!comm->node.control && comm->node.ppn > 1 && comm->context->shares)
        find_control(comm);
}

/* Where all ranks are on one node: this rank has the control block when rank 0 has made it. */
static bool attach_all(struct shunt_comm *comm)
{
    struct shunt_node *node = &comm->node;
    node->index = 0;
    node->local = comm->rank;
    node->ppn = comm->size;
    node->attached = true;
    if (comm->rank == 0 && !node->control)
        shunt_segment_fail(&comm->context->segment, control_key(comm));
    else if (!node->control)
        find_control(comm);
    return node->control;
}

bool shunt_node_meet_first(struct shunt_comm *comm, struct shunt_agreement *values)
{
    if (!attach_all(comm))
        return false;
    shunt_node_meet(comm, shunt_node_arrive(comm, values), values);
    return true;
}

bool shunt_node_write(struct shunt_comm *comm, uint32_t action, int64_t place, int64_t next)
{
    struct shunt_node *node = &comm->node;
    node->ppn = comm->size;
    if (!node->control)
        make_control(comm);
    if (!attach_all(comm))
        return false;
    struct shunt_notice *notice = &node->control->notices[node->notices++];
    notice->place = (int32_t)place;
    notice->next = next;
    atomic_store_explicit(&notice->action, action, memory_order_release);
    return true;
}

/* An error handler frees the communicator in a call whose notice is still to be read: its piece is the next communicator's otherwise. */
void shunt_node_excuse(struct shunt_comm *comm)
{
    enum { PATIENCE = 10000 };
    struct shunt_node *node = &comm->node;
    struct shunt_segment *segment = &comm->context->segment;
    shunt_piece piece = 0;
    if (comm->rank == 0 || node->control)
        return;
    node->index = 0;
    node->ppn = comm->size;
    node->attached = true;
    for (int i = 0; i < PATIENCE && (piece = shunt_segment_found(segment, control_key(comm), (uint32_t)comm->rank)) == 0; i++)
        sched_yield();
    if (piece == 0 || piece == SHUNT_PIECE_NONE)
        return;
    node->piece = piece;
    node->control = (struct shunt_node_control *)(void *)(segment->at + piece);
}

bool shunt_node_read(struct shunt_comm *comm, uint32_t *action, int64_t *place, int64_t *next)
{
    struct shunt_watch watch = {0};
    if (!attach_all(comm))
        return false;
    const struct shunt_notice *notice = &comm->node.control->notices[comm->node.notices++];
    while ((*action = atomic_load_explicit(&notice->action, memory_order_acquire)) == 0) {
        make_progress(comm);
        sched_yield();
        shunt_watch_look(comm, &watch, 0);
    }
    *place = notice->place;
    *next = notice->next;
    return true;
}

bool shunt_node_offer(struct shunt_comm *comm)
{
    struct shunt_node *node = &comm->node;
    struct shunt_shared *next = &node->next;
    next->data = NULL;
    next->piece = 0;
    if (node->ppn == 1) {
        next->data = private_memory(next->bytes);
        return next->data;
    }
    if (node->local != 0)
        return true;
    next->piece = shunt_segment_take(&comm->context->segment, next->bytes);
    if (next->piece == 0)
        return false;
    next->data = comm->context->segment.at + next->piece;
    node->control->offered = next->piece;
    return true;
}

/* By the first rank of a node, or the only one; or by whoever leaves last. */
static void release_shared(struct shunt_comm *comm, struct shunt_shared *shared)
{
    if (shared->piece != 0)
        shunt_segment_give(&comm->context->segment, shared->piece, shared->bytes);
    else if (shared->data)
        munmap(shared->data, shared->bytes);
    shared->data = NULL;
    shared->piece = 0;
}

/* Everybody has finished with the memory of before, for everybody has come to the agreement. */
void shunt_node_commit(struct shunt_comm *comm, bool everywhere)
{
    struct shunt_node *node = &comm->node;
    struct shunt_shared *next = &node->next;
    const bool gives = node->local == 0;
    if (next->bytes == 0)
        return;
    if (everywhere) {
        if (gives) {
            release_shared(comm, &node->shared);
            node->control->data = next->piece;
            node->control->data_bytes = next->bytes;
        } else {
            next->piece = node->control->offered;
            next->data = comm->context->segment.at + next->piece;
        }
        node->shared = *next;
        comm->hot = NULL; /* its plan may have to be made ready again */
    } else if (gives) {
        release_shared(comm, next);
    }
    *next = (struct shunt_shared){0};
}

/* Whoever is the last of its node gives the memory back. Nobody waits. */
void shunt_node_close(struct shunt_comm *comm)
{
    struct shunt_node *node = &comm->node;
    if (node->control && node->ppn == 1) {
        release_shared(comm, &node->shared);
        munmap(node->control, control_bytes(1));
    } else if (node->control) {
        struct shunt_segment *segment = &comm->context->segment;
        const bool alone = !node->attached; /* the set-up failed, so the others never look for it */
        if (alone)
            shunt_segment_hide(segment, node->piece);
        if (alone || atomic_fetch_sub(&node->control->members, 1) == 1) {
            shunt_segment_give(segment, node->control->data, node->control->data_bytes);
            shunt_segment_give(segment, node->piece, control_bytes(node->ppn));
        }
    }
    node->control = NULL;
    node->piece = 0;
    node->shared = node->next = (struct shunt_shared){0};
}

static struct gate *gate_of(struct shunt_comm *comm, uint32_t meeting)
{
    return &comm->node.control->gates[meeting % GATES];
}

static void clear_gate(struct gate *gate)
{
    atomic_store_explicit(&gate->arrived, 0, memory_order_relaxed);
    atomic_store_explicit(&gate->flags, 0, memory_order_relaxed);
    atomic_store_explicit(&gate->largest, 0, memory_order_relaxed);
    atomic_store_explicit(&gate->total, 0, memory_order_relaxed);
    atomic_store_explicit(&gate->checksum, 0, memory_order_relaxed);
}

static void add_values(struct gate *gate, const struct shunt_agreement *mine)
{
    int64_t largest = atomic_load_explicit(&gate->largest, memory_order_relaxed);
    while (mine->largest > largest &&
           !atomic_compare_exchange_weak_explicit(&gate->largest, &largest, mine->largest, memory_order_relaxed, memory_order_relaxed))
        continue;
    if (mine->total)
        atomic_fetch_add_explicit(&gate->total, mine->total, memory_order_relaxed);
    if (mine->checksum)
        atomic_fetch_add_explicit(&gate->checksum, mine->checksum, memory_order_relaxed);
    if (mine->flags)
        atomic_fetch_or_explicit(&gate->flags, (uint32_t)mine->flags, memory_order_relaxed);
}

uint32_t shunt_node_arrive(struct shunt_comm *comm, const struct shunt_agreement *mine)
{
    struct shunt_node *node = &comm->node;
    const uint32_t meeting = ++node->meeting;
    struct gate *gate = gate_of(comm, meeting);
    add_values(gate, mine);
    if (atomic_fetch_add_explicit(&gate->arrived, 1, memory_order_acq_rel) + 1 == (uint32_t)node->ppn) {
        clear_gate(gate_of(comm, meeting + 2));
        shunt_signal_raise(&node->control->opened, meeting);
    }
    return meeting;
}

void shunt_node_meet(struct shunt_comm *comm, uint32_t meeting, struct shunt_agreement *all)
{
    const struct gate *gate = gate_of(comm, meeting);
    shunt_signal_wait(comm, &comm->node.control->opened, meeting);
    if (!all)
        return;
    all->largest = atomic_load_explicit(&gate->largest, memory_order_relaxed);
    all->total = atomic_load_explicit(&gate->total, memory_order_relaxed);
    all->checksum = atomic_load_explicit(&gate->checksum, memory_order_relaxed);
    all->flags = atomic_load_explicit(&gate->flags, memory_order_relaxed);
}

struct shunt_signal *shunt_node_signal(struct shunt_comm *comm, int local)
{
    return &comm->node.control->seats[local].signal;
}

struct shunt_node_peer *shunt_node_peer(struct shunt_comm *comm, int local)
{
    return &comm->node.control->seats[local].peer;
}

int shunt_node_agree(struct shunt_comm *comm, struct shunt_agreement *values)
{
    struct shunt_node_control *control = comm->node.control;
    const uint32_t meeting = shunt_node_arrive(comm, values);
    const int which = meeting % 2;
    if (comm->layout.nodes == 1) {
        shunt_node_meet(comm, meeting, values);
        return MPI_SUCCESS;
    }
    if (comm->node.local == 0) {
        shunt_node_meet(comm, meeting, values);
        control->result_status[which] = shunt_agree_between_nodes(comm, values);
        control->result[which] = *values;
        shunt_signal_raise(&control->agreed, meeting);
    } else {
        shunt_signal_wait(comm, &control->agreed, meeting);
        *values = control->result[which];
    }
    return control->result_status[which];
}
