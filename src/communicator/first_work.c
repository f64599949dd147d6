/* SPDX-License-Identifier: BSD-3-Clause */
/* first_work.c: how much work a communicator sees before anything is announced on it. */
#include "communicator/first_work.h"

#include "communicator/context.h"

/*
 * The first announcement comes when this rank has done so many units of work on the communicator,
 * and some more, shared among its ranks: few ranks make short calls. A broadcast costs as much as a
 * call or two without data, and some microseconds in each rank; a notice half a call, and before it
 * a state, which took as long as thirty calls of two ranks. Before that a communicator costs a line
 * of memory and nothing else: programs make many and use them a few times.
 */
enum { FIRST_BROADCAST = 47, FIRST_BOARD = 12, FIRST_SHARED = 320 };

static int64_t units_broadcast(int size)
{
    return FIRST_BROADCAST + FIRST_SHARED / size;
}

static int64_t units_board(int size)
{
    return FIRST_BOARD + FIRST_SHARED / size;
}

int64_t shunt_first_work_units(const struct shunt_comm *comm)
{
    return comm->board || !comm->looked ? units_board(comm->size) : units_broadcast(comm->size);
}

uint32_t shunt_first_work_calls(int size)
{
    return (uint32_t)units_board(size);
}

uint32_t shunt_first_work_further(struct shunt_comm *newcomer)
{
    const int64_t more =
        units_broadcast(newcomer->size) -
        shunt_first_work_units_of(newcomer); /* FIRST_BROADCAST - FIRST_BOARD at most */
    if (newcomer->idle_granted == 0 || newcomer->looked || more <= 0 || shunt_context_count() > 0)
        return 0;
    newcomer->looked = true; /* none that covers this one, and then nobody has one */
    newcomer->look_left = (uint8_t)more;
    return (uint32_t)more;
}

void shunt_first_work_count(struct shunt_comm *newcomer, int64_t bytes)
{
    const int64_t more = bytes / SHUNT_UNIT_BYTES,
                  most = UINT16_MAX; /* of work beyond the first announcement nobody asks */
    if (newcomer->idle_calls > 0)
        newcomer->idle_calls--;
    else
        newcomer->idle_granted++; /* an error handler has used it meanwhile */
    const uint32_t less = more < newcomer->idle_calls ? (uint32_t)more : newcomer->idle_calls;
    newcomer->idle_calls -= less;
    newcomer->idle_granted -= less;
    newcomer->more_units =
        (uint16_t)(more < most - newcomer->more_units ? newcomer->more_units + more : most);
}

void shunt_first_work_uncount(struct shunt_comm *newcomer)
{
    if (newcomer->idle_calls == newcomer->idle_granted) {
        newcomer->idle_calls = newcomer->idle_granted = 0; /* the first call is still to come */
    } else if (newcomer->looked && newcomer->idle_calls == newcomer->look_left) {
        newcomer->idle_granted -= newcomer->idle_calls; /* the look belongs to the next try */
        newcomer->idle_calls = 0;
        newcomer->looked = false;
    }
}

void shunt_first_work_resume(struct shunt_comm *comm, uint32_t calls, int64_t units, bool looked)
{
    if (calls == 0)
        return; /* the first one is planned when it comes */
    comm->calls = calls;
    comm->done = calls;
    comm->untimed = calls;
    comm->units = units;
    comm->looked = looked;
    comm->planned = true;
    comm->by_work = true;
}

void shunt_first_work_restart(struct shunt_comm *comm)
{
    if (!comm->by_work)
        return;
    comm->turn++; /* a call that is under way belongs to what was before */
    comm->planned = comm->by_work = comm->looked = false;
    comm->done = 0;
    comm->units = 0;
    comm->spent = 0;
    comm->untimed = 0;
    comm->idle_calls = comm->idle_granted = 0;
}
