/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sort.h: puts any number of items in order with bounded memory: what does not fit is written to an
 * unlinked file as sorted runs, which are merged while they are read back.
 *
 * Items with equal keys come in any order: who wants them in one puts a number into the last word.
 */
#ifndef SHUNT_TOOLS_LOG_SORT_H
#define SHUNT_TOOLS_LOG_SORT_H

#include <stddef.h>
#include <stdint.h>

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

#endif
