/* SPDX-License-Identifier: BSD-3-Clause */
/* parameter.h: the parameters that algorithms take: names, words, bounds, and their values on one
 * communicator. */
#ifndef SHUNT_ALGORITHMS_PARAMETER_H
#define SHUNT_ALGORITHMS_PARAMETER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "algorithms/formula.h"
#include "schedule/radix.h"

enum shunt_param {
    SHUNT_PARAM_RADIX,
    SHUNT_PARAM_BATCH_SIZE,
    SHUNT_PARAM_METADATA,
    SHUNT_PARAM_LEADERS,
    SHUNT_PARAM_FRAGMENT, /* bytes */
    SHUNT_PARAM_PARTS,
    SHUNT_PARAM_COUNT
};

/*
 * Values of a rule, and of a set of parameters: one per parameter, then the radices of digit 1 and
 * up, where each digit has its own.
 */
enum { SHUNT_VALUE_COUNT = (int)SHUNT_PARAM_COUNT + (int)SHUNT_RADIX_MOST - 1 };

/* Index of the radix of a digit, 0..SHUNT_RADIX_MOST-1. */
static inline int shunt_radix_index(int digit)
{
    return digit == 0 ? (int)SHUNT_PARAM_RADIX : (int)SHUNT_PARAM_COUNT + digit - 1;
}

/* "radix", "batch_size", "metadata", "leaders", "fragment", "parts". */
const char *shunt_param_name(enum shunt_param param);

/* Whether its values are sizes in bytes, printed with K, M or G. */
static inline bool shunt_param_is_size(enum shunt_param param)
{
    return param == SHUNT_PARAM_FRAGMENT;
}

/* How the lengths of forwarded blocks travel; values of SHUNT_PARAM_METADATA. */
enum shunt_metadata {
    SHUNT_METADATA_FUSED,   /* in front of the data, in the same message */
    SHUNT_METADATA_SEPARATE /* in a message of their own before it, as published */
};

/*
 * The values of a parameter that is chosen from words, in their order: value i is words[i]. NULL
 * (and *count 0) for a parameter that is a number. In a struct shunt_value a word is
 * SHUNT_FORMULA_NUMBER with its place in this list.
 */
const char *const *shunt_param_words(enum shunt_param param, size_t *count);

/* The word for a value; NULL where the parameter is a number. */
const char *shunt_param_word(enum shunt_param param, int64_t value);

/* For a parameter that is chosen from words only `used` and `preset` are given; `min` stays 0, the
 * first word. */
struct shunt_param_spec {
    bool used;
    bool list;   /* one value per digit may be given */
    int64_t min; /* smallest value; smaller numbers are errors in a table, formulas that come out
                    smaller are raised to it */
    enum shunt_formula max; /* largest useful value; larger ones are lowered to max(min, it) when a
                               communicator is set up */
    struct shunt_value preset; /* when a rule does not name the parameter */
};

/* Parameter values after evaluation and clipping; 0 where the algorithm does not use the parameter.
 */
struct shunt_params {
    int64_t value[SHUNT_VALUE_COUNT];
};

/* The radices of an algorithm that takes them. */
struct shunt_radices shunt_params_radices(const struct shunt_params *params);

/* One parameter as it is written in SHUNT_FORCE: "16", "4x2x8", "fused". Returns the length, as
 * snprintf. */
int shunt_param_print(const struct shunt_params *params, enum shunt_param param, char *text,
                      size_t capacity);

struct shunt_algorithm;

/*
 * Evaluates and clips: value[i] is given[i] where `present` has bit i, the preset otherwise; then
 * lowered to max(spec.min, max) and raised to spec.min. Unused parameters become 0. A list of
 * radices: values below 2 are left out (a digit with one value says nothing: "Q" on one rank per
 * node), each is lowered to what the digits below leave to do, and what comes after the last digit
 * needed is left out.
 */
struct shunt_params shunt_params_evaluate(const struct shunt_algorithm *algorithm, unsigned present,
                                          const struct shunt_value *given,
                                          const struct shunt_layout *layout);

#endif
