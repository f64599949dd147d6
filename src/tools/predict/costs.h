/* SPDX-License-Identifier: BSD-3-Clause */
/* costs.h: what all settings of a list cost in one call, and which need not be predicted. */
#ifndef SHUNT_PREDICT_COSTS_H
#define SHUNT_PREDICT_COSTS_H

#include "tools/predict/cost.h"

enum shunt_costs_state {
    SHUNT_COSTS_KNOWN,
    SHUNT_COSTS_LARGE, /* too many messages */
    SHUNT_COSTS_WORSE  /* cannot be the choice: where nothing but the choice is asked for */
};

struct shunt_costs {
    enum shunt_costs_state *state; /* arrays of the list's count, owned */
    struct shunt_cost *cost;
};

/* An exit code, after saying what is wrong. The same costs whatever the number of processors; which
 * are worse than the choice, and so unknown, may differ. Release in any case. */
int shunt_costs_make(struct shunt_costs *costs, const struct shunt_predict *predict,
                     const struct shunt_case *c, const struct shunt_candidates *list);
void shunt_costs_clear(struct shunt_costs *costs);

#endif
