/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * learn.h: which of a few algorithms for calls of one operation and one class of sizes, found while
 * a program runs, by times of its own calls.
 *
 * Candidate 0 is the library's own algorithm, then come others, the most promising first. Calls go
 * by the candidate that is current, and some, in windows, by others in turn with it, a run of calls
 * each: the first call of a run waits for ranks that the call before it left at different times, so
 * the other ones are what counts. Every rank takes the times of a window; the maximum over ranks is
 * what counts, and only that: decisions are integer arithmetic on values that all ranks have alike,
 * so that all come to the same.
 *
 * What trials cost more than calls of the current candidate stays below 1/SHUNT_LEARN_SHARE of the
 * time of all calls, as far as it can be known before a trial: what trials saved may be spent as
 * well. A candidate without times yet is expected to take a third more, or, where it is promised,
 * no more, as long as promises are kept. A candidate is dropped where it takes over
 * SHUNT_LEARN_DROP times what the library takes. The current candidate changes where another's
 * times rank below its own beyond doubt (no distribution is taken for granted), and one that seems
 * to gain is held against it before further ones are tried; where it gains threefold these wait for
 * the next look. Then the library's own is looked at again rarely, the more so the more was gained:
 * where that has become as fast, it is current again. A rule of a table is held against the
 * library's own alone, from its first call on, until it has proved itself or is left:
 * learn_guard.h. Pure: no clock, no MPI, no memory of its own.
 */
#ifndef SHUNT_LEARN_LEARN_H
#define SHUNT_LEARN_LEARN_H

#include "route/times.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    SHUNT_LEARN_CANDIDATES = 6,          /* the library's own included */
    SHUNT_LEARN_KEPT = SHUNT_TIMES_MOST, /* times of a candidate, the last ones */
    SHUNT_LEARN_WINDOW = 10,             /* runs, at most */
    SHUNT_LEARN_RUN = 3,                 /* calls, where nothing is known yet */
    SHUNT_LEARN_SAID = 2 * SHUNT_LEARN_WINDOW + 1,
    SHUNT_LEARN_SHARE = 50,
    SHUNT_LEARN_DROP = 3
};

/* The time of a call that its candidate could not carry out: it is dropped. */
#define SHUNT_LEARN_LOST (INT64_MAX / 4)

struct shunt_learn_candidate {
    int64_t times[SHUNT_LEARN_KEPT]; /* nanoseconds, as a ring */
    uint32_t count;                  /* of all that were ever kept since the last look began */
    bool made;                       /* a run went by it: the first one makes what it needs */
    bool fresh;    /* that run's time alone is there, and the next takes its place */
    bool promised; /* it is known beforehand to take less, as far as anybody can know */
    bool dropped;  /* until the next look */
    bool lost;     /* for good */
};

enum shunt_learn_phase {
    SHUNT_LEARN_BASE,  /* the library's own is timed */
    SHUNT_LEARN_LOOK,  /* candidates are tried */
    SHUNT_LEARN_REST,  /* nothing is tried */
    SHUNT_LEARN_CHECK, /* the library's own is held against the current candidate again */
    SHUNT_LEARN_PROVE  /* a rule is held against the library's own: learn_guard.h */
};

/* Of a rule that has to prove itself. The numbers are told to other ranks. */
enum shunt_learn_verdict { SHUNT_LEARN_OPEN, SHUNT_LEARN_PROVEN, SHUNT_LEARN_LEFT };

struct shunt_learn {
    enum shunt_learn_phase phase;
    int candidate_count, current;
    struct shunt_learn_candidate candidates[SHUNT_LEARN_CANDIDATES];
    int64_t calls;         /* so far, those of a window included */
    int64_t counted;       /* calls whose time is in `base` */
    int64_t base;          /* nanoseconds of all calls by the then current candidate, about */
    int64_t spent, earned; /* nanoseconds of trials above, and below, that */
    int64_t until;         /* number of calls before which there is no window */
    int64_t agreement;     /* nanoseconds of the last one, of this rank alone */
    int64_t natives;       /* calls of windows that went by the library's own */
    bool guards;           /* candidate 1 is a rule's, which has to prove itself */
    bool measured;         /* somebody has measured it here: it stays where nothing is clear */
    bool decided;          /* whether it did has been decided */
    bool contented;        /* the current candidate gained so much that others had to wait */
    bool anew;             /* the next window replaces what is known of its candidates */
    int64_t interval;      /* calls between two looks */
    uint32_t changes;      /* of the current candidate */
    int plan[SHUNT_LEARN_WINDOW]; /* candidates of the window's runs */
    int run;                      /* calls of each of its runs */
    int length, at, turn; /* its runs, 0: there is none; runs that were made; calls of the next */
    /*
     * Nanoseconds of this rank, to become the maximum over ranks: `length` times of a call of each
     * run; `length` times of all calls of a run; and of the last agreement, negative, for the rank
     * that came last is the one for which nobody waited.
     */
    int64_t said[SHUNT_LEARN_SAID];
};

/*
 * candidate_count: with the library's own, at most SHUNT_LEARN_CANDIDATES. before: calls that went
 * by it until now. current: the candidate that was learnt before, which is checked as any other
 * that won; 0: none.
 */
void shunt_learn_begin(struct shunt_learn *learn, int candidate_count, int64_t before, int current);

/*
 * Likewise where candidate 1 is what a rule says, and has to prove itself. known: what was decided
 * about such calls before; measured: on these machines, by somebody who compared it with the
 * library's own, so that one window will do.
 */
void shunt_learn_guard(struct shunt_learn *learn, enum shunt_learn_verdict known, bool measured);
enum shunt_learn_verdict shunt_learn_verdict(const struct shunt_learn *learn);

/* Before a candidate is tried: all ranks expect it to take less than the library's own. */
static inline void shunt_learn_promise(struct shunt_learn *learn, int candidate)
{
    learn->candidates[candidate].promised = true;
}

/* The candidate of the next call, and whether its time is to be taken. */
int shunt_learn_next(const struct shunt_learn *learn, bool *timed);

/*
 * The call was made; `took` where its time was to be taken, and SHUNT_LEARN_LOST in any case where
 * its candidate could not carry it out, as all ranks know. True: with it a window ends. Then all
 * ranks take the maximum of said[0 .. shunt_learn_count - 1], in place, and tell the result by
 * shunt_learn_close, with what this rank's part in that took in nanoseconds.
 */
static inline int shunt_learn_count(const struct shunt_learn *learn)
{
    return 2 * learn->length + 1;
}
bool shunt_learn_made(struct shunt_learn *learn, int64_t took);
void shunt_learn_close(struct shunt_learn *learn, int64_t agreement);

/* Calls that may go by the current candidate without anybody asking; 0: a window is open. */
static inline int64_t shunt_learn_quiet(const struct shunt_learn *learn)
{
    return learn->length > 0 ? 0 : learn->until - learn->calls;
}
/* So many did. */
void shunt_learn_skip(struct shunt_learn *learn, int64_t calls);

/* The median of a candidate's times; 0: there are none. */
int64_t shunt_learn_median(const struct shunt_learn *learn, int candidate);

#endif
