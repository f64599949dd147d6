/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pmpi.c: SMPI as the library under the executors, in place of src/pmpi/pmpi.c.
 *
 * Its nonblocking collectives send from every rank to every rank. Only the set-up of a communicator
 * uses them, which is not timed: here they are done in the memory that all ranks have in common.
 */
#include "pmpi/pmpi.h"

#include <stdlib.h>
#include <string.h>

#include "ranks.h"

struct shunt_pmpi shunt_pmpi;

/* What one collective is about; only one is under way. */
static struct {
    int arrived;
    int64_t values[64];
    const void *bytes; /* of the root */
} common;

/* A gather, which the broadcast behind it completes. */
static struct {
    char *bytes; /* of all ranks, in order; NULL: none is under way */
    char **to;   /* array of ranks: where they want it */
    int ranks, left;
    size_t each;
} gathering;

/* Nothing of the next collective before all ranks have done with this one. */
static void leave(void)
{
    common.arrived--;
    simulate_meet();
}

static int reduce_now(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op,
                      MPI_Comm comm, MPI_Request *request)
{
    int64_t *mine = to;
    *request = MPI_REQUEST_NULL;
    if (from != MPI_IN_PLACE || type != MPI_INT64_T || op != MPI_MAX || comm != MPI_COMM_WORLD ||
        (size_t)count > sizeof common.values / sizeof common.values[0])
        return MPI_ERR_ARG;
    const bool first = common.arrived++ == 0;
    for (int i = 0; i < count; i++)
        if (first || mine[i] > common.values[i])
            common.values[i] = mine[i];
    simulate_meet();
    memcpy(mine, common.values, (size_t)count * sizeof *mine);
    leave();
    return MPI_SUCCESS;
}

static void *need(void *memory)
{
    if (!memory)
        abort();
    return memory;
}

static void gather_begin(size_t each)
{
    PMPI_Comm_size(MPI_COMM_WORLD, &gathering.ranks);
    gathering.left = gathering.ranks;
    gathering.each = each;
    gathering.bytes = need(malloc(each * (size_t)gathering.ranks));
    gathering.to = need(calloc((size_t)gathering.ranks, sizeof *gathering.to));
}

/*
 * What is gathered is the largest thing there is during set-up, P^2 records in all, and set-up is
 * done with it before it waits again. So a rank gets it as the last thing of the broadcast that is
 * posted behind the gather: then only one rank has it at a time.
 */
static int gather_now(const void *from, int send_count, MPI_Datatype send_type, void *to,
                      int recv_count, MPI_Datatype recv_type, MPI_Comm comm, MPI_Request *request)
{
    const size_t each = (size_t)recv_count, mine = (size_t)simulate_rank() * each;
    (void)send_count;
    (void)send_type;
    *request = MPI_REQUEST_NULL;
    if (from != MPI_IN_PLACE || recv_type != MPI_BYTE || comm != MPI_COMM_WORLD)
        return MPI_ERR_ARG;
    if (!gathering.bytes)
        gather_begin(each);
    memcpy(gathering.bytes + mine, (char *)to + mine, each);
    gathering.to[simulate_rank()] = to;
    return MPI_SUCCESS;
}

static void gather_end(void)
{
    if (!gathering.bytes)
        return;
    memcpy(gathering.to[simulate_rank()], gathering.bytes,
           gathering.each * (size_t)gathering.ranks);
    if (--gathering.left > 0)
        return;
    free(gathering.bytes);
    free(gathering.to);
    gathering.bytes = NULL;
}

static int broadcast_now(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm,
                         MPI_Request *request)
{
    *request = MPI_REQUEST_NULL;
    if (type != MPI_BYTE || comm != MPI_COMM_WORLD)
        return MPI_ERR_ARG;
    common.arrived++;
    if (simulate_rank() == root)
        common.bytes = buffer;
    simulate_meet();
    if (simulate_rank() != root)
        memcpy(buffer, common.bytes, (size_t)count);
    leave();
    gather_end();
    return MPI_SUCCESS;
}

/*
 * The functions with large counts, for blocks that need none. Those that look at types stay out:
 * SMPI's types are made with ints.
 */
int PMPI_Irecv_c(void *to, MPI_Count count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
                 MPI_Request *request)
{
    return PMPI_Irecv(to, (int)count, type, source, tag, comm, request);
}

int PMPI_Isend_c(const void *from, MPI_Count count, MPI_Datatype type, int to, int tag,
                 MPI_Comm comm, MPI_Request *request)
{
    return PMPI_Isend(from, (int)count, type, to, tag, comm, request);
}

int PMPI_Sendrecv_c(const void *from, MPI_Count send_count, MPI_Datatype send_type, int target,
                    int send_tag, void *to, MPI_Count recv_count, MPI_Datatype recv_type,
                    int source, int recv_tag, MPI_Comm comm, MPI_Status *status)
{
    return PMPI_Sendrecv(from, (int)send_count, send_type, target, send_tag, to, (int)recv_count,
                         recv_type, source, recv_tag, comm, status);
}

int PMPI_Pack_c(const void *from, MPI_Count count, MPI_Datatype type, void *to, MPI_Count bytes,
                MPI_Count *position, MPI_Comm comm)
{
    int at = (int)*position;
    const int status = PMPI_Pack(from, (int)count, type, to, (int)bytes, &at, comm);
    *position = at;
    return status;
}

int PMPI_Unpack_c(const void *from, MPI_Count bytes, MPI_Count *position, void *to, MPI_Count count,
                  MPI_Datatype type, MPI_Comm comm)
{
    int at = (int)*position;
    const int status = PMPI_Unpack(from, (int)bytes, &at, to, (int)count, type, comm);
    *position = at;
    return status;
}

int PMPI_Ialltoall_c(const void *from, MPI_Count send_count, MPI_Datatype send_type, void *to,
                     MPI_Count recv_count, MPI_Datatype recv_type, MPI_Comm comm,
                     MPI_Request *request)
{
    return PMPI_Ialltoall(from, (int)send_count, send_type, to, (int)recv_count, recv_type, comm,
                          request);
}

/* Nobody else sends messages, and SMPI takes a message from every rank to every other one to make a
 * communicator. */
static int create_same(MPI_Comm comm, MPI_Group group, MPI_Comm *created)
{
    (void)group;
    *created = comm;
    return MPI_SUCCESS;
}

static int free_same(MPI_Comm *comm)
{
    *comm = MPI_COMM_NULL;
    return MPI_SUCCESS;
}

/* Error handlers of SMPI are not those of a rank, and its default one is none: nothing raises an
 * error here, for main.c looks at what calls return. */
static int get_handler(MPI_Comm comm, MPI_Errhandler *handler)
{
    (void)comm;
    *handler = MPI_ERRORS_RETURN;
    return MPI_SUCCESS;
}

static int set_handler(MPI_Comm comm, MPI_Errhandler handler)
{
    (void)comm;
    (void)handler;
    return MPI_SUCCESS;
}

static int free_handler(MPI_Errhandler *handler)
{
    *handler = MPI_ERRHANDLER_NULL;
    return MPI_SUCCESS;
}

#define TAKE(name) shunt_pmpi.name = PMPI_##name;

bool shunt_pmpi_resolve(void *caller)
{
    (void)caller;
    SHUNT_PMPI_NEEDED(TAKE)
    TAKE(Irecv_c)
    TAKE(Isend_c)
    TAKE(Sendrecv_c)
    TAKE(Pack_c)
    TAKE(Unpack_c)
    TAKE(Ialltoall_c)
    shunt_pmpi.Iallreduce = reduce_now;
    shunt_pmpi.Iallgather = gather_now;
    shunt_pmpi.Ibcast = broadcast_now;
    shunt_pmpi.Comm_create = create_same;
    shunt_pmpi.Comm_free = free_same;
    shunt_pmpi.Comm_get_errhandler = get_handler;
    shunt_pmpi.Comm_set_errhandler = set_handler;
    shunt_pmpi.Errhandler_free = free_handler;
    return true;
}

bool shunt_pmpi_hides_errors(void)
{
    return false;
}

void *shunt_pmpi_symbol(const char *name)
{
    (void)name;
    return NULL; /* asked for the version, and for what is not routed */
}
