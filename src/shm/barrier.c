/* SPDX-License-Identifier: BSD-3-Clause */
/* barrier.c: barriers in shared memory, whose ranks combine some values. */
#include "shm/barrier.h"

static void clear_slot(struct shunt_barrier_slot *slot)
{
    atomic_store_explicit(&slot->arrived, 0, memory_order_relaxed);
    atomic_store_explicit(&slot->flags, 0, memory_order_relaxed);
    atomic_store_explicit(&slot->largest, 0, memory_order_relaxed);
    atomic_store_explicit(&slot->total, 0, memory_order_relaxed);
    atomic_store_explicit(&slot->checksum, 0, memory_order_relaxed);
}

static void add_values(struct shunt_barrier_slot *slot, const struct shunt_agreement *mine)
{
    int64_t largest = atomic_load_explicit(&slot->largest, memory_order_relaxed);
    while (mine->largest > largest &&
           !atomic_compare_exchange_weak_explicit(&slot->largest, &largest, mine->largest,
                                                  memory_order_relaxed, memory_order_relaxed))
        continue;
    if (mine->total)
        atomic_fetch_add_explicit(&slot->total, mine->total, memory_order_relaxed);
    if (mine->checksum)
        atomic_fetch_add_explicit(&slot->checksum, mine->checksum, memory_order_relaxed);
    if (mine->flags)
        atomic_fetch_or_explicit(&slot->flags, mine->flags, memory_order_relaxed);
}

void shunt_barrier_arrive(struct shunt_barrier *barrier, uint32_t number, int ranks,
                          const struct shunt_agreement *mine)
{
    struct shunt_barrier_slot *slot = &barrier->slots[number % SHUNT_BARRIER_SLOTS];
    add_values(slot, mine);
    const uint64_t one = UINT64_C(1) << SHUNT_BARRIER_BLOCK_BITS;
    const uint64_t before =
        atomic_fetch_add_explicit(&slot->arrived, one + mine->blocks, memory_order_acq_rel);
    if ((before >> SHUNT_BARRIER_BLOCK_BITS) + 1 == (uint64_t)ranks) {
        clear_slot(&barrier->slots[(number + 2) % SHUNT_BARRIER_SLOTS]);
        shunt_signal_raise(&barrier->opened, number);
    }
}

void shunt_barrier_wait(struct shunt_barrier *barrier, uint32_t number, struct shunt_waiter *waiter,
                        struct shunt_agreement *all)
{
    const struct shunt_barrier_slot *slot = &barrier->slots[number % SHUNT_BARRIER_SLOTS];
    shunt_signal_wait(waiter, &barrier->opened, number);
    if (!all)
        return;
    all->largest = atomic_load_explicit(&slot->largest, memory_order_relaxed);
    all->total = atomic_load_explicit(&slot->total, memory_order_relaxed);
    all->checksum = atomic_load_explicit(&slot->checksum, memory_order_relaxed);
    all->blocks = atomic_load_explicit(&slot->arrived, memory_order_relaxed) &
                  ((UINT64_C(1) << SHUNT_BARRIER_BLOCK_BITS) - 1);
    all->flags = atomic_load_explicit(&slot->flags, memory_order_relaxed);
}

void shunt_flat_arrive(struct shunt_flat_place *place, uint32_t number,
                       const struct shunt_agreement *mine)
{
    place->at[number % 2].values = *mine;
    shunt_signal_mark(&place->at[number % 2].arrived, number);
}

void shunt_flat_wait(struct shunt_flat_place *place, uint32_t number, struct shunt_waiter *waiter,
                     struct shunt_agreement *all)
{
    shunt_signal_wait(waiter, &place->at[number % 2].arrived, number);
    if (all)
        shunt_agreement_add(all, &place->at[number % 2].values);
}
