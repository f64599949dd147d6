/* SPDX-License-Identifier: BSD-3-Clause */
/* options.c: the command line of a simulation. scripts/simulate has its manual. */
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "route/machine.h"
#include "route/settings.h"
#include "tools/common/tool.h"

static int refuse(const char *option, const char *value, const char *expected)
{
    shunt_tool_say("simulate: %s%s: %s is expected", option, value, expected);
    return SHUNT_EXIT_USAGE;
}

static int read_machine(struct simulate_asked *asked, const char *name)
{
    struct shunt_diagnostics diagnostics = {0};
    const bool found = shunt_machine_find(&asked->machine, name, &diagnostics);
    for (size_t i = 0; i < diagnostics.count; i++)
        shunt_tool_say("simulate: %s", diagnostics.text[i]);
    shunt_diagnostics_clear(&diagnostics);
    return found ? SHUNT_EXIT_OK : SHUNT_EXIT_USAGE;
}

static int read_blocks(struct simulate_asked *asked, const char *list)
{
    char word[32];
    for (const char *at = list;; at++) {
        const size_t length = strcspn(at, ",");
        if (length >= sizeof word || asked->blocks == SIMULATE_BLOCKS_MOST)
            return refuse("--block=", list, "a list of sizes");
        memcpy(word, at, length);
        word[length] = '\0';
        int64_t *block = &asked->block[asked->blocks++];
        if (!shunt_size_parse(word, block) || *block < 1 || *block > INT32_MAX / 2 / asked->ranks)
            return refuse("--block=", list, "a list of sizes that make less than 1 GiB per rank");
        at += length;
        if (*at == '\0')
            return SHUNT_EXIT_OK;
    }
}

static int read_algorithm(struct simulate_asked *asked, const char *text)
{
    char diagnostic[400];
    asked->algorithm = text;
    if (strcmp(text, "native") == 0)
        return SHUNT_EXIT_OK;
    asked->options.op[asked->op] = true;
    if (!bench_selections_add(&asked->options, text, diagnostic, sizeof diagnostic) ||
        !bench_selections_prepare(&asked->options, diagnostic, sizeof diagnostic)) {
        shunt_tool_say("simulate: %s", diagnostic);
        return SHUNT_EXIT_USAGE;
    }
    asked->selection = &asked->options.selections[0];
    if (!(asked->selection->algorithm->ops & 1u << asked->op))
        return refuse("--algorithm=", text, "an algorithm that serves the operation");
    return SHUNT_EXIT_OK;
}

/* The value of `argument`, if it is this option. */
static const char *value_of(const char *argument, const char *option)
{
    const size_t length = strlen(option);
    return strncmp(argument, option, length) == 0 ? argument + length : NULL;
}

struct words {
    const char *machine, *op, *algorithm, *block, *distribution;
};

static int read_words(struct simulate_asked *asked, int argc, char **argv, struct words *words)
{
    const char *value;
    for (int i = 1; i < argc; i++) {
        if ((value = value_of(argv[i], "--machine=")))
            words->machine = value;
        else if ((value = value_of(argv[i], "--op=")))
            words->op = value;
        else if ((value = value_of(argv[i], "--algorithm=")))
            words->algorithm = value;
        else if ((value = value_of(argv[i], "--block=")))
            words->block = value;
        else if ((value = value_of(argv[i], "--distribution=")))
            words->distribution = value;
        else if ((value = value_of(argv[i], "--ppn=")))
            asked->ppn = (int)strtol(value, NULL, 10);
        else if (strcmp(argv[i], "--check") == 0)
            asked->check = true;
        else
            return refuse("", argv[i], "an option that scripts/simulate passes on");
    }
    return SHUNT_EXIT_OK;
}

int simulate_read(struct simulate_asked *asked, int argc, char **argv, int ranks)
{
    struct words words = {"", "alltoallv", "native", "", "uniform"};
    asked->read = true;
    asked->ranks = ranks;
    int code = read_words(asked, argc, argv, &words);
    if (code == SHUNT_EXIT_OK)
        code = read_machine(asked, words.machine);
    if (code != SHUNT_EXIT_OK)
        return code;
    if (strcmp(words.op, "alltoall") != 0 && strcmp(words.op, "alltoallv") != 0)
        return refuse("--op=", words.op, "alltoall or alltoallv");
    asked->op = strcmp(words.op, "alltoall") == 0 ? SHUNT_OP_ALLTOALL : SHUNT_OP_ALLTOALLV;
    asked->random = strcmp(words.distribution, "random") == 0;
    if (!asked->random && strcmp(words.distribution, "uniform") != 0)
        return refuse("--distribution=", words.distribution, "uniform or random");
    if (asked->random && asked->op == SHUNT_OP_ALLTOALL)
        return refuse("--distribution=", "random",
                      "alltoallv, for an alltoall has blocks of one size,");
    if (asked->ppn < 1 || ranks % asked->ppn != 0)
        return refuse("--ppn=", "", "a number that divides the ranks");
    code = read_blocks(asked, words.block);
    return code == SHUNT_EXIT_OK ? read_algorithm(asked, words.algorithm) : code;
}
