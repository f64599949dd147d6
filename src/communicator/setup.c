/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * setup.c: the collective set-up of a communicator.
 *
 * Every step is a collective on the user's communicator that all ranks reach, and every failure is a flag in the next reduction: ranks
 * leave together, routed or native. Nothing on the user's communicator is point-to-point, so receives of the application see nothing.
 *
 *   1. reduce: may we, at all (disabled anywhere? same version? libraries complete?)
 *   2. broadcast rank 0's settings and the fingerprints of its tables
 *   3. (after the warm-up) reduce: who lacks a table, has no room or too many communicators; broadcast the tables if needed
 *   4. find the nodes, build the maps; reduce: did it work everywhere
 *   5. if anything can be routed: create the private communicator; reduce: did it work everywhere
 *   6. if calls agree on sizes, or algorithms share memory: create the nodes' control segments; without them, decide anew
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <sched.h>

#include "communicator/comm.h"
#include "log/log.h"

enum { PROTOCOL = 2 };

static int wait_for(struct shunt_comm *comm, int posted, MPI_Request *request)
{
    return posted == MPI_SUCCESS ? shunt_wait_all(comm, 1, request, NULL, NULL) : posted;
}

/* Maximum over all ranks, in place. */
static int reduce_max(struct shunt_comm *comm, int64_t *values, int count)
{
    MPI_Request request;
    return wait_for(comm, shunt_pmpi.Iallreduce(MPI_IN_PLACE, values, count, MPI_INT64_T, MPI_MAX, comm->user, &request), &request);
}

static int broadcast(struct shunt_comm *comm, void *bytes, uint64_t count)
{
    enum { PIECE = 1 << 30 };
    for (uint64_t at = 0; at < count; at += PIECE) {
        MPI_Request request;
        const int now = (int)(count - at < PIECE ? count - at : PIECE);
        const int status = wait_for(comm, shunt_pmpi.Ibcast((char *)bytes + at, now, MPI_BYTE, 0, comm->user, &request), &request);
        if (status != MPI_SUCCESS)
            return status;
    }
    return MPI_SUCCESS;
}

/* Native for good, on all ranks. Returns false, for the callers' convenience. */
static bool give_up(struct shunt_comm *comm, const char *reason)
{
    comm->stage = SHUNT_STAGE_NATIVE;
    comm->reason = reason;
    return false;
}

/* Step 1. */
static bool may_route(struct shunt_comm *comm)
{
    int thread_level = MPI_THREAD_SINGLE, initialized = 0;
    shunt_pmpi.Initialized(&initialized);
    shunt_pmpi.Query_thread(&thread_level);
    const int64_t hash = shunt_process_settings_hash();
    int64_t v[] = {PROTOCOL,
                   -PROTOCOL,
                   shunt_process_settings()->disable,
                   thread_level,
                   shunt_device_runtime(),
                   !shunt_pmpi_has_large_counts(),
                   hash,
                   -hash,
                   !initialized};
    if (reduce_max(comm, v, (int)(sizeof v / sizeof v[0])) != MPI_SUCCESS)
        return give_up(comm, "the set-up failed");
    comm->agreed.thread_level = v[3];
    comm->agreed.gpu = v[4];
    comm->agreed.large_counts = !v[5];
    comm->agreed.no_world = v[8];
    if (v[0] != -v[1])
        return give_up(comm, "ranks run different versions of libshunt.so");
    if (v[2])
        return give_up(comm, "SHUNT_DISABLE is set");
    if (v[6] != -v[7] && comm->rank == 0)
        shunt_log_say("SHUNT_ variables differ between ranks; those of rank 0 of each communicator are used");
    return true;
}

/*
 * SHUNT_STRICT=error. The problems have been printed; launchers drop what is still on its way when a job is aborted, so they get a moment
 * to pass it on.
 */
static void end_job(const struct shunt_comm *comm)
{
    const struct timespec moment = {.tv_sec = 0, .tv_nsec = 500000000};
    fprintf(stderr, "shunt: the decision table is not usable: the job ends, as SHUNT_STRICT=error asks\n");
    fflush(stderr);
    nanosleep(&moment, NULL);
    shunt_pmpi.Abort(comm->user, 3);
}

/* What rank 0 decides for all. */
static void fill_settings(struct shunt_comm *comm)
{
    const struct shunt_settings *s = shunt_process_settings();
    struct shunt_agreed *a = &comm->agreed;
    enum shunt_table_state table_state = SHUNT_TABLE_NONE, force_state = SHUNT_TABLE_NONE;
    comm->force = comm->given ? comm->given : shunt_tables_force(&force_state);
    /* With both operations forced no table is needed, nor libconfig. */
    const bool all_forced = comm->given || (comm->force && comm->force->rule_count[0] && comm->force->rule_count[1]);
    if (!all_forced && force_state != SHUNT_TABLE_BAD)
        comm->table = shunt_tables_own(&table_state);
    if (force_state == SHUNT_TABLE_BAD || (table_state == SHUNT_TABLE_BAD && s->strict == SHUNT_STRICT_ERROR))
        table_state = SHUNT_TABLE_BAD;
    else if (table_state == SHUNT_TABLE_BAD && comm->force)
        table_state = SHUNT_TABLE_NONE; /* what is forced can still run */
    const struct shunt_policy policy = comm->table ? comm->table->policy : shunt_policy_default();
    a->warmup = s->warmup >= 0 ? s->warmup : comm->force ? 0 : policy.warmup;
    a->memory = s->memory >= 0 ? s->memory : policy.memory;
    a->max_communicators = policy.max_communicators;
    a->verify = s->verify;
    a->table_state = table_state;
    a->table_bytes = comm->table ? comm->table->bytes : 0;
    a->table_fingerprint = comm->table ? comm->table->fingerprint : 0;
    a->force_bytes = comm->force ? comm->force->bytes : 0;
    a->force_fingerprint = comm->force ? comm->force->fingerprint : 0;
    a->layout_count = s->layout_count;
    for (int i = 0; i < s->layout_count; i++)
        a->layout[i] = s->layout[i];
    if (table_state == SHUNT_TABLE_BAD && s->strict == SHUNT_STRICT_ERROR)
        end_job(comm);
    if (table_state == SHUNT_TABLE_BAD && s->strict == SHUNT_STRICT_WARN)
        shunt_log_say("the decision table is not usable: everything stays native (SHUNT_STRICT=error would end the job instead)");
}

/* Step 2. */
static bool learn_settings(struct shunt_comm *comm)
{
    const struct shunt_agreed mine = comm->agreed;
    if (comm->rank == 0)
        fill_settings(comm);
    if (broadcast(comm, &comm->agreed, sizeof comm->agreed) != MPI_SUCCESS)
        return give_up(comm, "the set-up failed");
    comm->agreed.thread_level = mine.thread_level; /* the same anyway: it was reduced */
    if (comm->agreed.table_state == SHUNT_TABLE_BAD)
        return give_up(comm, "no usable decision table");
    if (comm->agreed.table_bytes == 0 && comm->agreed.force_bytes == 0)
        return give_up(comm, "no decision table");
    return true;
}

/* Receives a table that some rank lacks; everybody takes part. Returns NULL when memory is short here. */
static const struct shunt_table *share_table(struct shunt_comm *comm, const struct shunt_table *have, uint64_t bytes, bool as_own,
                                             struct shunt_table *room)
{
    void *buffer = comm->rank == 0 ? (void *)(uintptr_t)have : room;
    if (broadcast(comm, buffer, bytes) != MPI_SUCCESS || (comm->rank != 0 && !shunt_table_valid(room, bytes))) {
        free(room);
        return NULL;
    }
    if (comm->rank != 0)
        return shunt_tables_adopt(room, as_own);
    free(room); /* rank 0 needs none */
    return have;
}

/* Step 3. `reserved` tells whether a place among the routed communicators was taken. */
static bool learn_tables(struct shunt_comm *comm, bool *reserved)
{
    const struct shunt_agreed *a = &comm->agreed;
    struct shunt_table *room[2] = {NULL, NULL};
    if (comm->rank != 0) {
        comm->table = a->table_bytes ? shunt_tables_find(a->table_fingerprint) : NULL;
        comm->force = a->force_bytes ? shunt_tables_find(a->force_fingerprint) : NULL;
    }
    *reserved = shunt_process_reserve(a->max_communicators);
    int64_t v[] = {a->table_bytes && !comm->table, a->force_bytes && !comm->force, !*reserved};
    if (reduce_max(comm, v, 3) != MPI_SUCCESS)
        return give_up(comm, "the set-up failed");
    if (v[2])
        return give_up(comm, "policy.max_communicators is reached");
    if (!v[0] && !v[1])
        return true;
    const bool share[2] = {v[0] != 0, v[1] != 0};
    if (comm->rank != 0 && share[0])
        room[0] = malloc(a->table_bytes);
    if (comm->rank != 0 && share[1])
        room[1] = malloc(a->force_bytes);
    int64_t failed = comm->rank != 0 && ((share[0] && !room[0]) || (share[1] && !room[1]));
    if (reduce_max(comm, &failed, 1) != MPI_SUCCESS || failed) {
        free(room[0]);
        free(room[1]);
        return give_up(comm, "no memory for the decision table");
    }
    if (share[0])
        comm->table = share_table(comm, comm->table, a->table_bytes, true, room[0]);
    if (share[1])
        comm->force = share_table(comm, comm->force, a->force_bytes, false, room[1]);
    return true; /* a table that got lost is found out in step 4 */
}

/* Whether the node's ranks, however they are bound, are more than the processors that they may use. Collective over the node. */
static int find_oversubscription(struct shunt_comm *comm, MPI_Comm node)
{
    enum { WORDS = CPU_SETSIZE / 64 };
    uint64_t usable[WORDS] = {0};
    cpu_set_t set;
    int neighbours = 0, processors = 0;
    MPI_Request request;
    CPU_ZERO(&set);
    const bool known = sched_getaffinity(0, sizeof set, &set) == 0;
    for (size_t i = 0; known && i < CPU_SETSIZE; i++)
        if (CPU_ISSET(i, &set))
            usable[i / 64] |= UINT64_C(1) << i % 64;
    const int status = wait_for(comm, shunt_pmpi.Iallreduce(MPI_IN_PLACE, usable, WORDS, MPI_UINT64_T, MPI_BOR, node, &request), &request);
    for (int i = 0; i < WORDS; i++)
        processors += __builtin_popcountll(usable[i]);
    shunt_pmpi.Comm_size(node, &neighbours);
    /* A small communicator may share the node with many other ranks; what was seen once stays known. */
    static atomic_bool crowded;
    if (neighbours > (processors ? processors : (int)sysconf(_SC_NPROCESSORS_ONLN)))
        atomic_store(&crowded, true);
    comm->oversubscribed = atomic_load(&crowded);
    return status;
}

/* One number per rank, equal on the ranks of a node: the rank of the node's first member. */
static int node_key(struct shunt_comm *comm, int *key)
{
    MPI_Comm node = MPI_COMM_NULL;
    *key = comm->rank;
    int status = shunt_pmpi.Comm_split_type(comm->user, MPI_COMM_TYPE_SHARED, comm->rank, MPI_INFO_NULL, &node);
    if (status != MPI_SUCCESS)
        return status;
    shunt_pmpi.Comm_set_errhandler(node, MPI_ERRORS_RETURN);
    MPI_Request request;
    status = wait_for(comm, shunt_pmpi.Ibcast(key, 1, MPI_INT, 0, node, &request), &request);
    if (status == MPI_SUCCESS)
        status = find_oversubscription(comm, node);
    shunt_pmpi.Comm_free(&node);
    return status;
}

/* What is decided for every block size. Local: a pure function of agreed things. */
static bool build_decisions(struct shunt_comm *comm)
{
    for (int op = 0; op < SHUNT_OP_COUNT; op++) {
        const struct shunt_table *table = comm->force && comm->force->rule_count[op] ? comm->force : comm->table;
        shunt_map_clear(&comm->map[op]);
        free(comm->plans[op]);
        comm->plans[op] = NULL;
        if (shunt_map_build(&comm->map[op], table, (enum shunt_op)op, &comm->layout, comm->agreed.memory))
            return false;
        comm->plans[op] = calloc(comm->map[op].count, sizeof(struct shunt_plan *));
        if (!comm->plans[op])
            return false;
    }
    return true;
}

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* Odd, so that a single difference can never vanish, and unrelated otherwise. */
static uint64_t pair_key(int from, int to)
{
    const uint64_t pair = (uint64_t)(uint32_t)from << 32 | (uint32_t)to;
    return mix(pair + UINT64_C(0x9e3779b97f4a7c15)) | 1;
}

static void fill_pair_keys(struct shunt_comm *comm)
{
    for (size_t p = 0; p < (size_t)comm->size; p++) {
        comm->pair_keys[2 * p] = pair_key(comm->rank, (int)p);
        comm->pair_keys[2 * p + 1] = pair_key((int)p, comm->rank);
    }
}

/* Local part of step 4, with every rank's key at hand. */
static bool build_maps(struct shunt_comm *comm, const int *keys)
{
    const struct shunt_agreed *a = &comm->agreed;
    if ((a->table_bytes && !comm->table) || (a->force_bytes && !comm->force) || shunt_layout_from_keys(&comm->layout, comm->size, keys))
        return false;
    int pieces[SHUNT_LAYOUT_MAX];
    for (int64_t i = 0; i < a->layout_count; i++)
        pieces[i] = (int)a->layout[i];
    if (a->layout_count > 0 && shunt_layout_subdivide(&comm->layout, pieces, (int)a->layout_count))
        return false;
    if (!build_decisions(comm))
        return false;
    comm->send_bytes = calloc((size_t)comm->size, sizeof *comm->send_bytes);
    comm->recv_bytes = calloc((size_t)comm->size, sizeof *comm->recv_bytes);
    comm->staged = calloc((size_t)comm->size, sizeof *comm->staged);
    comm->pair_keys = calloc(2 * (size_t)comm->size, sizeof *comm->pair_keys);
    if (comm->pair_keys)
        fill_pair_keys(comm);
    return comm->send_bytes && comm->recv_bytes && comm->staged && comm->pair_keys;
}

/* Step 4. */
static bool learn_layout(struct shunt_comm *comm)
{
    int *keys = calloc((size_t)comm->size, sizeof *keys);
    int64_t failed = keys == NULL;
    if (reduce_max(comm, &failed, 1) != MPI_SUCCESS || failed || !keys) {
        free(keys);
        return give_up(comm, "no memory for the layout");
    }
    MPI_Request request;
    failed = node_key(comm, &keys[comm->rank]) != MPI_SUCCESS;
    failed |= wait_for(comm, shunt_pmpi.Iallgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, keys, 1, MPI_INT, comm->user, &request), &request) !=
              MPI_SUCCESS;
    if (!failed)
        failed = !build_maps(comm, keys);
    free(keys);
    if (reduce_max(comm, &failed, 1) != MPI_SUCCESS || failed)
        return give_up(comm, "the layout could not be found");
    return true;
}

/* Step 5. The key: same group, same order, none of the user's attributes. */
static bool create_private(struct shunt_comm *comm)
{
    MPI_Group group = MPI_GROUP_NULL;
    int status = shunt_pmpi.Comm_group(comm->user, &group);
    if (status == MPI_SUCCESS)
        status = shunt_pmpi.Comm_create(comm->user, group, &comm->private_comm);
    if (group != MPI_GROUP_NULL)
        shunt_pmpi.Group_free(&group);
    if (status != MPI_SUCCESS)
        comm->private_comm = MPI_COMM_NULL;
    int64_t failed = comm->private_comm == MPI_COMM_NULL;
    if (reduce_max(comm, &failed, 1) != MPI_SUCCESS || failed) {
        if (comm->private_comm != MPI_COMM_NULL)
            shunt_pmpi.Comm_free(&comm->private_comm);
        comm->private_comm = MPI_COMM_NULL;
        return give_up(comm, "no private communicator could be created");
    }
    shunt_pmpi.Comm_set_errhandler(comm->private_comm, MPI_ERRORS_RETURN);
    return true;
}

static void tell_rules(const struct shunt_comm *comm)
{
    const struct shunt_table *tables[] = {comm->table, comm->force};
    for (int t = 0; t < 2; t++) {
        for (uint32_t op = 0; tables[t] && op < SHUNT_OP_COUNT; op++) {
            for (uint32_t i = 0; i < tables[t]->rule_count[op]; i++) {
                const struct shunt_rule *rule = &tables[t]->rules[tables[t]->rule_first[op] + i];
                shunt_log_rule_known(shunt_table_string(tables[t], rule->file), rule->line, shunt_table_string(tables[t], rule->id),
                                     shunt_op_name((enum shunt_op)op));
            }
        }
    }
}

/* Decides which calls need no look, and which begin with an agreement. Pure function of agreed things. */
static void settle_operations(struct shunt_comm *comm)
{
    const bool logging = shunt_process_settings()->log != SHUNT_LOG_OFF;
    for (int op = 0; op < SHUNT_OP_COUNT; op++) {
        const struct shunt_map *map = &comm->map[op];
        const enum shunt_kind kind = map->decisions[0].algorithm->kind;
        if (shunt_map_all_native(map)) {
            comm->bypass |= logging ? 0 : 1u << op;
            continue;
        }
        /* A direct exchange of unknown sizes must be able to survive a truncated message: see direct.c. */
        const bool fragile = comm->agreed.thread_level >= MPI_THREAD_MULTIPLE || comm->agreed.no_world;
        const bool sizes = map->count > 1 || shunt_kind_agrees(kind) || !comm->agreed.large_counts || fragile;
        comm->agrees[op] = comm->agreed.gpu || (op == SHUNT_OP_ALLTOALLV && sizes);
    }
}

/* Step 6. What needs shared memory becomes infeasible where there is none. */
static bool open_nodes(struct shunt_comm *comm)
{
    bool wanted = comm->agrees[SHUNT_OP_ALLTOALL] || comm->agrees[SHUNT_OP_ALLTOALLV];
    for (int op = 0; op < SHUNT_OP_COUNT; op++)
        for (size_t i = 0; i < comm->map[op].count; i++)
            wanted |= shunt_kind_shares(comm->map[op].decisions[i].algorithm->kind);
    if (!wanted || shunt_node_open(comm))
        return true;
    comm->layout.segment_block = -1;
    return shunt_comm_decide_anew(comm);
}

bool shunt_comm_decide_anew(struct shunt_comm *comm)
{
    comm->hot = NULL;
    if (comm->release_plans)
        comm->release_plans(comm);
    if (shunt_agree_all(comm, build_decisions(comm))) {
        settle_operations(comm);
        return true;
    }
    return give_up(comm, "no memory to decide anew without shared memory");
}

static bool set_up(struct shunt_comm *comm, bool *reserved)
{
    if (comm->stage == SHUNT_STAGE_COUNTING) {
        if (!may_route(comm) || !learn_settings(comm))
            return false;
        comm->stage = SHUNT_STAGE_WAITING;
    }
    if (comm->calls <= (uint64_t)comm->agreed.warmup)
        return true;
    if (!learn_tables(comm, reserved) || !learn_layout(comm))
        return false;
    if (shunt_map_all_native(&comm->map[SHUNT_OP_ALLTOALL]) && shunt_map_all_native(&comm->map[SHUNT_OP_ALLTOALLV])) {
        settle_operations(comm);
        comm->stage = SHUNT_STAGE_ROUTED; /* maps know the rules, for the log; no private communicator is needed */
        return true;
    }
    if (!create_private(comm))
        return false;
    settle_operations(comm);
    if (!open_nodes(comm))
        return false;
    comm->stage = SHUNT_STAGE_ROUTED;
    return true;
}

void shunt_setup_run(struct shunt_comm *comm)
{
    /* Errors of what we do here are ours to handle, not the application's handler's. */
    struct shunt_hush hush;
    shunt_hush_begin(&hush, comm->user);
    bool reserved = false;
    set_up(comm, &reserved);
    if (comm->stage == SHUNT_STAGE_ROUTED && shunt_process_settings()->log != SHUNT_LOG_OFF)
        tell_rules(comm);
    if (reserved && comm->private_comm == MPI_COMM_NULL)
        shunt_process_release();
    if (comm->stage == SHUNT_STAGE_NATIVE && shunt_process_settings()->log == SHUNT_LOG_OFF)
        comm->bypass = ~0u;
    shunt_hush_end(&hush);
}
