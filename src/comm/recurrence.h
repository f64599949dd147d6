/* SPDX-License-Identifier: BSD-3-Clause */
/* recurrence.h: how often each of many keys came before, in bounded memory. */
#ifndef SHUNT_COMM_RECURRENCE_H
#define SHUNT_COMM_RECURRENCE_H

#include <stdint.h>

/* Keys that are told apart; a new one beyond them, or without memory, is always new. */
enum { SHUNT_RECURRENCE_MAX = 1 << 15 };

/* How often this key came before: 0 the first time. Thread safe. */
uint64_t shunt_recurrence(uint64_t key);

#endif
