/* SPDX-License-Identifier: BSD-3-Clause */
/* diff.c: `shunt diff`: where two decision tables decide differently. Its parts are in diff/. */
#include <stdlib.h>

#include "tools/diff/diff.h"
#include "tools/shape.h"

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
    shunt_tool_say("out of memory");
    return SHUNT_EXIT_IO;
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

static int run(int argc, char **argv)
{
    struct shunt_diff diff;
    struct shunt_differences found = {0};
    int code = shunt_diff_read(&diff, argc, argv);
    if (code == SHUNT_EXIT_OK && diff.help) {
        fputs(shunt_subcommand_diff.help, stdout);
        return code;
    }
    if (code == SHUNT_EXIT_OK)
        code = read_tables(&diff);
    if (code == SHUNT_EXIT_OK)
        code = find(&diff, &found);
    if (code == SHUNT_EXIT_OK)
        code = tell(&diff, &found);
    shunt_differences_clear(&found);
    for (int i = 0; i < SHUNT_DIFF_SIDES; i++)
        free(diff.table[i]);
    return code;
}

const struct shunt_subcommand shunt_subcommand_diff = {
    .name = "diff",
    .summary = "tell where two decision tables decide differently",
    .help = "usage: shunt diff [OPTION]... FIRST SECOND\n\n"
            "Tells for which calls two tables choose another algorithm, or other parameters of it: "
            "the calls,\n"
            "what each chooses and by which rule. FIRST and SECOND are files, built-in for the "
            "table inside\n"
            "Shunt, or found for that of a job whose rank 0 runs on this host. All calls are "
            "compared, cut where\n"
            "a condition of either table begins or ends; options ask about some.\n\n"
            "  --op=OP           alltoall or alltoallv alone\n"
            "  --ranks=RANGE --nodes=RANGE --ppn=RANGE --block=RANGE --density=RANGE\n"
            "                    calls within these alone: 64, 8-64, 8-; sizes take K, M and G\n"
            "  --oversubscribed=true\n"
            "                    calls of jobs with more ranks on some node than processors "
            "(default false)\n"
            "  --layout=3,5,8    one layout alone: ranks of each node; 4x8: four nodes of 8\n"
            "  --memory=SIZE     cap of scratch memory, as SHUNT_MEMORY\n"
            "  --host=NAME       found: on that host instead, with the files that are here\n"
            "  --csv             for programs, with a first line of names\n"
            "  -w, --wide        a line for each difference, in columns, however long\n"
            "  -j, --json        for programs\n\n"
            "exit status: 0 no difference, 1 differences, 2 usage, 3 a table is invalid, 4 a file "
            "cannot be read\n",
    .run = run,
};
