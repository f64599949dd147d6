/* SPDX-License-Identifier: BSD-3-Clause */
/* tool.c: tables and output forms that the verbs share. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "route/builtin.h"
#include "route/parse.h"
#include "route/settings.h"
#include "tools/tool.h"

int shunt_tool_usage(const struct shunt_verb *verb, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "shunt %s: ", verb->name);
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "; see \"shunt %s --help\"\n", verb->name);
    va_end(arguments);
    return SHUNT_EXIT_USAGE;
}

void shunt_tool_report(struct shunt_problems *problems)
{
    for (size_t i = 0; i < problems->count; i++)
        fprintf(stderr, "%s\n", problems->text[i]);
    shunt_problems_clear(problems);
}

/* SHUNT_CONFIG or NULL. What else is wrong in the environment is for `shunt run` to say. */
static const char *config_variable(void)
{
    struct shunt_problems ignored = {0};
    struct shunt_settings settings;
    shunt_settings_read(&settings, environ, &ignored);
    shunt_problems_clear(&ignored);
    return settings.config;
}

/* A copy of the built-in table, so that all tables are freed alike. */
static struct shunt_table *copy_builtin(void)
{
    const struct shunt_table *builtin = shunt_builtin_table();
    struct shunt_table *copy = malloc(builtin->bytes);
    if (copy != NULL)
        memcpy(copy, builtin, builtin->bytes);
    return copy;
}

/* Which table was looked at, for people: which one counts depends on the host. */
static void describe_choice(struct shunt_tool_query *query, const struct shunt_parse_request *request, const struct shunt_table *table)
{
    const char *source = table != NULL ? shunt_table_string(table, table->source) : "none, for the file is not valid";
    query->named = request->config != NULL;
    if (query->named)
        snprintf(query->choice, sizeof query->choice, "table of every host, by its name: %s", request->config);
    else
        snprintf(query->choice, sizeof query->choice, "table of host %s: %s", request->host != NULL ? request->host : "(no name)", source);
}

struct shunt_table *shunt_tool_table(struct shunt_tool_query *query, int *code)
{
    struct shunt_problems problems = {0}, notes = {0};
    struct shunt_parse_places places;
    struct shunt_table *table;
    shunt_parse_here(&places, query->path != NULL ? query->path : config_variable(), environ);
    if (query->host != NULL)
        places.request.host = query->host;
    places.request.by_name = query->path == NULL;
    places.request.findings = query->findings;
    places.request.notes = query->findings != NULL ? query->findings : &notes;
    const enum shunt_parse_outcome outcome = shunt_parse_search(&places.request, &table, &problems);
    if (outcome == SHUNT_PARSE_NOTHING)
        table = copy_builtin();
    if (table == NULL && problems.count == 0)
        shunt_tool_say("out of memory");
    if (table == NULL)
        *code = outcome == SHUNT_PARSE_INVALID ? SHUNT_EXIT_TABLE : SHUNT_EXIT_IO;
    describe_choice(query, &places.request, table);
    shunt_tool_report(&notes);
    shunt_tool_report(&problems);
    return table;
}

static bool colours(FILE *stream)
{
    const char *term = getenv("TERM"), *no_color = getenv("NO_COLOR");
    return (no_color == NULL || no_color[0] == '\0') && term != NULL && strcmp(term, "dumb") != 0 && isatty(fileno(stream));
}

const char *shunt_tool_bold(FILE *stream)
{
    return colours(stream) ? "\033[1m" : "";
}

const char *shunt_tool_plain(FILE *stream)
{
    return colours(stream) ? "\033[0m" : "";
}

void shunt_tool_rule(const struct shunt_table *table, const struct shunt_rule *rule, char *text, size_t room)
{
    const char *id = shunt_table_string(table, rule->id);
    snprintf(text, room, "%s:%d%s%s%s", shunt_table_string(table, rule->file), rule->line, id[0] != '\0' ? " \"" : "", id,
             id[0] != '\0' ? "\"" : "");
}

bool shunt_tool_number(const char *text, int most, int *number)
{
    int64_t value;
    if (text[0] == '\0' || text[strspn(text, "0123456789")] != '\0' || !shunt_size_parse(text, &value) || value < 1 || value > most)
        return false;
    *number = (int)value;
    return true;
}
