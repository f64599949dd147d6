/* SPDX-License-Identifier: BSD-3-Clause */
/* lifetime.c: the attribute that carries our state; its life and end. */
#include "comm/lifetime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/thread.h"
#include "comm/learning.h"
#include "comm/node.h"
#include "comm/states.h"
#include "comm/tags.h"
#include "comm/team.h"
#include "comm/warm_up.h"
#include "log/log.h"
#include "process/errors.h"
#include "process/process.h"

static struct shunt_comm_cache nothing[1 << SHUNT_COMM_CACHE_BITS];
_Thread_local struct shunt_comm_cache *shunt_comm_last __attribute__((tls_model("initial-exec"))) =
    nothing;

/* Key values; MPI_KEYVAL_INVALID until needed, and again after the end of MPI. */
static _Atomic int state_key = MPI_KEYVAL_INVALID, end_key = MPI_KEYVAL_INVALID;
static _Atomic uint64_t comm_count;
/* Somebody has asked MPI to tell when it ends; it has told. */
static atomic_bool watching, ending;

static void comm_release(struct shunt_comm *comm)
{
    shunt_learning_end(comm);
    if (comm->release_plans)
        comm->release_plans(comm);
    shunt_node_close(comm);
    for (int op = 0; op < SHUNT_OP_COUNT; op++)
        shunt_map_clear(&comm->map[op]);
    shunt_layout_clear(&comm->layout);
    free(comm->buffers.pair_keys);
    free(comm->buffers.staged);
    free(comm->buffers.staged_bytes);
    free(comm->rank_there);
    if (comm->team)
        shunt_team_drop(comm->team);
    shunt_tags_release(comm);
    shunt_state_free(comm);
}

/* The state, perhaps in memory that has just ended, that this thread makes an attribute of. */
static _Thread_local const struct shunt_comm *attaching __attribute__((tls_model("initial-exec")));

/*
 * May arrive late, on any thread, in any order, or never. Nothing here waits for another rank:
 * MPI_Comm_free of a communicator without pending operations of ours does not.
 */
static int delete_state(MPI_Comm user, int key, void *value, void *extra)
{
    (void)key;
    (void)extra;
    struct shunt_comm *comm = value;
    if (comm->state == SHUNT_STATE_ENDED || comm->user != user || comm == attaching)
        return MPI_SUCCESS; /* it takes a place in a list that is being deleted */
    comm->turn++;
    shunt_states_advance();
    comm_release(comm);
    return MPI_SUCCESS;
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
    atomic_store(&ending, true);
    shunt_states_advance(); /* whoever goes on with a Session is looked up anew, on all ranks */
    if (shunt_process_settings()->log != SHUNT_LOG_OFF)
        shunt_log_flush();
    shunt_learning_finish();
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
    shunt_team_forget_all();
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
    comm->diag.doing = "set-up";
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
    comm->diag.inter = inter != 0;
    if (inter)
        shunt_comm_native(comm, "intercommunicator");
    else if (is_trivial(comm))
        shunt_comm_native(comm, "a single rank");
    return comm;
}

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

/*
 * A delete callback of the application may make calls on the communicator that is being freed, also
 * when the library has deleted our attribute before. They get a state of which the library will not
 * tell the end, while the handle soon is another communicator's. So a state is found by its handle
 * alone when it was found as an attribute so many times, for which no callback lives long enough;
 * and not at all when MPI has begun to end, for it tells of MPI_COMM_WORLD and MPI_COMM_SELF only.
 */
enum { CONFIRMED = 48 };

static void remember(struct shunt_comm *comm)
{
    if (comm->found++ >= CONFIRMED && !atomic_load(&ending) && has_cache())
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
    struct shunt_comm *comm = NULL;
    *error = ensure_key(&state_key, delete_state);
    if (*error != MPI_SUCCESS)
        return NULL;
    int found = 0;
    *error = shunt_pmpi.Comm_get_attr(user, atomic_load(&state_key), &comm, &found);
    if (*error != MPI_SUCCESS)
        return NULL;
    if (!found || comm->state == SHUNT_STATE_ENDED || comm->user != user) {
        watch_for_end();
        comm = comm_make(user, error);
    }
    if (comm)
        remember(comm);
    return comm;
}

void shunt_comm_duplicates(MPI_Comm user)
{
    int error = MPI_SUCCESS;
    shunt_process_note_duplicate();
    struct shunt_comm *comm = user == MPI_COMM_NULL ? NULL : shunt_comm_find(user, &error);
    if (comm && error == MPI_SUCCESS && comm->state != SHUNT_STATE_NATIVE)
        shunt_comm_native(comm, "MPI_Comm_idup was called on it, under Open MPI");
}

struct shunt_comm *shunt_comm_open(MPI_Comm user, const struct shunt_table *force, int *error)
{
    struct shunt_comm *comm = comm_new(user, error);
    if (!comm)
        return NULL;
    comm->given = force;
    comm->calls = 1; /* set-up belongs to a call */
    shunt_warm_up(comm);
    return comm;
}

void shunt_comm_close(struct shunt_comm *comm)
{
    if (comm)
        comm_release(comm);
}
