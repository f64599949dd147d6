/* SPDX-License-Identifier: BSD-3-Clause */
/* options.c: what `shunt explain --grid` is asked. */
#include <getopt.h>

#include "tools/explain/grid.h"
#include "tools/shape.h"

static const struct shunt_subcommand *const asker = &shunt_subcommand_explain;

static int take_flag(struct shunt_explain_grid *grid, int option, const char *word)
{
    switch (option) {
    case 'g':
        return SHUNT_EXIT_OK;
    case 'c':
        grid->csv = true;
        return SHUNT_EXIT_OK;
    case 'j':
        grid->json = true;
        return SHUNT_EXIT_OK;
    case 'h':
        grid->help = true;
        return SHUNT_EXIT_OK;
    case 'x':
        return shunt_tool_usage(asker, "%s is about one call: it goes without --grid", word);
    default:
        return shunt_tool_usage(asker, "%s is not an option, or lacks its value", word);
    }
}

static int take(struct shunt_explain_grid *grid, bool *op_given, int option, const char *value,
                const char *word)
{
    switch (option) {
    case 'o':
        *op_given = true;
        return shunt_shape_op(asker, value, &grid->op);
    case 'r':
        return shunt_axis_read(asker, "ranks", value, false, &grid->ranks);
    case 'n':
        return shunt_axis_read(asker, "nodes", value, false, &grid->nodes);
    case 'b':
        return shunt_axis_read(asker, "block", value, true, &grid->block);
    case 'd':
        grid->density_given = true;
        return shunt_shape_density(asker, value, &grid->density);
    case 'O':
        return shunt_shape_oversubscribed(asker, value, &grid->oversubscribed);
    case 'p':
        return shunt_shape_number(asker, "ppn", value, &grid->ppn);
    case 'y':
        grid->layout = value;
        return SHUNT_EXIT_OK;
    case 'm':
        return shunt_shape_size(asker, "memory", value, &grid->memory);
    case 'v':
        grid->html = value;
        return SHUNT_EXIT_OK;
    default:
        return take_flag(grid, option, word);
    }
}

static int finish(struct shunt_explain_grid *grid, bool op_given, int argc, char **argv)
{
    if (!op_given)
        return shunt_tool_usage(asker, "--op is missing");
    if (grid->ranks.count > 1 && grid->nodes.count > 1)
        return shunt_tool_usage(asker, "--ranks and --nodes: one of the two may have several "
                                       "values");
    if (grid->density == 0)
        return shunt_tool_usage(asker, "--density=0: a grid is of calls that are not empty");
    if (grid->density_given && grid->op == SHUNT_OP_ALLTOALL)
        return shunt_tool_usage(asker, "--density goes with --op=alltoallv: all blocks of an "
                                       "MPI_Alltoall have one size");
    if (grid->csv && grid->json)
        return shunt_tool_usage(asker, "--csv and --json: give one");
    if (argc - optind > 1)
        return shunt_tool_usage(asker, "\"%s\" is one word too many", argv[optind + 1]);
    grid->file = optind < argc ? argv[optind] : NULL;
    return SHUNT_EXIT_OK;
}

int shunt_explain_grid_read(struct shunt_explain_grid *grid, int argc, char **argv)
{
    static const struct option options[] = {
        {"grid", no_argument, NULL, 'g'},          {"op", required_argument, NULL, 'o'},
        {"ranks", required_argument, NULL, 'r'},   {"nodes", required_argument, NULL, 'n'},
        {"ppn", required_argument, NULL, 'p'},     {"layout", required_argument, NULL, 'y'},
        {"block", required_argument, NULL, 'b'},   {"memory", required_argument, NULL, 'm'},
        {"density", required_argument, NULL, 'd'}, {"oversubscribed", required_argument, NULL, 'O'},
        {"html", required_argument, NULL, 'v'},    {"csv", no_argument, NULL, 'c'},
        {"rank", required_argument, NULL, 'x'},    {"predict", no_argument, NULL, 'x'},
        {"machine", required_argument, NULL, 'x'}, {"json", no_argument, NULL, 'j'},
        {"help", no_argument, NULL, 'h'},          {NULL, 0, NULL, 0}};
    bool op_given = false;
    int option;
    *grid = (struct shunt_explain_grid){.memory = -1, .density = SHUNT_DENSITY_FULL};
    opterr = 0;
    while ((option = getopt_long(argc, argv, "hj", options, NULL)) != -1) {
        const int code = take(grid, &op_given, option, optarg, argv[optind - 1]);
        if (code != SHUNT_EXIT_OK || grid->help)
            return code;
    }
    return finish(grid, op_given, argc, argv);
}
