/* SPDX-License-Identifier: BSD-3-Clause */
/* without.c: `shunt view` of a build without the library for JSON: pages without logs and figures.
 */
#include "tools/tool.h"
#include "tools/view/embed.h"

static int say_without(const char *what)
{
    shunt_tool_say("%s cannot be read: this Shunt was built without json-c; install it "
                   "(Debian: libjson-c-dev) and build Shunt again",
                   what);
    return SHUNT_EXIT_IO;
}

int shunt_view_logs(struct shunt_json *json, char **logs, int count)
{
    (void)json;
    (void)logs;
    return count > 0 ? say_without("logs") : SHUNT_EXIT_OK;
}

int shunt_view_figures(struct shunt_json *json, const char *path)
{
    (void)json;
    (void)path;
    return say_without("figures");
}
