/* SPDX-License-Identifier: BSD-3-Clause */
/* main.c: the command `shunt`: finds the verb. */
#include <stdio.h>
#include <string.h>

#include "config.h"
#include "tools/tool.h"

static const struct shunt_verb *const verbs[] = {
    &shunt_verb_run, &shunt_verb_check, &shunt_verb_explain, &shunt_verb_algorithms, &shunt_verb_bench,
};
#define VERB_COUNT (sizeof verbs / sizeof verbs[0])

static void print_usage(FILE *stream)
{
    fputs("usage: shunt VERB [OPTION]...\n\n"
          "Routes MPI_Alltoall and MPI_Alltoallv of unmodified programs by a decision table.\n\n",
          stream);
    for (size_t i = 0; i < VERB_COUNT; i++)
        fprintf(stream, "  %-12s %s\n", verbs[i]->name, verbs[i]->summary);
    fputs("\n\"shunt help VERB\" explains a verb, \"shunt --version\" tells the version; the manual is shunt(1), shunt.cfg(5) and\n"
          "libshunt(7).\n",
          stream);
}

static const struct shunt_verb *find_verb(const char *name)
{
    const char *names[VERB_COUNT];
    for (size_t i = 0; i < VERB_COUNT; i++) {
        names[i] = verbs[i]->name;
        if (strcmp(name, names[i]) == 0)
            return verbs[i];
    }
    const char *near = shunt_nearest(name, names, VERB_COUNT);
    if (near != NULL)
        shunt_tool_say("unknown verb \"%s\" (did you mean \"%s\"?)", name, near);
    else
        shunt_tool_say("unknown verb \"%s\"; \"shunt --help\" lists them", name);
    return NULL;
}

static int help(const char *name)
{
    const struct shunt_verb *verb = name != NULL ? find_verb(name) : NULL;
    if (name != NULL && verb == NULL)
        return SHUNT_EXIT_USAGE;
    if (verb != NULL)
        fputs(verb->help, stdout);
    else
        print_usage(stdout);
    return SHUNT_EXIT_OK;
}

static int dispatch(int argc, char **argv)
{
    const char *word = argv[1];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0)
        return help(argc > 2 ? argv[2] : NULL);
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
        puts(PACKAGE_STRING);
        return SHUNT_EXIT_OK;
    }
    const struct shunt_verb *verb = find_verb(word);
    if (verb == NULL)
        return SHUNT_EXIT_USAGE;
    /* Options of the launcher belong to the launcher: run looks for help itself, before the first word that is no option. */
    if (argc > 2 && (strcmp(argv[2], "--help") == 0 || strcmp(argv[2], "-h") == 0))
        return help(verb->name);
    return verb->run(argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        print_usage(stderr);
        return SHUNT_EXIT_USAGE;
    }
    int code = dispatch(argc, argv);
    /* A full disk must not look like success. */
    if ((fflush(stdout) != 0 || ferror(stdout)) && code == SHUNT_EXIT_OK) {
        perror("shunt: stdout");
        code = SHUNT_EXIT_IO;
    }
    return code;
}
