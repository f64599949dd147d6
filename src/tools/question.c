/* SPDX-License-Identifier: BSD-3-Clause */
/* question.c: options of `shunt explain`. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "route/settings.h"
#include "route/words.h"
#include "tools/question.h"
#include "tools/tool.h"

/* More ranks than any machine has, few enough for arrays of them. */
#define RANKS_MAX (1 << 24)

struct shape {
    int ranks, nodes, ppn; /* 0: not given */
    const char *layout;    /* sizes of the nodes, or NULL */
};

static int usage_number(const char *option, const char *text)
{
    return shunt_tool_usage(&shunt_subcommand_explain, "--%s: \"%s\" is not a number from 1 to %d",
                            option, text, RANKS_MAX);
}

static int read_op(const char *text, enum shunt_op *op)
{
    if (shunt_op_parse(text, op))
        return SHUNT_EXIT_OK;
    return shunt_tool_usage(&shunt_subcommand_explain,
                            "--op: \"%s\" is neither alltoall nor alltoallv", text);
}

static int read_size(const char *option, const char *text, int64_t *bytes)
{
    if (shunt_size_parse(text, bytes))
        return SHUNT_EXIT_OK;
    return shunt_tool_usage(&shunt_subcommand_explain,
                            "--%s: \"%s\" is not a size such as 512 or 4K", option, text);
}

/* Any two of the three say the third; alone, ranks are one node and nodes have one rank each. */
static int complete(struct shape *shape)
{
    int64_t product = (int64_t)shape->nodes * shape->ppn;
    if (shape->nodes > 0 && shape->ppn > 0) {
        if (product > RANKS_MAX)
            return shunt_tool_usage(&shunt_subcommand_explain,
                                    "--nodes times --ppn is more than %d", RANKS_MAX);
        if (shape->ranks > 0 && shape->ranks != product)
            return shunt_tool_usage(
                &shunt_subcommand_explain,
                "%d nodes of %d ranks are not %d ranks (--layout takes unequal nodes)",
                shape->nodes, shape->ppn, shape->ranks);
        shape->ranks = (int)product;
        return SHUNT_EXIT_OK;
    }
    if (shape->ranks == 0)
        return shunt_tool_usage(&shunt_subcommand_explain,
                                "give two of --ranks, --nodes and --ppn, or --layout");
    int divisor = shape->nodes > 0 ? shape->nodes : shape->ppn;
    if (divisor == 0)
        return shunt_tool_usage(&shunt_subcommand_explain,
                                "give --nodes or --ppn beside --ranks, or --layout");
    if (shape->ranks % divisor != 0)
        return shunt_tool_usage(&shunt_subcommand_explain,
                                "%d ranks are not a multiple of %d (--layout takes unequal nodes)",
                                shape->ranks, divisor);
    shape->nodes = shape->nodes > 0 ? shape->nodes : shape->ranks / shape->ppn;
    return SHUNT_EXIT_OK;
}

static int no_memory(void)
{
    shunt_tool_say("out of memory");
    return SHUNT_EXIT_IO;
}

/* "3,5,8,1": one key per rank, the number of its node. */
static int read_layout(const char *text, struct shunt_layout *layout)
{
    int *keys = malloc(sizeof *keys * RANKS_MAX), ranks = 0, node = 0;
    char *copy = strdup(text), *save = NULL;
    int code = keys && copy ? SHUNT_EXIT_OK : no_memory();
    for (char *word = copy ? strtok_r(copy, ",", &save) : NULL; word && code == SHUNT_EXIT_OK;
         word = strtok_r(NULL, ",", &save), node++) {
        int size;
        if (!shunt_tool_number(word, RANKS_MAX - ranks, &size)) {
            code = usage_number("layout", word);
            break;
        }
        for (int i = 0; i < size; i++)
            keys[ranks++] = node;
    }
    if (code == SHUNT_EXIT_OK && ranks == 0)
        code = shunt_tool_usage(&shunt_subcommand_explain, "--layout: no node sizes");
    if (code == SHUNT_EXIT_OK && shunt_layout_from_keys(layout, ranks, keys) != 0)
        code = no_memory();
    free(copy);
    free(keys);
    return code;
}

static int build_layout(struct shape *shape, struct shunt_layout *layout)
{
    if (shape->layout) {
        if (shape->ranks > 0 || shape->nodes > 0 || shape->ppn > 0)
            return shunt_tool_usage(&shunt_subcommand_explain,
                                    "--layout says it all: no --ranks, --nodes or --ppn beside it");
        return read_layout(shape->layout, layout);
    }
    int code = complete(shape);
    if (code == SHUNT_EXIT_OK && shunt_layout_blocks(layout, shape->ranks, shape->nodes) != 0)
        code = no_memory();
    return code;
}

struct state {
    struct shunt_question *question;
    struct shape shape;
    bool op_given, block_given;
};

/* One of --ranks, --nodes, --ppn. */
static int read_count(const char *option, const char *text, int *count)
{
    return shunt_tool_number(text, RANKS_MAX, count) ? SHUNT_EXIT_OK : usage_number(option, text);
}

static int read_rank(const char *text, int *rank)
{
    if (strcmp(text, "0") == 0) {
        *rank = 0;
        return SHUNT_EXIT_OK;
    }
    return read_count("rank", text, rank);
}

static int take(struct state *state, int option, const char *value, const char *word)
{
    switch (option) {
    case 'o':
        state->op_given = true;
        return read_op(value, &state->question->op);
    case 'r':
        return read_count("ranks", value, &state->shape.ranks);
    case 'n':
        return read_count("nodes", value, &state->shape.nodes);
    case 'p':
        return read_count("ppn", value, &state->shape.ppn);
    case 'y':
        state->shape.layout = value;
        return SHUNT_EXIT_OK;
    case 'b':
        state->block_given = true;
        return read_size("block", value, &state->question->block);
    case 'm':
        return read_size("memory", value, &state->question->memory);
    case 'k':
        return read_rank(value, &state->question->rank);
    case 'j':
        state->question->json = true;
        return SHUNT_EXIT_OK;
    case 'h':
        state->question->help = true;
        return SHUNT_EXIT_OK;
    default:
        return shunt_tool_usage(&shunt_subcommand_explain,
                                "%s is not an option, or lacks its value", word);
    }
}

static int finish(struct state *state, int argc, char **argv)
{
    struct shunt_question *question = state->question;
    if (!state->op_given || !state->block_given)
        return shunt_tool_usage(&shunt_subcommand_explain, "--%s is missing",
                                state->op_given ? "block" : "op");
    if (argc - optind > 1)
        return shunt_tool_usage(&shunt_subcommand_explain, "\"%s\" is one word too many",
                                argv[optind + 1]);
    question->file = optind < argc ? argv[optind] : NULL;
    int code = build_layout(&state->shape, &question->layout);
    if (code == SHUNT_EXIT_OK && question->rank >= question->layout.ranks)
        return shunt_tool_usage(&shunt_subcommand_explain, "--rank: there is no rank %d among %d",
                                question->rank, question->layout.ranks);
    return code;
}

int shunt_question_read(struct shunt_question *question, int argc, char **argv)
{
    static const struct option options[] = {{"op", required_argument, NULL, 'o'},
                                            {"ranks", required_argument, NULL, 'r'},
                                            {"nodes", required_argument, NULL, 'n'},
                                            {"ppn", required_argument, NULL, 'p'},
                                            {"layout", required_argument, NULL, 'y'},
                                            {"block", required_argument, NULL, 'b'},
                                            {"memory", required_argument, NULL, 'm'},
                                            {"rank", required_argument, NULL, 'k'},
                                            {"json", no_argument, NULL, 'j'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    struct state state = {.question = question};
    int option;
    opterr = 0;
    *question = (struct shunt_question){.memory = -1};
    while ((option = getopt_long(argc, argv, "hj", options, NULL)) != -1) {
        int code = take(&state, option, optarg, argv[optind - 1]);
        if (code != SHUNT_EXIT_OK || question->help)
            return code;
    }
    return finish(&state, argc, argv);
}

void shunt_question_clear(struct shunt_question *question)
{
    shunt_layout_clear(&question->layout);
}
