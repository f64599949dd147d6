/* SPDX-License-Identifier: BSD-3-Clause */
/* run.c: see run.h. */
#include "tools/machine/run.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "comm/wait.h"
#include "route/host.h"
#include "tools/bench/fail.h"
#include "tools/bench/machine.h"
#include "tools/bench/progress.h"

enum { TAG = 1 };

/* A sample shorter than this is mostly the clock; and how long whoever rests sleeps at a time. */
static const double SAMPLE_LEAST = 2e-5, NAP = 5e-4;

void machine_pause(double seconds)
{
    struct timespec time = {.tv_sec = (time_t)seconds};
    time.tv_nsec = (long)(1e9 * (seconds - (double)time.tv_sec));
    nanosleep(&time, NULL);
}

void machine_wait(const struct machine_run *run, int count, MPI_Request *requests)
{
    MPI_Status statuses[MACHINE_REQUESTS_MOST]; /* nobody looks at them */
    int done = 0;
    if (!run->yields) {
        bench_must(PMPI_Waitall(count, requests, statuses), "MPI_Waitall");
        return;
    }
    bench_must(PMPI_Testall(count, requests, &done, statuses), "MPI_Testall");
    while (!done) {
        sched_yield();
        bench_must(PMPI_Testall(count, requests, &done, statuses), "MPI_Testall");
    }
}

void machine_send(const struct machine_run *run, const void *bytes, int64_t count, int rank)
{
    MPI_Request request;
    if (!run->yields) {
        bench_must(PMPI_Send(bytes, (int)count, MPI_BYTE, rank, TAG, run->all), "MPI_Send");
        return;
    }
    bench_must(PMPI_Isend(bytes, (int)count, MPI_BYTE, rank, TAG, run->all, &request), "MPI_Isend");
    machine_wait(run, 1, &request);
}

void machine_receive(const struct machine_run *run, void *bytes, int64_t count, int rank)
{
    MPI_Request request;
    if (!run->yields) {
        bench_must(PMPI_Recv(bytes, (int)count, MPI_BYTE, rank, TAG, run->all, MPI_STATUS_IGNORE),
                   "MPI_Recv");
        return;
    }
    bench_must(PMPI_Irecv(bytes, (int)count, MPI_BYTE, rank, TAG, run->all, &request), "MPI_Irecv");
    machine_wait(run, 1, &request);
}

void machine_meet(const struct machine_run *run, MPI_Comm comm)
{
    MPI_Request request;
    bench_must(PMPI_Ibarrier(comm, &request), "MPI_Ibarrier");
    machine_wait(run, 1, &request);
}

void machine_tell(const struct machine_run *run, MPI_Comm comm, void *bytes, int count)
{
    MPI_Request request;
    bench_must(PMPI_Ibcast(bytes, count, MPI_BYTE, 0, comm, &request), "MPI_Ibcast");
    machine_wait(run, 1, &request);
}

void machine_add(struct machine_samples *samples, double value)
{
    if (!machine_samples_add(samples, value))
        bench_need(NULL);
}

void machine_rest(MPI_Comm comm)
{
    MPI_Request request;
    int done = 0;
    bench_must(PMPI_Ibarrier(comm, &request), "MPI_Ibarrier");
    for (;;) {
        bench_must(PMPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
        if (done)
            return;
        machine_pause(NAP);
    }
}

void machine_step(struct machine_run *run, const char *what)
{
    char text[120];
    machine_rest(run->all);
    if (run->rank == 0 && run->step == 0)
        run->begin = shunt_clock();
    if (run->rank == 0 && bench_progress_due()) {
        const double passed = shunt_clock() - run->begin;
        snprintf(text, sizeof text, "step %d of %d: %s", run->step + 1, run->steps, what);
        bench_progress_show(text,
                            run->step > 0 ? passed / run->step * (run->steps - run->step) : -1);
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

/* What orders ranks: the leading node's first, then node by node. */
static int order_of(int home, int leader, int local, int size)
{
    return leader == home ? local : size + leader;
}

/* The leader of the node with the most ranks; of several, the first. All ranks in their old order.
 */
static int find_home(int ppn, int leader)
{
    struct {
        int ppn, rank;
    } mine = {ppn, leader}, most;
    bench_must(PMPI_Allreduce(&mine, &most, 1, MPI_2INT, MPI_MAXLOC, MPI_COMM_WORLD),
               "MPI_Allreduce");
    return most.rank;
}

static void number_ranks(struct machine_run *run)
{
    int world = 0, leader = 0, old_local = 0;
    MPI_Comm neighbours;
    bench_must(PMPI_Comm_rank(MPI_COMM_WORLD, &world), "MPI_Comm_rank");
    bench_must(PMPI_Comm_size(MPI_COMM_WORLD, &run->size), "MPI_Comm_size");
    bench_must(
        PMPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &neighbours),
        "MPI_Comm_split_type");
    bench_must(PMPI_Comm_rank(neighbours, &old_local), "MPI_Comm_rank");
    bench_must(PMPI_Comm_size(neighbours, &run->ppn), "MPI_Comm_size");
    bench_must(PMPI_Allreduce(&world, &leader, 1, MPI_INT, MPI_MIN, neighbours), "MPI_Allreduce");
    bench_must(PMPI_Comm_free(&neighbours), "MPI_Comm_free");
    const int home = find_home(run->ppn, leader);
    /* Equal keys keep their order, so a node's ranks stay in theirs. */
    bench_must(
        PMPI_Comm_split(MPI_COMM_WORLD, 0, order_of(home, leader, old_local, run->size), &run->all),
        "MPI_Comm_split");
    bench_must(PMPI_Comm_set_errhandler(run->all, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    bench_must(PMPI_Comm_rank(run->all, &run->rank), "MPI_Comm_rank");
    bench_must(
        PMPI_Comm_split_type(run->all, MPI_COMM_TYPE_SHARED, run->rank, MPI_INFO_NULL, &run->node),
        "MPI_Comm_split_type");
    bench_must(PMPI_Comm_rank(run->node, &run->local), "MPI_Comm_rank");
}

static void find_nodes(struct machine_run *run)
{
    int *sizes = bench_need(malloc((size_t)run->size * sizeof *sizes));
    const int mine = run->local == 0 ? run->ppn : 0;
    bench_must(PMPI_Allgather(&mine, 1, MPI_INT, sizes, 1, MPI_INT, run->all), "MPI_Allgather");
    run->first = bench_need(malloc(((size_t)run->size + 1) * sizeof *run->first));
    for (int rank = 0; rank < run->size; rank++) {
        if (sizes[rank] == 0)
            continue;
        run->index = rank <= run->rank ? run->nodes : run->index;
        run->first[run->nodes++] = rank;
    }
    run->first[run->nodes] = run->size;
    free(sizes);
}

/* One pattern for all hosts; those of several machines, or none that can be guessed, have none. */
static void find_hosts(struct machine_run *run)
{
    char own[2 * MACHINE_HOST_ROOM], leading[2 * MACHINE_HOST_ROOM];
    if (gethostname(run->host, sizeof run->host - 1) != 0)
        run->host[0] = '\0';
    shunt_host_pattern(run->host, own, sizeof own);
    memcpy(leading, own, sizeof leading);
    machine_tell(run, run->all, leading, (int)sizeof leading);
    int same = strcmp(own, leading) == 0;
    bench_must(PMPI_Allreduce(MPI_IN_PLACE, &same, 1, MPI_INT, MPI_MIN, run->all), "MPI_Allreduce");
    snprintf(run->hosts, sizeof run->hosts, "%.*s", (int)sizeof run->hosts - 1,
             same ? leading : "");
}

bool machine_run_open(struct machine_run *run, char *diagnostic, size_t capacity)
{
    run->yields = run->facts.oversubscribed;
    number_ranks(run);
    find_nodes(run);
    find_hosts(run);
    if (run->size > 1)
        return true;
    snprintf(diagnostic, capacity,
             "one rank has nobody to send to: start it on all ranks of two nodes, or of one");
    return false;
}

void machine_run_close(struct machine_run *run)
{
    if (!run->first)
        return;
    free(run->first);
    PMPI_Comm_free(&run->node);
    PMPI_Comm_free(&run->all);
}
