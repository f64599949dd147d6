/* SPDX-License-Identifier: BSD-3-Clause */
/* command.c: `shunt diff`: where two decision tables decide differently. Its parts are in diff/. */
#include <stdlib.h>
#include <string.h>

#include "tools/common/shape.h"
#include "tools/diff/diff.h"

static int read_tables(struct shunt_diff *diff)
{
    int code = SHUNT_EXIT_OK, worst = SHUNT_EXIT_OK;
    for (int i = 0; i < SHUNT_DIFF_SIDES; i++) {
        struct shunt_tool_query query = {.path = diff->file[i],
                                         .host = diff->file[i] ? NULL : diff->host};
        diff->table[i] = shunt_tool_table(&query, &code);
        worst = !diff->table[i] && code > worst ? code : worst;
    }
    return worst;
}

/* --layout, or options that leave one shape alone, whose nodes are of equal size. */
static bool is_one(const struct shunt_diff *diff, struct shunt_shape *shape)
{
    const struct shunt_range *side = diff->space.side;
    bool one = true;
    *shape = (struct shunt_shape){.layout = diff->layout};
    if (diff->layout)
        return true;
    for (int i = SHUNT_BOX_RANKS; i < SHUNT_BOX_SIDES; i++)
        one = one && side[i].low == side[i].high;
    one = one && side[SHUNT_BOX_RANKS].low == side[SHUNT_BOX_NODES].low * side[SHUNT_BOX_LEAST].low;
    shape->ranks = (int)side[SHUNT_BOX_RANKS].low;
    shape->nodes = (int)side[SHUNT_BOX_NODES].low;
    return one;
}

static int find(const struct shunt_diff *diff, struct shunt_differences *found)
{
    struct shunt_shape shape;
    bool enough;
    if (is_one(diff, &shape)) {
        struct shunt_layout layout;
        const int code = shunt_shape_layout(&shunt_subcommand_diff, &shape, false, &layout);
        if (code != SHUNT_EXIT_OK)
            return code;
        enough = shunt_diff_find_layout(found, diff, &layout);
        shunt_layout_clear(&layout);
    } else {
        enough = shunt_diff_find(found, diff);
    }
    if (enough)
        return SHUNT_EXIT_OK;
    if (found->many)
        return shunt_tool_usage(&shunt_subcommand_diff,
                                "the tables differ in more than %d places: ask about some calls "
                                "alone, with --op, --ranks, --nodes, --ppn or --block",
                                SHUNT_DIFF_MOST);
    return shunt_tool_no_memory();
}

static int tell(const struct shunt_diff *diff, const struct shunt_differences *found)
{
    const int code = diff->json  ? shunt_diff_json(diff, found)
                     : diff->csv ? shunt_diff_csv(diff, found)
                                 : shunt_diff_text(diff, found);
    if (found->large && !diff->json)
        shunt_tool_say("calls of more than %d ranks were not looked at", SHUNT_DIFF_RANKS_MOST);
    if (code != SHUNT_EXIT_OK)
        return code;
    return found->count > 0 ? SHUNT_EXIT_FINDINGS : SHUNT_EXIT_OK;
}

static bool single(const struct shunt_words *words, const char *name, struct shunt_range range)
{
    return shunt_given(words, name) && range.low == range.high;
}

/* Ranks and nodes as numbers are nodes of equal size, as in `shunt explain`. */
static void equal_nodes(struct shunt_range *side, const struct shunt_words *words)
{
    const struct shunt_range ranks = side[SHUNT_BOX_RANKS], nodes = side[SHUNT_BOX_NODES];
    if (!single(words, "ranks", ranks) || !single(words, "nodes", nodes) ||
        shunt_given(words, "ppn") || ranks.low % nodes.low != 0)
        return;
    side[SHUNT_BOX_LEAST].low = side[SHUNT_BOX_LEAST].high = side[SHUNT_BOX_MOST].low =
        side[SHUNT_BOX_MOST].high = ranks.low / nodes.low;
}

static int take_words(struct shunt_diff *diff, const struct shunt_words *words)
{
    const struct shunt_subcommand *asker = words->command;
    if (words->count < SHUNT_DIFF_SIDES)
        return shunt_tool_usage(asker, "%s", asker->missing);
    for (int i = 0; i < SHUNT_DIFF_SIDES; i++)
        diff->file[i] = strcmp(words->word[i], "found") == 0 ? NULL : words->word[i];
    for (int op = 0; op < SHUNT_OP_COUNT; op++)
        diff->op[op] = diff->asked_op == SHUNT_OP_COUNT || diff->asked_op == op;
    if (diff->host && diff->file[0] && diff->file[1])
        return shunt_tool_usage(asker, "--host is about the table \"found\", which is not named");
    if (diff->layout &&
        (shunt_given(words, "ranks") || shunt_given(words, "nodes") || shunt_given(words, "ppn")))
        return shunt_tool_usage(asker,
                                "--layout says it all: no --ranks, --nodes or --ppn beside it");
    equal_nodes(diff->space.side, words);
    const int code = shunt_tool_exclusive(words, "csv,json");
    return code != SHUNT_EXIT_OK ? code : shunt_box_check(words, &diff->space);
}

static int run(void *options, const struct shunt_words *words)
{
    struct shunt_diff *diff = options;
    struct shunt_differences found = {0};
    int code = take_words(diff, words);
    if (code == SHUNT_EXIT_OK)
        code = read_tables(diff);
    if (code == SHUNT_EXIT_OK)
        code = find(diff, &found);
    if (code == SHUNT_EXIT_OK)
        code = tell(diff, &found);
    shunt_differences_clear(&found);
    for (int i = 0; i < SHUNT_DIFF_SIDES; i++)
        free(diff->table[i]);
    return code;
}

static const struct shunt_option list[] = {
    SHUNT_WORD("op", "OP", struct shunt_diff, asked_op, SHUNT_OPERATION_WORDS,
               "alltoall or alltoallv alone"),
    SHUNT_BOX_OPTIONS(struct shunt_diff, space),
    SHUNT_TEXT("layout", "SIZES", struct shunt_diff, layout,
               "one layout alone: ranks of each node, such as 3,5,8; 4x8: four nodes of 8"),
    SHUNT_OPTION_MEMORY(struct shunt_diff, memory),
    SHUNT_TEXT("host", "NAME", struct shunt_diff, host,
               "found: on that host instead, with the files that are here"),
    SHUNT_FLAG(0, "csv", struct shunt_diff, csv, "for programs, with a first line of names"),
    SHUNT_WIDE(struct shunt_diff, wide, "a line for each difference, in columns, however long"),
    SHUNT_JSON(struct shunt_diff, json, "for programs"),
};

const struct shunt_subcommand shunt_subcommand_diff = {
    .name = "diff",
    .summary = "tell where two decision tables decide differently",
    .usage = "shunt diff [OPTION]... FIRST SECOND",
    .about = "Tells for which calls two tables choose another algorithm, or other parameters of "
             "it: the calls, what each chooses and by which rule. FIRST and SECOND are files, "
             "built-in for the table inside Shunt, or found for that of a job whose rank 0 runs on "
             "this host. All calls are compared, cut where a condition of either table begins or "
             "ends; options ask about some.",
    .status = "0 no difference, 1 differences, 2 usage, 3 a table is invalid, 4 a file cannot be "
              "read",
    SHUNT_OPTIONS(list),
    .size = sizeof(struct shunt_diff),
    .defaults = &(
        const struct shunt_diff){.asked_op = SHUNT_OP_COUNT, .memory = -1, .space = SHUNT_BOX_ALL},
    .words_most = SHUNT_DIFF_SIDES,
    .missing = "two tables are compared: files, built-in or found",
    .run = run,
};
