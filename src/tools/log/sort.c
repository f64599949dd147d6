/* SPDX-License-Identifier: BSD-3-Clause */
/* sort.c: items in memory, sorted there and written out as runs when the memory is full. */
#include "tools/log/sort.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct shunt_sort {
    const char *folder;
    size_t memory;
    /* Items from its beginning on, pointers to them from its end down. */
    char *block;
    size_t capacity, used, count;
    size_t next; /* of the pointers, while they are read */
    struct shunt_runs runs;
};

uint64_t shunt_sort_word(double value)
{
    uint64_t word;
    memcpy(&word, &value, sizeof word);
    /* Negative numbers have the order of their bits turned round, and come first. */
    return word >> 63 ? ~word : word | UINT64_C(1) << 63;
}

double shunt_sort_number(uint64_t word)
{
    double value;
    word = word >> 63 ? word & ~(UINT64_C(1) << 63) : ~word;
    memcpy(&value, &word, sizeof value);
    return value;
}

struct shunt_sort *shunt_sort_new(size_t memory, const char *folder)
{
    struct shunt_sort *sort = calloc(1, sizeof *sort);
    if (!sort)
        return NULL;
    sort->folder = folder;
    sort->memory = memory;
    sort->capacity = memory & ~(size_t)7;
    shunt_runs_init(&sort->runs, memory, folder);
    sort->block = malloc(sort->capacity);
    if (!sort->block) {
        free(sort);
        return NULL;
    }
    return sort;
}

void shunt_sort_free(struct shunt_sort *sort)
{
    if (!sort)
        return;
    shunt_runs_clear(&sort->runs);
    free(sort->block);
    free(sort);
}

/* The pointers, in the order in which the items came, backwards. */
static struct shunt_run_item **pointers(const struct shunt_sort *sort)
{
    void *end = sort->block + sort->capacity;
    return (struct shunt_run_item **)end - sort->count;
}

static int by_key(const void *a, const void *b)
{
    const struct shunt_run_item *const *x = a, *const *y = b;
    return shunt_run_compare(&(*x)->key, &(*y)->key);
}

static void sort_block(struct shunt_sort *sort)
{
    if (sort->count > 1)
        qsort(pointers(sort), sort->count, sizeof *pointers(sort), by_key);
}

static int spill(struct shunt_sort *sort)
{
    sort_block(sort);
    int error = shunt_runs_begin(&sort->runs);
    for (size_t i = 0; i < sort->count && error == 0; i++)
        error = shunt_runs_add(&sort->runs, pointers(sort)[i]);
    if (error == 0)
        error = shunt_runs_end(&sort->runs);
    sort->used = 0;
    sort->count = 0;
    return error;
}

/* One item alone may be larger than all the memory that there should be. */
static int make_room(struct shunt_sort *sort, size_t need)
{
    const size_t pointer = sizeof *pointers(sort);
    if (sort->used + need + (sort->count + 1) * pointer <= sort->capacity)
        return 0;
    const int error = sort->count > 0 ? spill(sort) : 0;
    if (error != 0 || need + pointer <= sort->capacity)
        return error;
    char *block = realloc(sort->block, need + pointer);
    if (!block)
        return ENOMEM;
    sort->block = block;
    sort->capacity = need + pointer;
    return 0;
}

int shunt_sort_put(struct shunt_sort *sort, const struct shunt_sort_key *key, const void *bytes,
                   size_t length)
{
    const size_t need = shunt_run_item_size(length);
    const int error = make_room(sort, need);
    if (error != 0)
        return error;
    void *place = sort->block + sort->used;
    struct shunt_run_item *item = place;
    item->key = *key;
    item->length = length;
    if (length > 0)
        memcpy(item + 1, bytes, length);
    sort->used += need;
    sort->count++;
    pointers(sort)[0] = item;
    return 0;
}

int shunt_sort_finish(struct shunt_sort *sort)
{
    sort->next = 0;
    if (shunt_runs_count(&sort->runs) == 0) {
        sort_block(sort);
        return 0;
    }
    const int error = spill(sort);
    free(sort->block);
    sort->block = NULL;
    return error != 0 ? error : shunt_runs_finish(&sort->runs);
}

int shunt_sort_next(struct shunt_sort *sort, struct shunt_sort_item *item)
{
    const struct shunt_run_item *found;
    if (!sort->block) {
        const int result = shunt_runs_next(&sort->runs, &found);
        if (result <= 0)
            return result;
    } else {
        if (sort->next == sort->count)
            return 0;
        found = pointers(sort)[sort->next++];
    }
    const void *bytes = found + 1;
    *item = (struct shunt_sort_item){.key = found->key, .bytes = bytes, .length = found->length};
    return 1;
}
