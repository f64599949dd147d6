/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * runs.h: sorted runs in an unlinked file, and merging them. Used by sort.c.
 *
 * All functions that may fail return 0 or an errno value unless they say something else.
 */
#ifndef SHUNT_TOOLS_LOG_RUNS_H
#define SHUNT_TOOLS_LOG_RUNS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "tools/log/sort.h"

/* An item in memory and in the file: this, its bytes, and up to 7 more so that the next is aligned.
 */
struct shunt_run_item {
    struct shunt_sort_key key;
    size_t length;
};

static inline size_t shunt_run_item_size(size_t length)
{
    return sizeof(struct shunt_run_item) + ((length + 7) & ~(size_t)7);
}

int shunt_run_compare(const struct shunt_sort_key *a, const struct shunt_sort_key *b);

struct shunt_run {
    off_t begin, end;
};

/* A run while it is read. */
struct shunt_run_reader {
    off_t next, end; /* of the file */
    char *bytes;
    size_t capacity, filled, at;
};

struct shunt_runs {
    const char *folder;
    size_t memory;
    int fd; /* -1: no file yet */
    off_t written;
    char *buffer; /* of what is written */
    size_t buffered;
    struct shunt_run *runs;
    size_t count, room;
    struct shunt_run_reader *readers; /* a heap; the first one has the least item */
    size_t reading;
    bool moved; /* the item of the first reader has been handed out */
};

void shunt_runs_init(struct shunt_runs *runs, size_t memory, const char *folder);
void shunt_runs_clear(struct shunt_runs *runs);
size_t shunt_runs_count(const struct shunt_runs *runs);

/* A run: its items in order. */
int shunt_runs_begin(struct shunt_runs *runs);
int shunt_runs_add(struct shunt_runs *runs, const struct shunt_run_item *item);
int shunt_runs_end(struct shunt_runs *runs);

/* No more runs. Then shunt_runs_next: 1 with an item that is valid until the next call, 0 behind
 * the last one, or an errno value, negative. */
int shunt_runs_finish(struct shunt_runs *runs);
int shunt_runs_next(struct shunt_runs *runs, const struct shunt_run_item **item);

#endif
