/* SPDX-License-Identifier: BSD-3-Clause */
/* shown.h: what the parts of `shunt schedule` share: the call that is shown, and the events of
 * one rank with their places in it. */
#ifndef SHUNT_TOOLS_SHOWN_H
#define SHUNT_TOOLS_SHOWN_H

#include "events/sizes.h"
#include "model/trace.h"
#include "tools/common/effort.h"
#include "tools/common/question.h"

/* Blocks of different sizes. */
struct shunt_counts {
    int64_t *bytes; /* owned; at source * ranks + destination; NULL: all blocks are equal */
    struct shunt_event_sizes sizes;
};

struct shunt_shown {
    const struct shunt_question *question;
    const struct shunt_table *table; /* of the one rule that names the algorithm */
    const struct shunt_decision *decision;
    const struct shunt_counts *counts;
    const struct shunt_carried *carried; /* what messages carry; NULL: nobody asks for moves */
    /* When events are done, and on which machine; NULL: nobody asks for it. */
    const struct shunt_trace *trace;
    const struct shunt_machine *machine;
    bool agrees; /* ranks agree about sizes in this call */
};

/* Where in a call an event happens. */
enum shunt_part {
    SHUNT_PART_AGREEMENT,
    SHUNT_PART_BEFORE, /* the first round */
    SHUNT_PART_ROUND,
    SHUNT_PART_READS, /* instead of rounds, where blocks are read from neighbours */
    SHUNT_PART_AFTER  /* the last round */
};

/* One rank's events, in order: those of the agreement end at `agreed`, those before the rounds at
 * `before`, those of the rounds at `after`. */
struct shunt_shown_rank {
    int rank;
    struct shunt_events events; /* owned */
    size_t agreed, before, after;
    struct shunt_effort effort;
};

/* The call as events are asked for; it is only good while what is shown is. */
struct shunt_event_call shunt_shown_events(const struct shunt_shown *call);
/* Returns 0, or -1 when memory is short. Release in any case. */
int shunt_shown_build(struct shunt_shown_rank *shown, const struct shunt_shown *call, int rank);
void shunt_shown_clear(struct shunt_shown_rank *shown);

static inline enum shunt_part shunt_shown_part(const struct shunt_shown_rank *shown, size_t event)
{
    return event < shown->agreed       ? SHUNT_PART_AGREEMENT
           : event < shown->before     ? SHUNT_PART_BEFORE
           : event >= shown->after     ? SHUNT_PART_AFTER
           : shown->events.rounds == 0 ? SHUNT_PART_READS
                                       : SHUNT_PART_ROUND;
}

/* What an event does: a word for programs, and for people a phrase that ends with which end of a
 * peer it is. */
const char *shunt_shown_word(enum shunt_event_kind kind);
const char *shunt_shown_phrase(enum shunt_event_kind kind);

/* text.c: for people; the call first, then each rank. */
void shunt_shown_print(const struct shunt_shown *call);
void shunt_shown_print_rank(const struct shunt_shown *call, const struct shunt_shown_rank *shown);

/* json.c: for programs, as schedule.schema.json describes it; one document: the beginning,
 * each rank, the end. */
void shunt_shown_json_begin(const struct shunt_shown *call, struct shunt_json *json);
/* Returns 0, or -1 when memory is short. */
int shunt_shown_json_rank(const struct shunt_shown *call, const struct shunt_shown_rank *shown,
                          struct shunt_json *json);
void shunt_shown_json_end(struct shunt_json *json);

/* counts.c: reads the file of the question, whose block becomes the largest: an exit code, or, once
 * the algorithm is known, 0, or -1 when memory is short. Release in any case. */
int shunt_counts_read(struct shunt_counts *counts, struct shunt_question *question);
int shunt_counts_prepare(struct shunt_counts *counts, const struct shunt_shown *call);
void shunt_counts_clear(struct shunt_counts *counts);

/* sweep.c: rounds and volume for every radix. Returns an exit code. */
int shunt_sweep_radix(const struct shunt_shown *call);

#endif
