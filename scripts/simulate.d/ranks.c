/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ranks.c: charges simulated ranks for what happens between messages, by the description of the
 * machine: the same numbers as the cost model takes (src/model/machine.h), at the same places.
 *
 * SimGrid has the rest: latency, bytes, and which message meets which receive. Cards are in here
 * too: links that thousands of messages share take SimGrid long, for each message changes the share
 * of all others.
 */
#ifndef SHUNT_TRACE /* for whoever compiles this file alone, to check it */
#define SHUNT_TRACE 1
#endif

#include "ranks.h"

#include <simgrid/actor.h>
#include <simgrid/barrier.h>
#include <simgrid/engine.h>
#include <simgrid/semaphore.h>
#include <stdlib.h>

struct rank {
    double pending; /* seconds to pass */
    bool barrier;   /* has arrived at one of its node, and not paid for it */
    sg_sem_t wakes; /* it waits for this one */
};

/* A receive that is under way, found by the address of its request. */
struct receive {
    const MPI_Request *request; /* NULL: none */
    double overhead;            /* seconds of the receiver's processor */
};

static struct {
    const struct shunt_machine *machine;
    int ranks, ppn, users;
    long first_pid;
    struct rank *rank;       /* array of ranks */
    double *card_free;       /* array of nodes: when their cards can take the next message */
    sg_bar_t meeting;        /* of all ranks */
    struct receive *receive; /* array of capacity, a power of two */
    size_t receives, capacity;
} all;

enum { RECEIVES_LEAST = 1 << 12 };

static void *need(void *memory)
{
    if (!memory)
        abort();
    return memory;
}

void simulate_ranks_begin(const struct shunt_machine *machine, int rank, int ranks, int ppn)
{
    if (all.users++ == 0) {
        all.machine = machine;
        all.ranks = ranks;
        all.ppn = ppn;
        all.rank = need(calloc((size_t)ranks, sizeof *all.rank));
        all.card_free = need(calloc((size_t)ranks, sizeof *all.card_free));
        all.meeting = sg_barrier_init((unsigned)ranks);
        all.capacity = RECEIVES_LEAST;
        all.receive = need(calloc(all.capacity, sizeof *all.receive));
        for (int p = 0; p < ranks; p++)
            all.rank[p].wakes = sg_sem_init(0);
        all.first_pid = sg_actor_self_get_pid() - rank;
    }
    if (sg_actor_self_get_pid() != all.first_pid + rank)
        abort(); /* SMPI starts ranks one after the other */
}

void simulate_ranks_end(void)
{
    if (--all.users > 0)
        return;
    sg_barrier_destroy(all.meeting);
    for (int p = 0; p < all.ranks; p++)
        sg_sem_destroy(all.rank[p].wakes);
    free(all.rank);
    free(all.card_free);
    free(all.receive);
}

static int self(void)
{
    return (int)(sg_actor_self_get_pid() - all.first_pid);
}

double simulate_now(void)
{
    return simgrid_get_clock();
}

void simulate_owe(double seconds)
{
    all.rank[self()].pending += seconds;
}

void simulate_pass(void)
{
    struct rank *rank = &all.rank[self()];
    const double seconds = rank->pending;
    rank->pending = 0;
    if (seconds > 0)
        sg_actor_sleep_for(seconds);
}

int simulate_rank(void)
{
    return self();
}

void simulate_sleep(void)
{
    sg_sem_acquire(all.rank[self()].wakes);
}

void simulate_wake(int rank)
{
    sg_sem_release(all.rank[rank].wakes);
}

void simulate_meet(void)
{
    simulate_pass();
    sg_barrier_wait(all.meeting);
}

static size_t place_of(const MPI_Request *request)
{
    return (size_t)(((uint64_t)(uintptr_t)request * UINT64_C(0x9e3779b97f4a7c15)) >> 20) &
           (all.capacity - 1);
}

static void enter(const MPI_Request *request, double overhead)
{
    size_t at = place_of(request);
    while (all.receive[at].request && all.receive[at].request != request)
        at = (at + 1) & (all.capacity - 1);
    all.receives += !all.receive[at].request;
    all.receive[at] = (struct receive){request, overhead};
}

static void grow(void)
{
    struct receive *before = all.receive;
    const size_t count = all.capacity;
    all.capacity *= 2;
    all.receives = 0;
    all.receive = need(calloc(all.capacity, sizeof *all.receive));
    for (size_t i = 0; i < count; i++)
        if (before[i].request)
            enter(before[i].request, before[i].overhead);
    free(before);
}

/* Nothing but what was entered may be taken. Closes the gap behind what is taken. */
static double take(const MPI_Request *request)
{
    const size_t mask = all.capacity - 1;
    size_t gap = place_of(request);
    while (all.receive[gap].request && all.receive[gap].request != request)
        gap = (gap + 1) & mask;
    if (!all.receive[gap].request)
        return -1;
    const double overhead = all.receive[gap].overhead;
    for (size_t at = (gap + 1) & mask; all.receive[at].request; at = (at + 1) & mask) {
        const size_t home = place_of(all.receive[at].request);
        if (((at - home) & mask) < ((at - gap) & mask))
            continue;
        all.receive[gap] = all.receive[at];
        gap = at;
    }
    all.receive[gap].request = NULL;
    all.receives--;
    return overhead;
}

static const struct shunt_link *link_to(int peer)
{
    const bool inside = peer / all.ppn == self() / all.ppn;
    return &all.machine->link[inside ? SHUNT_LEVEL_INSIDE : SHUNT_LEVEL_BETWEEN];
}

/* The cards of the node take one message after the other; whoever comes too early waits. */
static void pass_card(int64_t bytes)
{
    const struct shunt_machine *m = all.machine;
    double *free_at = &all.card_free[self() / all.ppn];
    const double now = simulate_now(), start = *free_at > now ? *free_at : now;
    const double byte = shunt_machine_card_byte(m, all.ranks / all.ppn);
    *free_at = start + (m->card_message + (double)bytes * byte) / m->cards;
    if (start > now)
        sg_actor_sleep_for(start - now);
}

void shunt_trace_message(bool receive, int count, MPI_Datatype type, int peer, int tag,
                         MPI_Request *request)
{
    const struct shunt_link *link = link_to(peer);
    MPI_Count size = 0;
    (void)tag;
    PMPI_Type_size_x(type, &size);
    const double work = shunt_link_work(link, (double)(count * size));
    if (receive) {
        if (2 * all.receives >= all.capacity)
            grow();
        enter(request, work);
        return;
    }
    simulate_owe(work > link->gap ? work : link->gap);
    simulate_pass();
    if (link == &all.machine->link[SHUNT_LEVEL_BETWEEN])
        pass_card((int64_t)count * size);
}

double simulate_receive_work(const MPI_Request *request)
{
    const double overhead = take(request);
    return overhead > 0 ? overhead : 0;
}

/* In simulate_receive_work: the overhead of a receive is known by the address of its request. */
void shunt_trace_done(const MPI_Request *request, const MPI_Status *status)
{
    (void)request;
    (void)status;
}

void shunt_trace_waited(void)
{
}

void shunt_trace_copy(enum shunt_event_kind kind, int64_t blocks, int64_t bytes)
{
    (void)kind;
    /* Of a bundle: the blocks between two nodes, which the model counts one by one as well. */
    const int64_t pieces = blocks == SHUNT_TRACE_UNKNOWN ? (int64_t)all.ppn * all.ppn : blocks;
    simulate_owe((double)pieces * all.machine->copy_block + (double)bytes * all.machine->copy_byte);
}

void shunt_trace_event(enum shunt_event_kind kind, int peer, int64_t bytes)
{
    (void)peer;
    if (kind == SHUNT_EVENT_BARRIER) {
        simulate_pass(); /* before it arrives there */
        all.rank[self()].barrier = true;
    }
    if (kind == SHUNT_EVENT_READ)
        simulate_owe(all.machine->read_block + (double)bytes * all.machine->read_byte);
}

void simulate_pay_barrier(void)
{
    struct rank *rank = &all.rank[self()];
    if (rank->barrier)
        rank->pending += all.machine->barrier_start + all.ppn * all.machine->barrier_rank;
    rank->barrier = false;
}
