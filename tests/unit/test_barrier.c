/* SPDX-License-Identifier: BSD-3-Clause */
/* Barriers and signals in shared memory, by threads: nothing here knows MPI. barrier_races.sh runs
 * it under the thread sanitizer. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "shm/barrier.h"

enum { RANKS_MOST = 16 };

/* What the ranks of a test share. */
struct world {
    struct shunt_barrier barrier;
    _Alignas(SHUNT_CACHE_LINE) struct shunt_signal signal;
    struct shunt_flat_place places[RANKS_MOST];
    int ranks, rounds;
    bool oversubscribed, flat;
    int written[2][RANKS_MOST]; /* by its rank before a barrier, read by all after it */
    _Atomic int wrong, polls, looks;
};

struct rank {
    struct world *world;
    int number;
};

static void progress(void *who)
{
    ((struct rank *)who)->world->polls++;
}

static void look(void *who, struct shunt_watch *watch)
{
    (void)watch;
    ((struct rank *)who)->world->looks++;
}

static struct shunt_waiter waiter_of(struct rank *rank)
{
    return (struct shunt_waiter){.oversubscribed = rank->world->oversubscribed,
                                 .progress = progress,
                                 .look = look,
                                 .who = rank};
}

static void run(struct world *world, void *(*body)(void *))
{
    pthread_t threads[RANKS_MOST];
    struct rank ranks[RANKS_MOST];
    for (int i = 0; i < world->ranks; i++) {
        ranks[i] = (struct rank){world, i};
        assert_int_equal(pthread_create(&threads[i], NULL, body, &ranks[i]), 0);
    }
    for (int i = 0; i < world->ranks; i++)
        pthread_join(threads[i], NULL);
}

static void arrive(struct rank *rank, uint32_t number, const struct shunt_agreement *mine)
{
    struct world *world = rank->world;
    if (world->flat)
        shunt_flat_arrive(&world->places[rank->number], number, mine);
    else
        shunt_barrier_arrive(&world->barrier, number, world->ranks, mine);
}

static void wait(struct rank *rank, uint32_t number, struct shunt_waiter *waiter,
                 struct shunt_agreement *all)
{
    struct world *world = rank->world;
    if (!world->flat) {
        shunt_barrier_wait(&world->barrier, number, waiter, all);
        return;
    }
    *all = (struct shunt_agreement){0};
    for (int p = 0; p < world->ranks; p++)
        shunt_flat_wait(&world->places[p], number, waiter, all);
}

/* Values differ from barrier to barrier, so that what is left of an earlier one is seen. */
static void *meet(void *data)
{
    struct rank *rank = data;
    struct world *world = rank->world;
    struct shunt_waiter waiter = waiter_of(rank);
    const int P = world->ranks;
    for (int k = 1; k <= world->rounds; k++) {
        const struct shunt_agreement mine = {.largest = k * 10 + rank->number,
                                             .total = (uint64_t)(k + rank->number),
                                             .checksum = UINT64_MAX - (uint64_t)k,
                                             .flags = rank->number == k % P,
                                             .blocks = (uint64_t)k << 20};
        struct shunt_agreement all;
        world->written[k % 2][rank->number] = k;
        arrive(rank, (uint32_t)k, &mine);
        wait(rank, (uint32_t)k, &waiter, &all);
        for (int p = 0; p < P; p++)
            world->wrong += world->written[k % 2][p] != k;
        world->wrong += all.largest != k * 10 + P - 1;
        world->wrong +=
            all.total != (uint64_t)P * (uint64_t)k + (uint64_t)P * (uint64_t)(P - 1) / 2;
        world->wrong += all.checksum != (uint64_t)P * (UINT64_MAX - (uint64_t)k);
        world->wrong += all.flags != 1;
        world->wrong += all.blocks != ((uint64_t)k << 20) * (uint64_t)P;
    }
    return NULL;
}

/* As agreements between nodes have it: rank 0 waits for all, and the others for what it tells. */
static void *be_told(void *data)
{
    struct rank *rank = data;
    struct world *world = rank->world;
    struct shunt_waiter waiter = waiter_of(rank);
    const int P = world->ranks;
    for (int k = 1; k <= world->rounds; k++) {
        const struct shunt_agreement mine = {.total = (uint64_t)(k + rank->number)};
        struct shunt_agreement all;
        arrive(rank, (uint32_t)k, &mine);
        if (rank->number == k % 3 % P) /* arrives late to what follows */
            for (volatile int i = 0; i < 2000; i++)
                continue;
        if (rank->number == 0) {
            wait(rank, (uint32_t)k, &waiter, &all);
            world->wrong +=
                all.total != (uint64_t)P * (uint64_t)k + (uint64_t)P * (uint64_t)(P - 1) / 2;
            shunt_signal_raise(&world->signal, (uint32_t)k);
        } else {
            shunt_signal_wait(&waiter, &world->signal, (uint32_t)k);
        }
    }
    return NULL;
}

static void who_is_told_need_not_wait_itself(void **state)
{
    (void)state;
    for (int ranks = 2; ranks <= RANKS_MOST; ranks += 7) {
        struct world *world = aligned_alloc(SHUNT_CACHE_LINE, sizeof *world);
        memset(world, 0, sizeof *world);
        world->ranks = ranks;
        world->rounds = 600;
        world->flat = true;
        run(world, be_told);
        assert_int_equal(world->wrong, 0);
        free(world);
    }
}

static void nobody_passes_before_all_have_arrived_and_all_learn_the_same(void **state)
{
    (void)state;
    enum { COUNTER, COUNTER_OVERSUBSCRIBED, FLAT, KINDS };
    for (int ranks = 1; ranks <= RANKS_MOST; ranks++) {
        for (int kind = 0; kind < KINDS; kind++) {
            struct world *world = aligned_alloc(SHUNT_CACHE_LINE, sizeof *world);
            memset(world, 0, sizeof *world);
            world->ranks = ranks;
            world->rounds = 600;
            world->oversubscribed = kind == COUNTER_OVERSUBSCRIBED;
            world->flat = kind == FLAT;
            run(world, meet);
            assert_int_equal(world->wrong, 0);
            free(world);
        }
    }
}

/* Rank 0 is late, so that the others have gone to sleep, and have looked after the library: on a
 * machine with other work that takes as long as it takes. */
static void *wait_for_the_late_one(void *data)
{
    struct rank *rank = data;
    struct world *world = rank->world;
    struct shunt_waiter waiter = waiter_of(rank);
    if (rank->number == 0) {
        usleep(60000);
        for (int ms = 0; ms < 20000 && (world->polls == 0 || world->looks == 0); ms++)
            usleep(1000);
        world->written[0][0] = 1;
        shunt_signal_raise(&world->signal, 7);
    } else {
        shunt_signal_wait(&waiter, &world->signal, 7);
        world->wrong += world->written[0][0] != 1;
    }
    return NULL;
}

static void who_sleeps_is_woken_and_keeps_the_library_going_meanwhile(void **state)
{
    (void)state;
    for (int oversubscribed = 0; oversubscribed < 2; oversubscribed++) {
        struct world *world = aligned_alloc(SHUNT_CACHE_LINE, sizeof *world);
        memset(world, 0, sizeof *world);
        world->ranks = 3;
        world->oversubscribed = oversubscribed != 0;
        run(world, wait_for_the_late_one);
        assert_int_equal(world->wrong, 0);
        assert_int_equal(world->signal.sleepers, 0);
        assert_true(world->polls > 0);
        assert_true(world->looks > 0);
        free(world);
    }
}

static void a_signal_that_is_raised_already_is_not_waited_for(void **state)
{
    (void)state;
    struct shunt_signal signal = {.value = 0};
    struct shunt_waiter waiter = {.oversubscribed =
                                      true}; /* nothing is called: there is nothing to call */
    shunt_signal_raise(&signal, 3);
    shunt_signal_wait(&waiter, &signal, 3);
    assert_int_equal(signal.sleepers, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_passes_before_all_have_arrived_and_all_learn_the_same),
        cmocka_unit_test(who_is_told_need_not_wait_itself),
        cmocka_unit_test(who_sleeps_is_woken_and_keeps_the_library_going_meanwhile),
        cmocka_unit_test(a_signal_that_is_raised_already_is_not_waited_for),
    };
    return cmocka_run_group_tests_name("barrier", tests, NULL, NULL);
}
