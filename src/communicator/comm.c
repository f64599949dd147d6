/* SPDX-License-Identifier: BSD-3-Clause */
/* comm.c: the attribute that carries our state, its life and its end. */
#include "communicator/comm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "log/log.h"

/* Calls of a communicator before its first exchange, where nothing is agreed yet. Must not depend on any setting: settings may differ. */
enum { FIXED_WARMUP = 2 };

_Thread_local struct shunt_comm_cache shunt_comm_last __attribute__((tls_model("initial-exec")));
_Atomic unsigned long shunt_comm_epoch = 1;

/* Key values; MPI_KEYVAL_INVALID until needed, and again after the end of MPI. */
static _Atomic int state_key = MPI_KEYVAL_INVALID, end_key = MPI_KEYVAL_INVALID;
static _Atomic uint64_t comm_count;
/* MPI_Finalize has begun: MPI_COMM_SELF is going or gone, there is nothing left to watch. */
static atomic_bool ending;

/* What the set-up of MPI_COMM_WORLD has settled for all its processes. */
static atomic_bool world_settled;
static int64_t world_warmup, world_thread_level;

static void comm_release(struct shunt_comm *comm)
{
    if (comm->private_comm != MPI_COMM_NULL) {
        int finalized = 0;
        shunt_pmpi.Finalized(&finalized);
        if (!finalized)
            shunt_pmpi.Comm_free(&comm->private_comm);
        shunt_process_release();
    }
    if (comm->release_plans)
        comm->release_plans(comm);
    for (int op = 0; op < SHUNT_OP_COUNT; op++)
        free(comm->plans[op]); /* NULL where plans were released */
    shunt_node_close(comm);
    for (int op = 0; op < SHUNT_OP_COUNT; op++)
        shunt_map_clear(&comm->map[op]);
    shunt_layout_clear(&comm->layout);
    free(comm->send_bytes);
    free(comm->recv_bytes);
    free(comm->pair_keys);
    free(comm->staged);
    free(comm);
}

/*
 * May come late, on any thread, in any order, or never. Nothing here waits for another rank: MPI_Comm_free of a communicator without
 * pending operations of ours does not.
 */
static int delete_state(MPI_Comm user, int key, void *value, void *extra)
{
    (void)user;
    (void)key;
    (void)extra;
    atomic_fetch_add(&shunt_comm_epoch, 1);
    comm_release(value);
    return MPI_SUCCESS;
}

/* MPI is about to end: keys die with it. Routing goes on until each communicator's own callback. */
static int delete_end(MPI_Comm self, int key, void *value, void *extra)
{
    (void)self;
    (void)key;
    (void)value;
    (void)extra;
    atomic_store(&ending, true);
    atomic_store(&state_key, MPI_KEYVAL_INVALID);
    atomic_store(&end_key, MPI_KEYVAL_INVALID);
    atomic_fetch_add(&shunt_comm_epoch, 1);
    atomic_store(&world_settled, false);
    if (shunt_process_settings()->log != SHUNT_LOG_OFF)
        shunt_log_flush();
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

/* Asks MPI to tell us when it ends. Without a world (Sessions) nobody can; the destructor writes the summary then. */
static void watch_for_end(void)
{
    int initialized = 0;
    if (atomic_load(&ending) || atomic_load(&end_key) != MPI_KEYVAL_INVALID || shunt_pmpi.Initialized(&initialized) != MPI_SUCCESS ||
        !initialized)
        return;
    if (ensure_key(&end_key, delete_end) == MPI_SUCCESS)
        shunt_pmpi.Comm_set_attr(MPI_COMM_SELF, atomic_load(&end_key), NULL);
}

/* A state that nothing refers to yet. */
static struct shunt_comm *comm_new(MPI_Comm user, int *error)
{
    struct shunt_comm *comm = calloc(1, sizeof *comm);
    if (!comm) {
        *error = MPI_ERR_NO_MEM;
        return NULL;
    }
    comm->user = user;
    comm->private_comm = MPI_COMM_NULL;
    comm->doing = "set-up";
    comm->quiet_to = -1;
    comm->agreed.warmup = FIXED_WARMUP;
    comm->id = atomic_fetch_add(&comm_count, 1);
    *error = shunt_pmpi.Comm_rank(user, &comm->rank);
    if (*error == MPI_SUCCESS)
        *error = shunt_pmpi.Comm_size(user, &comm->size);
    if (*error == MPI_SUCCESS)
        return comm;
    free(comm);
    return NULL;
}

static struct shunt_comm *comm_make(MPI_Comm user, int *error)
{
    struct shunt_comm *comm = comm_new(user, error);
    if (!comm) {
        if (*error == MPI_ERR_NO_MEM)
            shunt_pmpi.Comm_call_errhandler(user, *error);
        return NULL;
    }
    int inter = 0;
    *error = shunt_pmpi.Comm_test_inter(user, &inter);
    if (*error == MPI_SUCCESS)
        *error = shunt_pmpi.Comm_set_attr(user, atomic_load(&state_key), comm);
    if (*error != MPI_SUCCESS) {
        free(comm);
        return NULL;
    }
    if (inter) {
        comm->stage = SHUNT_STAGE_NATIVE;
        comm->reason = "intercommunicator";
        comm->bypass = shunt_process_settings()->log == SHUNT_LOG_OFF ? ~0u : 0;
    }
    return comm;
}

struct shunt_comm *shunt_comm_lookup(MPI_Comm user, int *error)
{
    shunt_process_settings();
    *error = ensure_key(&state_key, delete_state);
    if (*error != MPI_SUCCESS)
        return NULL;
    struct shunt_comm *comm = NULL;
    int found = 0;
    *error = shunt_pmpi.Comm_get_attr(user, atomic_load(&state_key), &comm, &found);
    if (*error != MPI_SUCCESS)
        return NULL;
    if (!found) {
        watch_for_end();
        comm = comm_make(user, error);
    }
    if (comm)
        shunt_comm_last = (struct shunt_comm_cache){user, atomic_load(&shunt_comm_epoch), comm};
    return comm;
}

/* Whether every process of `comm` belongs to this MPI_COMM_WORLD: a fact about sets, so all members find the same. */
static bool within_world(struct shunt_comm *comm)
{
    enum { CHUNK = 256 };
    int ranks[CHUNK], there[CHUNK];
    MPI_Group ours = MPI_GROUP_NULL, world = MPI_GROUP_NULL;
    bool within = shunt_pmpi.Comm_group(comm->user, &ours) == MPI_SUCCESS && shunt_pmpi.Comm_group(MPI_COMM_WORLD, &world) == MPI_SUCCESS;
    for (int first = 0; within && first < comm->size; first += CHUNK) {
        const int count = comm->size - first < CHUNK ? comm->size - first : CHUNK;
        for (int i = 0; i < count; i++)
            ranks[i] = first + i;
        within = shunt_pmpi.Group_translate_ranks(ours, count, ranks, world, there) == MPI_SUCCESS;
        for (int i = 0; within && i < count; i++)
            within = there[i] != MPI_UNDEFINED;
    }
    if (ours != MPI_GROUP_NULL)
        shunt_pmpi.Group_free(&ours);
    if (world != MPI_GROUP_NULL)
        shunt_pmpi.Group_free(&world);
    return within;
}

/*
 * Calls that pass before the first exchange on this communicator. Every rank must find the same number before anything was exchanged on it:
 *  - MPI_COMM_WORLD: none, always;
 *  - where the world has settled the matter before, what it settled. All ranks know, because collectives of a correct program come in one
 *    order; except when some process runs several threads, for which there is no such order;
 *  - otherwise a constant.
 */
static uint64_t first_exchange_after(struct shunt_comm *comm)
{
    if (comm->user == MPI_COMM_WORLD)
        return 0;
    if (!atomic_load(&world_settled) || world_thread_level >= MPI_THREAD_MULTIPLE || world_warmup == FIXED_WARMUP || !within_world(comm))
        return FIXED_WARMUP;
    return (uint64_t)world_warmup;
}

void shunt_comm_settle(struct shunt_comm *comm)
{
    if (comm->stage == SHUNT_STAGE_COUNTING && comm->calls <= first_exchange_after(comm))
        return;
    if (comm->stage == SHUNT_STAGE_WAITING && comm->calls <= (uint64_t)comm->agreed.warmup)
        return;
    const bool first = comm->stage == SHUNT_STAGE_COUNTING;
    shunt_setup_run(comm);
    if (first && comm->user == MPI_COMM_WORLD) {
        world_warmup = comm->agreed.warmup;
        world_thread_level = comm->agreed.thread_level;
        atomic_store(&world_settled, true);
    }
}

struct shunt_comm *shunt_comm_open(MPI_Comm user, const struct shunt_table *force, int *error)
{
    struct shunt_comm *comm = comm_new(user, error);
    if (!comm)
        return NULL;
    comm->given = force;
    comm->calls = 1; /* set-up belongs to a call */
    shunt_setup_run(comm);
    return comm;
}

void shunt_comm_close(struct shunt_comm *comm)
{
    if (comm)
        comm_release(comm);
}

int shunt_comm_raise(struct shunt_comm *comm, int code)
{
    if (code != MPI_SUCCESS)
        shunt_pmpi.Comm_call_errhandler(comm->user, code);
    return code;
}

static bool predefined(MPI_Errhandler handler)
{
#ifdef MPI_ERRORS_ABORT
    if (handler == MPI_ERRORS_ABORT)
        return true;
#endif
    return handler == MPI_ERRORS_ARE_FATAL || handler == MPI_ERRORS_RETURN;
}

void shunt_hush_begin(struct shunt_hush *hush, MPI_Comm on)
{
    hush->on = on;
    hush->active = shunt_pmpi.Comm_get_errhandler(on, &hush->saved) == MPI_SUCCESS &&
                   shunt_pmpi.Comm_set_errhandler(on, MPI_ERRORS_RETURN) == MPI_SUCCESS;
}

void shunt_hush_end(struct shunt_hush *hush)
{
    if (!hush->active)
        return;
    shunt_pmpi.Comm_set_errhandler(hush->on, hush->saved);
    if (!predefined(hush->saved))
        shunt_pmpi.Errhandler_free(&hush->saved);
}

const char *shunt_comm_describe(struct shunt_comm *comm)
{
    int length = 0;
    if (shunt_pmpi.Comm_get_name(comm->user, comm->name, &length) != MPI_SUCCESS)
        length = 0;
    if (length == 0)
        snprintf(comm->name, sizeof comm->name, "#%llu", (unsigned long long)comm->id);
    return comm->name;
}
