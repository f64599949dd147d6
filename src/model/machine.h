/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * machine.h: what a machine is to the cost model: LogGP (Alexandrov et al. 1995) for the ranks of a
 * node and for those of different nodes, what happens inside a node, and energy as in Hoefler and
 * Moor 2014, section 2.
 *
 * Plain data without pointers, of a fixed size: a part of tables that are sent between ranks. Times
 * are in seconds, energies in joules, sizes in bytes, powers in watts. Files spell them with the
 * unit in the key: latency_us, byte_ns, message_pj (src/route/machine.c, man 5 shunt-machine).
 */
#ifndef SHUNT_MODEL_MACHINE_H
#define SHUNT_MODEL_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

/* Where the two ends of a message are. */
enum shunt_level {
    SHUNT_LEVEL_INSIDE,  /* a node */
    SHUNT_LEVEL_BETWEEN, /* nodes */
    SHUNT_LEVEL_COUNT
};

/* A message of s bytes takes o + s * O at its sender, then L + s * G on the way, then o + s * O at
 * its receiver: LogGP, with O as in LogGOPS (Hoefler et al. 2010). */
struct shunt_link {
    double latency;       /* L: from one end to the other */
    double overhead;      /* o: of a processor, for each message sent, and for each received */
    double overhead_byte; /* O: of a processor, for each byte sent, and for each received */
    double gap;    /* g: least time between the beginnings of two messages that a rank sends */
    double byte;   /* G: per byte */
    int64_t eager; /* longer messages wait until their receiver is ready (rendezvous) */
    double message_energy, byte_energy; /* e, E */
    /* Of a processor at each end of a message longer than `eager`, beside o: the request, the
     * answer, and the memory that is made known to the card. */
    double rendezvous;
};

/* Seconds of a processor at either end of a message of so many bytes. */
static inline double shunt_link_work(const struct shunt_link *link, double bytes)
{
    return link->overhead + bytes * link->overhead_byte +
           (bytes > (double)link->eager ? link->rendezvous : 0);
}

/* Who draws static power while a call runs. */
enum shunt_power {
    SHUNT_POWER_JOB, /* the whole job once: the formula L = T * P + D read literally */
    SHUNT_POWER_CARD /* every network card of every node: what its text says of 0.5 W */
};

/* What the MPI library does in MPI_Alltoallv. */
enum shunt_native_alltoallv {
    SHUNT_NATIVE_SCATTERED, /* MPICH: native_throttle messages in flight */
    SHUNT_NATIVE_PAIRWISE,  /* Open MPI, by default: one message, then the next */
    SHUNT_NATIVE_LINEAR     /* Open MPI's "basic linear": all at once */
};

struct shunt_machine {
    char name[64];
    char library[64]; /* the MPI library that was measured or is assumed */
    struct shunt_link link[SHUNT_LEVEL_COUNT];

    /* The numbers were fitted to exchanges of all ranks. Each of them then is what the others leave
     * over, so that no two of them need be in the order that their names suggest. */
    bool fitted;

    /* Copies in the rank's own memory or the node's: each block, and each byte. */
    double copy_block, copy_byte;
    /* Reads from the memory of a neighbour: each block, and each byte. */
    double read_block, read_byte;
    /* A message is looked for among the receives that are posted, or a receive among the messages
     * that came before it: this for each one that is passed, half of them on the way. */
    double match;
    /*
     * What a message takes longer at each end because it is a derived datatype over blocks in
     * several places: for itself, for each block, and for each byte. Libraries copy long pieces of
     * a type as quickly as others: blocks of type_long bytes and more take none of this. Types
     * themselves are made once for each buffer and are no part of a call that repeats.
     */
    double type_message, type_block, type_byte;
    int64_t type_long;
    /* A barrier of Q ranks of a node ends barrier_start + Q * barrier_rank after its last rank. */
    double barrier_start, barrier_rank;

    /* Processors of a node that ranks may use; 0: one for each rank. Where ranks outnumber them
     * they take turns, and a rank that has waited pays `turn` to go on. */
    int32_t processors;
    double turn;
    /* So many nodes in a row share these processors: containers of one machine, for example. 0, 1:
     * none does. */
    int32_t sharing;

    /* What a network card takes for each message that it sends, and for each byte that it sends or
     * takes in; those of a node share the work evenly. 0: no limit. */
    int32_t cards; /* of a node, >= 1 */
    double card_message, card_byte;
    /*
     * A loaded network: in jobs of more than network_nodes nodes a message between nodes takes
     * network_latency longer, for it waits in queues, and a byte takes a node at least network_byte
     * to send and to take in, for the links between nodes are shared. 0: nothing, no limit.
     */
    double network_latency, network_byte;
    int32_t network_nodes;
    /* The cards take in messages by themselves, as they do where they run collectives on their own:
     * the o of a message received then passes while others are sent. */
    bool offload;

    /*
     * Native MPI_Alltoall as MPICH documents it: Bruck's algorithm for blocks of at most
     * native_short bytes among native_ranks ranks and more, then at most native_throttle messages
     * in flight, then, above native_medium, pairwise exchange. MPI_Alltoallv: by native_alltoallv,
     * whatever the sizes.
     */
    int64_t native_short, native_medium;
    int32_t native_ranks, native_throttle;
    enum shunt_native_alltoallv native_alltoallv;

    enum shunt_power power;
    double static_power; /* of the job, or of a card */
    int64_t descriptor;  /* d: bytes of one message in an offloaded schedule */
};

/* The constants of Hoefler and Moor 2014, section 4.2, one rank per node and card; what the paper
 * says nothing of costs nothing. Native is as MPICH has it by default. */
void shunt_machine_paper(struct shunt_machine *machine);

/* In a job of so many nodes, whose network may be loaded: L of a message, and what a card takes for
 * each byte that it sends or takes in. */
double shunt_machine_latency(const struct shunt_machine *machine, enum shunt_level level,
                             int nodes);
double shunt_machine_card_byte(const struct shunt_machine *machine, int nodes);

/*
 * Whether all numbers can be meant: finite, not negative; o and L between nodes greater than 0; a
 * card and a message in flight at least; native_medium not less than native_short. Returns NULL, or
 * what is wrong, a constant string, with *key the key it is about ("between.latency_us").
 */
const char *shunt_machine_wrong(const struct shunt_machine *machine, const char **key);

#endif
