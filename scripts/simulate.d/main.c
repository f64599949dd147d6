/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * main.c: calls one algorithm, or the library's own, on simulated ranks and prints a line of
 * figures for each block size; scripts/simulate runs it under smpirun.
 *
 * Ranks are in one process, so what is the same for all of them is made once, by whichever comes
 * first. The buffers too, where nobody looks at the data: a rank then finds what others left there,
 * and what moves is as much.
 */
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "comm/lifetime.h"
#include "execute/plan.h"
#include "intercept/intercept.h"
#include "ranks.h"
#include "same.h"
#include "tools/common/tool.h"

/* Bytes; by itself malloc would raise the threshold with the first such array that is freed. */
enum { ARRAYS_LEAST = 1 << 17 };

/* One rank's look at the call. */
struct view {
    const struct simulate_call *call;
    struct shunt_comm *comm; /* NULL: native */
    int rank;
    char *send, *recv;
};

static int native_call(const struct view *v)
{
    const struct simulate_call *c = v->call;
    const size_t row = (size_t)v->rank * c->stride;
    if (c->op == SHUNT_OP_ALLTOALL)
        return PMPI_Alltoall(v->send, (int)c->largest, MPI_BYTE, v->recv, (int)c->largest, MPI_BYTE,
                             MPI_COMM_WORLD);
    return PMPI_Alltoallv(v->send, c->sent + row, c->displs, MPI_BYTE, v->recv, c->received + row,
                          c->displs, MPI_BYTE, MPI_COMM_WORLD);
}

static struct shunt_exchange exchange_of(const struct view *v)
{
    const struct simulate_call *c = v->call;
    struct shunt_exchange x = {.op = c->op, .comm = v->comm};
    x.send = (struct shunt_side){.buffer = v->send, .count = c->largest, .type = MPI_BYTE};
    x.recv = (struct shunt_side){.buffer = v->recv, .count = c->largest, .type = MPI_BYTE};
    if (c->op == SHUNT_OP_ALLTOALLV) {
        const size_t row = (size_t)v->rank * c->stride;
        x.send.counts = c->sent + row;
        x.recv.counts = c->received + row;
        x.send.displs = x.recv.displs = c->displs;
    }
    return x;
}

static void call_timed(const struct view *v)
{
    struct shunt_exchange x = exchange_of(v);
    const int status = v->comm ? shunt_dispatch(&x) : native_call(v);
    if (status == MPI_SUCCESS)
        return;
    shunt_tool_say("simulate: rank %d: the call failed", v->rank);
    PMPI_Abort(MPI_COMM_WORLD, SHUNT_EXIT_MPI);
}

static const struct shunt_decision *decision_of(const struct view *v)
{
    return v->comm->state == SHUNT_STATE_ROUTED
               ? shunt_map_find(&v->comm->map[v->call->op], v->call->largest)
               : NULL;
}

/*
 * What the first calls of a communicator do and later ones need not. Plans alone are made without a
 * call, which would take as long as the one that is timed. False, on all ranks alike: the algorithm
 * is not for this call.
 */
static bool make_ready(const struct view *v)
{
    const struct shunt_decision *decision = decision_of(v);
    if (!decision || !decision->rule)
        return false;
    for (int i = 0; i < 2 && shunt_kind_joins(decision->algorithm->kind); i++) {
        call_timed(v);
        simulate_meet();
        simulate_drop(v->comm);
        simulate_meet(); /* nobody writes there before */
    }
    struct shunt_exchange x = exchange_of(v);
    /* As dispatch.c does: an Alltoall may be in place, and a route that needs no size has none. */
    const bool uniform = x.op == SHUNT_OP_ALLTOALL;
    x.block = uniform || v->comm->agrees[x.op] ? v->call->largest : 0;
    return shunt_exchange_types(&x) == MPI_SUCCESS && shunt_plan_get(&x, decision, uniform);
}

/* Simulated seconds from the common beginning until the last rank is done; on all ranks. */
static double time_call(const struct view *v)
{
    static double last; /* of all ranks */
    simulate_meet();
    const double begin = simulate_now();
    last = begin;
    simulate_meet();
    call_timed(v);
    simulate_pass();
    last = simulate_now() > last ? simulate_now() : last;
    simulate_meet();
    return last - begin;
}

static void print(const struct simulate_asked *asked, const struct simulate_call *c, double seconds)
{
    const double predicted = c->predicted;
    printf("%s,%d,%d,%d,%s,%lld,%s,%s,%.9g,", asked->machine.name, c->ranks, c->ranks / asked->ppn,
           asked->ppn, shunt_op_name(c->op), (long long)c->block,
           asked->random ? "random" : "uniform", asked->algorithm, seconds);
    if (predicted >= 0)
        printf("%.9g", predicted);
    printf("\n");
    fflush(stdout);
}

static void run_case(const struct simulate_asked *asked, struct view *v, int64_t block)
{
    static struct simulate_call call;
    if (v->rank == 0) {
        simulate_call_make(&call, asked, block);
        call.predicted = simulate_predict(asked, &call); /* before plans take memory */
    }
    simulate_meet();
    v->call = &call;
    simulate_buffers(&call, v->rank, &v->send, &v->recv);
    const bool ready = !v->comm || make_ready(v);
    const double seconds = ready ? time_call(v) : 0;
    if (!ready && v->rank == 0)
        shunt_tool_say("simulate: %s is not for this call of %d ranks%s%s", asked->algorithm,
                       call.ranks, v->comm->reason ? ": " : "",
                       v->comm->reason ? v->comm->reason : "");
    if (ready && asked->check && !simulate_right(&call, v->rank, v->send, v->recv)) {
        shunt_tool_say("simulate: %s, blocks of %lld bytes: rank %d has wrong bytes",
                       asked->algorithm, (long long)block, v->rank);
        PMPI_Abort(MPI_COMM_WORLD, SHUNT_EXIT_FINDINGS);
    }
    if (ready && v->rank == 0)
        print(asked, &call, seconds);
    simulate_meet();
    if (asked->check)
        free(v->send);
    if (v->rank == 0)
        simulate_call_clear(&call);
}

int main(int argc, char **argv)
{
    static struct simulate_asked asked;
    struct view v = {.comm = NULL};
    int ranks = 0, error = MPI_SUCCESS;
    /* Arrays of P go back to the system where they are freed. */
    mallopt(M_MMAP_THRESHOLD, ARRAYS_LEAST);
    PMPI_Init(&argc, &argv);
    PMPI_Comm_rank(MPI_COMM_WORLD, &v.rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (!asked.read)
        asked.code = simulate_read(&asked, argc, argv, ranks);
    if (asked.code == SHUNT_EXIT_OK) {
        simulate_ranks_begin(&asked.machine, v.rank, ranks, asked.ppn);
        shunt_pmpi_resolve(NULL);
        if (asked.selection)
            v.comm = shunt_comm_open(MPI_COMM_WORLD, asked.selection->force, &error);
        if (asked.selection && !v.comm)
            PMPI_Abort(MPI_COMM_WORLD, SHUNT_EXIT_MPI);
        if (v.comm)
            simulate_same(v.comm);
        simulate_meet();
        if (v.rank == 0)
            malloc_trim(0); /* what setting all ranks up took, and is free */
        for (int i = 0; i < asked.blocks; i++)
            run_case(&asked, &v, asked.block[i]);
        simulate_ranks_end();
    }
    PMPI_Finalize();
    return asked.code;
}
