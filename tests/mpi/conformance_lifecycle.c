/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ways to begin and to end: conformance_lifecycle WAY
 *   sessions   a session and a communicator from its group, no MPI_Init, no world
 *   outlived   a session whose communicators are freed when the world has ended
 *   init-null  MPI_Init(NULL, NULL)
 *   threads    MPI_Init_thread with MPI_THREAD_MULTIPLE; calls from a thread other than the first
 *   leaked     MPI_Finalize with communicators, types, attributes and error handlers that nobody
 * freed idle       no call of interest at all late       calls only after most of the program's
 * communicators are gone, and from attribute callbacks in MPI_Finalize
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "exchange.h"
#include "mpi4.h"
#include "transcript.h"

static void sessions(void)
{
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm;
    int rank, sum = 0, one = 1;

    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, "shunt-test", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Group_free(&group);
    exchange_both(comm, 6, 0);
    MPI_Comm_rank(comm, &rank);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
    MPI_Comm_free(&comm);
    MPI_Session_finalize(&session);
    if (rank == 0)
        printf("session of %d ranks\n", sum);
}

static int use_when_freed(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)key;
    (void)extra;
    exchange_both(comm, 1, *(int *)value);
    return MPI_SUCCESS;
}

/* Some have seen few calls, some many. The first call after the end comes while one is freed. */
static void outlived(void)
{
    enum { COMMS = 12, CALLS = 150 };
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comms[COMMS];
    int key;

    MPI_Init(NULL, NULL);
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, use_when_freed, &key, NULL);
    for (int i = 0; i < COMMS; i++) {
        MPI_Comm_create_from_group(group, "shunt-test", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL,
                                   &comms[i]);
        exchange_both(comms[i], i % 2 ? CALLS : 3, i);
    }
    MPI_Group_free(&group);
    MPI_Comm_set_attr(comms[0], key, &key);
    MPI_Finalize();
    for (int i = 0; i < COMMS; i++) {
        if (i % 3 == 2)
            exchange_both(comms[i], 1, i);
        MPI_Comm_free(&comms[i]);
    }
    MPI_Session_finalize(&session);
}

static void *use_world(void *unused)
{
    (void)unused;
    exchange_both(MPI_COMM_WORLD, 6, 1);
    return NULL;
}

static void threads(void)
{
    pthread_t thread;
    int provided;

    MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
    transcript("thread level %s", provided == MPI_THREAD_MULTIPLE ? "multiple" : "lower");
    EXCHANGE_REQUIRE(pthread_create(&thread, NULL, use_world, NULL) == 0, "no thread");
    pthread_join(thread, NULL);
    exchange_both(MPI_COMM_WORLD, 2, 2);
}

static void leaked(void)
{
    MPI_Init(NULL, NULL);
    for (int i = 0; i < 8; i++) {
        MPI_Datatype type;
        MPI_Comm comm;
        int keyval;

        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
        MPI_Comm_set_attr(comm, keyval, NULL);
        MPI_Comm_set_errhandler(comm, transcript_handler());
        MPI_Type_contiguous(i + 1, MPI_INT, &type);
        MPI_Type_commit(&type);
        exchange_both(comm, i, i);
    }
    transcript("leaked");
}

/* Called in MPI_Finalize, when MPI_COMM_SELF goes, and again when MPI_COMM_WORLD goes and
 * MPI_COMM_SELF is no more. */
static int at_end(MPI_Comm comm, int keyval, void *value, void *extra)
{
    int rank;

    (void)comm;
    (void)keyval;
    (void)value;
    (void)extra;
    exchange_both(MPI_COMM_WORLD, 4, 3);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        printf("calls in MPI_Finalize worked\n");
    return MPI_SUCCESS;
}

static void late(void)
{
    MPI_Comm comm;
    int keyval;

    MPI_Init(NULL, NULL);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_end, &keyval, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, keyval, NULL);
    MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, NULL);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    exchange_both(comm, 4, 0);
    MPI_Comm_free(&comm);
    transcript("late");
}

int main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "";

    if (!has_mpi4() && (strcmp(way, "outlived") == 0 || strcmp(way, "sessions") == 0)) {
        lacks_mpi4("sessions");
        return 0;
    }
    if (strcmp(way, "outlived") == 0) {
        outlived();
        return 0;
    }
    if (strcmp(way, "sessions") == 0) {
        sessions();
        return 0;
    }
    if (strcmp(way, "threads") == 0) {
        threads();
    } else if (strcmp(way, "leaked") == 0) {
        leaked();
    } else if (strcmp(way, "late") == 0) {
        late();
    } else {
        MPI_Init(NULL, NULL);
        if (strcmp(way, "init-null") == 0)
            exchange_both(MPI_COMM_WORLD, 6, 0);
        transcript("%s", way);
    }
    transcript_print();
    MPI_Finalize();
    return 0;
}
