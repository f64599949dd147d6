/* SPDX-License-Identifier: BSD-3-Clause */
/* hosts.c: for which hosts a decision file is meant. */
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "route/walk.h"

/* Number of patterns (a single string counts as one), or -1; and one of them, NULL when the element is not a string. */
static int pattern_count(const config_setting_t *hosts)
{
    if (config_setting_type(hosts) == CONFIG_TYPE_STRING)
        return 1;
    return config_setting_is_list(hosts) || config_setting_is_array(hosts) ? config_setting_length(hosts) : -1;
}

static const char *pattern(const config_setting_t *hosts, int index)
{
    if (config_setting_type(hosts) == CONFIG_TYPE_STRING)
        return config_setting_get_string(hosts);
    return config_setting_get_string_elem(hosts, index);
}

bool shunt_hosts_match(const config_setting_t *root, const char *host)
{
    const config_setting_t *machine = config_setting_get_member((config_setting_t *)(uintptr_t)root, "machine");
    const config_setting_t *hosts = machine != NULL ? config_setting_get_member((config_setting_t *)(uintptr_t)machine, "hosts") : NULL;
    if (hosts == NULL || host == NULL)
        return false;
    char brief[256];
    snprintf(brief, sizeof brief, "%.*s", (int)strcspn(host, "."), host);
    for (int i = 0; i < pattern_count(hosts); i++) {
        const char *text = pattern(hosts, i);
        if (text != NULL && (fnmatch(text, host, 0) == 0 || fnmatch(text, brief, 0) == 0))
            return true;
    }
    return false;
}

void shunt_hosts_check(struct shunt_walk *walk, const config_setting_t *hosts)
{
    int count = pattern_count(hosts);
    if (count < 0) {
        shunt_walk_type(walk, "machine", hosts, "a list of strings such as ( \"node*\", \"login1\" )");
        return;
    }
    for (int i = 0; i < count; i++) {
        if (pattern(hosts, i) != NULL)
            continue;
        char where[SHUNT_WHERE_MAX];
        shunt_walk_where(walk, hosts, "machine", where, sizeof where);
        shunt_problems_add(walk->problems, "%s: hosts: every element must be a string such as \"node*\"", where);
        return;
    }
}
