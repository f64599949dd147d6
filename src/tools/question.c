/* SPDX-License-Identifier: BSD-3-Clause */
/* question.c: options of `shunt explain` and `shunt schedule`. */
#include <getopt.h>
#include <inttypes.h>
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

static bool shows_schedules(const struct shunt_question *question)
{
    return question->asker == &shunt_subcommand_schedule;
}

static int usage_number(const struct shunt_question *question, const char *option, const char *text)
{
    return shunt_tool_usage(question->asker, "--%s: \"%s\" is not a number from 1 to %d", option,
                            text, RANKS_MAX);
}

static int read_op(struct shunt_question *question, const char *text)
{
    if (shunt_op_parse(text, &question->op))
        return SHUNT_EXIT_OK;
    return shunt_tool_usage(question->asker, "--op: \"%s\" is neither alltoall nor alltoallv",
                            text);
}

static int read_size(const struct shunt_question *question, const char *option, const char *text,
                     int64_t *bytes)
{
    if (shunt_size_parse(text, bytes))
        return SHUNT_EXIT_OK;
    char hint[96];
    shunt_size_hint(text, hint, sizeof hint);
    return shunt_tool_usage(question->asker, "--%s: \"%s\" is not a size such as 512 or 4K%s",
                            option, text, hint);
}

/* Any two of the three say the third. Alone, ranks are one node for `shunt schedule`: most
 * algorithms do not look at nodes. */
static int complete(const struct shunt_question *question, struct shape *shape)
{
    int64_t product = (int64_t)shape->nodes * shape->ppn;
    if (shape->nodes > 0 && shape->ppn > 0) {
        if (product > RANKS_MAX)
            return shunt_tool_usage(question->asker, "--nodes times --ppn is more than %d",
                                    RANKS_MAX);
        if (shape->ranks > 0 && shape->ranks != product)
            return shunt_tool_usage(
                question->asker,
                "%d nodes of %d ranks are not %d ranks (--layout takes unequal nodes)",
                shape->nodes, shape->ppn, shape->ranks);
        shape->ranks = (int)product;
        return SHUNT_EXIT_OK;
    }
    if (shape->ranks == 0)
        return shunt_tool_usage(question->asker,
                                "give two of --ranks, --nodes and --ppn, or --layout");
    int divisor = shape->nodes > 0 ? shape->nodes : shape->ppn;
    if (divisor == 0 && shows_schedules(question)) {
        shape->nodes = 1;
        return SHUNT_EXIT_OK;
    }
    if (divisor == 0)
        return shunt_tool_usage(question->asker,
                                "give --nodes or --ppn beside --ranks, or --layout");
    if (shape->ranks % divisor != 0)
        return shunt_tool_usage(question->asker,
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
static int read_layout(const struct shunt_question *question, const char *text,
                       struct shunt_layout *layout)
{
    int *keys = malloc(sizeof *keys * RANKS_MAX), ranks = 0, node = 0;
    char *copy = strdup(text), *rest = copy;
    int code = keys && copy ? SHUNT_EXIT_OK : no_memory();
    for (char *word = copy ? strsep(&rest, ",") : NULL; word && code == SHUNT_EXIT_OK;
         word = strsep(&rest, ","), node++) {
        int size;
        if (!shunt_tool_number(word, RANKS_MAX - ranks, &size)) {
            code = usage_number(question, "layout", word);
            break;
        }
        for (int i = 0; i < size; i++)
            keys[ranks++] = node;
    }
    if (code == SHUNT_EXIT_OK && ranks == 0)
        code = shunt_tool_usage(question->asker, "--layout: no node sizes");
    if (code == SHUNT_EXIT_OK && shunt_layout_from_keys(layout, ranks, keys) != 0)
        code = no_memory();
    free(copy);
    free(keys);
    return code;
}

static int build_layout(struct shunt_question *question, struct shape *shape)
{
    struct shunt_layout *layout = &question->layout;
    if (shape->layout) {
        if (shape->ranks > 0 || shape->nodes > 0 || shape->ppn > 0)
            return shunt_tool_usage(question->asker,
                                    "--layout says it all: no --ranks, --nodes or --ppn beside it");
        return read_layout(question, shape->layout, layout);
    }
    int code = complete(question, shape);
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
static int read_count(const struct shunt_question *question, const char *option, const char *text,
                      int *count)
{
    return shunt_tool_number(text, RANKS_MAX, count) ? SHUNT_EXIT_OK
                                                     : usage_number(question, option, text);
}

static int read_rank(struct shunt_question *question, const char *text)
{
    question->all = shows_schedules(question) && strcmp(text, "all") == 0;
    if (question->all || strcmp(text, "0") == 0) {
        question->rank = 0;
        return SHUNT_EXIT_OK;
    }
    return read_count(question, "rank", text, &question->rank);
}

/* Options that only `shunt schedule` has. */
static int take_schedule(struct shunt_question *question, int option, const char *value)
{
    if (option == 'a')
        question->algorithm = value;
    else if (option == 'f')
        question->counts = value;
    else if (option == 'c')
        question->csv = true;
    else if (strcmp(value, "radix") == 0)
        question->sweep = true;
    else
        return shunt_tool_usage(question->asker, "--sweep: \"%s\" is not radix", value);
    return SHUNT_EXIT_OK;
}

static int take(struct state *state, int option, const char *value, const char *word)
{
    struct shunt_question *question = state->question;
    switch (option) {
    case 'a':
    case 'c':
    case 'f':
    case 's':
        return take_schedule(question, option, value);
    case 'o':
        state->op_given = true;
        return read_op(question, value);
    case 'r':
        return read_count(question, "ranks", value, &state->shape.ranks);
    case 'n':
        return read_count(question, "nodes", value, &state->shape.nodes);
    case 'p':
        return read_count(question, "ppn", value, &state->shape.ppn);
    case 'y':
        state->shape.layout = value;
        return SHUNT_EXIT_OK;
    case 'b':
        state->block_given = true;
        return read_size(question, "block", value, &question->block);
    case 'm':
        return read_size(question, "memory", value, &question->memory);
    case 'k':
        return read_rank(question, value);
    case 'j':
        question->json = true;
        return SHUNT_EXIT_OK;
    case 'h':
        question->help = true;
        return SHUNT_EXIT_OK;
    default:
        return shunt_tool_usage(question->asker, "%s is not an option, or lacks its value", word);
    }
}

/* What has to be given, and what says nothing beside something else. */
static int check_given(struct state *state)
{
    struct shunt_question *question = state->question;
    const bool schedule = shows_schedules(question);
    const char *missing = !state->op_given                   ? "op"
                          : schedule && !question->algorithm ? "algorithm"
                          : !schedule && !state->block_given ? "block"
                                                             : NULL;
    if (missing)
        return shunt_tool_usage(question->asker, "--%s is missing", missing);
    if (!state->block_given)
        question->block = 1;
    if (question->csv && !question->sweep)
        return shunt_tool_usage(question->asker, "--csv is a form of --sweep");
    if (question->counts && (state->block_given || question->op != SHUNT_OP_ALLTOALLV))
        return shunt_tool_usage(question->asker, "--counts goes with --op=alltoallv and without "
                                                 "--block");
    if (question->sweep && (question->json || question->all || question->counts))
        return shunt_tool_usage(question->asker, "--sweep goes without %s",
                                question->json  ? "--json (--csv is for programs)"
                                : question->all ? "--rank=all: it is about one rank"
                                                : "--counts: it tells no bytes");
    return SHUNT_EXIT_OK;
}

static int finish(struct state *state, int argc, char **argv)
{
    struct shunt_question *question = state->question;
    const int words = shows_schedules(question) ? 0 : 1;
    int code = check_given(state);
    if (code != SHUNT_EXIT_OK)
        return code;
    if (argc - optind > words)
        return shunt_tool_usage(question->asker, "\"%s\" is one word too many",
                                argv[optind + words]);
    question->file = optind < argc ? argv[optind] : NULL;
    code = build_layout(question, &state->shape);
    if (code == SHUNT_EXIT_OK && question->rank >= question->layout.ranks)
        return shunt_tool_usage(question->asker, "--rank: there is no rank %d among %d",
                                question->rank, question->layout.ranks);
    return code;
}

int shunt_question_read(struct shunt_question *question, const struct shunt_subcommand *asker,
                        int argc, char **argv)
{
    enum { SCHEDULE_ONLY = 4 }; /* the first of the options */
    static const struct option options[] = {{"algorithm", required_argument, NULL, 'a'},
                                            {"sweep", required_argument, NULL, 's'},
                                            {"csv", no_argument, NULL, 'c'},
                                            {"counts", required_argument, NULL, 'f'},
                                            {"op", required_argument, NULL, 'o'},
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
    *question = (struct shunt_question){.asker = asker, .memory = -1};
    const struct option *known = shows_schedules(question) ? options : options + SCHEDULE_ONLY;
    while ((option = getopt_long(argc, argv, "hj", known, NULL)) != -1) {
        int code = take(&state, option, optarg, argv[optind - 1]);
        if (code != SHUNT_EXIT_OK || question->help)
            return code;
    }
    return finish(&state, argc, argv);
}

void shunt_question_print(const struct shunt_question *question)
{
    const struct shunt_layout *layout = &question->layout;
    printf("%-10s %s, %d rank%s, %d node%s, ", "call", shunt_op_name(question->op), layout->ranks,
           shunt_tool_plural((uint64_t)layout->ranks), layout->nodes,
           shunt_tool_plural((uint64_t)layout->nodes));
    if (layout->ppn_min == layout->ppn_max)
        printf("%d rank%s per node, ", layout->ppn_max,
               shunt_tool_plural((uint64_t)layout->ppn_max));
    else
        printf("%d to %d ranks per node, ", layout->ppn_min, layout->ppn_max);
    if (question->counts)
        printf("blocks of up to %" PRId64 " bytes from %s\n", question->block, question->counts);
    else
        printf("blocks of %" PRId64 " byte%s\n", question->block,
               shunt_tool_plural((uint64_t)question->block));
}

void shunt_question_clear(struct shunt_question *question)
{
    shunt_layout_clear(&question->layout);
}
