/* SPDX-License-Identifier: BSD-3-Clause */
/* nearness.h: whether a number is what it should be, about. */
#ifndef SHUNT_TESTS_NEARNESS_H
#define SHUNT_TESTS_NEARNESS_H

#include <stdbool.h>

/* Within that share of `wanted`; says so where it is not. */
bool near(double value, double wanted, double share);

#endif
