/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * announce.c: when a communicator is set up.
 *
 * Set-up must pay before it is paid for, and all ranks must begin it at the same call. So rank 0
 * decides, by whatever it knows, and tells the others by a broadcast of some bytes, at calls whose
 * numbers all know before. The broadcast is begun before such a call and completed after it, so
 * that nobody waits for it; what it says is about later calls. Where all ranks are on one node and
 * know that all of them have a context, it is a notice in shared memory (a board), which costs next
 * to nothing.
 *
 * What rank 0 goes by is the time that its calls on this communicator have taken: set-up comes when
 * it costs a twentieth of that, so that no program, wherever it ends, has lost more than five
 * percent. Once in the life of a process it may come early, where it takes less than a millisecond:
 * programs with few large calls gain from that.
 *
 * SHUNT_FORCE, SHUNT_WARMUP and policy.warmup of rank 0 say outright when it comes, perhaps at the
 * first call: then the first broadcast is waited for. Whether one must reckon with that, all ranks
 * know of communicators whose processes have a context; on MPI_COMM_WORLD they always wait, so that
 * settings which only some ranks have do no harm; elsewhere each goes by its own settings.
 */
#include "communicator/announce.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/arithmetic.h"
#include "communicator/collective.h"
#include "communicator/context.h"
#include "communicator/first_work.h"
#include "communicator/foresight.h"
#include "communicator/identity.h"
#include "communicator/node.h"
#include "communicator/process.h"
#include "communicator/setup_cost.h"
#include "communicator/tables.h"
#include "communicator/tags.h"
#include "route/learned.h"

/* What is told about call `next`. */
enum action {
    ACTION_SPEAK = 1, /* it comes with another announcement */
    ACTION_DECIDE,    /* the same, which is waited for: it may say that set-up comes at once */
    ACTION_SET_UP,    /* it begins with set-up; may be the call of this announcement, where that is
                         waited for */
    ACTION_NEVER,     /* nothing is routed: SHUNT_DISABLE */
    ACTION_FULL,      /* nothing is routed: no place, or too many contexts */
    ACTION_NO_MEMORY  /* nothing is routed: no shared memory for the board */
};

/*
 * Numbers of calls with announcements grow by this factor, after the one with the first call from
 * SECOND on; a set-up may cost the 1/PAYS part of what was spent. Where ranks share processors a
 * broadcast is waited for, and set-up is far away; there announcements and all else that comes
 * before it need their part of the five percent as well: with 16 ranks on two processors one takes
 * as long as a call, with 8 as two.
 */
enum {
    GROWTH = 8,
    GROWTH_BOARD = 2,
    SECOND = 8,
    PAYS = 20,
    PAYS_OVERSUBSCRIBED = 25,
    EARLY_CALL = 3
};
/* Or where an earlier run has told that calls take so many times as long: what was learned, or is
 * expected, saves more of that than set-up costs. */
enum { WORTH = 5 };
/*
 * Calls between two looks at the clock, at most: such a call takes a microsecond longer. The first
 * ones are all looked at, for the very first takes longer than any other.
 */
enum { UNTIMED = 31, TIMED_FIRST = 4 };

/* What is so near needs no further announcement, which would cost more than set-up gains by it. */
static const double NEARLY = 1.05;
/* Seconds that set-up may cost once in the life of a process. */
static const double ONCE = 8e-4;

static atomic_bool once_used;
/* The most ranks of a communicator of which this process is rank 0 and which was told to make a
 * context. */
static _Atomic int promised;
/* Nanoseconds in calls of all communicators of which this process is rank 0: a context serves them
 * all. */
static _Atomic int64_t spent_in_all;

/* Number of the call that is being made, among those before set-up. One that the library rejected,
 * on one rank perhaps, does not count. */
static int64_t turn_of(const struct shunt_comm *comm)
{
    return (int64_t)comm->done + 1;
}

/*
 * Whether another communicator is about to make a context, which may serve this one: then it is
 * better to wait for that, once, than to announce the same here.
 */
static bool is_promised(struct shunt_comm *comm)
{
    int most = atomic_load(&promised);
    if (most >= comm->size && !comm->deferred) {
        comm->deferred = true;
        return true;
    }
    while (most < comm->size && !atomic_compare_exchange_weak(&promised, &most, comm->size)) {
    }
    comm->deferred = true; /* not by its own promise */
    return false;
}

/* Without a context there may be one until later, and that is decided then. */
static void set_up_at(int64_t call, const struct shunt_comm *comm, bool first,
                      struct shunt_announcement *told)
{
    told->next = call;
    told->action = first && call > turn_of(comm) ? ACTION_DECIDE : ACTION_SET_UP;
}

/* Number of the call with the next announcement after this one: from what is equal on all ranks,
 * for one that lost this one goes by it. */
static int64_t next_speech(const struct shunt_comm *comm)
{
    const int64_t turn = turn_of(comm);
    if (comm->board)
        return GROWTH_BOARD * turn;
    return turn < SECOND ? SECOND : GROWTH * turn;
}

/* Without anything said about the warm-up. now: the first call that may begin with set-up. */
static void decide_by_cost(struct shunt_comm *comm, bool first, int64_t now,
                           const struct shunt_table *table, struct shunt_announcement *told)
{
    const double cost = shunt_setup_cost(comm, first, table),
                 needed = (comm->waiter.oversubscribed ? PAYS_OVERSUBSCRIBED : PAYS) * cost;
    const double done = shunt_setup_timed_calls(comm),
                 spent = 1e-9 * (double)(first ? atomic_load(&spent_in_all) : comm->spent);
    const bool once = comm->early || (first && cost < ONCE && !atomic_exchange(&once_used, true));
    double when = done > 0 && spent > 0 ? done * needed / spent + 2 : INFINITY;
    comm->early = once;
    if (once)
        when = EARLY_CALL;
    /* As many calls as communicators of this kind were seen to live for. */
    const double lives = (double)shunt_learned_calls(table, comm->size);
    if (done > 0 && lives * 1e-9 * (double)comm->spent / done > needed)
        when = (double)now;
    if (shunt_learned_worth(table, comm->size, shunt_foresight_wanted(comm)) > WORTH * cost)
        when = (double)now;
    if (when < NEARLY * (double)now)
        when = (double)now;
    if (when >= (double)next_speech(comm)) {
        told->action = ACTION_SPEAK;
        told->next = next_speech(comm);
        return;
    }
    if (first && !once && is_promised(comm)) {
        told->action = ACTION_SPEAK;
        told->next = 2 * turn_of(comm);
        return;
    }
    set_up_at((int64_t)when, comm, first, told);
}

/* What rank 0 tells. now: as above. */
static void decide(struct shunt_comm *comm, int64_t now, struct shunt_announcement *told)
{
    int *there = NULL;
    struct shunt_context *context =
        comm->board ? comm->context : shunt_context_find(comm, 0, &there);
    const struct shunt_table *table = NULL, *force = NULL;
    enum shunt_table_state state;
    struct shunt_arithmetic arithmetic;
    int64_t warmup;
    if (context) {
        warmup = context->agreed.warmup;
        table = context->table;
    } else {
        shunt_tables_choose(&table, &force, &state);
        warmup = state == SHUNT_TABLE_BAD ? 0 : shunt_tables_warmup(table, force);
    }
    const struct shunt_policy policy = table ? table->policy : shunt_policy_default();
    told->context = context ? context->id : 0;
    if (comm->given) {
        set_up_at(now, comm, false, told);
    } else if (warmup < 0) {
        shunt_arithmetic_enter(&arithmetic);
        decide_by_cost(comm, !context, now, table, told);
        shunt_arithmetic_leave(&arithmetic);
    } else {
        set_up_at(warmup < now         ? now
                  : warmup < INT64_MAX ? warmup + 1
                                       : INT64_MAX,
                  comm, !context, told);
    }
    const bool full = !context && shunt_context_count() >= policy.max_communicators;
    if (full ||
        (told->action == ACTION_SET_UP && comm->tag_index < 0 && !shunt_tags_take(comm, context)))
        told->action = ACTION_FULL;
    told->tag_index = comm->tag_index;
    free(there);
    if (context && !comm->board)
        shunt_context_drop(context);
}

/*
 * Whether all ranks know for sure that all of them have a context with all processes of this
 * communicator: then also what that has agreed about the warm-up.
 */
static bool is_covered(const struct shunt_comm *comm, int64_t *warmup)
{
    uint64_t members;
    bool together;
    struct shunt_context *context = shunt_context_lasting(comm, &members, &together);
    *warmup = -1;
    if (!context)
        return false;
    const bool covered = shunt_context_covers(context);
    if (covered)
        *warmup = context->agreed.warmup;
    shunt_context_drop(context);
    return covered;
}

/* Gives the communicator a board if it can have one, at a call that all ranks know: what they find
 * then is the same, and may be another context later. */
static void look_for_board(struct shunt_comm *comm)
{
    uint64_t members = 0;
    bool together = false;
    struct shunt_context *context =
        comm->given || comm->board ? NULL : shunt_context_lasting(comm, &members, &together);
    comm->looked = true;
    if (!context)
        return;
    comm->board = shunt_context_covers(context) && together && context->shares &&
                  context->agreed.layout_count == 0 && comm->size > 1;
    if (comm->board) {
        comm->context = context;
        comm->private_comm = context->comm;
        comm->proposed_id = (int64_t)members;
        comm->proposed_context = context->id;
    } else {
        shunt_context_drop(context);
    }
}

/* Whether these settings, or what this is, ask for something at the first call. */
static bool is_asked(MPI_Comm user)
{
    const struct shunt_settings *s = shunt_process_settings();
    return user == MPI_COMM_WORLD || s->force || s->config || s->warmup >= 0;
}

bool shunt_announce_comes_by_work(MPI_Comm user)
{
    return !is_asked(user) && !shunt_context_warmup_told();
}

/*
 * At the first call: with which one rank 0 speaks first, and whether that is waited for. 0: when
 * the work is done. Most communicators need no look at their group for that, and many see a few
 * calls only: where neither a context that covers this one, and which its other ranks have then as
 * well, nor these settings ask for anything, the answer is known.
 */
static void plan_first(struct shunt_comm *comm)
{
    const bool asked = comm->given || is_asked(comm->user);
    int64_t warmup = -1;
    const bool covered =
        !comm->given && (asked || shunt_context_warmup_told()) && is_covered(comm, &warmup);
    comm->planned = true;
    if (covered && warmup >= 0)
        comm->next_announcement = warmup < INT64_MAX ? (uint64_t)warmup + 1 : UINT64_MAX;
    else if (!covered && asked)
        comm->next_announcement = 1;
    comm->waits = comm->next_announcement != 0;
    comm->by_work = comm->next_announcement == 0;
}

/* The last notice on a board ends the waiting. */
static void write_notice(struct shunt_comm *comm, struct shunt_announcement *told)
{
    if (comm->rank != 0)
        return;
    if (comm->node.notices == SHUNT_NOTICES - 1 && told->action != ACTION_SET_UP)
        told->action = ACTION_FULL;
    if (!shunt_node_write(comm, (uint32_t)told->action, told->tag_index, told->next))
        told->action = ACTION_NO_MEMORY;
}

static void read_notice(struct shunt_comm *comm, struct shunt_announcement *told)
{
    uint32_t action = 0;
    if (comm->rank == 0)
        return;
    told->id = comm->proposed_id;
    told->context = comm->proposed_context;
    told->action =
        shunt_node_read(comm, &action, &told->tag_index, &told->next) ? action : ACTION_NO_MEMORY;
}

static void begin(struct shunt_comm *comm)
{
    struct shunt_announcement *told = &comm->told;
    *told = (struct shunt_announcement){.protocol = SHUNT_PROTOCOL, .tag_index = -1};
    comm->waiter.oversubscribed =
        shunt_identity_oversubscribed(); /* how this rank waits, until the context knows better */
    if (comm->rank == 0) {
        if (comm->proposed_id == 0)
            comm->proposed_id = shunt_process_new_id();
        told->id = comm->proposed_id;
        told->action = ACTION_NEVER;
        if (!shunt_process_settings()->disable)
            decide(comm, turn_of(comm) + !comm->waits, told);
    }
    comm->announces = true;
    comm->expected = next_speech(comm);
    if (comm->board)
        write_notice(comm, told);
    else
        comm->posted =
            shunt_collective_begin_broadcast(comm, told, (int)sizeof *told, &comm->announcing);
}

void shunt_announce_end(struct shunt_comm *comm)
{
    struct shunt_announcement *told = &comm->told;
    int status = MPI_SUCCESS;
    if (comm->board)
        read_notice(comm, told);
    else
        status = shunt_collective_wait(comm, comm->posted, &comm->announcing);
    comm->announces = false;
    comm->waits = false;
    if (status != MPI_SUCCESS) {
        comm->failed = true; /* and waits for the next one with the others, as far as it can know */
        comm->next_announcement = (uint64_t)comm->expected;
        return;
    }
    if (told->protocol != SHUNT_PROTOCOL)
        comm->failed = true; /* the set-up tells everybody */
    comm->proposed_id = told->id;
    comm->proposed_context = told->context;
    comm->tag_index = (int)told->tag_index;
    comm->waits = told->action == ACTION_DECIDE;
    comm->next_announcement = told->action == ACTION_SET_UP ? 0 : (uint64_t)told->next;
    comm->due = told->action == ACTION_SET_UP ? (uint64_t)told->next : 0;
    if (told->action == ACTION_NEVER)
        shunt_comm_native(comm, "SHUNT_DISABLE is set");
    if (told->action == ACTION_FULL)
        shunt_comm_native(comm, "policy.max_communicators is reached");
    if (told->action == ACTION_NO_MEMORY)
        shunt_comm_native(comm, "no shared memory for the set-up");
}

static bool work_is_done(const struct shunt_comm *comm)
{
    return comm->by_work && comm->units >= shunt_first_work_units(comm);
}

bool shunt_announce_due(const struct shunt_comm *comm)
{
    const int64_t turn = turn_of(comm);
    return !comm->planned || work_is_done(comm) || turn == (int64_t)comm->next_announcement ||
           turn == (int64_t)comm->due;
}

void shunt_announce(struct shunt_comm *comm)
{
    if (!comm->planned)
        plan_first(comm);
    if (work_is_done(comm) && !comm->looked)
        look_for_board(comm);
    if (work_is_done(comm)) {
        comm->by_work = false;
        comm->next_announcement = (uint64_t)turn_of(comm);
    }
    if (comm->announces || turn_of(comm) != (int64_t)comm->next_announcement)
        return;
    look_for_board(comm); /* of a context that another communicator has made since */
    begin(comm);
    /* Where ranks share processors, a native call beside a broadcast takes far longer than one
     * after the other. A notice is there when the call is over, for rank 0 takes part in that. */
    if (comm->waits || (comm->waiter.oversubscribed && !comm->board))
        shunt_announce_end(comm);
}

void shunt_announce_done(struct shunt_comm *comm, int64_t bytes, int64_t nanoseconds)
{
    const int64_t spent =
        nanoseconds *
        (1 + (int64_t)comm->untimed); /* those before took as long, as far as anybody knows */
    comm->untimed = 0;
    comm->done++;
    comm->spent += spent;
    atomic_fetch_add_explicit(&spent_in_all, spent, memory_order_relaxed);
    comm->units += 1 + bytes / SHUNT_UNIT_BYTES;
}

uint32_t shunt_announce_idle(const struct shunt_comm *comm)
{
    const uint64_t turn = (uint64_t)turn_of(comm);
    uint64_t until = turn + INT32_MAX;
    if (!comm->planned || comm->announces || comm->state != SHUNT_STATE_COUNTING ||
        shunt_pmpi_hides_errors())
        return 0;
    if (comm->rank == 0) /* looks at the clock now and then */
        until = comm->done < TIMED_FIRST ? turn : turn + UNTIMED;
    if (work_is_done(comm))
        return 0;
    if (comm->by_work && turn + (uint64_t)(shunt_first_work_units(comm) - comm->units) < until)
        until = turn + (uint64_t)(shunt_first_work_units(comm) - comm->units);
    if (comm->next_announcement != 0 && comm->next_announcement < until)
        until = comm->next_announcement;
    if (comm->due != 0 && comm->due < until)
        until = comm->due;
    return until > turn ? (uint32_t)(until - turn) : 0;
}
