/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * node.c: barriers of 2, 4, 8 and more ranks of the first node, as long as each has a processor,
 * by the barrier of the library; and turns: two ranks that are bound to one processor raise the
 * library's signals for each other, so each of them goes on when the other has given way.
 */
#include <sched.h>
#include <stdlib.h>

#include "base/clock.h"
#include "shm/barrier.h"
#include "tools/machine/run.h"
#include "tools/measure/loop.h"

enum { BARRIERS_MOST = 24, TURNS = 50, TURN_WARM_UP = 20 };

/* In the memory of local rank 0; all 0 at the beginning. */
struct shared {
    struct meeting {
        struct shunt_barrier barrier;
        struct shunt_flat_place places[SHUNT_FLAT_MOST];
    } meetings[BARRIERS_MOST]; /* one for each number of ranks */
    _Alignas(SHUNT_CACHE_LINE) struct shunt_signal there;
    _Alignas(SHUNT_CACHE_LINE) struct shunt_signal back;
    _Alignas(SHUNT_CACHE_LINE) struct shunt_signal plan_there;
    struct machine_plan plan;
};

struct node {
    struct machine_run *run;
    MPI_Win window;
    struct shared *shared;
};

static void open_node(struct node *node)
{
    void *memory = NULL;
    MPI_Aint bytes = 0;
    int unit = 0;
    const struct machine_run *run = node->run;
    measure_must(PMPI_Win_allocate_shared(run->local == 0 ? (MPI_Aint)sizeof(struct shared) : 0, 1,
                                          MPI_INFO_NULL, run->node, &memory, &node->window),
                 "MPI_Win_allocate_shared");
    measure_must(PMPI_Win_shared_query(node->window, 0, &bytes, &unit, &memory),
                 "MPI_Win_shared_query");
    node->shared = memory;
    if (run->local == 0)
        *node->shared = (struct shared){0};
    machine_meet(run, run->node);
}

/* As src/comm/node.c has it. */
static void meet(const struct node *node, struct meeting *meeting, int ranks, uint32_t number,
                 struct shunt_waiter *waiter)
{
    const struct shunt_agreement nothing = {0};
    const int me = node->run->local;
    if (waiter->oversubscribed || ranks > SHUNT_FLAT_MOST) {
        shunt_barrier_arrive(&meeting->barrier, number, ranks, &nothing);
        shunt_barrier_wait(&meeting->barrier, number, waiter, NULL);
        return;
    }
    shunt_flat_arrive(&meeting->places[me], number, &nothing);
    for (int i = 1; i < ranks; i++)
        shunt_flat_wait(&meeting->places[(me + i) % ranks], number, waiter, NULL);
}

/* Of so many ranks; each `inner` barriers. Seconds per barrier. */
static double barriers(const struct node *node, struct meeting *meeting, int ranks,
                       uint32_t *number, int inner, struct shunt_waiter *waiter)
{
    const double begin = shunt_clock();
    for (int i = 0; i < inner; i++)
        meet(node, meeting, ranks, ++*number, waiter);
    return (shunt_clock() - begin) / inner;
}

/* The ranks that take part; the leader tells them how often. Their median time. */
static double measure_barrier(const struct node *node, struct meeting *meeting, int ranks,
                              double share, int *count)
{
    enum { WARM_UP = 50 };
    struct machine_run *run = node->run;
    struct shunt_waiter waiter = {.oversubscribed = ranks > run->processors};
    struct measure_samples samples = {0};
    struct machine_plan plan;
    uint32_t number = 0;
    const double seconds = barriers(node, meeting, ranks, &number, WARM_UP, &waiter);
    if (run->local == 0) {
        plan = machine_plan_make(ranks, seconds, share);
        for (int i = 1; i < ranks; i++)
            machine_send(run, &plan, (int64_t)sizeof plan, i);
    } else {
        machine_receive(run, &plan, (int64_t)sizeof plan, 0);
    }
    barriers(node, meeting, ranks, &number, WARM_UP, &waiter);
    for (int i = 0; i < plan.count; i++)
        measure_samples_add(&samples, barriers(node, meeting, ranks, &number, plan.inner, &waiter));
    *count += samples.count;
    if (run->local == 0 && ranks <= run->processors)
        machine_results_judge(&run->results, &samples);
    return measure_samples_typical(&samples);
}

/* 2, 4, 8 and so on, and all that have a processor; 0: that was the last. */
static int next_ranks(const struct machine_run *run, int ranks)
{
    const int home = machine_run_home(run), usable = run->processors > 2 ? run->processors : 2,
              most = home < usable ? home : usable;
    if (ranks == 0)
        return most < 2 ? 0 : 2;
    return ranks >= most ? 0 : 2 * ranks < most ? 2 * ranks : most;
}

static void tell_barrier(struct machine_run *run, const struct measure_point *points, int used,
                         int count)
{
    struct shunt_machine *machine = &run->results.machine;
    char note[MACHINE_NOTE_ROOM];
    if (used == 0)
        return; /* a single rank on the node */
    const struct measure_line line = measure_line_fit(points, used);
    const double residual = measure_line_residual(&line, points, used), most = points[used - 1].x;
    machine->barrier_start = line.start;
    machine->barrier_rank = line.slope;
    snprintf(note, sizeof note, "%s%.0f ranks%s", used > 1 ? "2 to " : "", most,
             most > run->processors ? ", which share a processor" : "");
    machine_row_add(&run->results, "barrier.start_us", residual, count, note);
    machine_row_add(&run->results, "barrier.rank_us", residual, count, note);
}

static void measure_barriers(const struct node *node)
{
    struct machine_run *run = node->run;
    struct measure_point points[BARRIERS_MOST] = {0};
    int used = 0, count = 0;
    const double share = run->rank == 0 ? machine_share(run, 8) : 0;
    for (int ranks = next_ranks(run, 0); ranks > 0 && used < BARRIERS_MOST;
         ranks = next_ranks(run, ranks), used++) {
        measure_rest(run->node); /* who is not among them goes on to the next one, and sleeps */
        if (run->local < ranks)
            points[used] = (struct measure_point){
                ranks, measure_barrier(node, &node->shared->meetings[used], ranks, share, &count)};
    }
    if (run->rank == 0)
        tell_barrier(run, points, used, count);
}

/* The first of the leader's processors; -1: not known. */
static int first_processor(const cpu_set_t *set)
{
    for (int i = 0; i < CPU_SETSIZE; i++)
        if (CPU_ISSET((size_t)i, set))
            return i;
    return -1;
}

static bool bind_to(int processor)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((size_t)processor, &set);
    return sched_setaffinity(0, sizeof set, &set) == 0;
}

/* So many turns of each; seconds of one. */
static double turns(const struct node *node, int count, uint32_t *number,
                    struct shunt_waiter *waiter)
{
    struct shared *shared = node->shared;
    const bool leads = node->run->local == 0;
    const double begin = shunt_clock();
    for (int i = 0; i < count; i++) {
        ++*number;
        if (leads) {
            shunt_signal_raise(&shared->there, *number);
            shunt_signal_wait(waiter, &shared->back, *number);
        } else {
            shunt_signal_wait(waiter, &shared->there, *number);
            shunt_signal_raise(&shared->back, *number);
        }
    }
    return (shunt_clock() - begin) / count / 2;
}

/* Both ranks, bound. MPI would spin here: the plan goes through shared memory. */
static void take_turns(const struct node *node, struct measure_samples *samples)
{
    struct machine_run *run = node->run;
    struct shared *shared = node->shared;
    struct shunt_waiter waiter = {.oversubscribed = true};
    uint32_t number = 0;
    const double seconds = turns(node, TURN_WARM_UP, &number, &waiter);
    if (run->local == 0) {
        shared->plan = machine_plan_make(2, seconds * 2 * TURNS, machine_share(run, 1));
        shunt_signal_raise(&shared->plan_there, 1);
    } else {
        shunt_signal_wait(&waiter, &shared->plan_there, 1);
    }
    for (int i = 0; i < shared->plan.count; i++)
        measure_samples_add(samples, turns(node, TURNS, &number, &waiter));
}

static void tell_turn(struct machine_run *run, struct measure_samples *samples, bool bound)
{
    run->results.machine.turn = measure_samples_typical(samples);
    machine_row_add(&run->results, "turn_us",
                    samples->count > 0 ? measure_samples_spread(samples) : -1, samples->count,
                    samples->count > 0 ? NULL
                    : bound            ? "a single rank on the node"
                                       : "ranks may not be bound to a processor");
}

/* Local ranks 0 and 1 tell each other a number. Returns the other's. */
static int trade(const struct machine_run *run, int mine)
{
    int other = 0;
    if (run->local == 0)
        machine_send(run, &mine, (int64_t)sizeof mine, 1);
    machine_receive(run, &other, (int64_t)sizeof other, 1 - run->local);
    if (run->local == 1)
        machine_send(run, &mine, (int64_t)sizeof mine, 0);
    return other;
}

/* Of local ranks 0 and 1. */
static void measure_turns(const struct node *node)
{
    struct machine_run *run = node->run;
    struct measure_samples samples = {0};
    cpu_set_t before;
    CPU_ZERO(&before);
    const bool known = sched_getaffinity(0, sizeof before, &before) == 0;
    const int own = known ? first_processor(&before) : -1, theirs = trade(run, own),
              processor = run->local == 0 ? own : theirs;
    const int bound = known && processor >= 0 && bind_to(processor),
              both = trade(run, bound) && bound;
    if (both)
        take_turns(node, &samples);
    if (known)
        sched_setaffinity(0, sizeof before, &before);
    if (run->local == 0)
        tell_turn(run, &samples, both);
}

void machine_node_measure(struct machine_run *run)
{
    struct node node = {.run = run};
    const bool here = run->index == 0;
    if (here)
        open_node(&node);
    machine_step(run, "barriers");
    if (here)
        measure_barriers(&node);
    machine_step(run, "turns");
    if (here && machine_run_home(run) > 1 && run->local < 2)
        measure_turns(&node);
    else if (run->rank == 0)
        tell_turn(run, &(struct measure_samples){0}, true);
    measure_rest(run->all);
    if (here)
        measure_must(PMPI_Win_free(&node.window), "MPI_Win_free");
}
