/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tally.c: how many messages, of how many bytes in all, have been sent with MPI_Isend, said at the
 * end: by rank 0 all together, or, where TALLY_PEERS is set, by every rank for each receiver. After
 * MPI_Pcontrol(1) it begins anew, MPI_Pcontrol(0) is an end. Where TALLY_GROUPS is set rank 0 says
 * how often the group of a communicator was asked for. To be preloaded.
 */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PEERS = 256 };
static long messages, bytes, groups, messages_to[PEERS], bytes_to[PEERS];

__attribute__((visibility("default"))) int PMPI_Isend(const void *from, int count,
                                                      MPI_Datatype type, int to, int tag,
                                                      MPI_Comm comm, MPI_Request *request)
{
    static int (*isend)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
    int size = 0;

    if (!isend)
        *(void **)&isend = dlsym(RTLD_NEXT, "PMPI_Isend");
    PMPI_Type_size(type, &size);
    messages++;
    bytes += (long)count * size;
    if (to >= 0 && to < PEERS) {
        messages_to[to]++;
        bytes_to[to] += (long)count * size;
    }
    return isend(from, count, type, to, tag, comm, request);
}

__attribute__((visibility("default"))) int PMPI_Comm_group(MPI_Comm comm, MPI_Group *group)
{
    static int (*comm_group)(MPI_Comm, MPI_Group *);
    if (!comm_group)
        *(void **)&comm_group = dlsym(RTLD_NEXT, "PMPI_Comm_group");
    groups++;
    return comm_group(comm, group);
}

static void say(void)
{
    const char *rank = getenv("PMI_RANK");

    for (int to = 0; rank && getenv("TALLY_PEERS") && to < PEERS; to++)
        if (messages_to[to] > 0)
            fprintf(stderr, "PEER %s %d %ld %ld\n", rank, to, messages_to[to], bytes_to[to]);
    if (rank && !getenv("TALLY_PEERS") && atoi(rank) == 0 && messages > 0)
        fprintf(stderr, "TALLY %ld %ld\n", messages, bytes);
}

static void forget(void)
{
    messages = bytes = 0;
    memset(messages_to, 0, sizeof messages_to);
    memset(bytes_to, 0, sizeof bytes_to);
}

__attribute__((visibility("default"))) int MPI_Pcontrol(const int level, ...)
{
    if (level == 0)
        say();
    forget();
    return MPI_SUCCESS;
}

__attribute__((destructor)) static void end(void)
{
    const char *rank = getenv("PMI_RANK");

    if (rank && atoi(rank) == 0 && getenv("TALLY_GROUPS"))
        fprintf(stderr, "GROUPS %ld\n", groups);
    say();
}
