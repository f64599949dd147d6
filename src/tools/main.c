/* SPDX-License-Identifier: BSD-3-Clause */
/* main.c: the command `shunt`: finds the subcommand. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "tools/common/preload.h"
#include "tools/common/tool.h"

static const struct shunt_subcommand *const subcommands[] = {
    &shunt_subcommand_run,     &shunt_subcommand_check,    &shunt_subcommand_explain,
    &shunt_subcommand_predict, &shunt_subcommand_schedule, &shunt_subcommand_algorithms,
    &shunt_subcommand_bench,   &shunt_subcommand_machine,  &shunt_subcommand_tune,
    &shunt_subcommand_diff,    &shunt_subcommand_show,     &shunt_subcommand_log,
    &shunt_subcommand_report,  &shunt_subcommand_where,    &shunt_subcommand_env,
    &shunt_subcommand_view,    &shunt_subcommand_new,      &shunt_subcommand_import,
};
#define SUBCOMMAND_COUNT (sizeof subcommands / sizeof subcommands[0])

static void print_usage(FILE *stream)
{
    fputs("usage: shunt COMMAND [OPTION]...\n\n"
          "Routes MPI_Alltoall and MPI_Alltoallv of unmodified programs by a decision table.\n\n",
          stream);
    for (size_t i = 0; i < SUBCOMMAND_COUNT; i++)
        fprintf(stream, "  %-12s %s\n", subcommands[i]->name, subcommands[i]->summary);
    fputs("\n\"shunt help COMMAND\" explains one, \"shunt --version\" tells the version, \"shunt "
          "--libpath\" the path\n"
          "of libshunt.so, for LD_PRELOAD; the manual is shunt(1), shunt.cfg(5) and libshunt(7).\n",
          stream);
}

static const struct shunt_subcommand *find_subcommand(const char *name)
{
    const char *names[SUBCOMMAND_COUNT];
    for (size_t i = 0; i < SUBCOMMAND_COUNT; i++) {
        names[i] = subcommands[i]->name;
        if (strcmp(name, names[i]) == 0)
            return subcommands[i];
    }
    const char *near = shunt_nearest(name, names, SUBCOMMAND_COUNT);
    if (near)
        shunt_tool_say("unknown command \"%s\" (did you mean \"%s\"?)", name, near);
    else
        shunt_tool_say("unknown command \"%s\"; \"shunt --help\" lists them", name);
    return NULL;
}

static int help(const char *name)
{
    const struct shunt_subcommand *subcommand = name ? find_subcommand(name) : NULL;
    if (name && !subcommand)
        return SHUNT_EXIT_USAGE;
    if (subcommand)
        shunt_help_print(subcommand, stdout);
    else
        print_usage(stdout);
    return SHUNT_EXIT_OK;
}

/* For completion and the manual: the commands with their summaries, or what a command takes. */
static int list(const char *name)
{
    const struct shunt_subcommand *subcommand = name ? find_subcommand(name) : NULL;
    if (name && !subcommand)
        return SHUNT_EXIT_USAGE;
    if (subcommand)
        shunt_options_list(subcommand, stdout);
    for (size_t i = 0; !name && i < SUBCOMMAND_COUNT; i++)
        printf("%s\t%s\n", subcommands[i]->name, subcommands[i]->summary);
    return SHUNT_EXIT_OK;
}

static int print_library(void)
{
    char *library = shunt_preload_library();
    if (!library)
        return shunt_preload_missing();
    puts(library);
    free(library);
    return SHUNT_EXIT_OK;
}

static int dispatch(int argc, char **argv)
{
    const char *word = argv[1], *next = argc > 2 ? argv[2] : NULL;
    if (strcmp(word, "help") == 0 && next && strcmp(next, "--options") == 0)
        return list(argc > 3 ? argv[3] : NULL);
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0)
        return help(next);
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
        puts(PACKAGE_STRING);
        return SHUNT_EXIT_OK;
    }
    if (strcmp(word, "--libpath") == 0)
        return print_library();
    const struct shunt_subcommand *subcommand = find_subcommand(word);
    if (!subcommand)
        return SHUNT_EXIT_USAGE;
    if (!subcommand->program)
        return shunt_tool_run(subcommand, argc - 1, argv + 1);
    if (next && (strcmp(next, "--help") == 0 || strcmp(next, "-h") == 0))
        return help(subcommand->name);
    return shunt_tool_become(subcommand->program, argv + 1);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        print_usage(stderr);
        return SHUNT_EXIT_USAGE;
    }
    int code = dispatch(argc, argv);
    /* A full disk must not look like success, or like findings that can be read. */
    if ((fflush(stdout) != 0 || ferror(stdout)) && code <= SHUNT_EXIT_FINDINGS) {
        perror("shunt: stdout");
        code = SHUNT_EXIT_IO;
    }
    return code;
}
