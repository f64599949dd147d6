/* SPDX-License-Identifier: BSD-3-Clause */
/* formula.c: parameters that depend on the layout, such as "sqrt(P)" and "QxN": names, reading,
 * values. */
#include "algorithms/formula.h"

/* Square root of n >= 0, rounded up: as a radix it tells n ranks apart by two digits. */
static int64_t root(int64_t n)
{
    int64_t r = 0;
    while (r * r < n)
        r++;
    return r;
}

int64_t shunt_value_eval(struct shunt_value value, const struct shunt_layout *layout)
{
    const int64_t P = layout->ranks, N = layout->nodes, Q = layout->ppn_max;
    switch (value.formula) {
    case SHUNT_FORMULA_NUMBER:
        return value.number;
    case SHUNT_FORMULA_P:
        return P;
    case SHUNT_FORMULA_Q:
        return Q;
    case SHUNT_FORMULA_N:
        return N;
    case SHUNT_FORMULA_SQRT_P:
        return root(P);
    case SHUNT_FORMULA_SQRT_Q:
        return root(Q);
    case SHUNT_FORMULA_P_LESS_1:
        return P - 1;
    case SHUNT_FORMULA_N_LESS_1:
        return N - 1;
    case SHUNT_FORMULA_REMOTE:
        return (N - 1) * Q;
    case SHUNT_FORMULA_GIB:
        return INT64_C(1) << 30;
    }
    return 0;
}
