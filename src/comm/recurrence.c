/* SPDX-License-Identifier: BSD-3-Clause */
/* recurrence.c: a table of counters by key: open addressing, grows to its limit, never shrinks. */
#include "comm/recurrence.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

struct counter {
    uint64_t key, came; /* came 0: free */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct counter *counters;
static uint64_t capacity, used; /* capacity: a power of two, at least twice as many as are used */

/* The counter of that key, or the free one where it belongs. */
static struct counter *find(struct counter *in, uint64_t slots, uint64_t key)
{
    uint64_t i = key & (slots - 1);
    while (in[i].came != 0 && in[i].key != key)
        i = (i + 1) & (slots - 1);
    return &in[i];
}

static bool grow(void)
{
    const uint64_t slots = capacity > 0 ? 2 * capacity : 64;
    struct counter *larger =
        used < SHUNT_RECURRENCE_MAX ? calloc((size_t)slots, sizeof *larger) : NULL;
    if (!larger)
        return false;
    for (uint64_t i = 0; i < capacity; i++)
        if (counters[i].came != 0)
            *find(larger, slots, counters[i].key) = counters[i];
    free(counters);
    counters = larger;
    capacity = slots;
    return true;
}

uint64_t shunt_recurrence(uint64_t key)
{
    uint64_t before = 0;
    pthread_mutex_lock(&lock);
    struct counter *counter = capacity > 0 ? find(counters, capacity, key) : NULL;
    if (!counter || counter->came == 0) {
        const bool room = used < SHUNT_RECURRENCE_MAX && (2 * (used + 1) <= capacity || grow());
        counter = room ? find(counters, capacity, key) : NULL;
        used += room;
    }
    if (counter) {
        counter->key = key;
        before = counter->came++;
    }
    pthread_mutex_unlock(&lock);
    return before;
}
