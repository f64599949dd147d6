/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * messages.h: the messages of one round, for executors of schedules.
 *
 * A failure on one rank (packing that did not work, a message that came to nothing) must not reach
 * others as data. A rank that has failed goes on with the exchange, for others wait for its
 * messages, but sends empty ones from then on; an empty message where none can be empty makes its
 * receiver fail likewise. So the failure goes the way that wrong data would have gone.
 */
#ifndef SHUNT_EXECUTE_MESSAGES_H
#define SHUNT_EXECUTE_MESSAGES_H

#include "execute/plan.h"
#include "process/errors.h"

struct shunt_messages {
    struct shunt_comm *comm;
    struct shunt_plan *plan; /* whose requests are used */
    int requests;            /* in flight */
    int status;              /* first error of any message, or of whatever else was told */
    bool broken;             /* what this rank has for others cannot be relied on */
};

static inline void shunt_messages_begin(struct shunt_messages *messages, struct shunt_comm *comm,
                                        struct shunt_plan *plan)
{
    messages->comm = comm;
    messages->plan = plan;
    messages->requests = 0;
    messages->status = comm->broken ? MPI_ERR_OTHER : MPI_SUCCESS;
    messages->broken = comm->broken;
}

/* An error that is this rank's alone: of what it has received for its own user. */
static inline void shunt_messages_keep(struct shunt_messages *messages, int status)
{
    messages->status = shunt_error_first(messages->status, status);
}

/* An error that others have to learn of. */
static inline void shunt_messages_break(struct shunt_messages *messages, int status)
{
    if (__builtin_expect(status != MPI_SUCCESS, 0)) {
        messages->broken = true;
        shunt_messages_keep(messages, status);
    }
}

/*
 * Posts one message, also of 0 bytes; received with more, it must not be empty. Returns its status;
 * a failure breaks the run, and with it the communicator: from now on messages there may be those
 * of other calls.
 */
int shunt_messages_post_one(struct shunt_messages *messages, bool receive, void *bytes, int count,
                            int peer, int tag);

/* Posts a message in pieces of at most SHUNT_MESSAGE_MAX; nothing for 0 bytes. Failures as above.
 */
void shunt_messages_post(struct shunt_messages *messages, bool receive, void *bytes, int64_t count,
                         int peer, int tag);

/* The same for data that this rank sends: as many pieces, but empty ones if it has failed. */
void shunt_messages_send(struct shunt_messages *messages, void *bytes, int64_t count, int peer);

/* Completes the message that was posted as number `index`, from 0. Returns its error, which breaks
 * the run. */
int shunt_messages_wait_one(struct shunt_messages *messages, int index);

/* Completes all that was posted. Returns the first error of these messages, which breaks the run.
 */
int shunt_messages_wait(struct shunt_messages *messages);

/* The phase that gathering the messages of a round belongs to: blocks of neighbours are put
 * together for other nodes by algorithms that exchange inside nodes first. (Single ones are not:
 * they are only sent.) */
enum shunt_phase shunt_messages_gathering(const struct shunt_messages *messages, uint32_t first,
                                          uint32_t last);

/* The phase that data messages of a round (steps first..last-1) belong to: between nodes if any
 * partner is on another one. */
enum shunt_phase shunt_messages_phase(const struct shunt_messages *messages, uint32_t first,
                                      uint32_t last);

#endif
