/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * options.h: the options of paths and points. No MPI.
 */
#ifndef SHUNT_TESTS_OPTIONS_H
#define SHUNT_TESTS_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct options {
    bool serial, check, help;
    bool wrong;              /* not as print_usage() of the program says */
    const char *file;        /* input, or NULL: it is generated */
    const char *write;       /* where the input is written, or NULL */
    uint64_t generate, seed; /* size of what is generated, and the seed of its random numbers */
};

/* Sizes of what is generated are within least .. most. */
struct options options_parse(int argc, char **argv, uint64_t least, uint64_t most);

#endif
