/* SPDX-License-Identifier: BSD-3-Clause */
/* places.c: this host's name and the folders of decision files. Needs no libconfig: libshunt.so prepares the request, the module answers.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "route/parse.h"

static const char *variable(char *const *environment, const char *name)
{
    size_t length = strlen(name);
    for (; *environment != NULL; environment++)
        if (strncmp(*environment, name, length) == 0 && (*environment)[length] == '=')
            return *environment + length + 1;
    return NULL;
}

/* Only absolute paths count (XDG base directory specification); a path that does not fit is none. */
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
