/* SPDX-License-Identifier: BSD-3-Clause */
/* tool.c: tables and output forms that the verbs share. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

static bool readable(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && !S_ISDIR(status.st_mode) && access(path, R_OK) == 0;
}

struct shunt_table *shunt_tool_table(const char *path, int *code)
{
    struct shunt_problems problems = {0};
    struct shunt_parse_places places;
    if (path == NULL)
        path = config_variable();
    shunt_parse_here(&places, path, environ);
    struct shunt_table *table = shunt_parse_search(&places.request, &problems);
    if (table == NULL)
        *code = path != NULL && !readable(path) ? SHUNT_EXIT_IO : SHUNT_EXIT_TABLE;
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
