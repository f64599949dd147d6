/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear.c: direct exchanges, one message per pair of ranks.
 *
 * Idea: every block goes straight to its destination; only the order and the number of messages in flight differ.
 * Cost: P - 1 messages and every byte once per rank; batch b: ceil((P-1)/b) waits.
 * Use: large blocks, or few ranks.
 * Source (titles in registry.c): Fan 2025, section 2(d): spread-out, scattered (MPICH), pairwise (Open MPI).
 */
#include "schedule/schedule.h"

int shunt_schedule_scattered(struct shunt_schedule *schedule, int ranks, int rank, int64_t batch)
{
    shunt_schedule_begin(schedule, ranks, rank);
    for (int64_t i = 1; i < ranks; i++) {
        if ((i - 1) % batch == 0)
            shunt_schedule_round(schedule);
        const int from = (int)((rank + i) % ranks);
        const int to = (int)((rank - i + ranks) % ranks);
        shunt_schedule_step(schedule, to, from);
        shunt_schedule_final(schedule);
        shunt_schedule_send(schedule, (shunt_place)to);
        shunt_schedule_recv(schedule, (shunt_place)from);
    }
    return shunt_schedule_end(schedule, 0);
}

int shunt_schedule_pairwise(struct shunt_schedule *schedule, int ranks, int rank)
{
    shunt_schedule_begin(schedule, ranks, rank);
    for (int i = 1; i < ranks; i++) {
        const int to = (int)(((int64_t)rank + i) % ranks);
        const int from = (int)(((int64_t)rank - i + ranks) % ranks);
        shunt_schedule_round(schedule);
        shunt_schedule_step(schedule, to, from);
        shunt_schedule_final(schedule);
        shunt_schedule_send(schedule, (shunt_place)to);
        shunt_schedule_recv(schedule, (shunt_place)from);
    }
    return shunt_schedule_end(schedule, 0);
}
