/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * radices.h: what the tests of schedules share: parameters and radices to try, and what the papers
 * say about digits and rounds.
 */
#ifndef SHUNT_TESTS_RADICES_H
#define SHUNT_TESTS_RADICES_H

#include <stdbool.h>
#include <stdint.h>

#include "algorithms/registry.h"

/* SHUNT_TEST_THIN=n: every n-th size only, for slow machines: valgrind, sanitizers. */
int thin(void);

/* SHUNT_TEST_FULL=1: everything. */
bool full(void);

/* The number of ranks that a sweep has after P: each up to 32, powers and their neighbours above;
 * with SHUNT_TEST_FULL=1 each. */
int next_size(int P);

/* One radix for all digits. */
struct shunt_radices one(int64_t radix);

/* As a rule with these parameters would have them on the layout. */
struct shunt_params params_of(const struct shunt_algorithm *algorithm,
                              const struct shunt_layout *layout, struct shunt_radices radices,
                              int64_t batch, enum shunt_metadata metadata);

/* Every list of up to three radices from a few numbers: those with the numbers 0 to LISTS - 1. */
enum { TRIED = 6, LISTS = TRIED + TRIED * TRIED + TRIED * TRIED * TRIED };
struct shunt_radices list(int number);

/* Digits of n, 0 for n = 0. */
int64_t digits(int64_t n, int64_t radix);
int64_t power_of(int64_t radix, int64_t exponent);

/* Fan and Kumar, equation 2; the same number as K of Fan 2025, section 3.1. */
int64_t paper_rounds(int64_t P, int64_t r);

#endif
