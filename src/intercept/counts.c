/* SPDX-License-Identifier: BSD-3-Clause */
/* counts.c: see counts.h. */
#include "intercept/counts.h"

#include "base/size.h"
#include "execute/blocks.h"
#include "process/device.h"

/*
 * Of this rank's contribution to the agreement of an Alltoallv: O(P). The checksum is a sum of
 * products with keys of the pairs: 0 over all ranks if what each sends is what its partner expects,
 * and for counts that do not match only by an accident of 2^-63 or so.
 */
struct sums {
    int64_t largest;
    uint64_t total, sent, received, empty;
};

static inline __attribute__((always_inline)) void add(struct sums *sums, int64_t out, int64_t in,
                                                      const uint64_t *keys)
{
    sums->empty += (uint64_t)out == 0;
    sums->largest = out > sums->largest ? out : sums->largest;
    sums->total += (uint64_t)out;
    sums->sent += (uint64_t)out * keys[0];
    sums->received += (uint64_t)in * keys[1];
}

#define SUM_UP(type)                                                                               \
    static inline __attribute__((always_inline)) struct sums sum_up_##type(                        \
        const void *sends, const void *receives, const uint64_t *keys, int size)                   \
    {                                                                                              \
        const type *out = sends, *in = receives;                                                   \
        struct sums sums = {0};                                                                    \
        for (int p = 0; p < size; p++, keys += 2)                                                  \
            add(&sums, (int64_t)out[p], (int64_t)in[p], keys);                                     \
        return sums;                                                                               \
    }
SUM_UP(int)
SUM_UP(MPI_Count)
#undef SUM_UP

/* For each form of counts a loop of its own: fewer instructions for each rank. Kept out of line so
 * that `make bench-overhead` can tell its cost. */
static __attribute__((noinline)) void measure(const struct shunt_exchange *x,
                                              struct shunt_agreement *values)
{
    const struct shunt_side *sends = x->in_place ? &x->recv : &x->send;
    const struct shunt_comm *comm = x->comm;
    const struct sums sums =
        x->recv.wide
            ? sum_up_MPI_Count(sends->counts, x->recv.counts, comm->buffers.pair_keys, comm->size)
            : sum_up_int(sends->counts, x->recv.counts, comm->buffers.pair_keys, comm->size);
    const uint64_t size = (uint64_t)sends->size;
    values->largest = shunt_bytes_of(sums.largest, sends->size);
    values->total = sums.total * size;
    values->blocks = size > 0 ? (uint64_t)comm->size - sums.empty : 0;
    values->checksum = sums.sent * size - sums.received * (uint64_t)x->recv.size;
}

bool shunt_counts_on_device(const struct shunt_exchange *x)
{
    return shunt_device_pointer(x->recv.buffer) ||
           (!x->in_place && shunt_device_pointer(x->send.buffer));
}

/*
 * A runtime that was loaded after the set-up, which has agreed that there are no devices: this rank
 * alone leaves its buffers to the library, as those of types that are not plain memory.
 */
static __attribute__((noinline)) void leave_to_library(struct shunt_exchange *x)
{
    const enum shunt_device runtime = shunt_device_runtime();
    if (runtime == SHUNT_DEVICE_OPAQUE ||
        (runtime == SHUNT_DEVICE_TOLD && shunt_counts_on_device(x)))
        x->send.plain = x->recv.plain = false;
}

bool shunt_counts_refused(struct shunt_exchange *x)
{
    x->type_error = shunt_exchange_types(x);
    if (atomic_load_explicit(&shunt_device_possible, memory_order_relaxed) && !x->comm->agreed.gpu)
        leave_to_library(x);
    return shunt_exchange_rejected(x, x->type_error);
}

struct shunt_agreement shunt_counts_say(struct shunt_exchange *x)
{
    struct shunt_agreement values = {.flags = x->in_place ? SHUNT_FLAG_IN_PLACE : 0};
    if (x->type_error != MPI_SUCCESS)
        values.flags |= SHUNT_FLAG_NATIVE;
    else
        measure(x, &values);
    if (x->comm->agreed.gpu && shunt_counts_on_device(x))
        values.flags |= SHUNT_FLAG_DEVICE;
    return values;
}

const char *shunt_counts_why_native(const struct shunt_agreement *values)
{
    return values->flags & SHUNT_FLAG_DEVICE ? shunt_device_reason()
                                             : "invalid arguments on some rank";
}

const char *shunt_counts_judge(struct shunt_exchange *x, const struct shunt_agreement *values,
                               struct shunt_outcome *outcome)
{
    if (values->flags & (SHUNT_FLAG_DEVICE | SHUNT_FLAG_NATIVE | SHUNT_FLAG_LEFT))
        return shunt_counts_why_native(values);
    outcome->largest = values->largest;
    outcome->total = values->total;
    if (values->checksum != 0)
        return "send and receive counts do not match";
    x->block = values->largest;
    outcome->blocks = (int64_t)values->blocks;
    x->blocks = values->blocks;
    x->matched = true;
    return NULL;
}

bool shunt_counts_rejected(int status)
{
    int class = MPI_ERR_OTHER;
    if (status == MPI_SUCCESS)
        return false;
    shunt_pmpi.Error_class(status, &class);
    return class == MPI_ERR_ARG || class == MPI_ERR_BUFFER || class == MPI_ERR_COUNT ||
           class == MPI_ERR_TYPE || class == MPI_ERR_COMM;
}

bool shunt_counts_come_to_nothing(struct shunt_exchange *x)
{
    const bool listed = x->op == SHUNT_OP_ALLTOALLV;
    if (listed && (!x->recv.counts || (!x->in_place && !x->send.counts)))
        return false; /* the library may look at neither */
    return shunt_counts_refused(x);
}
