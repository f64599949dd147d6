/* SPDX-License-Identifier: BSD-3-Clause */
/* shape.c: see shape.h. */
#include "tools/common/shape.h"

#include <stdlib.h>
#include <string.h>

#include "route/settings.h"
#include "route/table.h"
#include "route/words.h"
#include "tools/common/tool.h"

/* Nodes and ranks per node say how many ranks. */
static int multiply(const struct shunt_subcommand *asker, struct shunt_shape *shape)
{
    const int64_t product = (int64_t)shape->nodes * shape->ppn;
    if (product > SHUNT_RANKS_MAX)
        return shunt_tool_usage(asker, "--nodes times --ppn is more than %d", SHUNT_RANKS_MAX);
    if (shape->ranks > 0 && shape->ranks != product)
        return shunt_tool_usage(asker,
                                "%d nodes of %d ranks are not %d ranks (--layout takes unequal "
                                "nodes)",
                                shape->nodes, shape->ppn, shape->ranks);
    shape->ranks = (int)product;
    return SHUNT_EXIT_OK;
}

/* Any two of the three say the third. */
static int complete(const struct shunt_subcommand *asker, struct shunt_shape *shape, bool alone)
{
    if (shape->nodes > 0 && shape->ppn > 0)
        return multiply(asker, shape);
    if (shape->ranks == 0)
        return shunt_tool_usage(asker, "give two of --ranks, --nodes and --ppn, or --layout");
    const int divisor = shape->nodes > 0 ? shape->nodes : shape->ppn;
    if (divisor == 0 && alone) {
        shape->nodes = 1;
        return SHUNT_EXIT_OK;
    }
    if (divisor == 0)
        return shunt_tool_usage(asker, "give --nodes or --ppn beside --ranks, or --layout");
    if (shape->ranks % divisor != 0)
        return shunt_tool_usage(asker,
                                "%d ranks are not a multiple of %d (--layout takes unequal nodes)",
                                shape->ranks, divisor);
    shape->nodes = shape->nodes > 0 ? shape->nodes : shape->ranks / shape->ppn;
    return SHUNT_EXIT_OK;
}

/* "8", or "4x8": nodes and ranks of each. */
static bool read_sizes(char *word, int left, int *nodes, int *ranks)
{
    char *times = strchr(word, 'x');
    *nodes = 1;
    if (times) {
        *times = '\0';
        const bool good = shunt_tool_number(word, left, nodes) &&
                          shunt_tool_number(times + 1, left / *nodes, ranks);
        *times = 'x';
        return good;
    }
    return shunt_tool_number(word, left, ranks);
}

/* Adds nodes to the `count` ones of `sizes`, an array of SHUNT_RANKS_MAX. */
static int add_nodes(const struct shunt_subcommand *asker, char *word, int *sizes, int *count,
                     int *ranks)
{
    int nodes, each;
    if (!read_sizes(word, SHUNT_RANKS_MAX - *ranks, &nodes, &each))
        return shunt_tool_usage(asker,
                                "--layout: \"%s\" is neither the ranks of a node nor NODESxRANKS, "
                                "with %d ranks at most in all",
                                word, SHUNT_RANKS_MAX);
    for (int i = 0; i < nodes; i++)
        sizes[(*count)++] = each;
    *ranks += nodes * each;
    return SHUNT_EXIT_OK;
}

/* "3,5,8,1", "4x8,3", "cyclic:4x8": the nodes are cut out of one node that has all ranks. */
static int read_layout(const struct shunt_subcommand *asker, const char *text,
                       struct shunt_layout *layout)
{
    static const char prefix[] = "cyclic:";
    const bool cyclic = strncmp(text, prefix, strlen(prefix)) == 0;
    int *sizes = malloc(sizeof *sizes * SHUNT_RANKS_MAX), count = 0, ranks = 0;
    char *copy = strdup(cyclic ? text + strlen(prefix) : text), *rest = copy;
    int code = sizes && copy ? SHUNT_EXIT_OK : shunt_tool_no_memory();
    for (char *word = sizes && copy ? strsep(&rest, ",") : NULL; word && code == SHUNT_EXIT_OK;
         word = strsep(&rest, ","))
        code = add_nodes(asker, word, sizes, &count, &ranks);
    if (code == SHUNT_EXIT_OK && shunt_layout_blocks(layout, ranks, 1) != 0)
        code = shunt_tool_no_memory();
    else if (code == SHUNT_EXIT_OK && shunt_layout_subdivide(layout, sizes, count, cyclic) != 0) {
        shunt_layout_clear(layout);
        code = shunt_tool_no_memory();
    }
    free(copy);
    free(sizes);
    return code;
}

int shunt_shape_layout(const struct shunt_subcommand *asker, struct shunt_shape *shape, bool alone,
                       struct shunt_layout *layout)
{
    if (shape->layout) {
        if (shape->ranks > 0 || shape->nodes > 0 || shape->ppn > 0)
            return shunt_tool_usage(asker,
                                    "--layout says it all: no --ranks, --nodes or --ppn beside it");
        return read_layout(asker, shape->layout, layout);
    }
    int code = complete(asker, shape, alone);
    if (code == SHUNT_EXIT_OK && shunt_layout_blocks(layout, shape->ranks, shape->nodes) != 0)
        code = shunt_tool_no_memory();
    return code;
}

/* "8-64", of sizes "513-8K"; within `all`. */
static bool read_range(struct shunt_option_value *value, bool sizes, struct shunt_range all)
{
    struct shunt_range read;
    char hint[96];
    if (!shunt_range_parse(value->text, sizes, &read) || read.low > read.high) {
        shunt_range_hint(value->text, sizes, hint, sizeof hint);
        return shunt_option_refuse(value, NULL, "is not a range such as %s%s",
                                   sizes ? "513-8K" : "8-64", hint);
    }
    read.low = read.low > all.low ? read.low : all.low;
    read.high = read.high < all.high ? read.high : all.high;
    *(struct shunt_range *)value->field = read;
    return true;
}

bool shunt_read_count_range(struct shunt_option_value *value)
{
    return read_range(value, false, (struct shunt_range){1, INT32_MAX});
}

bool shunt_read_size_range(struct shunt_option_value *value)
{
    return read_range(value, true, (struct shunt_range){0, INT64_MAX});
}

bool shunt_read_ppn_range(struct shunt_option_value *value)
{
    struct shunt_range *range = value->field;
    if (!shunt_read_count_range(value))
        return false;
    range[SHUNT_BOX_MOST - SHUNT_BOX_LEAST] = *range;
    return true;
}

bool shunt_read_percent_range(struct shunt_option_value *value)
{
    const struct shunt_range *range = value->field;
    if (!read_range(value, false, (struct shunt_range){0, SHUNT_DENSITY_FULL}))
        return false;
    return range->low <= range->high ||
           shunt_option_refuse(value, NULL, "is not within the percent from 0 to %d",
                               SHUNT_DENSITY_FULL);
}

bool shunt_read_truth_range(struct shunt_option_value *value)
{
    bool yes;
    struct shunt_option_value truth = *value;
    truth.field = &yes;
    if (!shunt_read_truth(&truth))
        return false;
    *(struct shunt_range *)value->field = (struct shunt_range){yes, yes};
    return true;
}

int shunt_box_check(const struct shunt_words *words, const struct shunt_box *box)
{
    if (!shunt_box_fills(box))
        return shunt_tool_usage(words->command, "no call is within --block and --density together");
    if (!shunt_box_possible(box))
        return shunt_tool_usage(words->command,
                                "no layout is within --ranks, --nodes and --ppn together");
    return SHUNT_EXIT_OK;
}
