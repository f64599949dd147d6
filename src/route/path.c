/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * path.c: this host's name and the folders of decision files, for libshunt.so and the command
 * `shunt` alike. Needs no libconfig: libshunt.so prepares the request, and asks the module only
 * where there may be something to read.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/environment.h"
#include "route/parse.h"

/* Only absolute paths count, as the XDG base directory specification has it for its variables; one
 * that does not fit is none. */
static const char *join(char *text, size_t capacity, const char *folder, const char *rest)
{
    if (!folder || folder[0] != '/')
        return NULL;
    int length = snprintf(text, capacity, "%s%s", folder, rest);
    return length > 0 && (size_t)length < capacity ? text : NULL;
}

void shunt_parse_here(struct shunt_parse_path *path, const char *config, char *const *environment)
{
    const char *xdg = shunt_environment_find(environment, "XDG_CONFIG_HOME");
    *path = (struct shunt_parse_path){0};
    path->request.builtin = config && strcmp(config, SHUNT_BUILTIN_NAME) == 0;
    path->request.config = path->request.builtin ? NULL : config;
    if (gethostname(path->host, sizeof path->host - 1) == 0)
        path->request.host = path->host;
    path->request.user_dir = join(path->user_dir, sizeof path->user_dir, xdg, "/shunt");
    if (!path->request.user_dir)
        path->request.user_dir =
            join(path->user_dir, sizeof path->user_dir, shunt_environment_find(environment, "HOME"),
                 "/.config/shunt");
    path->request.system_dir = SHUNT_SYSCONFDIR "/shunt";
}

char *shunt_parse_name(const char *path)
{
    char *name = realpath(path, NULL);
    if (name)
        return name;
    char *folder = path[0] != '/' ? getcwd(NULL, 0) : NULL;
    if (folder && asprintf(&name, "%s/%s", folder, path) < 0)
        name = NULL;
    else if (!folder)
        name = strdup(path);
    free(folder);
    return name;
}

bool shunt_parse_is_config(const char *name)
{
    const size_t length = strlen(name);
    return name[0] != '.' && length > 4 && strcmp(name + length - 4, ".cfg") == 0;
}

bool shunt_parse_is_absent(int error)
{
    return error == ENOENT || error == ENOTDIR || error == EACCES; /* nothing here for this user */
}

/* A process without a descriptor left can read no file, and does with the table inside. */
static bool holds_config(const char *folder)
{
    DIR *directory = folder ? opendir(folder) : NULL;
    const struct dirent *entry = NULL;
    if (!directory)
        return folder && !shunt_parse_is_absent(errno) && errno != EMFILE && errno != ENFILE;
    do {
        errno = 0;
        entry = readdir(directory);
    } while (entry && !shunt_parse_is_config(entry->d_name));
    const bool holds = entry || errno != 0;
    closedir(directory);
    return holds;
}

bool shunt_parse_needed(const struct shunt_parse_request *request)
{
    if (request->config)
        return true;
    return !request->builtin && request->host &&
           (holds_config(request->user_dir) || holds_config(request->system_dir));
}
