/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * distribution.h: how many bytes each rank sends to each other one, after the experiments of the
 * papers (Fan et al. 2022 and 2025).
 *
 * No MPI. Rows are made one at a time, so every rank makes its own and any rank could make any.
 */
#ifndef SHUNT_MEASURE_DISTRIBUTION_H
#define SHUNT_MEASURE_DISTRIBUTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum measure_shape {
    MEASURE_CONSTANT,   /* every block has S bytes: the only one for Alltoall */
    MEASURE_UNIFORM,    /* 0 .. S, all equally likely (2025, section 5.1) */
    MEASURE_NORMAL,     /* mean S*1000/1024, deviation S*240/1024, drawn again outside 0 .. S (2025,
                         figure 13a) */
    MEASURE_GEOMETRIC,  /* "power-law" of the papers: S*0.95^i, i = 0 .. P-1, each row shuffled
                         (2025,  figure 13b) */
    MEASURE_POWER,      /* density x^-exponent on 1 .. S */
    MEASURE_FFT_N1,     /* the first ceil(5P/8) ranks send S bytes to each of the first ceil(25P/32)
                         ranks, nothing else (2025, 6.1) */
    MEASURE_FFT_N2,     /* every rank sends S bytes to every rank, the last one S/4 (likewise) */
    MEASURE_NEIGHBOURS, /* S bytes to the ranks up to N / 2 before and after, nothing to others: a
                         stencil */
    MEASURE_ONE_TO_ALL, /* rank 0 sends S bytes to every rank, the others nothing */
    MEASURE_MATRIX      /* from a file */
};

struct measure_distribution {
    enum measure_shape shape;
    double exponent;  /* MEASURE_POWER */
    int neighbours;   /* MEASURE_NEIGHBOURS: even */
    const char *file; /* MEASURE_MATRIX; points into the text it was read from */
};

/* "uniform", "power:1.5", "matrix:counts.txt". False: not a distribution. */
bool measure_distribution_parse(const char *text, struct measure_distribution *distribution);
/* The same back. */
void measure_distribution_print(const struct measure_distribution *distribution, char *text,
                                size_t capacity);
/* All spellings, for messages. */
extern const char measure_distribution_names[];

/* Fills counts (array of `ranks`) with the bytes that `rank` sends, each 0 .. largest. Not for
 * MEASURE_MATRIX. */
void measure_distribution_row(const struct measure_distribution *distribution, uint64_t seed,
                              int ranks, int rank, int64_t largest, int64_t *counts);

#endif
