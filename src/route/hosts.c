/* SPDX-License-Identifier: BSD-3-Clause */
/* hosts.c: for which hosts a decision file is meant. */
#include "route/hosts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "route/hostlist.h"
#include "route/literal.h"

/* Number of patterns (a single string counts as one), or -1; and one of them, NULL when the element
 * is not a string. */
static int pattern_count(const config_setting_t *hosts)
{
    if (config_setting_type(hosts) == CONFIG_TYPE_STRING)
        return 1;
    return config_setting_is_list(hosts) || config_setting_is_array(hosts)
               ? config_setting_length(hosts)
               : -1;
}

static const char *pattern(const config_setting_t *hosts, int index)
{
    if (config_setting_type(hosts) == CONFIG_TYPE_STRING)
        return config_setting_get_string(hosts);
    return config_setting_get_string_elem(hosts, index);
}

static const config_setting_t *hosts_of(const config_setting_t *root)
{
    const config_setting_t *machine =
        config_setting_get_member((config_setting_t *)(uintptr_t)root, "machine");
    return machine ? config_setting_get_member((config_setting_t *)(uintptr_t)machine, "hosts")
                   : NULL;
}

bool shunt_parse_host_matches(const char *text, const char *host)
{
    char brief[256];
    snprintf(brief, sizeof brief, "%.*s", (int)strcspn(host, "."), host);
    return shunt_hostlist_names(text, host) || shunt_hostlist_names(text, brief);
}

bool shunt_hosts_copy(const config_setting_t *root, struct shunt_parse_hosts *copy)
{
    const config_setting_t *hosts = hosts_of(root);
    const int count = hosts ? pattern_count(hosts) : 0;
    copy->patterns = calloc((size_t)(count > 0 ? count : 0) + 1, sizeof *copy->patterns);
    for (int i = 0; copy->patterns && i < count; i++) {
        const char *text = pattern(hosts, i);
        char *own = text ? strdup(text) : NULL;
        if (text && !own)
            return false;
        if (own)
            copy->patterns[copy->count++] = own;
    }
    return copy->patterns;
}

bool shunt_hosts_match(const config_setting_t *root, const char *host)
{
    const config_setting_t *hosts = hosts_of(root);
    for (int i = 0; hosts && i < pattern_count(hosts); i++) {
        const char *text = pattern(hosts, i);
        if (text && shunt_parse_host_matches(text, host))
            return true;
    }
    return false;
}

void shunt_hosts_print(const config_setting_t *root, const char *host, char *text, size_t capacity)
{
    const config_setting_t *hosts = hosts_of(root);
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; hosts && i < pattern_count(hosts) && used < capacity; i++) {
        const char *one = pattern(hosts, i);
        if (one && host && shunt_parse_host_matches(one, host)) {
            snprintf(text, capacity, "\"%s\"", one);
            return;
        }
        if (one)
            used += (size_t)snprintf(text + used, capacity - used, "%s\"%s\"", used > 0 ? ", " : "",
                                     one);
    }
}

bool shunt_hosts_any(const config_setting_t *root)
{
    const config_setting_t *hosts = hosts_of(root);
    return hosts && pattern_count(hosts) > 0;
}

/* Patterns that no host's name can match. */
static void find_impossible(const struct shunt_walk *walk, const config_setting_t *hosts, int count)
{
    for (int i = 0; i < count; i++) {
        char where[SHUNT_WHERE_MAX], reason[160];
        const config_setting_t *element =
            count > 1 || config_setting_type(hosts) != CONFIG_TYPE_STRING
                ? config_setting_get_elem((config_setting_t *)(uintptr_t)hosts, (unsigned)i)
                : hosts;
        if (shunt_hostlist_possible(pattern(hosts, i), reason, sizeof reason))
            continue;
        shunt_walk_where(walk, element, "machine", where, sizeof where);
        shunt_diagnostics_add(walk->findings, "%s: hosts: \"%s\" can never match: %s", where,
                              pattern(hosts, i), reason);
    }
}

void shunt_hosts_check(struct shunt_walk *walk, const config_setting_t *hosts)
{
    int count = pattern_count(hosts);
    if (count < 0) {
        shunt_walk_type(walk, "machine", hosts,
                        "a list of strings such as ( \"node*\", \"login1\" )");
        return;
    }
    for (int i = 0; i < count; i++) {
        if (pattern(hosts, i))
            continue;
        char where[SHUNT_WHERE_MAX];
        shunt_walk_where(walk, hosts, "machine", where, sizeof where);
        shunt_diagnostics_add(walk->diagnostics,
                              "%s: hosts: every element must be a string such as \"node*\"", where);
        return;
    }
    if (walk->findings)
        find_impossible(walk, hosts, count);
}

/* Behind white space and comments. */
static const char *skip_blank(const char *at)
{
    for (;;) {
        at += strspn(at, " \t\r\f\n");
        if (*at == '#' || (at[0] == '/' && at[1] == '/')) {
            at += strcspn(at, "\n");
        } else if (at[0] == '/' && at[1] == '*') {
            const char *end = strstr(at + 2, "*/");
            at = end ? end + 2 : at + strlen(at);
        } else {
            return at;
        }
    }
}

/* A token: 's' string, without its quotes; 'n' name; 0 the end; any other character itself. */
struct token {
    char kind;
    const char *text;
    size_t length;
};

/* Returns what follows the token. A string ends with its line at the latest. */
static const char *next_token(const char *at, struct token *token)
{
    at = skip_blank(at);
    *token = (struct token){*at, at, 1};
    if (*at == '"') {
        token->kind = 's';
        token->text = ++at;
        while (*at != '"' && *at != '\n' && *at != '\0')
            at += at[0] == '\\' && at[1] != '\n' && at[1] != '\0' ? 2 : 1;
        token->length = (size_t)(at - token->text);
        return at + (*at == '"');
    }
    if (*at != '\0' && strchr(SHUNT_LITERAL_NAME_BEGIN, *at)) {
        token->kind = 'n';
        token->length = strspn(at, SHUNT_LITERAL_NAME);
    }
    return *at != '\0' ? at + token->length : at;
}

/* Behind `name =` and the bracket, if one is asked for; NULL when it does not come before `until`
 * does, or the text ends. */
static const char *find_setting(const char *at, const char *name, char bracket, char until)
{
    struct token token;
    for (at = next_token(at, &token); token.kind != '\0' && token.kind != until;
         at = next_token(at, &token)) {
        if (token.kind != 'n' || token.length != strlen(name) ||
            memcmp(token.text, name, token.length) != 0)
            continue;
        const char *after = next_token(at, &token);
        if (token.kind != '=' && token.kind != ':')
            continue;
        if (bracket == '\0')
            return after;
        after = next_token(after, &token);
        if (token.kind == bracket)
            return after;
    }
    return NULL;
}

bool shunt_hosts_named(const char *text, const char *host)
{
    struct token token;
    const char *machine = find_setting(text, "machine", '{', '\0');
    const char *at = machine ? find_setting(machine, "hosts", '\0', '}') : NULL;
    if (!at)
        return false;
    for (at = next_token(at, &token); token.kind != '\0' && strchr("s([,", token.kind);
         at = next_token(at, &token)) {
        char pattern_text[512];
        snprintf(pattern_text, sizeof pattern_text, "%.*s",
                 (int)(token.length < 512 ? token.length : 511), token.text);
        if (token.kind == 's' && shunt_parse_host_matches(pattern_text, host))
            return true;
    }
    return false;
}
