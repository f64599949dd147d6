/* SPDX-License-Identifier: BSD-3-Clause */
/* become.c: the way from a subcommand to the measuring program behind it. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/environment.h"
#include "config.h"
#include "tools/common/tool.h"

/* Beside this program (build tree), in the tree it was installed to even if that was moved, where
 * it was installed. */
void shunt_tool_program(const char *program, char *path, size_t capacity)
{
    static const char *const folders[] = {"", "/../libexec/shunt", NULL};
    char own[PATH_MAX];
    for (int i = 0; shunt_tool_folder(own, sizeof own) && folders[i]; i++) {
        snprintf(path, capacity, "%s%s/%s", own, folders[i], program);
        if (access(path, X_OK) == 0)
            return;
    }
    snprintf(path, capacity, "%s/shunt/%s", SHUNT_LIBEXECDIR, program);
}

/* A library of the program that the loader does not find; false: it finds all. */
static bool find_missing(const char *path, char *name, size_t capacity)
{
    char line[PATH_MAX], *const argv[] = {(char[]){"shunt"}, (char[]){"--help"}, NULL};
    bool missing = false;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        setenv("LD_TRACE_LOADED_OBJECTS", "1", 1); /* it is not run */
        execv(path, argv);
        _exit(127);
    }
    close(ends[1]);
    FILE *stream = fdopen(ends[0], "r");
    while (stream && fgets(line, sizeof line, stream)) {
        char *end = strstr(line, " => not found"), *begin = line + strspn(line, " \t");
        if (!end || missing)
            continue;
        snprintf(name, capacity, "%.*s", (int)(end - begin), begin);
        missing = true;
    }
    if (stream)
        fclose(stream);
    if (child > 0)
        waitpid(child, NULL, 0);
    return missing;
}

int shunt_tool_become(const char *program, char **argv)
{
    char path[PATH_MAX + 64], missing[256];
    shunt_tool_program(program, path, sizeof path);
    if (access(path, X_OK) == 0 && find_missing(path, missing, sizeof missing)) {
        if (shunt_environment_first_of_job())
            shunt_tool_say("%s measures " SHUNT_MPI_NAME ", for which this Shunt was built, and %s "
                           "is not on this machine: install that MPI library, or build Shunt with "
                           "the library that your programs use (configure MPICC=...); "
                           "libshunt.so serves it as it is",
                           program, missing);
        return SHUNT_EXIT_MPI;
    }
    execv(path, argv);
    shunt_tool_say("%s is neither beside this program nor in %s/shunt (%s): install Shunt, or "
                   "run \"make\" in the build folder",
                   program, SHUNT_LIBEXECDIR, strerror(errno));
    return SHUNT_EXIT_IO;
}
