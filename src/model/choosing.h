/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * choosing.h: for the files that choose: what is known so far (choose_known.c), how more becomes
 * known (choose_bounds.c, choose_predict.c), what is looked at next (choose_look.c), and the ranges
 * that follow (choose_ranges.c).
 */
#ifndef SHUNT_MODEL_CHOOSING_H
#define SHUNT_MODEL_CHOOSING_H

#include "model/bound.h"
#include "model/candidates.h"
#include "model/choose.h"

struct shunt_figures {
    double time, energy;
    int64_t memory;
};

/* A candidate at a size. */
struct shunt_estimate {
    enum { SHUNT_ESTIMATE_UNKNOWN, SHUNT_ESTIMATE_KNOWN, SHUNT_ESTIMATE_UNUSABLE } state;
    struct shunt_figures figures;
};

/* A size that is looked at. */
struct shunt_spot {
    int64_t size;
    const struct shunt_algorithm *row; /* what native runs */
    struct shunt_params params;
    struct shunt_bound bound;        /* of that */
    struct shunt_figures native;     /* at least */
    struct shunt_estimate *estimate; /* array of candidates */
};

struct shunt_choosing {
    const struct shunt_choose *ask;
    struct shunt_candidates list;
    struct shunt_bound *bound; /* arrays of list.count: of candidates */
    bool *bounded;             /* whether there is one */
    bool *alone;               /* not all nodes' events are alike: each rank's are built */
    bool *known;               /* it was predicted for some size */
    double *promise; /* at the size that is looked at: its cost by its bound, or above 1 */
    struct shunt_estimate *estimates; /* of all spots */
    struct shunt_spot spot[SHUNT_CHOOSE_SPOTS];
    size_t spots;
    uint64_t ranks_built; /* whose events a prediction builds, where nodes are alike */
    double sum;           /* of the weights */
    uint64_t left;        /* work that may still be done */
    bool limited;         /* something was left out for want of it */
    bool failed;          /* memory was short */
};

/* choose_known.c */

/* What `mine` costs at a spot where native costs 1: as predicted, and in the worst case. */
double shunt_choosing_score(const struct shunt_choosing *c, const struct shunt_figures *mine,
                            size_t spot);
double shunt_choosing_worst(const struct shunt_choosing *c, const struct shunt_figures *mine,
                            size_t spot);
/* Whether native costs `margin` times as much; false for what is no number as well. */
bool shunt_choosing_keeps(const struct shunt_choosing *c, double worst);

/* Of a plain time: static power alone. */
struct shunt_figures shunt_choosing_of_time(const struct shunt_choosing *c, double time);
/* What native takes at a spot that was given a size and a row. */
void shunt_choosing_native(struct shunt_choosing *c, size_t spot);
/* Native was predicted to take that: no less for larger blocks while it does the same. */
void shunt_choosing_raise(struct shunt_choosing *c, size_t spot,
                          const struct shunt_figures *figures);

/* What candidate k takes at most, from what is known of larger blocks as well; NULL: not known. */
const struct shunt_figures *shunt_choosing_most(const struct shunt_choosing *c, size_t k,
                                                size_t spot);
/* And at least, without memory. */
struct shunt_figures shunt_choosing_least(const struct shunt_choosing *c, size_t k, size_t spot);
/* The one with the least cost in the worst case among those that keep the margin; list.count: none.
 * *worst: that cost. */
size_t shunt_choosing_best(const struct shunt_choosing *c, size_t spot, double *worst);
/* Whether candidate k can have the sizes between a spot and the next. */
bool shunt_choosing_bridges(const struct shunt_choosing *c, size_t k, size_t spot);

/* choose_predict.c */

/* How many ranks' events a prediction builds where nodes are alike. */
uint64_t shunt_choosing_ranks(const struct shunt_layout *layout);
/* Candidate k as a call. */
struct shunt_event_call shunt_choosing_call(const struct shunt_choosing *c, size_t k,
                                            int64_t block);
void shunt_choosing_spend(struct shunt_choosing *c, uint64_t work);
/* Whether it is allowed the *memory that it needs. */
bool shunt_choosing_fits(const struct shunt_choosing *c, size_t k, size_t spot, int64_t *memory);
/* Work to predict it at a spot, about. */
uint64_t shunt_choosing_price(const struct shunt_choosing *c, size_t k, size_t spot);
/* Predicts it, unless that was done. It has a bound. */
void shunt_choosing_predict(struct shunt_choosing *c, size_t k, size_t spot);
/* Native, if that takes no more than `allowed`. */
void shunt_choosing_predict_native(struct shunt_choosing *c, size_t spot, uint64_t allowed);

/* choose_bounds.c: of all candidates that are worth it. */
void shunt_choosing_bounds(struct shunt_choosing *c);

/* choose_look.c: predicts what is worth it, within the work that may be done. */
void shunt_choosing_look(struct shunt_choosing *c);

/* choose_ranges.c */
void shunt_choosing_ranges(struct shunt_choices *choices, const struct shunt_choosing *c);

#endif
