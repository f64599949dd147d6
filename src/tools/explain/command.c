/* SPDX-License-Identifier: BSD-3-Clause */
/* command.c: the options of `shunt explain`. */
#include <inttypes.h>

#include "config.h"
#include "tools/common/question.h"
#include "tools/common/tool.h"
#include "tools/explain/answer.h"
#include "tools/explain/grid.h"

/* One call, or with --grid many. */
struct explain {
    struct shunt_explain_grid grid;
    bool many, predict;
    int rank;
    const char *machine;
};

/* Options that one call has, or many. */
static int check_form(const struct explain *asked, const struct shunt_words *words)
{
    static const char *const single[] = {"rank", "predict", "machine"}, *const several[] = {"html",
                                                                                            "csv"};
    for (size_t i = 0; i < sizeof single / sizeof single[0]; i++)
        if (asked->many && shunt_given(words, single[i]))
            return shunt_tool_usage(words->command,
                                    "--%s is about one call: it goes without --grid", single[i]);
    for (size_t i = 0; i < sizeof several / sizeof several[0]; i++)
        if (!asked->many && shunt_given(words, several[i]))
            return shunt_tool_usage(words->command, "--%s goes with --grid", several[i]);
    if (shunt_given(words, "density") && asked->grid.op == SHUNT_OP_ALLTOALL)
        return shunt_tool_usage(words->command,
                                "--density goes with --op=alltoallv: all blocks of an "
                                "MPI_Alltoall have one size");
    if (asked->machine && !asked->predict)
        return shunt_tool_usage(words->command, "--machine goes with --predict");
    return SHUNT_EXIT_OK;
}

static int explain_many(struct shunt_explain_grid *grid, const struct shunt_words *words)
{
    const int code = shunt_tool_exclusive(words, "csv,json");
    if (code != SHUNT_EXIT_OK)
        return code;
    if (grid->ranks.count > 1 && grid->nodes.count > 1)
        return shunt_tool_usage(words->command, "--ranks and --nodes: one of the two may have "
                                                "several values");
    if (grid->density == 0)
        return shunt_tool_usage(words->command,
                                "--density=0: a grid is of calls that are not empty");
    return shunt_explain_grid(grid);
}

/* The value of an option that has one, or 0 where it was not given. */
static bool only(const struct shunt_axis *axis, int64_t *value)
{
    *value = axis->count > 0 ? axis->value[0] : 0;
    return axis->count <= 1;
}

/* The density is 0 where the largest block is, and only there. */
static int set_density(struct shunt_question *question, const struct shunt_words *words)
{
    if (!shunt_given(words, "density"))
        question->density = question->block > 0 ? SHUNT_DENSITY_FULL : 0;
    if ((question->density == 0) == (question->block == 0))
        return SHUNT_EXIT_OK;
    return shunt_tool_usage(words->command,
                            "--density=%d and --block=%" PRId64 ": the density is 0 where all "
                            "blocks are empty, and only there",
                            question->density, question->block);
}

static int explain_one(const struct explain *asked, const struct shunt_words *words)
{
    const struct shunt_explain_grid *grid = &asked->grid;
    struct shunt_question question = {.asker = words->command,
                                      .op = grid->op,
                                      .shape = {.ppn = grid->ppn, .layout = grid->layout},
                                      .density = grid->density,
                                      .oversubscribed = grid->oversubscribed,
                                      .memory = grid->memory,
                                      .rank = asked->rank,
                                      .file = grid->file,
                                      .json = grid->json,
                                      .machine = asked->machine,
                                      .predict = asked->predict};
    int64_t ranks, nodes;
    if (!only(&grid->ranks, &ranks) || !only(&grid->nodes, &nodes) ||
        !only(&grid->block, &question.block))
        return shunt_tool_usage(words->command, "several values go with --grid");
    if (grid->block.count == 0)
        return shunt_tool_usage(words->command, "--block is missing");
    question.shape.ranks = (int)ranks;
    question.shape.nodes = (int)nodes;
    int code = set_density(&question, words);
    if (code == SHUNT_EXIT_OK)
        code = shunt_question_place(&question, false);
    if (code == SHUNT_EXIT_OK)
        code = shunt_explain_answer(&question);
    shunt_question_clear(&question);
    return code;
}

static int run(void *options, const struct shunt_words *words)
{
    struct explain *asked = options;
    const int code = check_form(asked, words);
    if (code != SHUNT_EXIT_OK)
        return code;
    asked->grid.file = words->count > 0 ? words->word[0] : NULL;
    return asked->many ? explain_many(&asked->grid, words) : explain_one(asked, words);
}

static const struct shunt_option list[] = {
    SHUNT_OPTION_OP(struct explain, grid.op),
    SHUNT_VALUE("block", "SIZE", struct explain, grid.block, shunt_read_sizes,
                "bytes per destination, for alltoallv the largest; takes K, M and G"),
    SHUNT_VALUE("ranks", "P", struct explain, grid.ranks, shunt_read_counts, "SHAPE: ranks"),
    SHUNT_VALUE("nodes", "N", struct explain, grid.nodes, shunt_read_counts, "SHAPE: nodes"),
    SHUNT_OPTION_PPN(struct explain, grid.ppn),
    SHUNT_OPTION_LAYOUT(struct explain, grid.layout),
    SHUNT_NUMBER("density", "PERCENT", struct explain, grid.density, 0, SHUNT_DENSITY_FULL,
                 "for alltoallv: how many of the blocks that are not empty, rounded up (default "
                 "100)"),
    SHUNT_TRUTH("oversubscribed", struct explain, grid.oversubscribed,
                "more ranks on some node than processors that they may use (default false)"),
    SHUNT_OPTION_MEMORY(struct explain, grid.memory),
    SHUNT_NUMBER("rank", "RANK", struct explain, rank, 0, SHUNT_RANKS_MAX - 1,
                 "whose messages are counted (default 0)"),
    SHUNT_FLAG(0, "predict", struct explain, predict,
               "also what the model says of the choice, and what would be best"),
    SHUNT_FILE("machine", "FILE", struct explain, machine,
               "for --predict: the description, or its name; without: that of the table"),
    SHUNT_FLAG(0, "grid", struct explain, many,
               "many calls instead: which rule decides each; ranks or nodes across, blocks down; "
               "--ranks or --nodes and --block take several values: 16,64 or 8-64K, which doubles; "
               "without --block all sizes, cut where a decision changes"),
    SHUNT_FILE("html", "FILE", struct explain, grid.html,
               "for --grid: a page with a drawing as well"),
    SHUNT_FLAG(0, "csv", struct explain, grid.csv,
               "for --grid, for programs: with a first line of names"),
    SHUNT_JSON(struct explain, grid.json, "for programs"),
};

const struct shunt_subcommand shunt_subcommand_explain = {
    .name = "explain",
    .summary = "tell which rule takes a call, and why the others do not",
    .usage = "shunt explain --op=OP --block=SIZE SHAPE [OPTION]... [FILE | built-in]\n"
             "shunt explain --grid --op=OP SHAPE [--block=SIZES] [OPTION]... [FILE | built-in]",
    .about = "Tells which rule of FILE takes a call, with which parameters, what it costs, and why "
             "every other rule does not. Without FILE: the table of a job whose rank 0 runs on "
             "this host. " SHUNT_SHAPE_ABOUT ".",
    SHUNT_OPTIONS(list),
    .size = sizeof(struct explain),
    .defaults = &(const struct explain){.grid = {.memory = -1, .density = SHUNT_DENSITY_FULL}},
    .words_most = 1,
    .run = run,
};
