/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * verdicts.h: what this process knows of rules that have proved themselves, or were left, on
 * communicators that are no more or are others: by what decides like a communicator of this shape.
 *
 * Processes may know different things, so a new communicator's ranks tell each other at set-up, and
 * what they know counts where all know the same.
 */
#ifndef SHUNT_LEARN_VERDICTS_H
#define SHUNT_LEARN_VERDICTS_H

#include "comm/comm.h"
#include "learn/learn.h"

/* Classes of sizes are those of shunt_class, up to SHUNT_LESSON_LARGEST. What shunt_learning_known
 * tells has two bits for each class (enum shunt_learn_verdict). */
void shunt_verdicts_keep(const struct shunt_comm *comm, enum shunt_op op, int class,
                         enum shunt_learn_verdict verdict);
static inline enum shunt_learn_verdict shunt_verdict_of(int64_t known, int class)
{
    return class < 0 ? SHUNT_LEARN_OPEN : (enum shunt_learn_verdict)(known >> 2 * class & 3);
}

#endif
