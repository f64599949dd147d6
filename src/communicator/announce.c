/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * announce.c: when a communicator is set up.
 *
 * Set-up must pay before it is paid for, and all ranks must begin it at the same call. So rank 0 decides, by whatever it knows, and tells
 * the others by a broadcast of some bytes: before the first call, and from then on at calls whose numbers it has told before, at most four
 * times as far along each time. A broadcast costs a small part of an all-to-all exchange, and there are few.
 *
 * What rank 0 goes by is the time that its calls on this communicator have taken: set-up comes when it costs a twentieth of that, so that
 * no program, wherever it ends, has lost more than five percent. Once in the life of a process it may come early, where it takes less than
 * a millisecond: programs with few large calls gain from that. SHUNT_FORCE, SHUNT_WARMUP and policy.warmup of rank 0 say it outright.
 */
#include <stdatomic.h>
#include <stdlib.h>

#include "communicator/collective.h"
#include "communicator/context.h"

/* SET_UP: at call `next`, which may be this one. */
enum action { ACTION_WAIT, ACTION_SET_UP, ACTION_NEVER };

struct announcement {
    int64_t protocol;
    int64_t registry; /* fingerprint of the algorithms and their parameters: tables and decisions refer to rows by number */
    int64_t action;
    int64_t next;    /* number of the call before which the next announcement comes, or set-up */
    int64_t id;      /* of the communicator, and of a context that is made for it */
    int64_t context; /* that serves it; 0: one is to be made */
    int64_t place;   /* among the communicators of this rank 0: for tags */
    int64_t full;    /* ACTION_NEVER: for lack of places, or of contexts */
};

/* Calls between announcements grow by this factor; a set-up may cost the 1/PAYS part of what was spent. */
enum { GROWTH = 4, PAYS = 20, EARLY_CALL = 3 };

/* Seconds. What set-up costs besides collectives of a few bytes, and what it may cost once. */
static const double LOCAL_FIRST = 2.5e-4, LOCAL_LATER = 1e-5, LOCAL_PER_RANK = 2e-7, ONCE = 8e-4;
/* In collectives of a few bytes. */
static const double STEPS_FIRST = 7, STEPS_LATER = 1.5;

static atomic_bool once_used;

/* A collective of few bytes never takes longer than the fastest call so far, nor, without a call, than this. */
static double small_collective(const struct shunt_comm *comm)
{
    const double ranks = comm->size;
    const double most = shunt_identity_crowded() ? 2e-6 * ranks * ranks : 2e-6 * ranks;
    return comm->fastest > 0 && comm->fastest < most ? comm->fastest : most;
}

static double set_up_cost(const struct shunt_comm *comm, bool first)
{
    const double local = LOCAL_PER_RANK * comm->size + (first ? LOCAL_FIRST : LOCAL_LATER);
    return local + (first ? STEPS_FIRST : STEPS_LATER) * small_collective(comm);
}

/* Without anything said about the warm-up. comm->calls is the call that is about to be made. */
static void decide_by_cost(const struct shunt_comm *comm, bool first, struct announcement *told)
{
    const double cost = set_up_cost(comm, first), needed = PAYS * cost;
    const double done = (double)comm->calls - 1;
    told->action = ACTION_WAIT;
    told->next = GROWTH * (int64_t)comm->calls;
    if (comm->spent >= needed) {
        told->action = ACTION_SET_UP;
        told->next = (int64_t)comm->calls;
    } else if (first && cost < ONCE && !atomic_load(&once_used)) {
        told->next = comm->calls < EARLY_CALL ? EARLY_CALL : (int64_t)comm->calls;
        if (comm->calls >= EARLY_CALL && !atomic_exchange(&once_used, true))
            told->action = ACTION_SET_UP;
    } else if (done > 0 && comm->spent > 0) {
        const double when = done * needed / comm->spent + 2;
        if (when < (double)told->next) {
            told->next = when > (double)comm->calls ? (int64_t)when : (int64_t)comm->calls + 1;
            told->action = first ? ACTION_WAIT : ACTION_SET_UP; /* a context may come until then */
        }
    }
    if (told->action == ACTION_WAIT && told->next <= (int64_t)comm->calls)
        told->next = (int64_t)comm->calls + 1;
}

static void decide(struct shunt_comm *comm, struct announcement *told)
{
    int *there = NULL;
    struct shunt_context *context = shunt_context_find(comm, 0, &there);
    const struct shunt_table *table = NULL, *force = NULL;
    enum shunt_table_state state;
    int64_t warmup;
    if (context) {
        warmup = context->agreed.warmup;
    } else {
        shunt_tables_choose(&table, &force, &state);
        warmup = state == SHUNT_TABLE_BAD ? 0 : shunt_tables_warmup(table, force);
    }
    told->context = context ? context->id : 0;
    if (comm->given) {
        told->action = ACTION_SET_UP;
        told->next = (int64_t)comm->calls;
    } else if (warmup < 0) {
        decide_by_cost(comm, !context, told);
    } else {
        const int64_t when = warmup < INT64_MAX ? warmup + 1 : INT64_MAX, now = (int64_t)comm->calls;
        told->next = when > now ? when : now;
        told->action = context || told->next == now ? ACTION_SET_UP : ACTION_WAIT;
    }
    const struct shunt_policy policy = !context && table ? table->policy : shunt_policy_default();
    const bool full = !context && shunt_context_count() >= policy.max_communicators;
    if (full || (told->action == ACTION_SET_UP && comm->place < 0 && !shunt_process_take_place(comm, context))) {
        told->action = ACTION_NEVER;
        told->full = 1;
    }
    told->place = comm->place;
    free(there);
    if (context)
        shunt_context_drop(context);
}

void shunt_announce(struct shunt_comm *comm)
{
    struct announcement told = {.protocol = SHUNT_PROTOCOL, .registry = shunt_registry_fingerprint()};
    const struct announcement mine = told;
    if (comm->rank == 0) {
        if (comm->proposed_id == 0)
            comm->proposed_id = shunt_process_new_id();
        told.id = comm->proposed_id;
        told.action = ACTION_NEVER;
        if (!shunt_process_settings()->disable)
            decide(comm, &told);
    }
    if (shunt_collective_broadcast(comm, &told, sizeof told) != MPI_SUCCESS) {
        comm->failed = true; /* and waits for the next one with the others, as far as it can know */
        comm->next_announcement = GROWTH * comm->calls;
        return;
    }
    if (told.protocol != mine.protocol || told.registry != mine.registry)
        comm->failed = true; /* the set-up tells everybody */
    comm->proposed_id = told.id;
    comm->proposed_context = told.context;
    comm->place = (int)told.place;
    comm->next_announcement = told.action == ACTION_SET_UP ? 0 : (uint64_t)told.next;
    comm->due = told.action == ACTION_SET_UP ? (uint64_t)told.next : 0;
    if (told.action == ACTION_NEVER)
        shunt_comm_native(comm, told.full ? "policy.max_communicators is reached" : "SHUNT_DISABLE is set");
}
