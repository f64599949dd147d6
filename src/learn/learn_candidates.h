/* SPDX-License-Identifier: BSD-3-Clause */
/* learn_candidates.h: what is known of the candidates of learn.h, and what trials may cost; shared
 * by the ways in which windows are planned (learn.c, learn_guard.c). Pure. */
#ifndef SHUNT_LEARN_LEARN_CANDIDATES_H
#define SHUNT_LEARN_LEARN_CANDIDATES_H

#include "learn/learn.h"

enum {
    SHUNT_LEARN_FEW = 3,         /* times without which nothing is said of a candidate */
    SHUNT_LEARN_LONG_RUN = 8,    /* calls of a run where short ones do not tell */
    SHUNT_LEARN_FIRST_REST = 500 /* calls until the next look, the first time; doubled each time */
};

struct shunt_times shunt_learn_times(const struct shunt_learn_candidate *candidate);
void shunt_learn_keep(struct shunt_learn_candidate *candidate, int64_t time);
bool shunt_learn_usable(const struct shunt_learn *learn, int candidate);
/* Begins to look at all candidates anew. */
void shunt_learn_forget(struct shunt_learn *learn);

/* Whether candidate a is faster than candidate b beyond doubt: by a twentieth, by over three
 * deviations, for there are many looks; by a sixth, by over two, for waiting costs that as well.
 * Where little is known, always and by a third, or twice as fast as the library's own, which is
 * looked at again. */
bool shunt_learn_beats(const struct shunt_learn *learn, int a, int b);
/* How many times as long as by the current candidate a call takes by the library's own; 1 to 8. */
int64_t shunt_learn_gain(const struct shunt_learn *learn);

/* One more run of the window that is planned; the window is put off until it can be paid. */
void shunt_learn_add(struct shunt_learn *learn, int candidate);
void shunt_learn_afford(struct shunt_learn *learn);
/* Calls of a candidate that can be paid now, up to `most`. */
int64_t shunt_learn_payable(const struct shunt_learn *learn, int candidate, int64_t most);

/* Calls since the last time went by the current candidate, or might as well have done so. */
void shunt_learn_count_calls(struct shunt_learn *learn);
void shunt_learn_change(struct shunt_learn *learn, int candidate);
/* The more the current candidate gains, the more a look at another costs, and the less it promises;
 * what looks at a rule cost puts them off by itself. */
void shunt_learn_put_off(struct shunt_learn *learn);
/* Nothing is tried for a while, which is twice as long the next time. */
void shunt_learn_rest(struct shunt_learn *learn);

#endif
