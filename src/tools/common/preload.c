/* SPDX-License-Identifier: BSD-3-Clause */
/* preload.c: where libshunt.so is, relative to this program, in a build tree and installed. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/environment.h"
#include "tools/common/preload.h"
#include "tools/common/tool.h"

#define LIBRARY "libshunt.so"

/* First beside this program (the build tree), then a tree that was moved, then one that was
 * installed under another root, then where it was installed. */
static const char *const folders[] = {"/", "/../lib/", NULL};

/* The library in a tree under another root, such as an image or the DESTDIR of an installation, of
 * which `folder` is the one for programs: ROOT/usr/bin and ROOT/usr/lib/x86_64-linux-gnu. */
static bool under_root(const char *folder, char *path, size_t capacity)
{
    const size_t length = strlen(folder), end = strlen(SHUNT_BINDIR);
    if (length <= end || strcmp(folder + length - end, SHUNT_BINDIR) != 0)
        return false;
    snprintf(path, capacity, "%.*s" SHUNT_LIBDIR "/" LIBRARY, (int)(length - end), folder);
    return access(path, R_OK) == 0;
}

char *shunt_preload_library(void)
{
    char folder[PATH_MAX], path[PATH_MAX + 64];
    if (shunt_tool_folder(folder, sizeof folder)) {
        for (int i = 0; folders[i]; i++) {
            snprintf(path, sizeof path, "%s%s" LIBRARY, folder, folders[i]);
            if (access(path, R_OK) == 0)
                return realpath(path, NULL);
        }
        if (under_root(folder, path, sizeof path))
            return realpath(path, NULL);
    }
    return access(SHUNT_LIBDIR "/" LIBRARY, R_OK) == 0 ? strdup(SHUNT_LIBDIR "/" LIBRARY) : NULL;
}

/* In its folder "shunt" (installed), or beside it (build tree). */
bool shunt_preload_module(const char *library, char *path, size_t capacity)
{
    static const char *const names[] = {"shunt/shunt-table.so", "shunt-table.so"};
    const char *slash = strrchr(library, '/');
    for (size_t i = 0; slash && i < sizeof names / sizeof names[0]; i++) {
        snprintf(path, capacity, "%.*s/%s", (int)(slash - library), library, names[i]);
        if (access(path, R_OK) == 0)
            return true;
    }
    return false;
}

/* How much of the list is the runtime of a sanitizer, which has to be the first of all libraries,
 * with what separates it from the rest. */
static size_t runtime_of(const char *list)
{
    static const char *const runtimes[] = {"libasan.", "libhwasan.", "libtsan.", "liblsan.",
                                           "libclang_rt."};
    const size_t length = strcspn(list, " :");
    const char *base = list;
    for (size_t i = 0; i < length; i++)
        if (list[i] == '/')
            base = list + i + 1;
    for (size_t i = 0; i < sizeof runtimes / sizeof *runtimes; i++)
        if (strncmp(base, runtimes[i], strlen(runtimes[i])) == 0)
            return length + (list[length] != '\0');
    return 0;
}

/* Puts `library` before all but the runtime of a sanitizer. Returns 0, or -1 with errno. */
static int prepend(const char *library)
{
    const char *present = shunt_environment_value("LD_PRELOAD");
    char *list = NULL;
    if (!present)
        present = "";
    const size_t first = runtime_of(present);
    const char *rest = present + first;
    if (asprintf(&list, "%.*s%s%s%s%s", (int)first, present, first > 0 && *rest == '\0' ? ":" : "",
                 library, *rest != '\0' ? ":" : "", rest) < 0)
        return -1;
    int result = setenv("LD_PRELOAD", list, 1);
    free(list);
    return result;
}

int shunt_preload_missing(void)
{
    shunt_tool_say("%s is neither beside this program nor in %s: install Shunt, or start the "
                   "program of the build tree",
                   LIBRARY, SHUNT_LIBDIR);
    return SHUNT_EXIT_IO;
}

int shunt_preload_set(void)
{
    int code = SHUNT_EXIT_IO;
    char *library = shunt_preload_library();
    if (!library)
        code = shunt_preload_missing();
    else if (strpbrk(library, " :"))
        shunt_tool_say("%s cannot be preloaded: LD_PRELOAD takes no path with a space or a colon",
                       library);
    else if (prepend(library) != 0)
        shunt_tool_say("LD_PRELOAD cannot be set: %s", strerror(errno));
    else
        code = SHUNT_EXIT_OK;
    free(library);
    return code;
}
