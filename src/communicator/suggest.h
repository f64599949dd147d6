/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * suggest.h: what the summary suggests where no rule took calls: what the model expects there.
 *
 * Found at the end, by the rank that writes the summary alone, within SHUNT_SUGGEST_WORK events:
 * some hundredths of a second at most, and nothing where nothing is suggested.
 */
#ifndef SHUNT_COMMUNICATOR_SUGGEST_H
#define SHUNT_COMMUNICATOR_SUGGEST_H

#include "communicator/comm.h"

enum { SHUNT_SUGGEST_WORK = 1 << 22 };

/* A communicator was set up and a summary is wanted: keeps its layout, for what is said of its
 * calls at the end. Thread safe. */
void shunt_suggest_note(const struct shunt_comm *comm);

/* MPI is about to end: tells the log what to expect. */
void shunt_suggest_tell(void);

#endif
