/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run.h: runs the programs of ranks against each other.
 *
 * Always the rank with the earliest clock goes on. What a message takes, with the names of
 * machine.h: its sender's processor o; its injection begins when the rank's last one is done, no
 * earlier than g after it, and, between nodes, when the cards of the node are free; L and s * G
 * later, and when the cards of the other node have taken it in, it is there. A message longer than
 * `eager` asks first, and is injected L after the answer of a receiver who has posted its receive.
 * The receiver takes o for each message of a round, in the order in which they come.
 *
 * Where processors are fewer than the ranks of a node, a rank keeps one until it has to wait for
 * somebody; who waits for a processor gets it in the order of asking.
 */
#ifndef SHUNT_MODEL_RUN_H
#define SHUNT_MODEL_RUN_H

#include "model/program.h"

/* When things happened in a run, in seconds. Rank p has the numbers from first_*[p] on. */
struct shunt_run_record {
    size_t *first_word, *first_send, *first_receive; /* arrays of period + 1 */
    double *begun;   /* when each word was begun; one more for each rank: when it was done */
    double *sent;    /* when each message was handed over */
    double *arrived; /* and when each was in its receiver's memory */
};

/* *time: seconds until the last rank is done. record: to be filled, and released in any case, or
 * NULL. */
enum shunt_cost_result shunt_run(double *time, const struct shunt_program *program,
                                 const struct shunt_machine *machine,
                                 const struct shunt_layout *layout,
                                 struct shunt_run_record *record);
void shunt_run_record_clear(struct shunt_run_record *record);

#endif
