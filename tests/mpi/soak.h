/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * soak.h: the parts of the program `soak`, a random mix of calls that all must be right.
 *
 * Each thread has a parent communicator of its own and communicators made out of it, in slots. What
 * it does next is drawn from the seed, alike on all ranks, so that a run can be made again; what a
 * slot holds may have other members on other ranks, and these diverge where nothing forbids it.
 */
#ifndef SHUNT_TESTS_SOAK_H
#define SHUNT_TESTS_SOAK_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

enum { SOAK_SLOTS = 8 };

struct soak_slot {
    bool used;       /* on all ranks alike */
    MPI_Comm comm;   /* MPI_COMM_NULL: without this rank */
    uint64_t colour; /* the same on its members, and most likely on no others */
};

/* What was done on this rank. */
struct soak_counts {
    long steps;
    long compared[4];   /* calls, by enum matrix_op */
    long nonblocking;   /* of MPI_Ialltoall and its like */
    long others;        /* calls of other functions, compared as well */
    long communicators; /* made */
    long failures;
};

struct soak_thread {
    int number;
    uint64_t seed, dice;
    MPI_Comm parent;
    struct soak_slot slots[SOAK_SLOTS];
    struct soak_counts counts;
};

/* The next number of 0 to sides - 1; the same on all ranks. */
int soak_roll(struct soak_thread *thread, int sides);

/* Communicators: one more in a slot; one out of use; all of them. */
void soak_make(struct soak_thread *thread, struct soak_slot *slot);
void soak_free(struct soak_thread *thread, struct soak_slot *slot);
void soak_free_all(struct soak_thread *thread);

/* One step, on all ranks of the parent. */
void soak_step(struct soak_thread *thread);

#endif
