/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * choose.h: which algorithm for which block sizes, where no rule says so: by what the model
 * predicts, and only where it predicts so much that it may be wrong.
 *
 * Descriptions of machines are measured, or taken from papers. So a candidate is held against the
 * library's own in the worst case of a box: the description may be wrong by the factor
 * SHUNT_CHOOSE_BOX either way in each of L, o, g, G of either level, in copies, reads, barriers,
 * turns, cards and energies, by different amounts for the two sides. It is chosen where even then
 * native costs at least `margin` times as much. choose.c says why that needs one prediction each.
 *
 * All ranks come to the same: nothing but the request goes in, work is bounded by counts of events
 * and never by time, and figures are sums, products and quotients in one order.
 */
#ifndef SHUNT_MODEL_CHOOSE_H
#define SHUNT_MODEL_CHOOSE_H

#include "model/cost.h"

/* Raised whenever the same request may get another answer: ranks whose libraries differ in it must
 * not choose by the model together. */
enum { SHUNT_CHOOSE_VERSION = 4 };

/* What is to be little: weights, in this order. */
enum shunt_objective {
    SHUNT_OBJECTIVE_TIME,
    SHUNT_OBJECTIVE_ENERGY,
    SHUNT_OBJECTIVE_MEMORY,
    SHUNT_OBJECTIVE_COUNT
};

/* "time", "energy", "memory". */
const char *shunt_objective_name(enum shunt_objective objective);

#define SHUNT_CHOOSE_BOX 1.5

/* The largest block that is looked at: above it all is native. */
enum { SHUNT_CHOOSE_LARGEST = 65536 };
enum { SHUNT_CHOOSE_GAIN_MOST = 1000 };

struct shunt_choose {
    const struct shunt_machine *machine; /* NULL: all is native */
    enum shunt_op op;
    const struct shunt_layout *layout;
    int64_t memory; /* bytes of scratch that a rank may take; negative: any number */
    double margin;  /* >= 1 */
    /*
     * Costs are shares of native's, added up by these weights (not negative, not all 0; their sum
     * counts as 1). Native's time and energy are predicted; of memory the buffers of the program
     * are native's share, and scratch comes on top: by memory alone all is native. An energy of
     * native of 0 (none described) says nothing either way.
     */
    double weight[SHUNT_OBJECTIVE_COUNT];
};

/* What is done for blocks of `from` bytes and more. */
struct shunt_choice {
    int64_t from;
    const struct shunt_algorithm *algorithm; /* never NULL */
    struct shunt_params params;
    /* Native's predicted cost over this one's, at most SHUNT_CHOOSE_GAIN_MOST: the least at the
     * sizes that were looked at; native: 0 */
    double gain;
};

/* Sizes that are looked at: powers of 4, both sides of where the library or its messages change,
 * and some between winners; a range for each, and one for what lies between two. */
enum {
    SHUNT_CHOOSE_SIZES = 9 + 2 * 4,
    SHUNT_CHOOSE_SPOTS = SHUNT_CHOOSE_SIZES + 8,
    SHUNT_CHOICES_MOST = 2 * SHUNT_CHOOSE_SPOTS + 1
};

struct shunt_choices {
    size_t count;                                   /* >= 1 */
    struct shunt_choice choice[SHUNT_CHOICES_MOST]; /* sorted; the first from 0 */
    bool limited;  /* more work might have found more: it was used up */
    uint64_t work; /* events that were built or run, about: what it cost */
};

/* The most work of one choice, which `choices->work` is never above. */
uint64_t shunt_choose_limit(int ranks);

/* Returns 0, or -1 when memory is short or this thread's arithmetic is not the usual one (rounding,
 * numbers near 0): then `choices` is all native. No rank may go on with that unless all others hear
 * of it. */
int shunt_choose(struct shunt_choices *choices, const struct shunt_choose *ask);

#endif
