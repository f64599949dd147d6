/* SPDX-License-Identifier: BSD-3-Clause */
/* messages.h: the messages of one round, for executors of schedules. */
#ifndef SHUNT_ALGORITHMS_MESSAGES_H
#define SHUNT_ALGORITHMS_MESSAGES_H

#include "algorithms/exchange.h"

struct shunt_messages {
    struct shunt_comm *comm;
    struct shunt_plan *plan; /* whose requests are used */
    int requests;            /* in flight */
    int status;              /* first error of any message, or of whatever else shunt_messages_keep was told of */
};

static inline void shunt_messages_keep(struct shunt_messages *messages, int status)
{
    if (messages->status == MPI_SUCCESS)
        messages->status = status;
}

/* Posts one message, also of 0 bytes. Returns its status, which is kept as well. */
int shunt_messages_post_one(struct shunt_messages *messages, bool receive, void *bytes, int count, int peer, int tag);

/* Posts a message in pieces of at most SHUNT_MESSAGE_MAX; nothing for 0 bytes. A failure is kept. */
void shunt_messages_post(struct shunt_messages *messages, bool receive, void *bytes, int64_t count, int peer, int tag);

/* Completes the message that was posted as number `index`, from 0. Returns its error, which is kept as well. */
int shunt_messages_wait_one(struct shunt_messages *messages, int index);

/* Completes all that was posted. Returns the first error of these messages, which is kept as well. */
int shunt_messages_wait(struct shunt_messages *messages);

/* The phase that data messages of a round (steps first..last-1) belong to: between nodes if any partner is on another one. */
enum shunt_phase shunt_messages_phase(const struct shunt_messages *messages, uint32_t first, uint32_t last);

#endif
