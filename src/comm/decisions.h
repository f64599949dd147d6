/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * decisions.h: what is decided for every block size on a communicator, and that all its ranks
 * decide the same.
 *
 * Rules are the same everywhere, for the table is. What the model chooses is computed by each rank,
 * which takes memory and arithmetic that may be another on one rank alone: so ranks tell each other
 * whether they could, and what came of it. Where that differs rules count and nothing else.
 */
#ifndef SHUNT_COMM_DECISIONS_H
#define SHUNT_COMM_DECISIONS_H

#include "comm/comm.h"

/* Local: from agreed things alone. False: memory is short. */
bool shunt_decisions_build(struct shunt_comm *comm);
/* Every block size of both operations is native. */
bool shunt_decisions_none(const struct shunt_comm *comm);

/* What this rank has to tell: whether it could not ask the model, and a number for what that chose,
 * not negative, and 0 where it chose nothing. */
bool shunt_decisions_unmodelled(const struct shunt_comm *comm);
int64_t shunt_decisions_modelled(const struct shunt_comm *comm);
/* What has become known of all ranks' answers, by all alike. */
void shunt_decisions_settle(struct shunt_comm *comm, bool unmodelled, bool differs);

/* The same in an agreement: `ok` is SHUNT_FLAG_NO_MEMORY where it is not. */
struct shunt_agreement shunt_decisions_say(const struct shunt_comm *comm, bool ok);
void shunt_decisions_hear(struct shunt_comm *comm, const struct shunt_agreement *values);

#endif
