/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * store.h: the raw samples as CSV, written as they come, so that a run that is killed loses none;
 * and read again by a run that goes on. No MPI.
 */
#ifndef SHUNT_TUNE_STORE_H
#define SHUNT_TUNE_STORE_H

#include <stdio.h>

#include "tools/tune/sweep.h"

struct tune_row;

struct tune_store {
    FILE *stream;
    const char *name; /* not owned */
    size_t count;
    struct tune_row *rows; /* array of count, owned: those of an earlier run */
};

/* Which batch. */
struct tune_key {
    enum shunt_op op;
    struct tune_place place;
    int64_t block;
    int stage;
};

/*
 * Opens NAME for new samples. `conditions`: one line without newline, what the samples depend on.
 * With `resume` those that are there are kept, but for a last line that was cut; a file of other
 * conditions is refused. Without it a file that has samples is refused: they took time. False with
 * one line in `diagnostic`.
 */
bool tune_store_open(struct tune_store *store, const char *name, const char *conditions,
                     bool resume, char *diagnostic, size_t capacity);

/* The samples of one repetition: seconds is an array of count * cases, by candidate and case; the
 * names of their distributions in `distributions`; how many calls made one in `calls`, by mode.
 * They are in the file when this returns. */
void tune_store_add(struct tune_store *store, const struct tune_key *key,
                    const struct tune_batch *batch, const char *const *distributions, int cases,
                    int64_t largest, int repetition, const int *calls, const double *seconds);

/* How many repetitions an earlier run wanted of a batch, 0: it had none like that. What follows
 * from samples must not depend on when they were made: the same number is used again. */
int tune_store_planned(const struct tune_store *store, const struct tune_key *key);

/* Puts the samples of that batch into `samples`, which has room for them. Returns how many
 * repetitions are there from the first one on with all candidates and distributions; sets `largest`
 * and `calls` if there are any. */
int tune_store_find(const struct tune_store *store, const struct tune_key *key,
                    const struct tune_batch *batch, const char *const *distributions,
                    struct tune_samples *samples);

/* False (said) when something could not be written. */
bool tune_store_close(struct tune_store *store);

#endif
