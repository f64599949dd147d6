/* SPDX-License-Identifier: BSD-3-Clause */
/* run.c: see run.h. */
#include "tools/machine/run.h"

#include <sched.h>
#include <stdlib.h>

#include "base/clock.h"
#include "tools/measure/loop.h"

enum { TAG = 1 };

static const double SAMPLE_LEAST = 2e-5; /* a shorter sample is mostly the clock */

void machine_wait(const struct machine_run *run, int count, MPI_Request *requests)
{
    MPI_Status statuses[MACHINE_REQUESTS_MOST]; /* nobody looks at them */
    int done = 0;
    if (!run->yields) {
        measure_must(PMPI_Waitall(count, requests, statuses), "MPI_Waitall");
        return;
    }
    measure_must(PMPI_Testall(count, requests, &done, statuses), "MPI_Testall");
    while (!done) {
        sched_yield();
        measure_must(PMPI_Testall(count, requests, &done, statuses), "MPI_Testall");
    }
}

void machine_send(const struct machine_run *run, const void *bytes, int64_t count, int rank)
{
    MPI_Request request;
    if (!run->yields) {
        measure_must(PMPI_Send(bytes, (int)count, MPI_BYTE, rank, TAG, run->all), "MPI_Send");
        return;
    }
    measure_must(PMPI_Isend(bytes, (int)count, MPI_BYTE, rank, TAG, run->all, &request),
                 "MPI_Isend");
    machine_wait(run, 1, &request);
}

void machine_receive(const struct machine_run *run, void *bytes, int64_t count, int rank)
{
    MPI_Request request;
    if (!run->yields) {
        measure_must(PMPI_Recv(bytes, (int)count, MPI_BYTE, rank, TAG, run->all, MPI_STATUS_IGNORE),
                     "MPI_Recv");
        return;
    }
    measure_must(PMPI_Irecv(bytes, (int)count, MPI_BYTE, rank, TAG, run->all, &request),
                 "MPI_Irecv");
    machine_wait(run, 1, &request);
}

void machine_meet(const struct machine_run *run, MPI_Comm comm)
{
    MPI_Request request;
    measure_must(PMPI_Ibarrier(comm, &request), "MPI_Ibarrier");
    machine_wait(run, 1, &request);
}

void machine_tell(const struct machine_run *run, MPI_Comm comm, void *bytes, int count)
{
    MPI_Request request;
    measure_must(PMPI_Ibcast(bytes, count, MPI_BYTE, 0, comm, &request), "MPI_Ibcast");
    machine_wait(run, 1, &request);
}

void machine_step(struct machine_run *run, const char *what)
{
    char text[120];
    measure_rest(run->all);
    if (run->rank == 0 && run->step == 0)
        run->begin = shunt_clock();
    if (run->rank == 0 && measure_progress_due()) {
        snprintf(text, sizeof text, "step %d of %d: %s", run->step + 1, run->steps, what);
        measure_progress_show(text, measure_progress_left(run->begin, run->step, run->steps));
    }
    run->step++;
}

/* What steps before this one did not use is for the rest. */
double machine_share(const struct machine_run *run, int parts)
{
    const double left = run->options.time_limit - (shunt_clock() - run->begin);
    const int steps = run->steps - run->step + 1;
    return left > 0 ? left / (steps > 0 ? steps : 1) / parts : 0;
}

struct machine_plan machine_plan_make(int64_t size, double seconds, double share)
{
    enum { INNER_MOST = 1000 };
    struct machine_plan plan = {.size = size, .count = MACHINE_SAMPLES_LEAST, .inner = 1};
    if (!(seconds > 1e-9))
        seconds = 1e-9;
    if (seconds < SAMPLE_LEAST)
        plan.inner = seconds * INNER_MOST < SAMPLE_LEAST ? INNER_MOST
                                                         : (int32_t)(SAMPLE_LEAST / seconds) + 1;
    const double count = share / (seconds * plan.inner);
    if (count > MACHINE_SAMPLES_LEAST)
        plan.count = count < MACHINE_SAMPLES_MOST ? (int32_t)count : MACHINE_SAMPLES_MOST;
    return plan;
}

/* The node with the most ranks; of several, the first. */
static int find_home(const struct measure_nodes *nodes)
{
    int home = 0;
    for (int node = 1; node < nodes->count; node++)
        home = nodes->ppn[node] > nodes->ppn[home] ? node : home;
    return home;
}

/* The new number of a node: that one first, the others in their order. */
static int number_of(int node, int home)
{
    return node == home ? 0 : node < home ? node + 1 : node;
}

static void number_nodes(struct machine_run *run)
{
    const struct measure_nodes *nodes = &run->job.facts.nodes;
    const int home = find_home(nodes);
    run->nodes = nodes->count;
    run->index = number_of(nodes->node_of[run->job.rank], home);
    run->local = nodes->local_of[run->job.rank];
    run->first = measure_need(calloc((size_t)run->nodes + 1, sizeof *run->first));
    for (int node = 0; node < run->nodes; node++)
        run->first[number_of(node, home) + 1] = nodes->ppn[node];
    for (int i = 0; i < run->nodes; i++)
        run->first[i + 1] += run->first[i];
}

void machine_run_open(struct machine_run *run)
{
    run->yields = run->job.facts.oversubscribed;
    run->size = run->job.size;
    number_nodes(run);
    /* Equal keys keep their order, so a node's ranks stay in theirs. */
    measure_must(PMPI_Comm_split(MPI_COMM_WORLD, 0, run->index, &run->all), "MPI_Comm_split");
    measure_must(PMPI_Comm_set_errhandler(run->all, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    measure_must(PMPI_Comm_rank(run->all, &run->rank), "MPI_Comm_rank");
    measure_must(
        PMPI_Comm_split_type(run->all, MPI_COMM_TYPE_SHARED, run->rank, MPI_INFO_NULL, &run->node),
        "MPI_Comm_split_type");
}

void machine_run_close(struct machine_run *run)
{
    if (!run->first)
        return;
    free(run->first);
    PMPI_Comm_free(&run->node);
    PMPI_Comm_free(&run->all);
}
