/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sort.h: puts any number of items in order with bounded memory: what does not fit is written to an
 * unlinked file as sorted runs, which are merged while they are read back.
 *
 * Items with equal keys come in any order: who wants them in one puts a number into the last word.
 */
#ifndef SHUNT_TOOLS_LOG_SORT_H
#define SHUNT_TOOLS_LOG_SORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Compared word by word. */
struct shunt_sort_key {
    uint64_t word[3];
};

struct shunt_sort_item {
    struct shunt_sort_key key;
    const char *bytes; /* valid until the next item is asked for */
    size_t length;
};

struct shunt_sort;

/* `memory`: bytes for what is in memory at a time (an item that is larger than that still goes in);
 * `folder`: where the file is made when it is needed, kept as pointer. NULL: memory is short. */
struct shunt_sort *shunt_sort_new(size_t memory, const char *folder);
void shunt_sort_free(struct shunt_sort *sort);

/* Copies an item in. Returns 0 or an errno value. */
int shunt_sort_put(struct shunt_sort *sort, const struct shunt_sort_key *key, const void *bytes,
                   size_t length);
/* No more items: from now on shunt_sort_next. Returns 0 or an errno value. */
int shunt_sort_finish(struct shunt_sort *sort);
/* Returns 1 with the next item, 0 behind the last one, or an errno value, negative. */
int shunt_sort_next(struct shunt_sort *sort, struct shunt_sort_item *item);

/* A number as a word that has its order, and back. */
uint64_t shunt_sort_word(double value);
double shunt_sort_number(uint64_t word);

/* runs.c, for sort.c: sorted runs in an unlinked file, and merging them. All functions that may
 * fail return 0 or an errno value unless they say something else. */

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
