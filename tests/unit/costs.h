/* SPDX-License-Identifier: BSD-3-Clause */
/* costs.h: what the tests of the cost model share: a call with its layout and machine. */
#ifndef SHUNT_TESTS_COSTS_H
#define SHUNT_TESTS_COSTS_H

#include "model/cost.h"
#include "radices.h"

struct costed {
    struct shunt_machine machine;
    struct shunt_layout layout;
    struct shunt_params params;
    struct shunt_cost_call call; /* of the above */
};

/* `ranks` on `nodes` alike, on the machine of the paper; an algorithm with its presets but for the
 * radix, if that is not 0. */
void costed_begin(struct costed *costed, int ranks, int nodes);
void costed_algorithm(struct costed *costed, const char *name, enum shunt_op op, int64_t radix,
                      int64_t block);
void costed_end(struct costed *costed);

/* The cost, which there must be. */
struct shunt_cost costed_predict(const struct costed *costed);

/* Within a part of the value. */
void expect_near(double found, double wanted, double part);

#endif
