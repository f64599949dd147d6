/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wait.c: waiting of simulated ranks, in place of shm/signal.c and comm/wait.c:
 * whoever waits calls SimGrid, which lets the others run, and nobody polls.
 */
#include "comm/wait.h"
#include "base/room.h"

#include "ranks.h"

/* Ranks that wait for a signal, by its address. */
struct sleeper {
    struct sleeper *next;
    const struct shunt_signal *signal;
    uint32_t value;
    int rank;
};
enum { LIST_BITS = 12 };
static struct sleeper *lists[1 << LIST_BITS];

static struct sleeper **list_of(const struct shunt_signal *signal)
{
    const uint64_t line = (uint64_t)(uintptr_t)signal / SHUNT_CACHE_LINE;
    return &lists[line * UINT64_C(0x9e3779b97f4a7c15) >> (64 - LIST_BITS)];
}

void shunt_signal_mark(struct shunt_signal *signal, uint32_t value)
{
    atomic_store(&signal->value, value);
    struct sleeper **link = list_of(signal);
    while (*link) {
        const struct sleeper *sleeper = *link;
        if (sleeper->signal != signal || sleeper->value != value) {
            link = &(*link)->next;
            continue;
        }
        *link = sleeper->next;
        simulate_wake(sleeper->rank); /* others run here, and may change the list */
        link = list_of(signal);
    }
}

void shunt_signal_raise(struct shunt_signal *signal, uint32_t value)
{
    simulate_pass();
    shunt_signal_mark(signal, value);
}

static void sleep_until(const struct shunt_signal *signal, uint32_t value)
{
    struct sleeper **list = list_of(signal);
    struct sleeper sleeper = {
        .next = *list, .signal = signal, .value = value, .rank = simulate_rank()};
    *list = &sleeper;
    simulate_sleep();
}

void shunt_signal_wait(struct shunt_waiter *waiter, struct shunt_signal *signal, uint32_t value)
{
    (void)waiter;
    simulate_pass();
    if (!shunt_signal_reached(signal, value))
        sleep_until(signal, value);
    simulate_pay_barrier();
}

/* Marks are made one by one: none is passed over. */
void shunt_signal_wait_mark(struct shunt_waiter *waiter, struct shunt_signal *signal,
                            uint32_t value)
{
    (void)waiter;
    simulate_pass();
    if (!shunt_signal_passed(signal, value))
        sleep_until(signal, value);
}

/* A message without bytes where none can be empty tells that its sender has failed. */
static int is_whole(const MPI_Status *status)
{
    int bytes = -1;
    const int error = shunt_pmpi.Get_count(status, MPI_BYTE, &bytes);
    return error == MPI_SUCCESS && bytes == 0 ? MPI_ERR_OTHER : error;
}

/*
 * One after the other: SMPI's own waits for several take time of this machine in proportion to the
 * square of their number. What the messages take of the receiver's processor begins when the first
 * is there, and never before its message.
 */
int shunt_wait_all(struct shunt_comm *comm, int count, MPI_Request *requests, const int *peers,
                   const bool *full)
{
    (void)comm;
    (void)peers;
    simulate_pass();
    double busy = simulate_now();
    int status = MPI_SUCCESS;
    for (int i = 0; i < count; i++) {
        MPI_Status message;
        if (requests[i] == MPI_REQUEST_NULL)
            continue;
        int error = PMPI_Wait(&requests[i], &message);
        const double now = simulate_now();
        busy = (busy > now ? busy : now) + simulate_receive_work(&requests[i]);
        if (error == MPI_SUCCESS && full && full[i])
            error = is_whole(&message);
        status = status == MPI_SUCCESS ? error : status;
    }
    simulate_owe(busy - simulate_now());
    return status;
}

/* Ranks are actors here, with stacks that SimGrid has made large enough. */
void shunt_room_run(void (*function)(void *), void *context)
{
    function(context);
}
