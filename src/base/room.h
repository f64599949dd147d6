/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * room.h: room on the stack. Programs give their threads as much of it as their own calls need;
 * what MPI libraries do for a nonblocking collective may take a hundred kilobytes.
 */
#ifndef SHUNT_BASE_ROOM_H
#define SHUNT_BASE_ROOM_H

/*
 * function(context), on this thread and within this call: where a quarter of a megabyte is left on
 * its stack, there; otherwise on a stack that is made for it. Where there is no memory for one it
 * runs where it is. It must not be left by a jump.
 */
void shunt_room_run(void (*function)(void *), void *context);

#endif
