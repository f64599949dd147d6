/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What belongs to the user stays the user's: attributes and their callbacks, names, error handlers,
 * groups and info of a communicator that has been set up for routing; and copies of such a
 * communicator work.
 */
#include <string.h>

#include "exchange.h"
#include "transcript.h"

static int copies, deletions, copied_value;

static int copy(MPI_Comm comm, int keyval, void *extra, void *value, void *result, int *flag)
{
    (void)comm;
    (void)keyval;
    (void)extra;
    copies++;
    memcpy(result, &value, sizeof value);
    *flag = 1;
    return MPI_SUCCESS;
}

static int delete (MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void)comm;
    (void)keyval;
    (void)value;
    (void)extra;
    deletions++;
    return MPI_SUCCESS;
}

static void counted(const char *when)
{
    transcript("%s: %d copies, %d deletions", when, copies, deletions);
}

static void describe(MPI_Comm comm)
{
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length, result, inter, status;
    MPI_Errhandler handler;

    MPI_Comm_get_name(comm, name, &length);
    MPI_Comm_get_errhandler(comm, &handler);
    MPI_Comm_compare(comm, MPI_COMM_WORLD, &result);
    MPI_Comm_test_inter(comm, &inter);
    MPI_Topo_test(comm, &status);
    transcript("\"%s\" (%d), error handler %s, %s, %s, %s", name, length,
               handler == transcript_handler()   ? "ours"
               : handler == MPI_ERRORS_RETURN    ? "returns"
               : handler == MPI_ERRORS_ARE_FATAL ? "fatal"
                                                 : "other",
               result == MPI_IDENT       ? "identical"
               : result == MPI_CONGRUENT ? "congruent"
               : result == MPI_SIMILAR   ? "similar"
                                         : "unequal",
               inter ? "inter" : "intra", status == MPI_UNDEFINED ? "no topology" : "topology");
}

static void copies_work(MPI_Comm comm)
{
    MPI_Comm other;
    MPI_Request request;
    MPI_Status status;
    MPI_Group group;

    MPI_Comm_dup(comm, &other);
    exchange_both(other, 4, 1);
    describe(other);
    MPI_Comm_free(&other);
    counted("after dup and free");
    MPI_Comm_dup_with_info(comm, MPI_INFO_NULL, &other);
    exchange_both(other, 4, 2);
    MPI_Comm_free(&other);
    counted("after dup with info and free");
    MPI_Comm_idup(comm, &other, &request);
    exchange_both(comm, 2, 3);
    MPI_Wait(&request, &status);
    exchange_both(other, 4, 4);
    MPI_Comm_free(&other);
    counted("after idup and free");
    MPI_Comm_group(comm, &group);
    MPI_Comm_create_group(comm, group, 5, &other);
    exchange_both(other, 4, 5);
    MPI_Comm_free(&other);
    MPI_Comm_create(comm, group, &other);
    exchange_both(other, 4, 6);
    describe(other);
    MPI_Comm_free(&other);
    MPI_Group_free(&group);
    counted("after communicators of its group");
}

static void topologies(MPI_Comm comm)
{
    int ranks, neighbours[2], me, period = 1;
    int *volatile unweighted = MPI_UNWEIGHTED; /* a number: gcc takes Open MPI's for an array */
    MPI_Comm cart, graph;

    MPI_Comm_size(comm, &ranks);
    MPI_Comm_rank(comm, &me);
    MPI_Cart_create(comm, 1, &ranks, &period, 1, &cart);
    exchange_both(cart, 4, 7);
    describe(cart);
    MPI_Comm_free(&cart);
    neighbours[0] = (me + 1) % ranks;
    neighbours[1] = (me + ranks - 1) % ranks;
    MPI_Dist_graph_create_adjacent(comm, 1, &neighbours[1], unweighted, 1, &neighbours[0],
                                   unweighted, MPI_INFO_NULL, 0, &graph);
    exchange_both(graph, 4, 8);
    describe(graph);
    MPI_Comm_free(&graph);
}

static void stories(MPI_Comm comm, int keyval)
{
    int *value = NULL, found = 0;

    MPI_Comm_set_attr(comm, keyval, &copied_value);
    describe(comm);
    exchange_both(comm, 6, 0);
    describe(comm);
    counted("after calls");
    MPI_Comm_get_attr(comm, keyval, &value, &found);
    transcript("attribute %s", found && value == &copied_value ? "as it was" : "lost");
    copies_work(comm);
    topologies(comm);
    MPI_Comm_delete_attr(comm, keyval);
    counted("after deletion");
    exchange_both(comm, 2, 9);
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    int keyval, rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_create_keyval(copy, delete, &keyval, NULL);
    stories(MPI_COMM_WORLD, keyval);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comm);
    MPI_Comm_set_name(comm, "reversed");
    MPI_Comm_set_errhandler(comm, transcript_handler());
    stories(comm, keyval);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    describe(comm);
    MPI_Comm_set_attr(comm, keyval, &copied_value);
    MPI_Comm_free(&comm);
    counted("at the end");
    MPI_Comm_free_keyval(&keyval);
    transcript_print();
    MPI_Finalize();
    return 0;
}
