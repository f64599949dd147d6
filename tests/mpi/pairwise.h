/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pairwise.h: covering arrays. A few hundred rows in which every value of every dimension meets
 * every value of every other dimension.
 */
#ifndef SHUNT_TESTS_PAIRWISE_H
#define SHUNT_TESTS_PAIRWISE_H

#include <stdint.h>

#define PAIRWISE_DIMENSIONS 16

/* A well-mixed 64-bit value of x (splitmix64). */
uint64_t pairwise_hash(uint64_t x);

/*
 * Rows of `count` values, value d in 0 .. size[d]-1, such that each pair of values of two
 * dimensions is in some row. The same arguments give the same rows everywhere; another seed gives
 * other rows. Returns a malloc block of *rows * count ints.
 */
int *pairwise_rows(int count, const int *size, uint64_t seed, int *rows);

#endif
