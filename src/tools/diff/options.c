/* SPDX-License-Identifier: BSD-3-Clause */
/* options.c: what `shunt diff` is asked. */
#include <getopt.h>
#include <string.h>

#include "route/words.h"
#include "tools/diff/diff.h"
#include "tools/shape.h"

static const struct shunt_subcommand *const asker = &shunt_subcommand_diff;

struct state {
    struct shunt_diff *diff;
    bool given[SHUNT_BOX_SIDES];
};

static int take_range(struct state *state, int side, const char *option, const char *text)
{
    struct shunt_range read;
    const bool sizes = side == SHUNT_BOX_BLOCK;
    char hint[96];
    if (!shunt_range_parse(text, sizes, &read) || read.low > read.high) {
        shunt_range_hint(text, sizes, hint, sizeof hint);
        return shunt_tool_usage(asker, "--%s: \"%s\" is not a range such as %s%s", option, text,
                                sizes ? "513-8K" : "8-64", hint);
    }
    if (side == SHUNT_BOX_DENSITY) {
        if (read.low > SHUNT_DENSITY_FULL)
            return shunt_tool_usage(asker, "--density: percent, from 0 to %d", SHUNT_DENSITY_FULL);
        read.high = read.high < SHUNT_DENSITY_FULL ? read.high : SHUNT_DENSITY_FULL;
    } else if (!sizes) {
        read.low = read.low > 1 ? read.low : 1;
        read.high = read.high < INT32_MAX ? read.high : INT32_MAX;
    }
    state->diff->space.side[side] = read;
    state->given[side] = true;
    if (side == SHUNT_BOX_LEAST)
        state->diff->space.side[SHUNT_BOX_MOST] = read;
    return -1;
}

static int take_oversubscribed(struct shunt_diff *diff, const char *text)
{
    bool yes;
    const int code = shunt_shape_oversubscribed(asker, text, &yes);
    diff->space.side[SHUNT_BOX_OVERSUBSCRIBED] = (struct shunt_range){yes, yes};
    return code == SHUNT_EXIT_OK ? -1 : code;
}

static int take_op(struct shunt_diff *diff, const char *text)
{
    enum shunt_op op;
    const int code = shunt_shape_op(asker, text, &op);
    if (code != SHUNT_EXIT_OK)
        return code;
    memset(diff->op, 0, sizeof diff->op);
    diff->op[op] = true;
    return -1;
}

/* Exit code, or -1 to go on. */
static int take(struct state *state, int option, const char *value, const char *word)
{
    struct shunt_diff *diff = state->diff;
    int code;
    switch (option) {
    case 'o':
        return take_op(diff, value);
    case 'r':
        return take_range(state, SHUNT_BOX_RANKS, "ranks", value);
    case 'N':
        return take_range(state, SHUNT_BOX_NODES, "nodes", value);
    case 'p':
        return take_range(state, SHUNT_BOX_LEAST, "ppn", value);
    case 'b':
        return take_range(state, SHUNT_BOX_BLOCK, "block", value);
    case 'd':
        return take_range(state, SHUNT_BOX_DENSITY, "density", value);
    case 'O':
        return take_oversubscribed(diff, value);
    case 'y':
        diff->layout = value;
        return -1;
    case 'm':
        code = shunt_shape_size(asker, "memory", value, &diff->memory);
        return code == SHUNT_EXIT_OK ? -1 : code;
    case 'n':
        diff->host = value;
        return -1;
    case 'c':
        diff->csv = true;
        return -1;
    case 'j':
        diff->json = true;
        return -1;
    case 'w':
        diff->wide = true;
        return -1;
    case 'h':
        diff->help = true;
        return SHUNT_EXIT_OK;
    default:
        return shunt_tool_usage(asker, "%s is not an option, or lacks its value", word);
    }
}

static bool single(const struct state *state, int side)
{
    const struct shunt_range range = state->diff->space.side[side];
    return state->given[side] && range.low == range.high;
}

/* Ranks and nodes as numbers are nodes of equal size, as in `shunt explain`. */
static int finish_space(struct state *state)
{
    struct shunt_range *side = state->diff->space.side;
    const bool equal = single(state, SHUNT_BOX_RANKS) && single(state, SHUNT_BOX_NODES) &&
                       !state->given[SHUNT_BOX_LEAST] &&
                       side[SHUNT_BOX_RANKS].low % side[SHUNT_BOX_NODES].low == 0;
    if (equal)
        side[SHUNT_BOX_LEAST].low = side[SHUNT_BOX_LEAST].high = side[SHUNT_BOX_MOST].low =
            side[SHUNT_BOX_MOST].high = side[SHUNT_BOX_RANKS].low / side[SHUNT_BOX_NODES].low;
    if (!shunt_box_fills(&state->diff->space))
        return shunt_tool_usage(asker, "no call is within --block and --density together");
    if (!shunt_box_possible(&state->diff->space))
        return shunt_tool_usage(asker, "no layout is within --ranks, --nodes and --ppn together");
    return SHUNT_EXIT_OK;
}

static int finish(struct state *state, int argc, char **argv)
{
    struct shunt_diff *diff = state->diff;
    if (argc - optind < SHUNT_DIFF_SIDES)
        return shunt_tool_usage(asker, "two tables are compared: files, built-in or found");
    if (argc - optind > SHUNT_DIFF_SIDES)
        return shunt_tool_usage(asker, "\"%s\" is one word too many",
                                argv[optind + SHUNT_DIFF_SIDES]);
    for (int i = 0; i < SHUNT_DIFF_SIDES; i++)
        diff->file[i] = strcmp(argv[optind + i], "found") == 0 ? NULL : argv[optind + i];
    if (diff->host && diff->file[0] && diff->file[1])
        return shunt_tool_usage(asker, "--host is about the table \"found\", which is not named");
    if (diff->csv && diff->json)
        return shunt_tool_usage(asker, "--csv and --json: one of the two");
    if (diff->layout && (state->given[SHUNT_BOX_RANKS] || state->given[SHUNT_BOX_NODES] ||
                         state->given[SHUNT_BOX_LEAST]))
        return shunt_tool_usage(asker,
                                "--layout says it all: no --ranks, --nodes or --ppn beside it");
    return finish_space(state);
}

int shunt_diff_read(struct shunt_diff *diff, int argc, char **argv)
{
    static const struct option options[] = {{"op", required_argument, NULL, 'o'},
                                            {"ranks", required_argument, NULL, 'r'},
                                            {"nodes", required_argument, NULL, 'N'},
                                            {"ppn", required_argument, NULL, 'p'},
                                            {"layout", required_argument, NULL, 'y'},
                                            {"block", required_argument, NULL, 'b'},
                                            {"memory", required_argument, NULL, 'm'},
                                            {"host", required_argument, NULL, 'n'},
                                            {"density", required_argument, NULL, 'd'},
                                            {"oversubscribed", required_argument, NULL, 'O'},
                                            {"csv", no_argument, NULL, 'c'},
                                            {"json", no_argument, NULL, 'j'},
                                            {"wide", no_argument, NULL, 'w'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    struct state state = {.diff = diff};
    int option;
    *diff = (struct shunt_diff){.memory = -1};
    for (int op = 0; op < SHUNT_OP_COUNT; op++)
        diff->op[op] = true;
    /* One rank alone is copied, not routed. */
    diff->space.side[SHUNT_BOX_BLOCK] = (struct shunt_range){0, INT64_MAX};
    diff->space.side[SHUNT_BOX_DENSITY] = (struct shunt_range){0, SHUNT_DENSITY_FULL};
    for (int side = SHUNT_BOX_RANKS; side < SHUNT_BOX_SIDES; side++)
        diff->space.side[side] = (struct shunt_range){side == SHUNT_BOX_RANKS ? 2 : 1, INT32_MAX};
    opterr = 0;
    while ((option = getopt_long(argc, argv, "hjw", options, NULL)) != -1) {
        const int code = take(&state, option, optarg, argv[optind - 1]);
        if (code >= 0)
            return code;
    }
    return finish(&state, argc, argv);
}
