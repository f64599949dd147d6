/* SPDX-License-Identifier: BSD-3-Clause */
/* shape.h: how many ranks, on which nodes, and other values that the commands about a call take
 * from their options. What is wrong is said as the command that was asked says it. */
#ifndef SHUNT_TOOLS_SHAPE_H
#define SHUNT_TOOLS_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#include "algorithms/operation.h"
#include "schedule/layout.h"

struct shunt_subcommand;

/* More ranks than any machine has, few enough for arrays of them. */
#define SHUNT_RANKS_MAX (1 << 24)

struct shunt_shape {
    int ranks, nodes, ppn; /* 0: not given */
    /* Instead of the three, or NULL. Ranks of each node, "3,5,8"; "4x8" is four nodes of 8; ranks
     * are placed node by node, or behind "cyclic:" dealt to the nodes in turn. */
    const char *layout;
};

/* All return an exit code, after saying what is wrong. The number is one from 1 to SHUNT_RANKS_MAX,
 * the value of --`option`; a size is in bytes. */
int shunt_shape_number(const struct shunt_subcommand *asker, const char *option, const char *text,
                       int *number);
int shunt_shape_size(const struct shunt_subcommand *asker, const char *option, const char *text,
                     int64_t *bytes);
/* Percent, from 0 to 100. */
int shunt_shape_density(const struct shunt_subcommand *asker, const char *text, int *density);
/* "true" or "false". */
int shunt_shape_oversubscribed(const struct shunt_subcommand *asker, const char *text,
                               bool *oversubscribed);
int shunt_shape_op(const struct shunt_subcommand *asker, const char *text, enum shunt_op *op);

/* The layout, and what was not given of the shape. `alone`: ranks without nodes are those of one
 * node. Release the layout with shunt_layout_clear where all is well. */
int shunt_shape_layout(const struct shunt_subcommand *asker, struct shunt_shape *shape, bool alone,
                       struct shunt_layout *layout);

#endif
