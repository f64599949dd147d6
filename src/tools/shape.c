/* SPDX-License-Identifier: BSD-3-Clause */
/* shape.c: see shape.h. */
#include "tools/shape.h"

#include <stdlib.h>
#include <string.h>

#include "route/settings.h"
#include "route/table.h"
#include "route/words.h"
#include "tools/tool.h"

static int usage_number(const struct shunt_subcommand *asker, const char *option, const char *text)
{
    return shunt_tool_usage(asker, "--%s: \"%s\" is not a number from 1 to %d", option, text,
                            SHUNT_RANKS_MAX);
}

int shunt_shape_number(const struct shunt_subcommand *asker, const char *option, const char *text,
                       int *number)
{
    return shunt_tool_number(text, SHUNT_RANKS_MAX, number) ? SHUNT_EXIT_OK
                                                            : usage_number(asker, option, text);
}

int shunt_shape_size(const struct shunt_subcommand *asker, const char *option, const char *text,
                     int64_t *bytes)
{
    if (shunt_size_parse(text, bytes))
        return SHUNT_EXIT_OK;
    char hint[96];
    shunt_size_hint(text, hint, sizeof hint);
    return shunt_tool_usage(asker, "--%s: \"%s\" is not a size such as 512 or 4K%s", option, text,
                            hint);
}

int shunt_shape_oversubscribed(const struct shunt_subcommand *asker, const char *text,
                               bool *oversubscribed)
{
    *oversubscribed = strcmp(text, "true") == 0;
    if (*oversubscribed || strcmp(text, "false") == 0)
        return SHUNT_EXIT_OK;
    return shunt_tool_usage(asker, "--oversubscribed: \"%s\" is not true or false", text);
}

int shunt_shape_density(const struct shunt_subcommand *asker, const char *text, int *density)
{
    *density = 0;
    if (strcmp(text, "0") == 0 || shunt_tool_number(text, SHUNT_DENSITY_FULL, density))
        return SHUNT_EXIT_OK;
    return shunt_tool_usage(asker, "--density: \"%s\" is not a number of percent from 0 to %d",
                            text, SHUNT_DENSITY_FULL);
}

int shunt_shape_op(const struct shunt_subcommand *asker, const char *text, enum shunt_op *op)
{
    if (shunt_op_parse(text, op))
        return SHUNT_EXIT_OK;
    return shunt_tool_usage(asker, "--op: \"%s\" is neither alltoall nor alltoallv", text);
}

static int no_memory(void)
{
    shunt_tool_say("out of memory");
    return SHUNT_EXIT_IO;
}

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
    int code = sizes && copy ? SHUNT_EXIT_OK : no_memory();
    for (char *word = copy ? strsep(&rest, ",") : NULL; word && code == SHUNT_EXIT_OK;
         word = strsep(&rest, ","))
        code = add_nodes(asker, word, sizes, &count, &ranks);
    if (code == SHUNT_EXIT_OK && shunt_layout_blocks(layout, ranks, 1) != 0)
        code = no_memory();
    else if (code == SHUNT_EXIT_OK && shunt_layout_subdivide(layout, sizes, count, cyclic) != 0) {
        shunt_layout_clear(layout);
        code = no_memory();
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
        code = no_memory();
    return code;
}
