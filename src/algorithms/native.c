/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * native.c: the MPI library's own implementation, through PMPI. What every other algorithm is
 * measured against.
 */
#include "algorithms/rows.h"

const struct shunt_algorithm shunt_algorithm_native = {
    .name = "native",
    .summary = "the MPI library's own implementation",
    .when = "whenever nothing below was measured to be faster",
    .citation = "-",
    .kind = SHUNT_KIND_NATIVE,
    .ops = SHUNT_OP_BOTH,
};
