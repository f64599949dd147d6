/* SPDX-License-Identifier: BSD-3-Clause */
/* embed.h: what `shunt view` reads for its page with the library for JSON: logs.c and figures.c. An
 * exit code each, with the problems said. */
#ifndef SHUNT_TOOLS_VIEW_EMBED_H
#define SHUNT_TOOLS_VIEW_EMBED_H

#include "log/json.h"

/* Adds the calls of the logs by kind. logs: array of count. */
int shunt_view_logs(struct shunt_json *json, char **logs, int count);
/* Adds the figures of a file. */
int shunt_view_figures(struct shunt_json *json, const char *path);

#endif
