/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear.c: direct exchanges, one message per pair of ranks.
 *
 * Idea: every block goes straight to its destination; only the order and the number of messages in flight differ.
 * Cost: P - 1 messages and every byte once per rank; batch b: ceil((P-1)/b) waits.
 * Use: large blocks, or few ranks.
 * Source (titles in rows.c): Fan 2025, section 2(d): spread-out, scattered (MPICH), pairwise (Open MPI), linear (Open MPI); section 5.3:
 * exclusive-or.
 */
#include "schedule/schedule.h"

/* One message to and one from: the whole exchange of two blocks. */
static void direct_step(struct shunt_schedule *schedule, int to, int from)
{
    shunt_schedule_step(schedule, to, from);
    shunt_schedule_final(schedule);
    shunt_schedule_send(schedule, (shunt_place)to);
    shunt_schedule_recv(schedule, (shunt_place)from);
}

int shunt_schedule_scattered(struct shunt_schedule *schedule, int ranks, int rank, int64_t batch)
{
    shunt_schedule_begin(schedule, ranks, rank);
    for (int64_t i = 1; i < ranks; i++) {
        if ((i - 1) % batch == 0)
            shunt_schedule_round(schedule);
        direct_step(schedule, (int)((rank - i + ranks) % ranks), (int)((rank + i) % ranks));
    }
    return shunt_schedule_end(schedule, 0);
}

int shunt_schedule_pairwise(struct shunt_schedule *schedule, int ranks, int rank)
{
    shunt_schedule_begin(schedule, ranks, rank);
    for (int i = 1; i < ranks; i++) {
        shunt_schedule_round(schedule);
        direct_step(schedule, (int)(((int64_t)rank + i) % ranks), (int)(((int64_t)rank - i + ranks) % ranks));
    }
    return shunt_schedule_end(schedule, 0);
}

int shunt_schedule_linear(struct shunt_schedule *schedule, int ranks, int rank)
{
    shunt_schedule_begin(schedule, ranks, rank);
    shunt_schedule_round(schedule);
    for (int peer = 0; peer < ranks; peer++)
        if (peer != rank)
            direct_step(schedule, peer, peer);
    return shunt_schedule_end(schedule, 0);
}

int shunt_schedule_exclusive_or(struct shunt_schedule *schedule, int ranks, int rank)
{
    shunt_schedule_begin(schedule, ranks, rank);
    for (int i = 1; i < ranks; i++) {
        shunt_schedule_round(schedule);
        direct_step(schedule, rank ^ i, rank ^ i);
    }
    return shunt_schedule_end(schedule, 0);
}
