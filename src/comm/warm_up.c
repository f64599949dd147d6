/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * warm_up.c: when a communicator is set up.
 *
 * Rank 0 goes by one inequality: set-up costs at most a twentieth of the time that calls have taken
 * so far, so that no program, wherever it ends, has lost more than five percent. The first set-up
 * of a job may come early, where it takes less than a millisecond: that is lost once.
 *
 * SHUNT_FORCE, SHUNT_WARMUP and policy.warmup of rank 0 say outright when it comes, perhaps with
 * the first call: then rank 0 speaks before that. Whether one must reckon with it, all ranks know
 * of communicators whose processes have a team; on MPI_COMM_WORLD they always do, so that settings
 * which only some ranks have do no harm; elsewhere each goes by its own settings.
 */
#include "comm/warm_up.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/arithmetic.h"
#include "base/room.h"
#include "comm/collective.h"
#include "comm/setup.h"
#include "comm/setup_cost.h"
#include "comm/tags.h"
#include "comm/team.h"
#include "log/log.h"
#include "process/identity.h"
#include "process/process.h"
#include "process/tables.h"

/*
 * Rank 0 speaks first before call FIRST and some more, shared among the ranks, for few ranks make
 * short calls: a broadcast costs as much as one without data. Then before GROWTH times as many.
 */
enum { FIRST = 16, FIRST_SHARED = 32, GROWTH = 8, SECOND = 8, EARLY_CALL = 3 };
/* A set-up may cost this part of what was spent; where ranks share processors, broadcasts and all
 * else that comes before it need their part of the five percent as well. */
enum { PAYS = 20, PAYS_OVERSUBSCRIBED = 25 };
/* Of the calls after the first ones, which take longer than any other, one in so many is timed. */
enum { TIMED_FIRST = 4, TIMED = 16 };

/* Seconds that set-up may cost once in the life of a process; that has been used. */
static const double ONCE = 8e-4;
static atomic_bool once_used;
/* Nanoseconds in calls of all communicators of which this process is rank 0: a team serves them
 * all. */
static _Atomic int64_t spent_in_all;

/* This process has waited for a rank in vain: it sets up nothing any more. */
static atomic_bool given_up;

enum word { WORD_AGAIN = 1, WORD_SET_UP, WORD_NEVER, WORD_FULL };

/*
 * What rank 0 says, and what all ranks say: the maximum over ranks, to which the others give the
 * least for what rank 0 says. A reduction and not a broadcast, because a rank that the library has
 * refused a call cannot know whether the others count that call. It has its part sent at once and
 * waits for nobody: so nobody waits for it either, and the communicator is native for good.
 */
enum {
    WORD_PROTOCOL,
    WORD_PROTOCOL_LEAST, /* negative: the maximum tells the least */
    WORD_LEFT,           /* a rank has been refused a call */
    WORD_OF_0,           /* enum word */
    WORD_NEXT,           /* again before this call */
    WORD_ID,             /* of the communicator, and of a team that is made for it */
    WORD_TEAM,           /* that serves it; 0: one is to be made */
    WORD_TAG_INDEX,      /* among the communicators of this rank 0: for tags; -1: none yet */
    WORD_COUNT
};

/* Whether these settings, or what this is, ask for something at the first call. */
static bool is_asked(const struct shunt_comm *comm)
{
    const struct shunt_settings *s = shunt_process_settings();
    return comm->given || comm->user == MPI_COMM_WORLD || s->force || s->config || s->warmup >= 0;
}

/* Whether all ranks know for sure that all of them have a team with all processes of this
 * communicator: then also what that has agreed about the warm-up. */
static bool is_covered(const struct shunt_comm *comm, int64_t *warmup)
{
    struct shunt_team *team = shunt_team_lasting(comm);
    const bool covered = shunt_team_covers(team);
    *warmup = team && covered ? team->agreed.warmup : -1;
    if (team)
        shunt_team_drop(team);
    return covered;
}

/* Before which call rank 0 speaks first. Most communicators need no look at their group for that:
 * where neither a team nor these settings ask for anything, the answer is known. */
static uint64_t first_word(const struct shunt_comm *comm)
{
    const bool asked = is_asked(comm);
    int64_t warmup = -1;
    const bool covered =
        !comm->given && (asked || shunt_team_warmup_told()) && is_covered(comm, &warmup);
    if (warmup >= 0)
        return (uint64_t)warmup + 1;
    return asked && !covered ? 1 : FIRST + FIRST_SHARED / (uint64_t)comm->size;
}

/* Equal on all ranks, for one that did not hear rank 0 goes by it. */
static uint64_t next_word(const struct shunt_comm *comm)
{
    return comm->calls < SECOND ? SECOND : GROWTH * comm->calls;
}

/* Without anything said about the warm-up: the call before which set-up is expected to pay, this
 * one if it does. */
static double when_it_pays(struct shunt_comm *comm, bool first, const struct shunt_table *table)
{
    const double now = (double)comm->calls, cost = shunt_setup_cost(comm, first, table),
                 needed = (comm->waiter.oversubscribed ? PAYS_OVERSUBSCRIBED : PAYS) * cost,
                 spent = 1e-9 * (double)(first ? atomic_load(&spent_in_all) : comm->warm.spent);
    if (comm->warm.early || spent >= needed)
        return now;
    if (first && cost < ONCE && !atomic_exchange(&once_used, true)) {
        comm->warm.early = true;
        return EARLY_CALL > now ? EARLY_CALL : now;
    }
    return spent > 0 ? now * needed / spent : (double)next_word(comm);
}

static int64_t when(struct shunt_comm *comm, const struct shunt_team *team)
{
    const struct shunt_table *table = NULL, *force = NULL;
    enum shunt_table_state state;
    struct shunt_arithmetic arithmetic;
    int64_t warmup;
    if (comm->given)
        return 1;
    if (team) {
        warmup = team->agreed.warmup;
        table = team->table;
    } else {
        shunt_tables_choose(&table, &force, &state);
        warmup = state == SHUNT_TABLE_BAD ? 0 : shunt_tables_warmup(table, force);
    }
    if (warmup >= 0)
        return warmup < INT64_MAX ? warmup + 1 : INT64_MAX;
    shunt_arithmetic_enter(&arithmetic);
    const double pays = when_it_pays(comm, !team, table), latest = (double)next_word(comm);
    shunt_arithmetic_leave(&arithmetic);
    return (int64_t)(pays < latest ? pays : latest);
}

/* What rank 0 says. */
static void decide(struct shunt_comm *comm, int64_t *said)
{
    int *there = NULL;
    struct shunt_team *team = shunt_team_find(comm, 0, &there);
    const int64_t call = when(comm, team), now = (int64_t)comm->calls;
    said[WORD_TEAM] = team ? team->id : 0;
    said[WORD_OF_0] = call > now ? WORD_AGAIN : WORD_SET_UP;
    said[WORD_NEXT] = call;
    if (said[WORD_OF_0] == WORD_SET_UP && !shunt_tags_take(comm, team))
        said[WORD_OF_0] = WORD_FULL;
    said[WORD_TAG_INDEX] = comm->tag_index;
    free(there);
    if (team)
        shunt_team_drop(team);
}

static void set_up(void *comm)
{
    shunt_setup_run(comm);
}

static void obey(struct shunt_comm *comm, const int64_t *said)
{
    if (said[WORD_PROTOCOL] != -said[WORD_PROTOCOL_LEAST])
        comm->warm.failed = true; /* the set-up tells everybody */
    comm->proposed_id = said[WORD_ID];
    comm->warm.proposed_team = said[WORD_TEAM];
    comm->tag_index = (int)said[WORD_TAG_INDEX];
    comm->warm.next_word = (uint64_t)said[WORD_NEXT];
    if (said[WORD_LEFT])
        shunt_comm_native(comm, SHUNT_COMM_LEFT);
    else if (said[WORD_OF_0] == WORD_NEVER)
        shunt_comm_native(comm, "SHUNT_DISABLE is set");
    else if (said[WORD_OF_0] == WORD_FULL)
        shunt_comm_native(comm, "policy.max_communicators is reached");
    else if (said[WORD_OF_0] == WORD_SET_UP)
        shunt_room_run(set_up, comm);
}

/* What this rank has to say. */
static void speak(struct shunt_comm *comm, int64_t *said)
{
    for (int i = 0; i < WORD_COUNT; i++)
        said[i] = INT64_MIN;
    said[WORD_PROTOCOL] = SHUNT_PROTOCOL;
    said[WORD_PROTOCOL_LEAST] = -SHUNT_PROTOCOL;
    said[WORD_LEFT] = comm->refused;
    if (comm->rank != 0)
        return;
    if (comm->proposed_id == 0)
        comm->proposed_id = shunt_process_new_id();
    said[WORD_OF_0] = WORD_NEVER;
    said[WORD_NEXT] = said[WORD_TEAM] = 0;
    said[WORD_ID] = comm->proposed_id;
    said[WORD_TAG_INDEX] = -1;
    if (!comm->refused && !shunt_process_settings()->disable)
        decide(comm, said);
}

/*
 * Some rank does not come: it has no library, or its calls cannot be seen. Each rank that waits for
 * it gives up by itself. A rank that is merely late still hears the word. It then waits in the next
 * step of the set-up for ranks that have given up, and gives up there.
 */
static void give_up(struct shunt_comm *comm)
{
    if (!atomic_exchange(&given_up, true) && comm->rank == 0)
        shunt_log_say(
            "some rank of communicator %s of %d ranks has not come to the set-up: it goes "
            "on without Shunt (is LD_PRELOAD set on every rank?)",
            shunt_comm_describe(comm), comm->size);
    shunt_comm_native(comm, SHUNT_COMM_ALONE);
}

/* The word. A rank that does not hear it waits for the next one with the others, as far as it can
 * know, and then tells that it failed. */
static void listen(struct shunt_comm *comm)
{
    int64_t said[WORD_COUNT];
    comm->waiter.oversubscribed =
        shunt_identity_oversubscribed(); /* how this rank waits, until a team knows better */
    speak(comm, said);
    if (shunt_collective_meet(comm, said, WORD_COUNT) == MPI_SUCCESS) {
        obey(comm, said);
    } else {
        comm->warm.failed = true;
        comm->warm.next_word = next_word(comm);
    }
    if (comm->diag.gave_up) /* in the word, or in the set-up */
        give_up(comm);
}

void shunt_warm_up(struct shunt_comm *comm)
{
    if (comm->warm.next_word == 0)
        comm->warm.next_word = first_word(comm);
    comm->look = 0;
    if (comm->calls != comm->warm.next_word)
        return;
    if (atomic_load(&given_up))
        shunt_comm_native(comm, SHUNT_COMM_ALONE);
    else
        listen(comm);
}

bool shunt_warm_up_due(const struct shunt_comm *comm)
{
    return comm->warm.next_word == 0 || comm->calls == comm->warm.next_word;
}

void shunt_warm_up_rest(struct shunt_comm *comm)
{
    const uint64_t timed = comm->calls < TIMED_FIRST ? 0 : (comm->calls / TIMED + 1) * TIMED;
    comm->look = comm->rank == 0 && timed < comm->warm.next_word ? timed : comm->warm.next_word;
}

bool shunt_warm_up_times(const struct shunt_comm *comm)
{
    return comm->rank == 0 && (comm->calls <= TIMED_FIRST || comm->calls % TIMED == 0);
}

void shunt_warm_up_took(struct shunt_comm *comm, int64_t nanoseconds)
{
    /* Those since the last one that was timed took as long, as far as anybody knows. */
    const int64_t spent = nanoseconds * (comm->calls > TIMED_FIRST ? TIMED : 1);
    comm->warm.spent += spent;
    atomic_fetch_add_explicit(&spent_in_all, spent, memory_order_relaxed);
}

void shunt_warm_up_leave(struct shunt_comm *comm)
{
    MPI_Request request;
    int64_t *said = malloc(WORD_COUNT * sizeof *said);
    comm->refused = true;
    if (said) { /* the library may write to it until the process ends */
        speak(comm, said);
        shunt_collective_begin_max(comm, said, WORD_COUNT, &request);
    }
    shunt_comm_native(comm, SHUNT_COMM_LEFT);
}
