/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rows.h: for the files of algorithms in this folder and the list of them (list.h); everybody else
 * asks registry.h. The row of an algorithm is shunt_algorithm_ and its name.
 */
#ifndef SHUNT_ALGORITHMS_ROWS_H
#define SHUNT_ALGORITHMS_ROWS_H

#include "algorithms/algorithm.h"
#include "algorithms/memory.h"

/* The papers; comments call them Fan 2022, Fan and Kumar, Fan 2025. */
#define OPTIMIZING                                                                                 \
    "Fan et al., Optimizing the Bruck Algorithm for Non-uniform All-to-all Communication "         \
    "(HPDC'22)"
#define RADIX_R "Fan and Kumar, Parameterized Radix-r Bruck Algorithm for All-to-all Communication"
#define PARAMETERIZED "Fan et al., Parameterized Algorithms for Non-uniform All-to-all (HPDC'25)"
#define OURS "this project; two levels as in Fan et al. (HPDC'25), section 4"

/* Parameters with their largest useful value and the preset. */
#define NUMBER(n)                                                                                  \
    {                                                                                              \
        SHUNT_FORMULA_NUMBER, (n)                                                                  \
    }
#define RADIX(bound, n)                                                                            \
    [SHUNT_PARAM_RADIX] = {                                                                        \
        .used = true, .list = true, .min = 2, .max = (bound), .preset = NUMBER(n)}
#define ONE_RADIX(bound, n)                                                                        \
    [SHUNT_PARAM_RADIX] = {.used = true, .min = 2, .max = (bound), .preset = NUMBER(n)}
#define LEADERS(n)                                                                                 \
    [SHUNT_PARAM_LEADERS] = {.used = true, .min = 1, .max = SHUNT_FORMULA_Q, .preset = NUMBER(n)}
/* Bytes; without it messages are not cut. A fragment holds the header of a bundle. */
#define FRAGMENT                                                                                   \
    [SHUNT_PARAM_FRAGMENT] = {                                                                     \
        .used = true, .min = 1024, .max = SHUNT_FORMULA_GIB, .preset = NUMBER(1 << 30)}
/* In which blocks are copied into shared memory, between messages. */
#define PARTS                                                                                      \
    [SHUNT_PARAM_PARTS] = {                                                                        \
        .used = true, .min = 1, .max = SHUNT_FORMULA_N_LESS_1, .preset = NUMBER(1)}
#define METADATA [SHUNT_PARAM_METADATA] = {.used = true, .preset = NUMBER(SHUNT_METADATA_FUSED)}
#define BATCH(bound, n)                                                                            \
    [SHUNT_PARAM_BATCH_SIZE] = {.used = true, .min = 1, .max = (bound), .preset = NUMBER(n)}

/* Schedules that several rows have: see struct shunt_algorithm. node_pair's is one of nodes. */
int shunt_build_bruck(struct shunt_schedule *schedule, const struct shunt_layout *layout, int rank,
                      const struct shunt_params *params);
int shunt_build_spread_out(struct shunt_schedule *schedule, const struct shunt_layout *layout,
                           int rank, const struct shunt_params *params);
int shunt_build_node_pair(struct shunt_schedule *schedule, const struct shunt_layout *layout,
                          int rank, const struct shunt_params *params);

/* Layouts that algorithms with shared memory cannot serve: see struct shunt_algorithm. */
const char *shunt_needs_segment(const struct shunt_layout *layout,
                                const struct shunt_params *params);
const char *shunt_needs_one_node(const struct shunt_layout *layout,
                                 const struct shunt_params *params);

/* Memory of rows that messages of datatypes, and shared memory of nodes, have in common: bytes, see
 * struct shunt_algorithm. */
int64_t shunt_memory_datatype(const struct shunt_layout *layout, const struct shunt_params *params,
                              int64_t block);
int64_t shunt_memory_bundles(const struct shunt_layout *layout, const struct shunt_params *params,
                             int64_t block);

#define ALGORITHM(name) extern const struct shunt_algorithm shunt_algorithm_##name;
#include "algorithms/list.h"
#undef ALGORITHM

#endif
