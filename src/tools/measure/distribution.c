/* SPDX-License-Identifier: BSD-3-Clause */
/* distribution.c: see distribution.h. */
#include "tools/measure/distribution.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/measure/random.h"

static const struct {
    const char *name;
    enum measure_shape shape;
} shapes[] = {
    {"constant", MEASURE_CONSTANT},     {"uniform", MEASURE_UNIFORM}, {"normal", MEASURE_NORMAL},
    {"power-law", MEASURE_GEOMETRIC},   {"fft-n1", MEASURE_FFT_N1},   {"fft-n2", MEASURE_FFT_N2},
    {"one-to-all", MEASURE_ONE_TO_ALL},
};
#define SHAPE_COUNT (sizeof shapes / sizeof shapes[0])

const char measure_distribution_names[] = "constant, uniform, normal, power-law, power:EXPONENT, "
                                          "fft-n1, fft-n2, neighbours:N, one-to-all or matrix:FILE";

static bool parse_exponent(const char *text, double *exponent)
{
    char *end;
    *exponent = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*exponent) && *exponent > 0;
}

/* Even, so that who sends to whom is symmetrical. */
static bool parse_neighbours(const char *text, int *neighbours)
{
    char rest;
    return sscanf(text, "%9d%c", neighbours, &rest) == 1 && *neighbours > 0 && *neighbours % 2 == 0;
}

bool measure_distribution_parse(const char *text, struct measure_distribution *distribution)
{
    *distribution = (struct measure_distribution){.shape = MEASURE_CONSTANT};
    if (strncmp(text, "power:", 6) == 0) {
        distribution->shape = MEASURE_POWER;
        return parse_exponent(text + 6, &distribution->exponent);
    }
    if (strncmp(text, "neighbours:", 11) == 0) {
        distribution->shape = MEASURE_NEIGHBOURS;
        return parse_neighbours(text + 11, &distribution->neighbours);
    }
    if (strncmp(text, "matrix:", 7) == 0) {
        distribution->shape = MEASURE_MATRIX;
        distribution->file = text + 7;
        return text[7] != '\0';
    }
    for (size_t i = 0; i < SHAPE_COUNT; i++) {
        if (strcmp(text, shapes[i].name) == 0) {
            distribution->shape = shapes[i].shape;
            return true;
        }
    }
    return false;
}

void measure_distribution_print(const struct measure_distribution *distribution, char *text,
                                size_t capacity)
{
    if (distribution->shape == MEASURE_POWER)
        snprintf(text, capacity, "power:%g", distribution->exponent);
    if (distribution->shape == MEASURE_NEIGHBOURS)
        snprintf(text, capacity, "neighbours:%d", distribution->neighbours);
    if (distribution->shape == MEASURE_MATRIX)
        snprintf(text, capacity, "matrix:%s", distribution->file);
    for (size_t i = 0; i < SHAPE_COUNT; i++)
        if (distribution->shape == shapes[i].shape)
            snprintf(text, capacity, "%s", shapes[i].name);
}

/* Box and Muller. */
static double draw_normal(struct measure_random *random)
{
    static const double two_pi = 6.28318530717958647692;
    const double radius = sqrt(-2.0 * log(measure_random_unit(random)));
    return radius * cos(two_pi * measure_random_unit(random));
}

static int64_t normal_size(struct measure_random *random, int64_t largest)
{
    const double scale = (double)largest / 1024.0;
    double size;
    do
        size = scale * (1000.0 + 240.0 * draw_normal(random));
    while (size < 0 || size > (double)largest);
    return llround(size);
}

/* Inverse of the distribution function on the continuous range 1 .. largest + 1, rounded down. */
static int64_t power_size(struct measure_random *random, int64_t largest, double exponent)
{
    if (largest < 1)
        return 0;
    const double top = (double)largest + 1.0, u = 1.0 - measure_random_unit(random),
                 power = 1.0 - exponent;
    const double size =
        fabs(power) < 1e-9 ? pow(top, u) : pow(1.0 + u * (pow(top, power) - 1.0), 1.0 / power);
    return size >= top ? largest : (int64_t)size;
}

static void fill_geometric(struct measure_random *random, int ranks, int64_t largest,
                           int64_t *counts)
{
    double size = (double)largest;
    for (int i = 0; i < ranks; i++) {
        counts[i] = (int64_t)size;
        size *= 0.95;
    }
    for (int i = ranks - 1; i > 0; i--) {
        const int j = (int)measure_random_below(random, (uint64_t)i + 1);
        const int64_t kept = counts[i];
        counts[i] = counts[j];
        counts[j] = kept;
    }
}

static bool is_neighbour(int from, int to, int ranks, int neighbours)
{
    const int ahead = (to - from + ranks) % ranks, behind = ranks - ahead;
    return ahead != 0 && (ahead <= neighbours / 2 || behind <= neighbours / 2);
}

void measure_distribution_row(const struct measure_distribution *distribution, uint64_t seed,
                              int ranks, int rank, int64_t largest, int64_t *counts)
{
    struct measure_random random = measure_random_begin(seed, (uint64_t)rank);
    const int workers = (5 * ranks + 7) / 8, filled = (25 * ranks + 31) / 32;
    if (distribution->shape == MEASURE_GEOMETRIC) {
        fill_geometric(&random, ranks, largest, counts);
        return;
    }
    for (int p = 0; p < ranks; p++) {
        switch (distribution->shape) {
        case MEASURE_UNIFORM:
            counts[p] = (int64_t)measure_random_below(&random, (uint64_t)largest + 1);
            break;
        case MEASURE_NORMAL:
            counts[p] = normal_size(&random, largest);
            break;
        case MEASURE_POWER:
            counts[p] = power_size(&random, largest, distribution->exponent);
            break;
        case MEASURE_FFT_N1:
            counts[p] = rank < workers && p < filled ? largest : 0;
            break;
        case MEASURE_NEIGHBOURS:
            counts[p] = is_neighbour(rank, p, ranks, distribution->neighbours) ? largest : 0;
            break;
        case MEASURE_ONE_TO_ALL:
            counts[p] = rank == 0 ? largest : 0;
            break;
        case MEASURE_FFT_N2:
            counts[p] = rank == ranks - 1 ? largest / 4 : largest;
            break;
        default:
            counts[p] = largest;
        }
    }
}
