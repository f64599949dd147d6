/* SPDX-License-Identifier: BSD-3-Clause */
/* shape.h: how many ranks, on which nodes, and other values that the commands about calls take from
 * their options. */
#ifndef SHUNT_TOOLS_SHAPE_H
#define SHUNT_TOOLS_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#include "route/cover.h"
#include "schedule/layout.h"
#include "tools/common/options.h"

/* More ranks than any machine has, few enough for arrays of them. */
#define SHUNT_RANKS_MAX (1 << 24)

struct shunt_shape {
    int ranks, nodes, ppn; /* 0: not given */
    /* Instead of the three, or NULL. Ranks of each node, "3,5,8"; "4x8" is four nodes of 8; ranks
     * are placed node by node, or behind "cyclic:" dealt to the nodes in turn. */
    const char *layout;
};

/* Options about calls, to be lines of a list. */
#define SHUNT_OPTION_OP(type, field)                                                               \
    {                                                                                              \
        SHUNT_OPTION("op", "OP", type, field, shunt_read_word, "alltoall or alltoallv"),           \
            .words = SHUNT_OPERATION_WORDS, .required = true                                       \
    }
#define SHUNT_OPERATION_WORDS "alltoall,alltoallv"
#define SHUNT_SHAPE_ABOUT                                                                          \
    "SHAPE is two of --ranks, --nodes and --ppn, or all when they agree; or --layout"
#define SHUNT_OPTION_RANKS(type, field)                                                            \
    SHUNT_NUMBER("ranks", "P", type, field, 1, SHUNT_RANKS_MAX, "SHAPE: ranks")
#define SHUNT_OPTION_NODES(type, field)                                                            \
    SHUNT_NUMBER("nodes", "N", type, field, 1, SHUNT_RANKS_MAX, "SHAPE: nodes")
#define SHUNT_OPTION_PPN(type, field)                                                              \
    SHUNT_NUMBER("ppn", "Q", type, field, 1, SHUNT_RANKS_MAX, "SHAPE: ranks of each node")
#define SHUNT_OPTION_LAYOUT(type, field)                                                           \
    SHUNT_TEXT("layout", "SIZES", type, field,                                                     \
               "SHAPE: ranks of each node, such as 3,5,8 for nodes of different size; 4x8: four "  \
               "nodes of 8; cyclic:4x8: ranks are dealt to them in turn, not node by node")
#define SHUNT_OPTION_MEMORY(type, field)                                                           \
    SHUNT_SIZE("memory", "SIZE", type, field, "cap of scratch memory, as SHUNT_MEMORY")

/* The layout, and what was not given of the shape. `alone`: ranks without nodes are those of one
 * node. Returns an exit code, after saying what is wrong as the command that was asked says it.
 * Release the layout with shunt_layout_clear where all is well. */
int shunt_shape_layout(const struct shunt_subcommand *asker, struct shunt_shape *shape, bool alone,
                       struct shunt_layout *layout);

/* Options about all calls within a box (route/cover.h), of which `box` is a member of the command's
 * options, and a box that has all calls but those of one rank alone, which are copied. */
#define SHUNT_BOX_OPTIONS(type, box)                                                               \
    SHUNT_VALUE("ranks", "RANGE", type, box.side[SHUNT_BOX_RANKS], shunt_read_count_range,         \
                "calls within these alone: 64, 8-64, 8-"),                                         \
        SHUNT_VALUE("nodes", "RANGE", type, box.side[SHUNT_BOX_NODES], shunt_read_count_range,     \
                    "likewise"),                                                                   \
        SHUNT_VALUE("ppn", "RANGE", type, box.side[SHUNT_BOX_LEAST], shunt_read_ppn_range,         \
                    "likewise: ranks of every node"),                                              \
        SHUNT_VALUE("block", "RANGE", type, box.side[SHUNT_BOX_BLOCK], shunt_read_size_range,      \
                    "likewise: bytes per destination; takes K, M and G"),                          \
        SHUNT_VALUE("density", "RANGE", type, box.side[SHUNT_BOX_DENSITY],                         \
                    shunt_read_percent_range,                                                      \
                    "likewise: percent of the blocks that are not empty"),                         \
    {                                                                                              \
        SHUNT_OPTION("oversubscribed", "true", type, box.side[SHUNT_BOX_OVERSUBSCRIBED],           \
                     shunt_read_truth_range,                                                       \
                     "calls of jobs with more ranks on some node than processors (default "        \
                     "false)"),                                                                    \
            .words = "true,false"                                                                  \
    }
#define SHUNT_BOX_ALL                                                                              \
    {                                                                                              \
        .side = {                                                                                  \
            [SHUNT_BOX_BLOCK] = {0, INT64_MAX},                                                    \
            [SHUNT_BOX_DENSITY] = {0, SHUNT_DENSITY_FULL},                                         \
            [SHUNT_BOX_RANKS] = {2, INT32_MAX},                                                    \
            [SHUNT_BOX_NODES] = {1, INT32_MAX},                                                    \
            [SHUNT_BOX_LEAST] = {1, INT32_MAX},                                                    \
            [SHUNT_BOX_MOST] = {1, INT32_MAX}                                                      \
        }                                                                                          \
    }
bool shunt_read_count_range(struct shunt_option_value *value);
bool shunt_read_ppn_range(struct shunt_option_value *value); /* and the next side */
bool shunt_read_size_range(struct shunt_option_value *value);
bool shunt_read_percent_range(struct shunt_option_value *value);
bool shunt_read_truth_range(struct shunt_option_value *value);
/* Refuses a box that no call lies in. */
int shunt_box_check(const struct shunt_words *words, const struct shunt_box *box);

#endif
