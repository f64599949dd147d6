/* SPDX-License-Identifier: BSD-3-Clause */
/* comm_log.c: what the log is told about this process and its communicators. */
#include "comm/comm_log.h"

#include <pthread.h>

#include "base/hash.h"
#include "comm/recurrence.h"
#include "log/log.h"
#include "process/errors.h"
#include "process/group.h"
#include "process/process.h"
#include "process/tables.h"

static void tell_table(void)
{
    if (!shunt_process_first_of_job() || shunt_process_settings()->disable)
        return;
    const struct shunt_table *table = shunt_tables_look();
    if (!table)
        return;
    const struct shunt_log_table described = shunt_tables_describe(table);
    shunt_log_table(&described);
}

void shunt_comm_log_begin(void)
{
    static pthread_once_t begun = PTHREAD_ONCE_INIT;
    pthread_once(&begun, tell_table); /* other threads wait: the first line has the table */
}

static bool hash_rank(void *context, int rank, int there)
{
    uint64_t *hash = context;
    (void)rank;
    *hash = shunt_hash_value(*hash, (uint64_t)there);
    return true;
}

/* Ranks of the group's members in `world`, in order; MPI_UNDEFINED for those that have none. */
static uint64_t hash_members(MPI_Group group, MPI_Group world)
{
    int size = 0;
    uint64_t hash = SHUNT_HASH_EMPTY;
    if (shunt_pmpi.Group_size(group, &size) != MPI_SUCCESS ||
        !shunt_group_translate(group, size, world, hash_rank, &hash))
        return hash;
    return shunt_hash_mix(hash);
}

static uint64_t hash_group(const struct shunt_comm *comm, MPI_Group world, bool remote)
{
    MPI_Group group = MPI_GROUP_NULL;
    struct shunt_hush hush;
    shunt_hush_begin_alone(&hush, comm->user);
    const int status = SHUNT_TWICE(remote ? shunt_pmpi.Comm_remote_group(comm->user, &group)
                                          : shunt_pmpi.Comm_group(comm->user, &group));
    shunt_hush_end(&hush);
    if (status != MPI_SUCCESS)
        return 0;
    const uint64_t hash = hash_members(group, world);
    shunt_pmpi.Group_free(&group);
    return hash;
}

/* Without MPI_COMM_WORLD (Sessions) only the number of ranks is left. */
static uint64_t hash_communicator(const struct shunt_comm *comm)
{
    MPI_Group world = MPI_GROUP_NULL;
    int initialized = 0;
    uint64_t hash = (uint64_t)comm->size;
    if (shunt_pmpi.Initialized(&initialized) != MPI_SUCCESS || !initialized ||
        shunt_pmpi.Comm_group(MPI_COMM_WORLD, &world) != MPI_SUCCESS)
        return shunt_hash_mix(hash);
    hash = hash_group(comm, world, false);
    if (comm->diag.inter) /* both sides alike */
        hash = shunt_hash_mix(hash + hash_group(comm, world, true));
    shunt_pmpi.Group_free(&world);
    return hash;
}

uint64_t shunt_comm_log_id(struct shunt_comm *comm)
{
    if (comm->diag.log_id != 0 || !shunt_process_records_calls())
        return comm->diag.log_id;
    const uint64_t members = hash_communicator(comm),
                   id = shunt_hash_mix(shunt_hash_value(members, shunt_recurrence(members)));
    comm->diag.log_id = id != 0 ? id : 1;
    return comm->diag.log_id;
}

const char *shunt_comm_log_name(struct shunt_comm *comm)
{
    int length = 0;
    if (shunt_pmpi.Comm_get_name(comm->user, comm->diag.name, &length) != MPI_SUCCESS)
        length = 0;
    comm->diag.name[length] = '\0';
    return comm->diag.name;
}

void shunt_comm_log_set_up(struct shunt_comm *comm)
{
    if (!shunt_process_records_calls())
        return;
    const struct shunt_layout *layout = &comm->layout;
    const struct shunt_table *table = comm->table ? comm->table : comm->force;
    const struct shunt_log_table described =
        table ? shunt_tables_describe(table) : (struct shunt_log_table){.source = NULL};
    const struct shunt_log_communicator communicator = {
        .arrival = comm->diag.arrival,
        .name = shunt_comm_log_name(comm),
        .id = shunt_comm_log_id(comm),
        .ranks = layout->ranks,
        .nodes = layout->nodes,
        .ppn_min = layout->ppn_min,
        .ppn_max = layout->ppn_max,
        .oversubscribed = layout->oversubscribed,
        .node_first = layout->node_first,
        .table = table ? &described : NULL,
    };
    shunt_log_communicator(&communicator);
}
