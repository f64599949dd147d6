/* SPDX-License-Identifier: BSD-3-Clause */
/* run_state.h: for the files that run programs: the ranks themselves (run.c), their messages
 * (run_messages.c), their processors (run_processors.c). */
#ifndef SHUNT_MODEL_RUN_STATE_H
#define SHUNT_MODEL_RUN_STATE_H

#include "model/queue.h"
#include "model/run.h"

enum shunt_run_doing {
    SHUNT_RUN_GOING,    /* or due */
    SHUNT_RUN_WAITING,  /* for messages */
    SHUNT_RUN_BARRIER,  /* for the node */
    SHUNT_RUN_AWAITING, /* a leader */
    SHUNT_RUN_DONE
};

struct shunt_run_rank {
    double clock;                   /* seconds */
    double free[SHUNT_LEVEL_COUNT]; /* when it may inject again */
    double injected;                /* when the last long message of the round was out */
    double taken;                   /* when the card has taken what came, where it does that */
    double due;                     /* time of the processor that it takes before it goes on */
    const uint32_t *at, *end;       /* of the program */
    /* What stands at `at`, and where the next message goes: copies, made as early as they can be,
     * for programs of many ranks are in no cache when they are needed. */
    uint32_t word, to, slot;
    uint32_t part;                /* of a word that stands for several */
    uint32_t sent, posted, round; /* messages; receives; receives before this round */
    uint32_t missing;             /* posted, and not yet on their way */
    uint32_t flying;              /* long messages that are not yet injected */
    uint32_t barriers, raised;    /* passed; up to which the leader's work is done */
    uint32_t awaited;             /* leader */
    double raised_at;
    uint32_t pending; /* first long message without a receive, + 1 */
    int64_t bytes;    /* of messages */
    enum shunt_run_doing doing;
    bool waits_for_processor; /* when it is due */
};

/* A message longer than `eager`, until it is injected. */
struct shunt_run_long {
    uint32_t sender, receiver, slot, number, next;
    enum shunt_level level;
    int64_t bytes;
    double ready; /* when its receiver knows of it */
};

struct shunt_run_node {
    double sends, receives; /* when the cards are free for either */
    int ranks, arrived;     /* at the barrier */
    double last;
};

/* The processors of a node, or of nodes that share them. */
struct shunt_run_pool {
    int ranks, free;
    int queued, first; /* ranks that wait for one: a ring of `ranks` */
    uint32_t *queue;
};

struct shunt_message_in {
    double at, overhead;
};

struct shunt_run {
    const struct shunt_program *program;
    const struct shunt_machine *machine;
    const struct shunt_layout *layout;
    struct shunt_queue queue;
    double now; /* time of what is happening, where `ordered`, and its generation */
    uint32_t generation;
    struct shunt_run_rank *rank; /* array of period */
    struct shunt_run_node *node; /* array of nodes */
    struct shunt_run_pool *pool; /* array of pools: node n is one of pool n / sharing */
    int pools, sharing;
    /* Of every receive, at first[rank] + number: when its message arrives (not negative), when it
     * was posted (negative), or -INFINITY: neither has happened. */
    double *arrival;
    double *taking; /* of a processor, for the message that arrives there; NULL: o of its level */
    size_t *first;
    struct shunt_run_long *longs;                  /* array of long_capacity */
    uint32_t long_count, long_capacity, long_free; /* the first free one, + 1 */
    struct shunt_message_in *in;                   /* the messages of one round */
    struct shunt_run_record *record;               /* or NULL: nobody asks */
    double latency[SHUNT_LEVEL_COUNT];             /* with so many nodes */
    double card_byte; /* of a card for each byte, also where the network leaves it less */
    bool ordered;     /* ranks share more than messages: the earliest one goes on */
    bool limited;     /* processors are fewer than ranks */
    bool failed;      /* memory is short */
};

static inline const struct shunt_link *shunt_run_link(const struct shunt_run *run,
                                                      enum shunt_level level)
{
    return &run->machine->link[level];
}

/* run_record.c, where it is asked for: room, false when memory is short; the rank is about to go on
 * at its word, or is through; it hands over a message; and all is done. */
bool shunt_run_record_prepare(struct shunt_run *run);
void shunt_run_note(struct shunt_run *run, uint32_t rank);
void shunt_run_note_send(struct shunt_run *run, uint32_t rank);
void shunt_run_record_end(struct shunt_run *run);

/* The generation of what comes about at `time`. */
static inline uint32_t shunt_run_generation(const struct shunt_run *run, double time)
{
    return time > run->now ? 0 : run->generation + 1;
}

/* The rank goes on at its clock. */
void shunt_run_put(struct shunt_run *run, uint32_t rank);
/* The rank has to wait: its processor is somebody else's. */
void shunt_run_release(struct shunt_run *run, uint32_t rank);
/* The rank goes on at `time`, with `work` seconds of a processor first. */
void shunt_run_wake(struct shunt_run *run, uint32_t rank, double time, double work);
/* A rank that is due: whether it has a processor; if not, it will be due again. */
bool shunt_run_acquire(struct shunt_run *run, uint32_t rank);

/* Posts all that the word says. */
void shunt_run_post(struct shunt_run *run, uint32_t rank, uint32_t count);
void shunt_run_send(struct shunt_run *run, uint32_t rank, enum shunt_level level);
/* Injects a long message that is due. */
void shunt_run_inject_long(struct shunt_run *run, uint32_t number);
/* Ends the round if all messages are on their way, otherwise the rank waits. True: it goes on. */
bool shunt_run_wait(struct shunt_run *run, uint32_t rank);

#endif
