/* SPDX-License-Identifier: BSD-3-Clause */
/* chosen.c: whether a decision file is for a host, and whether a job there would find it. */
#include <stdlib.h>
#include <string.h>

#include "base/environment.h"
#include "route/parse.h"
#include "tools/check/check.h"

/* The file that the search finds for the host, or ""; SHUNT_CONFIG is not looked at. */
static void find(const char *host, char *source, size_t capacity)
{
    struct shunt_diagnostics ignored = {0};
    struct shunt_parse_path path;
    struct shunt_table *table = NULL;
    shunt_parse_here(&path, NULL, shunt_environment());
    path.request.host = host;
    shunt_parse_search(&path.request, &table, &ignored);
    snprintf(source, capacity, "%s",
             table               ? shunt_table_string(table, table->source)
             : ignored.count > 0 ? ignored.text[0]
                                 : "");
    shunt_diagnostics_clear(&ignored);
    free(table);
}

static void describe(struct shunt_chosen *chosen, const char *path, const char *host)
{
    char source[512];
    char *name = shunt_parse_name(path);
    find(host, source, sizeof source);
    chosen->chosen = name && strcmp(source, name) == 0;
    const char *how =
        chosen->chosen ? "the table of its jobs"
        : source[0] == '\0'
            ? "but the file is in no folder that is searched, so it has to be named in "
              "SHUNT_CONFIG"
            : "but the search ends before it at";
    snprintf(chosen->text, sizeof chosen->text, "host %.255s matches \"%.200s\": %s%s%s", host,
             chosen->pattern, how, chosen->chosen || source[0] == '\0' ? "" : " ",
             chosen->chosen ? "" : source);
    free(name);
}

static void describe_none(struct shunt_chosen *chosen, const struct shunt_parse_hosts *hosts,
                          const char *host)
{
    const size_t capacity = sizeof chosen->text;
    size_t used = (size_t)snprintf(
        chosen->text, capacity, "host %.255s does not choose this file: machine.hosts has", host);
    for (size_t i = 0; i < hosts->count && used < capacity; i++)
        used += (size_t)snprintf(chosen->text + used, capacity - used, "%s \"%s\"",
                                 i > 0 ? "," : "", hosts->patterns[i]);
}

void shunt_check_chosen(struct shunt_chosen *chosen, const char *path, const char *host)
{
    struct shunt_parse_hosts hosts;
    *chosen = (struct shunt_chosen){0};
    shunt_parse_hosts(path, &hosts);
    for (size_t i = 0; i < hosts.count && !chosen->pattern; i++)
        if (shunt_parse_host_matches(hosts.patterns[i], host))
            chosen->pattern = strdup(hosts.patterns[i]);
    if (chosen->pattern)
        describe(chosen, path, host);
    else if (hosts.count == 0)
        snprintf(chosen->text, sizeof chosen->text,
                 "host %.255s never chooses this file: it has no machine.hosts", host);
    else
        describe_none(chosen, &hosts, host);
    shunt_parse_hosts_clear(&hosts);
}
