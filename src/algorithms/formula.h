/* SPDX-License-Identifier: BSD-3-Clause */
/* formula.h: numbers of rules and of the registry that may depend on the layout, such as sqrt(P).
 */
#ifndef SHUNT_ALGORITHMS_FORMULA_H
#define SHUNT_ALGORITHMS_FORMULA_H

#include <stdint.h>

#include "schedule/layout.h"

/* A number that may depend on the layout. Q is ppn_max. Square roots are rounded up. */
enum shunt_formula {
    SHUNT_FORMULA_NUMBER,
    SHUNT_FORMULA_P,
    SHUNT_FORMULA_Q,
    SHUNT_FORMULA_N,
    SHUNT_FORMULA_SQRT_P,
    SHUNT_FORMULA_SQRT_Q,
    SHUNT_FORMULA_P_LESS_1, /* bounds only: P - 1 */
    SHUNT_FORMULA_N_LESS_1, /* bounds only: N - 1 */
    SHUNT_FORMULA_REMOTE,   /* bounds only: (N - 1) * Q */
    SHUNT_FORMULA_GIB       /* bounds only: 1 GiB, the longest message */
};

struct shunt_value {
    enum shunt_formula formula;
    int64_t number; /* for SHUNT_FORMULA_NUMBER */
};

int64_t shunt_value_eval(struct shunt_value value, const struct shunt_layout *layout);

#endif
