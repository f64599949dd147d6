/* SPDX-License-Identifier: BSD-3-Clause */
/* speak.c: see speak.h. */
#include "intercept/speak.h"

#include "communicator/device.h"

/*
 * This rank's contribution to the agreement of an Alltoallv: O(P). The checksum is a sum of
 * products with keys of the pairs: 0 over all ranks if what each sends is what its partner expects,
 * and for counts that do not match only by an accident of 2^-63 or so.
 */
static inline __attribute__((always_inline)) void sum_up(const struct shunt_exchange *x, bool wide,
                                                         struct shunt_agreement *values)
{
    const struct shunt_side *sends = x->in_place ? &x->recv : &x->send;
    const void *outs = sends->counts, *ins = x->recv.counts;
    const uint64_t *keys = x->comm->pair_keys;
    const int size = x->comm->size;
    int64_t largest = 0;
    uint64_t total = 0, sent = 0, received = 0, empty = 0;
    for (int p = 0; p < size; p++) {
        const int64_t in = wide ? (int64_t)((const MPI_Count *)ins)[p] : ((const int *)ins)[p],
                      out = wide ? (int64_t)((const MPI_Count *)outs)[p] : ((const int *)outs)[p];
        empty += (uint64_t)out == 0;
        largest = out > largest ? out : largest;
        total += (uint64_t)out;
        sent += (uint64_t)out * keys[0];
        received += (uint64_t)in * keys[1];
        keys += 2;
    }
    values->largest = largest * sends->size;
    values->total = total * (uint64_t)sends->size;
    values->blocks = sends->size > 0 ? (uint64_t)size - empty : 0;
    values->checksum = sent * (uint64_t)sends->size - received * (uint64_t)x->recv.size;
}

/* For each form of counts a loop of its own: fewer instructions for each rank. Kept out of line so
 * that `make bench-overhead` can tell its cost. */

static __attribute__((noinline)) void measure(const struct shunt_exchange *x,
                                              struct shunt_agreement *values)
{
    if (x->recv.wide)
        sum_up(x, true, values);
    else
        sum_up(x, false, values);
}

bool shunt_on_device(const struct shunt_exchange *x)
{
    return shunt_device_pointer(x->recv.buffer) ||
           (!x->in_place && shunt_device_pointer(x->send.buffer));
}

struct shunt_agreement shunt_speak(struct shunt_exchange *x)
{
    struct shunt_agreement values = {.flags = x->in_place ? SHUNT_FLAG_IN_PLACE : 0};
    const int type_error = shunt_exchange_types(x);
    if (shunt_exchange_rejected(x, type_error) || type_error != MPI_SUCCESS)
        values.flags |= SHUNT_FLAG_NATIVE;
    else
        measure(x, &values);
    if (x->comm->adapt.busy)
        values.time = shunt_adapt_say(&x->comm->adapt, values.total);
    if (x->comm->agreed.gpu && shunt_on_device(x))
        values.flags |= SHUNT_FLAG_DEVICE;
    return values;
}

uint64_t shunt_listed_bytes(const struct shunt_exchange *x)
{
    const struct shunt_side *side = x->in_place ? &x->recv : &x->send;
    const int64_t size = shunt_type_size(side->type);
    uint64_t elements = 0;
    for (int p = 0; size > 0 && p < x->comm->size; p++)
        elements += (uint64_t)shunt_listed_count(side, p);
    return size > 0 ? elements * (uint64_t)size : 0;
}
