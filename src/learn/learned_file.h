/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * learned_file.h: what this process learned, on its way to the file of learned rules. Rank 0 of the
 * job alone notes and writes it: communicators without that rank leave nothing.
 */
#ifndef SHUNT_LEARN_LEARNED_FILE_H
#define SHUNT_LEARN_LEARNED_FILE_H

#include "learn/lessons.h"
#include "route/learned.h"

/* A communicator is about to go: notes what has become of its lessons; of a layout and class, the
 * last one counts. Thread safe. */
void shunt_learned_note(const struct shunt_comm *comm);

/* Keeps what is to become a rule of the file; of the same conditions the last one counts. Thread
 * safe. */
void shunt_learned_keep(const struct shunt_learned *note);

#endif
