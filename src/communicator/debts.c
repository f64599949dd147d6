/* SPDX-License-Identifier: BSD-3-Clause */
/* debts.c: see debts.h. */
#include "communicator/debts.h"

#include <pthread.h>
#include <stdlib.h>

struct debt {
    const struct shunt_segment *segment;
    uint64_t key;
    uint32_t finder;
};
static struct debt *debts; /* array of `room`, of which `count` are in use, in any order */
static size_t count, room;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static bool make_room(void)
{
    enum { FIRST = 16 };
    if (count < room)
        return true;
    const size_t more = room > 0 ? 2 * room : FIRST;
    struct debt *larger = realloc(debts, more * sizeof *larger);
    if (!larger)
        return false;
    debts = larger;
    room = more;
    return true;
}

bool shunt_debts_owe(const struct shunt_segment *segment, uint64_t key, uint32_t finder)
{
    pthread_mutex_lock(&lock);
    const bool noted = make_room();
    if (noted)
        debts[count++] = (struct debt){segment, key, finder};
    pthread_mutex_unlock(&lock);
    return noted;
}

bool shunt_debts_take(const struct shunt_segment *segment, uint64_t key, uint32_t *finder)
{
    bool taken = false;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < count && !taken; i++) {
        taken = debts[i].segment == segment && debts[i].key == key;
        if (taken) {
            *finder = debts[i].finder;
            debts[i] = debts[--count];
        }
    }
    pthread_mutex_unlock(&lock);
    return taken;
}

void shunt_debts_forget(const struct shunt_segment *segment)
{
    size_t kept = 0;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < count; i++)
        if (debts[i].segment != segment)
            debts[kept++] = debts[i];
    count = kept;
    pthread_mutex_unlock(&lock);
}
