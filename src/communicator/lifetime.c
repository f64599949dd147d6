/* SPDX-License-Identifier: BSD-3-Clause */
/* lifetime.c: the attribute that carries our state, or a newcomer before it; life and end of both.
 */
#include "communicator/lifetime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/room.h"
#include "base/thread.h"
#include "communicator/announce.h"
#include "communicator/context.h"
#include "communicator/errors.h"
#include "communicator/first_work.h"
#include "communicator/foresight.h"
#include "communicator/learned.h"
#include "communicator/newcomers.h"
#include "communicator/node.h"
#include "communicator/process.h"
#include "communicator/setup.h"
#include "communicator/states.h"
#include "communicator/suggest.h"
#include "communicator/tags.h"
#include "log/log.h"

static struct shunt_comm_cache nothing[SHUNT_COMM_PLACES]; /* no epoch is 0 */
_Thread_local struct shunt_comm_cache *shunt_comm_last __attribute__((tls_model("initial-exec"))) =
    nothing;

/* Key values; MPI_KEYVAL_INVALID until needed, and again after the end of MPI. */
static _Atomic int state_key = MPI_KEYVAL_INVALID, end_key = MPI_KEYVAL_INVALID;
static _Atomic uint64_t comm_count;
/* Somebody has asked MPI to tell when it ends; it has told. */
static atomic_bool watching, ending;

static void comm_release(struct shunt_comm *comm)
{
    struct shunt_arithmetic arithmetic;
    int done = 1;
    if (comm->announces && !comm->board &&
        comm->posted == MPI_SUCCESS) /* an error handler freed the communicator within a call */
        shunt_pmpi.Test(&comm->announcing, &done, MPI_STATUS_IGNORE);
    if (!done) {
        comm->state = SHUNT_STATE_ENDED;
        return; /* the broadcast still writes here */
    }
    if (comm->announces && comm->board)
        shunt_node_excuse(comm);
    shunt_arithmetic_enter(&arithmetic);
    shunt_foresight_note(comm);
    shunt_learned_note(comm);
    shunt_arithmetic_leave(&arithmetic);
    shunt_lessons_release(comm);
    if (comm->release_plans)
        comm->release_plans(comm);
    shunt_node_close(comm);
    for (int op = 0; op < SHUNT_OP_COUNT; op++)
        shunt_map_clear(&comm->map[op]);
    shunt_layout_clear(&comm->layout);
    free(comm->pair_keys);
    free(comm->staged);
    free(comm->staged_bytes);
    free(comm->rank_there);
    if (comm->context)
        shunt_context_drop(comm->context);
    shunt_tags_release(comm);
    shunt_state_free(comm);
}

/* The state, perhaps in memory that has just ended, that this thread makes an attribute of. */
static _Thread_local const struct shunt_comm *attaching __attribute__((tls_model("initial-exec")));

/* How many states are attributes of communicators of each place; what the library does not tell the
 * end of counts on. */
static _Atomic unsigned attached[SHUNT_COMM_PLACES];

/*
 * May come late, on any thread, in any order, or never. Nothing here waits for another rank:
 * MPI_Comm_free of a communicator without pending operations of ours does not.
 */
static int delete_state(MPI_Comm user, int key, void *value, void *extra)
{
    (void)key;
    (void)extra;
    struct shunt_comm *comm = value;
    if (comm->state == SHUNT_STATE_ENDED || comm->user != user || comm == attaching)
        return MPI_SUCCESS; /* it takes a place in a list that is being deleted */
    atomic_fetch_sub(&attached[shunt_comm_place(user)], 1);
    comm->turn++;
    shunt_states_advance();
    comm_release(comm);
    return MPI_SUCCESS;
}

/* Of the communicator that lasts longest it is known only now. */
static void note_world(void)
{
    struct shunt_comm *world = NULL;
    int found = 0;
    if (shunt_pmpi.Comm_get_attr(MPI_COMM_WORLD, atomic_load(&state_key), &world, &found) ==
            MPI_SUCCESS &&
        found)
        shunt_foresight_note(world);
}

/*
 * MPI is about to end, but other callbacks of MPI_COMM_SELF may come after this one, on other ranks
 * in another order, and communicate: everything goes on until each communicator's own callback.
 */
static int delete_end(MPI_Comm self, int key, void *value, void *extra)
{
    (void)self;
    (void)key;
    (void)value;
    (void)extra;
    struct shunt_arithmetic arithmetic;
    atomic_store(&ending, true);
    shunt_states_advance(); /* whoever goes on with a Session is looked up anew, on all ranks */
    shunt_newcomers_unsee_all();
    shunt_arithmetic_enter(&arithmetic);
    if (shunt_process_settings()->log != SHUNT_LOG_OFF) {
        shunt_suggest_tell();
        shunt_log_flush();
    }
    note_world();
    shunt_learned_write();
    shunt_arithmetic_leave(&arithmetic);
    return MPI_SUCCESS;
}

/* Creates a key on first need. Two threads may race: the loser's key is given back. */
static int ensure_key(_Atomic int *key, MPI_Comm_delete_attr_function *callback)
{
    int expected = MPI_KEYVAL_INVALID, fresh;
    if (atomic_load(key) != MPI_KEYVAL_INVALID)
        return MPI_SUCCESS;
    const int status = shunt_pmpi.Comm_create_keyval(MPI_COMM_NULL_COPY_FN, callback, &fresh, NULL);
    if (status != MPI_SUCCESS)
        return status;
    if (!atomic_compare_exchange_strong(key, &expected, fresh))
        return shunt_pmpi.Comm_free_keyval(&fresh);
    return MPI_SUCCESS;
}

/* Asks MPI, once, to tell us when it ends. Without a world (Sessions) nobody can; the destructor
 * writes the summary then. */
static void watch_for_end(void)
{
    int initialized = 0;
    if (atomic_load(&watching) || shunt_pmpi.Initialized(&initialized) != MPI_SUCCESS ||
        !initialized || atomic_exchange(&watching, true))
        return;
    if (ensure_key(&end_key, delete_end) == MPI_SUCCESS)
        shunt_pmpi.Comm_set_attr(MPI_COMM_SELF, atomic_load(&end_key), NULL);
}

/*
 * MPI_COMM_SELF is no more: MPI ends, and only callbacks of MPI_COMM_WORLD are still to come, which
 * takes no more attributes. That is so on all ranks alike, whatever they have called before; so
 * only the library's word that there is no such communicator counts, and no other failure to ask.
 */
static bool is_nearly_over(void)
{
    int initialized = 0, finalized = 0, size = 0, class = MPI_SUCCESS;
    struct shunt_hush hush;
    if (atomic_load(&watching) && !atomic_load(&ending))
        return false; /* it would have been told */
    if (shunt_pmpi.Initialized(&initialized) != MPI_SUCCESS || !initialized ||
        shunt_pmpi.Finalized(&finalized) != MPI_SUCCESS || finalized)
        return false;
    /* Errors of what is no communicator are those of MPI_COMM_WORLD. Other threads make no calls
     * while MPI ends. */
    if (atomic_load(&ending))
        shunt_hush_begin(&hush, MPI_COMM_WORLD);
    else
        shunt_hush_begin_alone(&hush, MPI_COMM_WORLD);
    if (!hush.active)
        return false;
    const int status = SHUNT_TWICE(shunt_pmpi.Comm_size(MPI_COMM_SELF, &size));
    shunt_hush_end(&hush);
    if (status != MPI_SUCCESS)
        shunt_pmpi.Error_class(status, &class);
    return class == MPI_ERR_COMM;
}

/* Keys die with MPI; whoever calls afterwards has begun anew (Sessions). */
static void forget_the_end(void)
{
    int finalized = 0;
    if (shunt_pmpi.Finalized(&finalized) != MPI_SUCCESS || !finalized ||
        !atomic_exchange(&ending, false))
        return;
    atomic_store(&state_key, MPI_KEYVAL_INVALID);
    atomic_store(&end_key, MPI_KEYVAL_INVALID);
    atomic_store(&watching, false);
    shunt_context_forget_all();
    shunt_newcomers_forget_all();
}

/* A state that nothing refers to yet. */
static struct shunt_comm *comm_new(MPI_Comm user, int *error)
{
    struct shunt_comm *comm = shunt_state_new();
    if (!comm) {
        *error = MPI_ERR_NO_MEM;
        return NULL;
    }
    shunt_node_init(comm);
    comm->user = user;
    comm->private_comm = MPI_COMM_NULL;
    comm->doing = "set-up";
    comm->quiet_to = -1;
    comm->tag_index = -1;
    comm->id = atomic_fetch_add(&comm_count, 1);
    *error = SHUNT_TWICE(shunt_pmpi.Comm_rank(user, &comm->rank));
    if (*error == MPI_SUCCESS)
        *error = SHUNT_TWICE(shunt_pmpi.Comm_size(user, &comm->size));
    if (*error == MPI_SUCCESS)
        return comm;
    shunt_state_free(comm);
    return NULL;
}

static int set_state(struct shunt_comm *comm)
{
    attaching = comm;
    const int error = shunt_pmpi.Comm_set_attr(comm->user, atomic_load(&state_key), comm);
    attaching = NULL;
    if (error == MPI_SUCCESS)
        atomic_fetch_add(&attached[shunt_comm_place(comm->user)], 1);
    return error;
}

/* Attaches a new state to its communicator, and says whether that is an intercommunicator. */
static int comm_attach(struct shunt_comm *comm, int *inter)
{
    struct shunt_hush hush;
    shunt_hush_begin_alone(&hush, comm->user);
    int error = SHUNT_TWICE(shunt_pmpi.Comm_test_inter(comm->user, inter));
    if (error == MPI_SUCCESS)
        error = SHUNT_TWICE(set_state(comm));
    shunt_hush_end(&hush);
    if (error != MPI_SUCCESS && hush.active)
        shunt_pmpi.Comm_call_errhandler(comm->user, error);
    return error;
}

/* Nothing is gained with one rank; whoever wants to see algorithms at work has said so. */
static bool is_trivial(const struct shunt_comm *comm)
{
    const struct shunt_settings *s = shunt_process_settings();
    return comm->size == 1 && !s->force && !s->config && !s->verify && s->warmup < 0 &&
           s->log == SHUNT_LOG_OFF;
}

static struct shunt_comm *comm_make(MPI_Comm user, int *error)
{
    struct shunt_comm *comm = comm_new(user, error);
    int inter = 0;
    if (!comm) {
        if (*error == MPI_ERR_NO_MEM)
            shunt_pmpi.Comm_call_errhandler(user, *error);
        return NULL;
    }
    *error = comm_attach(comm, &inter);
    if (*error != MPI_SUCCESS) {
        shunt_state_free(comm);
        return NULL;
    }
    comm->inter = inter != 0;
    if (inter)
        shunt_comm_native(comm, "intercommunicator");
    else if (is_trivial(comm))
        shunt_comm_native(comm, "a single rank");
    return comm;
}

/*
 * A delete callback of the application may make calls on the communicator that is being freed.
 * These are native and do not count, on all ranks alike: the library may have deleted our attribute
 * before, or not, and to ask it for one then looks at what is gone. (A callback that comes later,
 * when a pending message of the communicator has ended, is not known from a call.) And while
 * anything is being freed in this process nobody becomes a newcomer and no state is remembered by
 * its handle, which soon is another communicator's. Likewise when MPI has begun to end, for it
 * tells of MPI_COMM_WORLD and MPI_COMM_SELF only.
 */
static atomic_bool frees_are_seen;
static atomic_int being_freed;

void shunt_comm_see_frees(void)
{
    atomic_store(&frees_are_seen, true);
}

/* The one that this thread is freeing, the innermost. */
static _Thread_local MPI_Comm freeing __attribute__((tls_model("initial-exec"))) = MPI_COMM_NULL;

/* With the world, or it never was. Callbacks of MPI_Finalize come before that. */
static bool key_has_ended(void)
{
    int finalized = 0;
    return atomic_load(&state_key) == MPI_KEYVAL_INVALID ||
           (atomic_load(&ending) && (shunt_pmpi.Finalized(&finalized) != MPI_SUCCESS || finalized));
}

/* Its whole state, or NULL. A handle that is none is the library's to complain of, once. */
static struct shunt_comm *whole_of(MPI_Comm user)
{
    struct shunt_comm *comm = NULL;
    int found = 0;
    if (key_has_ended() || atomic_load(&attached[shunt_comm_place(user)]) == 0 ||
        shunt_pmpi.Comm_get_attr(user, atomic_load(&state_key), &comm, &found) != MPI_SUCCESS ||
        !found)
        return NULL;
    return comm->state != SHUNT_STATE_ENDED && comm->user == user ? comm : NULL;
}

/*
 * Where the library does not free it in the end, it begins anew if it only counts: a newcomer may
 * not wait for that, having no attribute to tell, and on other ranks of it there may be a whole
 * state instead.
 */
MPI_Comm shunt_comm_free_begin(MPI_Comm user)
{
    const MPI_Comm outer = freeing;
    struct shunt_comm *newcomer = shunt_newcomers_find(user);
    struct shunt_comm *whole =
        newcomer || user == MPI_COMM_NULL || user == outer ? NULL : whole_of(user);
    atomic_fetch_add(&being_freed, 1);
    freeing = user;
    if (newcomer)
        shunt_newcomers_give(newcomer);
    if (!whole)
        return outer;
    shunt_states_advance(); /* no thread finds it by its handle */
    if (whole->state == SHUNT_STATE_COUNTING)
        shunt_first_work_restart(whole);
    return outer;
}

void shunt_comm_free_end(MPI_Comm outer)
{
    freeing = outer;
    atomic_fetch_sub(&being_freed, 1);
}

static bool may_remember(void)
{
    return atomic_load(&frees_are_seen) && atomic_load(&being_freed) == 0 && !atomic_load(&ending);
}

/* Whether no settings of this process want anything of a communicator's first calls. */
static bool may_be_newcomer(MPI_Comm user)
{
    return may_remember() && shunt_process_settings()->log == SHUNT_LOG_OFF &&
           !shunt_pmpi_hides_errors() && shunt_announce_comes_by_work(user) &&
           !shunt_foresight_learns();
}

/* As a newcomer. NULL: there is none to be had. */
static struct shunt_comm *admit(MPI_Comm user)
{
    int size = 0;
    return shunt_pmpi.Comm_size(user, &size) == MPI_SUCCESS
               ? shunt_newcomers_take(user, size, shunt_first_work_calls(size))
               : NULL;
}

static struct shunt_comm *comm_begin(MPI_Comm user, int *error)
{
    struct shunt_comm *comm = may_be_newcomer(user) ? admit(user) : NULL;
    return comm ? comm : comm_make(user, error);
}

/* Where others free communicators unseen, a state has to be found so many times first, for which no
 * callback lives long enough. */
enum { CONFIRMED = 48 };

static void forget_cache(void)
{
    shunt_comm_last = nothing;
}

/* Whether this thread can remember communicators. */
static bool has_cache(void)
{
    if (shunt_comm_last != nothing)
        return true;
    void *cache = shunt_thread_memory(sizeof nothing, forget_cache);
    if (cache)
        shunt_comm_last = cache;
    return cache;
}

static void remember(struct shunt_comm *comm)
{
    if (!may_remember() && (atomic_load(&frees_are_seen) || comm->found++ < CONFIRMED))
        return;
    if (comm->state == SHUNT_STATE_NEWCOMER)
        shunt_newcomer_see(comm);
    else if (has_cache())
        *shunt_comm_cache_entry(comm->user) =
            (struct shunt_comm_cache){comm->user, atomic_load(&shunt_comm_epoch), comm};
}

struct shunt_comm *shunt_comm_lookup(MPI_Comm user, int *error)
{
    shunt_process_settings();
    *error = MPI_SUCCESS;
    if (atomic_load(&ending))
        forget_the_end();
    if (is_nearly_over())
        return NULL;
    struct shunt_comm *comm = shunt_newcomers_find(user);
    if (comm)
        remember(comm);
    if (comm || user == freeing)
        return comm;
    *error = ensure_key(&state_key, delete_state);
    if (*error != MPI_SUCCESS)
        return NULL;
    int found = 0;
    *error = shunt_pmpi.Comm_get_attr(user, atomic_load(&state_key), &comm, &found);
    if (*error != MPI_SUCCESS)
        return NULL;
    if (!found || comm->state == SHUNT_STATE_ENDED || comm->user != user) {
        watch_for_end();
        comm = comm_begin(user, error);
    }
    if (comm)
        remember(comm);
    return comm;
}

bool shunt_comm_prolong(struct shunt_comm *newcomer)
{
    const uint32_t more = newcomer->idle_calls == 0 ? shunt_first_work_further(newcomer) : 0;
    newcomer->idle_granted += more;
    newcomer->idle_calls += more;
    return newcomer->idle_calls > 0;
}

struct shunt_comm *shunt_comm_establish(struct shunt_comm *newcomer, int *error)
{
    const bool looked = newcomer->looked;
    const uint32_t calls = shunt_first_work_calls_of(newcomer);
    const int64_t units = shunt_first_work_units_of(newcomer);
    struct shunt_comm *comm = comm_make(newcomer->user, error);
    if (!comm)
        return NULL; /* it is a newcomer still */
    shunt_newcomers_give(newcomer);
    shunt_first_work_resume(comm, calls, units, looked);
    remember(comm);
    return comm;
}

static void set_up(void *comm)
{
    shunt_setup_run(comm);
}

void shunt_comm_settle(struct shunt_comm *comm)
{
    shunt_announce(comm);
    if (comm->due == comm->done + 1 && comm->state == SHUNT_STATE_COUNTING)
        shunt_room_run(set_up, comm);
}

struct shunt_comm *shunt_comm_open(MPI_Comm user, const struct shunt_table *force, int *error)
{
    struct shunt_comm *comm = comm_new(user, error);
    if (!comm)
        return NULL;
    comm->given = force;
    comm->calls = 1; /* set-up belongs to a call */
    shunt_announce(comm);
    if (comm->state == SHUNT_STATE_COUNTING)
        shunt_setup_run(comm);
    return comm;
}

void shunt_comm_close(struct shunt_comm *comm)
{
    if (comm)
        comm_release(comm);
}
