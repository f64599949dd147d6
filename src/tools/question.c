/* SPDX-License-Identifier: BSD-3-Clause */
/* question.c: options of `shunt explain` and `shunt schedule`. */
#include <getopt.h>
#include <inttypes.h>
#include <string.h>

#include "route/table.h"
#include "tools/question.h"
#include "tools/shape.h"
#include "tools/tool.h"

static bool shows_schedules(const struct shunt_question *question)
{
    return question->asker == &shunt_subcommand_schedule;
}

struct state {
    struct shunt_question *question;
    struct shunt_shape shape;
    bool op_given, block_given, density_given;
};

static int read_rank(struct shunt_question *question, const char *text)
{
    question->all = shows_schedules(question) && strcmp(text, "all") == 0;
    if (question->all || strcmp(text, "0") == 0) {
        question->rank = 0;
        return SHUNT_EXIT_OK;
    }
    if (shunt_tool_number(text, SHUNT_RANKS_MAX - 1, &question->rank))
        return SHUNT_EXIT_OK;
    return shunt_tool_usage(question->asker, "--rank: \"%s\" is not a number from 0 to %d%s", text,
                            SHUNT_RANKS_MAX - 1, shows_schedules(question) ? ", or \"all\"" : "");
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
    else if (option == 'v')
        question->moves = true;
    else if (strcmp(value, "radix") == 0)
        question->sweep = true;
    else
        return shunt_tool_usage(question->asker, "--sweep: \"%s\" is not radix", value);
    return SHUNT_EXIT_OK;
}

/* Options that only `shunt explain` has. */
static int take_explain(struct shunt_question *question, int option, const char *value)
{
    if (option == 'd')
        return shunt_shape_density(question->asker, value, &question->density);
    if (option == 'O')
        return shunt_shape_oversubscribed(question->asker, value, &question->oversubscribed);
    question->predict = true;
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
    case 'v':
        return take_schedule(question, option, value);
    case 'd':
        state->density_given = true;
        return take_explain(question, option, value);
    case 'M':
        question->machine = value;
        return SHUNT_EXIT_OK;
    case 'O':
    case 'P':
        return take_explain(question, option, value);
    case 'o':
        state->op_given = true;
        return shunt_shape_op(question->asker, value, &question->op);
    case 'r':
        return shunt_shape_number(question->asker, "ranks", value, &state->shape.ranks);
    case 'n':
        return shunt_shape_number(question->asker, "nodes", value, &state->shape.nodes);
    case 'p':
        return shunt_shape_number(question->asker, "ppn", value, &state->shape.ppn);
    case 'y':
        state->shape.layout = value;
        return SHUNT_EXIT_OK;
    case 'b':
        state->block_given = true;
        return shunt_shape_size(question->asker, "block", value, &question->block);
    case 'm':
        return shunt_shape_size(question->asker, "memory", value, &question->memory);
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

/* The density is 0 where the largest block is, and only there. */
static int check_density(const struct state *state)
{
    const struct shunt_question *question = state->question;
    if (state->density_given && question->op == SHUNT_OP_ALLTOALL)
        return shunt_tool_usage(question->asker, "--density goes with --op=alltoallv: all blocks "
                                                 "of an MPI_Alltoall have one size");
    if ((question->density == 0) != (question->block == 0))
        return shunt_tool_usage(question->asker,
                                "--density=%d and --block=%" PRId64 ": the density is 0 where all "
                                "blocks are empty, and only there",
                                question->density, question->block);
    return SHUNT_EXIT_OK;
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
    if (!state->density_given)
        question->density = question->block > 0 ? SHUNT_DENSITY_FULL : 0;
    const int code = schedule ? SHUNT_EXIT_OK : check_density(state);
    if (code != SHUNT_EXIT_OK)
        return code;
    if (question->csv && !question->sweep)
        return shunt_tool_usage(question->asker, "--csv is a form of --sweep");
    if (question->moves && !question->json)
        return shunt_tool_usage(question->asker, "--moves goes with --json");
    if (question->machine && !schedule && !question->predict)
        return shunt_tool_usage(question->asker, "--machine goes with --predict");
    if (question->counts && (state->block_given || question->op != SHUNT_OP_ALLTOALLV))
        return shunt_tool_usage(question->asker, "--counts goes with --op=alltoallv and without "
                                                 "--block");
    if (question->sweep &&
        (question->json || question->all || question->counts || question->machine))
        return shunt_tool_usage(question->asker, "--sweep goes without %s",
                                question->json     ? "--json (--csv is for programs)"
                                : question->all    ? "--rank=all: it is about one rank"
                                : question->counts ? "--counts: it tells no bytes"
                                                   : "--machine: it tells no times");
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
    code = shunt_shape_layout(question->asker, &state->shape, shows_schedules(question),
                              &question->layout);
    question->layout.oversubscribed = question->oversubscribed;
    if (code == SHUNT_EXIT_OK && question->rank >= question->layout.ranks)
        return shunt_tool_usage(question->asker, "--rank: there is no rank %d among %d",
                                question->rank, question->layout.ranks);
    return code;
}

#define COMMON_OPTIONS                                                                             \
    {"op", required_argument, NULL, 'o'}, {"ranks", required_argument, NULL, 'r'},                 \
        {"nodes", required_argument, NULL, 'n'}, {"ppn", required_argument, NULL, 'p'},            \
        {"layout", required_argument, NULL, 'y'}, {"block", required_argument, NULL, 'b'},         \
        {"memory", required_argument, NULL, 'm'}, {"rank", required_argument, NULL, 'k'},          \
        {"json", no_argument, NULL, 'j'}, {"help", no_argument, NULL, 'h'},                        \
    {                                                                                              \
        NULL, 0, NULL, 0                                                                           \
    }

int shunt_question_read(struct shunt_question *question, const struct shunt_subcommand *asker,
                        int argc, char **argv)
{
    static const struct option of_schedule[] = {{"algorithm", required_argument, NULL, 'a'},
                                                {"sweep", required_argument, NULL, 's'},
                                                {"csv", no_argument, NULL, 'c'},
                                                {"moves", no_argument, NULL, 'v'},
                                                {"machine", required_argument, NULL, 'M'},
                                                {"counts", required_argument, NULL, 'f'},
                                                COMMON_OPTIONS},
                               of_explain[] = {{"density", required_argument, NULL, 'd'},
                                               {"oversubscribed", required_argument, NULL, 'O'},
                                               {"predict", no_argument, NULL, 'P'},
                                               {"machine", required_argument, NULL, 'M'},
                                               COMMON_OPTIONS};
    struct state state = {.question = question};
    int option;
    opterr = 0;
    *question = (struct shunt_question){.asker = asker, .memory = -1};
    const struct option *known = shows_schedules(question) ? of_schedule : of_explain;
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
    if (!shunt_layout_in_blocks(layout))
        printf("dealt in turn, ");
    if (layout->oversubscribed)
        printf("more ranks than processors, ");
    if (question->density > 0 && question->density < SHUNT_DENSITY_FULL)
        printf("%d percent of the blocks not empty, ", question->density);
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
