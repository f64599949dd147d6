/* SPDX-License-Identifier: BSD-3-Clause */
/* verdicts.c: see verdicts.h. */
#include "learn/verdicts.h"

#include <pthread.h>

#include "base/hash.h"
#include "comm/learning.h"

/* Shapes that are remembered; the oldest one makes room. Few programs have more at a time. */
enum { SHAPES = 16 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    uint64_t shape;
    int64_t known[SHUNT_OP_COUNT];
} kept[SHAPES];
static unsigned count;

/* Of what the decisions follow from: the table, the layout, what memory there is. */
static uint64_t shape_of(const struct shunt_comm *comm)
{
    const struct shunt_layout *layout = &comm->layout;
    const int64_t numbers[] = {layout->ranks,         layout->nodes,
                               layout->ppn_min,       layout->ppn_max,
                               layout->segment_block, layout->peer_read,
                               comm->agreed.memory,   (int64_t)comm->agreed.table_fingerprint};
    uint64_t hash = SHUNT_HASH_EMPTY;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        hash = shunt_hash_value(hash, (uint64_t)numbers[i]);
    return hash;
}

/* The place of a shape; `count`: it has none. */
static unsigned find(uint64_t shape)
{
    unsigned at = 0;
    while (at < count && at < SHAPES && kept[at].shape != shape)
        at++;
    return at < SHAPES ? at : count;
}

int64_t shunt_learning_known(const struct shunt_comm *comm, enum shunt_op op)
{
    if (!comm->lessons)
        return 0;
    const uint64_t shape = shape_of(comm);
    pthread_mutex_lock(&lock);
    const unsigned at = find(shape);
    const int64_t known = at < count && at < SHAPES ? kept[at].known[op] : 0;
    pthread_mutex_unlock(&lock);
    return known;
}

void shunt_verdicts_keep(const struct shunt_comm *comm, enum shunt_op op, int class,
                         enum shunt_learn_verdict verdict)
{
    const uint64_t shape = shape_of(comm);
    if (class < 0)
        return;
    pthread_mutex_lock(&lock);
    unsigned at = find(shape);
    if (at == count) {
        at = count++ % SHAPES;
        kept[at].shape = shape;
        for (int i = 0; i < SHUNT_OP_COUNT; i++)
            kept[at].known[i] = 0;
    }
    kept[at].known[op] &= ~(INT64_C(3) << 2 * class);
    kept[at].known[op] |= (int64_t)verdict << 2 * class;
    pthread_mutex_unlock(&lock);
}
