/* SPDX-License-Identifier: BSD-3-Clause */
/* thread.c: see thread.h. */
#include "base/thread.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

struct block {
    struct block *next;
    void (*forget)(void);
    max_align_t bytes[];
};

static pthread_key_t key;
static bool made;

/* The thread may call us once more, in a later destructor. */
static void release(void *list)
{
    for (struct block *block = list, *next; block; block = next) {
        next = block->next;
        block->forget();
        free(block);
    }
}

static void make(void)
{
    made = pthread_key_create(&key, release) == 0;
}

void *shunt_thread_memory(size_t bytes, void (*forget)(void))
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make);
    struct block *block = made ? calloc(1, sizeof *block + bytes) : NULL;
    if (!block)
        return NULL;
    block->next = pthread_getspecific(key);
    block->forget = forget;
    if (pthread_setspecific(key, block) == 0)
        return block->bytes;
    free(block);
    return NULL;
}
