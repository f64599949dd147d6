/* SPDX-License-Identifier: BSD-3-Clause */
/* become.c: the way from a subcommand to the measuring program behind it. */
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

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

int shunt_tool_become(const char *program, char **argv)
{
    char path[PATH_MAX + 64];
    shunt_tool_program(program, path, sizeof path);
    execv(path, argv);
    shunt_tool_say("%s is neither beside this program nor in %s/shunt (%s): install Shunt, or "
                   "run \"make\" in the build folder",
                   program, SHUNT_LIBEXECDIR, strerror(errno));
    return SHUNT_EXIT_IO;
}
