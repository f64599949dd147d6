/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * places.c: this host's name and the folders of decision files, for libshunt.so and the command `shunt` alike. Needs no libconfig:
 * libshunt.so prepares the request, and asks the module only where there may be something to read.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "route/parse.h"

static const char *variable(char *const *environment, const char *name)
{
    size_t length = strlen(name);
    for (; environment != NULL && *environment != NULL; environment++)
        if (strncmp(*environment, name, length) == 0 && (*environment)[length] == '=')
            return *environment + length + 1;
    return NULL;
}

/* Only absolute paths count, as the XDG base directory specification has it for its variables; one that does not fit is none. */
static const char *join(char *text, size_t room, const char *folder, const char *rest)
{
    if (folder == NULL || folder[0] != '/')
        return NULL;
    int length = snprintf(text, room, "%s%s", folder, rest);
    return length > 0 && (size_t)length < room ? text : NULL;
}

void shunt_parse_here(struct shunt_parse_places *places, const char *config, char *const *environment)
{
    const char *xdg = variable(environment, "XDG_CONFIG_HOME");
    *places = (struct shunt_parse_places){0};
    places->request.config = config;
    if (gethostname(places->host, sizeof places->host - 1) == 0)
        places->request.host = places->host;
    places->request.user_dir = join(places->user_dir, sizeof places->user_dir, xdg, "/shunt");
    if (places->request.user_dir == NULL)
        places->request.user_dir = join(places->user_dir, sizeof places->user_dir, variable(environment, "HOME"), "/.config/shunt");
    places->request.system_dir = SHUNT_SYSCONFDIR "/shunt";
}

bool shunt_parse_is_config(const char *name)
{
    const size_t length = strlen(name);
    return name[0] != '.' && length > 4 && strcmp(name + length - 4, ".cfg") == 0;
}

bool shunt_parse_is_absent(int error)
{
    return error == ENOENT || error == ENOTDIR || error == EACCES;
}

static bool holds_config(const char *folder)
{
    DIR *directory = folder != NULL ? opendir(folder) : NULL;
    const struct dirent *entry = NULL;
    if (directory == NULL)
        return folder != NULL && !shunt_parse_is_absent(errno);
    do {
        errno = 0;
        entry = readdir(directory);
    } while (entry != NULL && !shunt_parse_is_config(entry->d_name));
    const bool holds = entry != NULL || errno != 0;
    closedir(directory);
    return holds;
}

bool shunt_parse_needed(const struct shunt_parse_request *request)
{
    if (request->config != NULL)
        return true;
    return request->host != NULL && (holds_config(request->user_dir) || holds_config(request->system_dir));
}
