/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * debts.h: pieces of segments that were still to be shown when their communicator ended here. The
 * next communicator of the same members has the same key, and would find them as its own.
 */
#ifndef SHUNT_COMMUNICATOR_DEBTS_H
#define SHUNT_COMMUNICATOR_DEBTS_H

#include <stdbool.h>
#include <stdint.h>

struct shunt_segment;

/* This process is still to find one more piece of the key, by the number `finder`. False: no memory
 * to note it. */
bool shunt_debts_owe(const struct shunt_segment *segment, uint64_t key, uint32_t finder);
/* Whether there was such a piece; there is one fewer then. */
bool shunt_debts_take(const struct shunt_segment *segment, uint64_t key, uint32_t *finder);
/* The segment ends. */
void shunt_debts_forget(const struct shunt_segment *segment);

#endif
