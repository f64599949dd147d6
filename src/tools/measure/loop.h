/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * loop.h: candidates that are called in turn, so that whatever else the machine does meets all of
 * them alike; how ranks wait meanwhile; and how far it is, for people who watch.
 */
#ifndef SHUNT_MEASURE_LOOP_H
#define SHUNT_MEASURE_LOOP_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct measure_loop {
    int count;  /* candidates that take part */
    int *order; /* array of count: their numbers, as they are called next; not owned */
    /* Calls one and puts down how long it took on this rank, as many numbers as it likes. */
    void (*call)(void *context, int candidate, double *times);
    void *context;
};

/* The next order, the same on all ranks that give the same numbers. */
void measure_loop_shuffle(struct measure_loop *loop, uint64_t seed, uint64_t stream);
/* Calls each once. Candidate i gets `times` + i * stride. */
void measure_loop_turn(const struct measure_loop *loop, double *times, ptrdiff_t stride);
/* Leaves out those that `runs` is false for. */
void measure_loop_keep(struct measure_loop *loop, bool (*runs)(void *context, int candidate));

/* Each of the values becomes the most of any rank. */
void measure_most(MPI_Comm comm, double *values, size_t count);

/* Sleeps. */
void measure_pause(double seconds);
/* Waits for all ranks of the communicator, asleep but for a look now and then: MPI libraries spin
 * while they wait, and would take processors and caches from those who measure. */
void measure_rest(MPI_Comm comm);

/* Whether it is time to say how far it is: now and then, if this rank writes to a terminal, also by
 * way of the launcher. */
bool measure_progress_due(void);
/* Shows the text in place of what was there, and behind it how long the rest takes: `left` seconds;
 * negative: not known. */
void measure_progress_show(const char *text, double left);
void measure_progress_clear(void);
/* The seconds left, when so much of all was done since `begin`; negative: not known. */
double measure_progress_left(double begin, double done, double all);

#endif
