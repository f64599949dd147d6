/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wait.c: waiting for messages: polls, and progress of the library. The only place that waits for
 * any; like signal.c written anew where ranks run in another way.
 */
#include "comm/wait.h"

#include <limits.h>
#include <sched.h>

/*
 * POLLS_PER_CLOCK: polls between two looks at the clock. WINDOW: requests polled together, as many
 * as MPICH handles without allocating. TRIES: of a request that the library cannot test. PATIENCE:
 * polls without result before the processor is given up, for a message is often under way already,
 * and whoever yields too early waits for a round of all ranks that share the processor.
 */
enum { POLLS_PER_CLOCK = 4096, WINDOW = 64, TRIES = 100, PATIENCE = 4 };

/* What is awaited, and who is looked for meanwhile. */
struct waiting {
    struct shunt_comm *comm;
    int count;
    MPI_Request *requests; /* array of count; those that are done become MPI_REQUEST_NULL */
    const int *peers;      /* array of count, or NULL */
    const bool *full;      /* array of count, or NULL */
    int failed, status;    /* number of the first request with an error, and that error */
    unsigned long polls;   /* without result */
    struct shunt_watch watch;
};

/* Some of the requests, polled together; those that are done make room for the next ones. */
struct window {
    int next;                    /* first request that was not in it yet */
    int open;                    /* requests in it */
    int number[WINDOW];          /* of each among all */
    MPI_Request request[WINDOW]; /* a copy, for the library wants them side by side */
};

static void keep_first(struct waiting *all, int number, int status)
{
    if (status != MPI_SUCCESS && number < all->failed) {
        all->failed = number;
        all->status = status;
    }
}

/*
 * The message has arrived, and its length is a fact: a failure to tell it is asked about once more,
 * for it must not separate this rank from the others, who go on.
 */
static int count_bytes(const MPI_Status *status, int *bytes)
{
    const int error = shunt_pmpi.Get_count(status, MPI_BYTE, bytes);
    return error == MPI_SUCCESS ? error : shunt_pmpi.Get_count(status, MPI_BYTE, bytes);
}

/* A request is done, with an error or not. A message without bytes where none can be empty is a
 * sender's way to tell that it failed. */
static void note(struct waiting *all, int number, int error, const MPI_Status *status)
{
    int bytes = -1;
    shunt_trace_done(&all->requests[number], status);
    if (error == MPI_SUCCESS && all->full && all->full[number])
        error = count_bytes(status, &bytes);
    keep_first(all, number, bytes == 0 ? MPI_ERR_OTHER : error);
}

/* After a poll without result. `number`: a request that is awaited. False: this rank gives up. */
static bool idle(struct waiting *all, int number)
{
    all->polls++;
    if (all->comm->waiter.oversubscribed && all->polls % PATIENCE == 0)
        sched_yield();
    if (all->polls % POLLS_PER_CLOCK == 0)
        shunt_watch_look(all->comm, &all->watch, all->peers ? all->peers[number] : -1);
    return !all->comm->diag.gave_up;
}

/* A request that is not null after an error is still open, and its buffer in use: it is tested
 * again, unless that never works. */
static void wait_one(struct waiting *all, int number)
{
    MPI_Request *request = &all->requests[number];
    MPI_Status status;
    for (int done = 0, tries = 1;; tries++) {
        const int error = shunt_pmpi.Test(request, &done, &status);
        if (error == MPI_SUCCESS ? done : *request == MPI_REQUEST_NULL || tries >= TRIES) {
            note(all, number, error, &status);
            return;
        }
        if (error == MPI_SUCCESS)
            tries = 0;
        keep_first(all, number, error);
        if (!idle(all, number)) {
            keep_first(all, number, MPI_ERR_OTHER); /* the request stays open */
            return;
        }
    }
}

static void window_fill(struct window *window, const struct waiting *all)
{
    for (; window->open < WINDOW && window->next < all->count; window->next++) {
        if (all->requests[window->next] == MPI_REQUEST_NULL)
            continue;
        window->number[window->open] = window->next;
        window->request[window->open++] = all->requests[window->next];
    }
}

static void window_close_gaps(struct window *window)
{
    int kept = 0;
    for (int i = 0; i < window->open; i++) {
        if (window->request[i] == MPI_REQUEST_NULL)
            continue;
        window->number[kept] = window->number[i];
        window->request[kept++] = window->request[i];
    }
    window->open = kept;
}

/* Polls once. Returns how many were done; negative when the library cannot tell: then all->requests
 * are the open ones. */
static int window_poll(struct window *window, struct waiting *all)
{
    MPI_Status statuses[WINDOW];
    int done = 0, which[WINDOW], class = MPI_SUCCESS;
    const int error = shunt_pmpi.Testsome(window->open, window->request, &done, which, statuses);
    if (error != MPI_SUCCESS)
        shunt_pmpi.Error_class(error, &class);
    if ((error != MPI_SUCCESS && class != MPI_ERR_IN_STATUS) || done == MPI_UNDEFINED) {
        for (int i = 0; i < window->open; i++)
            all->requests[window->number[i]] = window->request[i];
        keep_first(all, window->number[0], error);
        return -1;
    }
    for (int i = 0; i < done; i++) {
        window->request[which[i]] = MPI_REQUEST_NULL;
        all->requests[window->number[which[i]]] = MPI_REQUEST_NULL;
        note(all, window->number[which[i]],
             error == MPI_SUCCESS ? MPI_SUCCESS : statuses[i].MPI_ERROR, &statuses[i]);
    }
    return done;
}

static void wait_together(struct waiting *all)
{
    struct window window = {.next = 0, .open = 0};
    for (window_fill(&window, all); window.open > 0; window_fill(&window, all)) {
        const int done = window_poll(&window, all);
        if (done < 0)
            return;
        if (done == 0)
            (void)idle(all, window.number[0]);
        else
            window_close_gaps(&window);
    }
}

int shunt_wait_all(struct shunt_comm *comm, int count, MPI_Request *requests, const int *peers,
                   const bool *full)
{
    struct waiting all = {.comm = comm,
                          .count = count,
                          .requests = requests,
                          .peers = peers,
                          .full = full,
                          .failed = INT_MAX};
    if (count > 1)
        wait_together(&all);
    for (int i = 0; i < count; i++) /* a single one; and where they could not be polled together */
        if (requests[i] != MPI_REQUEST_NULL)
            wait_one(&all, i);
    shunt_trace_waited();
    return all.status;
}
