/* SPDX-License-Identifier: BSD-3-Clause */
/* tool.c: tables and output forms that the subcommands share. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/environment.h"
#include "log/line.h"
#include "route/builtin.h"
#include "route/parse.h"
#include "route/settings.h"
#include "tools/common/fold.h"
#include "tools/common/tool.h"

int shunt_tool_usage(const struct shunt_subcommand *subcommand, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "shunt %s: ", subcommand->name);
    shunt_tool_put_format(stderr, format, arguments);
    fprintf(stderr, "; see \"shunt %s --help\"\n", subcommand->name);
    va_end(arguments);
    return SHUNT_EXIT_USAGE;
}

int shunt_tool_run(const struct shunt_subcommand *subcommand, int argc, char **argv)
{
    char problem[1024];
    struct shunt_words words;
    void *options = calloc(1, subcommand->size + 1);
    int code = SHUNT_EXIT_OK;
    if (!options)
        return shunt_tool_no_memory();
    if (subcommand->defaults)
        memcpy(options, subcommand->defaults, subcommand->size);
    if (!shunt_options_read(&words, subcommand, options, argc, argv, problem, sizeof problem))
        code = shunt_tool_usage(subcommand, "%s", problem);
    else if (words.help)
        shunt_help_print(subcommand, stdout);
    else
        code = subcommand->run(options, &words);
    if (subcommand->clear)
        subcommand->clear(options);
    free(options);
    return code;
}

int shunt_tool_exclusive(const struct shunt_words *words, const char *names)
{
    const char *pair[2];
    return shunt_given_both(words, names, pair)
               ? shunt_tool_usage(words->command, "--%s and --%s: give one", pair[0], pair[1])
               : SHUNT_EXIT_OK;
}

void shunt_tool_report(struct shunt_diagnostics *diagnostics)
{
    for (size_t i = 0; i < diagnostics->count; i++)
        fprintf(stderr, "%s\n", diagnostics->text[i]);
    shunt_diagnostics_clear(diagnostics);
}

/* SHUNT_CONFIG or NULL. What else is wrong in the environment is for `shunt run` to say. */
static const char *config_variable(void)
{
    struct shunt_diagnostics ignored = {0};
    struct shunt_settings settings;
    shunt_settings_read(&settings, shunt_environment(), &ignored);
    shunt_diagnostics_clear(&ignored);
    return settings.config;
}

/* A copy of the built-in table, so that all tables are freed alike. */
static struct shunt_table *copy_builtin(void)
{
    const struct shunt_table *builtin = shunt_builtin_table();
    struct shunt_table *copy = malloc(builtin->bytes);
    if (copy)
        memcpy(copy, builtin, builtin->bytes);
    return copy;
}

/* Which table was looked at, for people: which one counts depends on the host. */
static void describe_choice(struct shunt_tool_query *query,
                            const struct shunt_parse_request *request,
                            const struct shunt_table *table)
{
    const char *source =
        table ? shunt_table_string(table, table->source) : "none, for the file is not valid";
    char choice[sizeof query->choice];
    const char *said = request->builtin ? SHUNT_BUILTIN_NAME : request->config;
    char *name = request->config ? shunt_parse_name(request->config) : NULL;
    query->named = said != NULL;
    if (said)
        snprintf(choice, sizeof choice, "table of every host, by its name: %s", name ? name : said);
    else
        snprintf(choice, sizeof choice, "table of host %s: %s",
                 request->host ? request->host : "(no name)", source);
    shunt_tool_fit(choice, query->choice, sizeof query->choice);
    free(name);
}

struct shunt_table *shunt_tool_table(struct shunt_tool_query *query, int *code)
{
    struct shunt_diagnostics diagnostics = {0}, notes = {0};
    struct shunt_parse_path path;
    struct shunt_table *table;
    shunt_parse_here(&path, query->path ? query->path : config_variable(), shunt_environment());
    if (query->host)
        path.request.host = query->host;
    path.request.by_name = !query->path;
    path.request.findings = query->findings;
    path.request.notes = query->skipped    ? query->skipped
                         : query->findings ? query->findings
                                           : &notes;
    const enum shunt_parse_outcome outcome =
        shunt_parse_search_seen(&path.request, query->visit, query->context, &table, &diagnostics);
    if (outcome == SHUNT_PARSE_NOTHING)
        table = copy_builtin();
    if (!table && diagnostics.count == 0)
        shunt_tool_say("out of memory");
    if (!table)
        *code = outcome == SHUNT_PARSE_INVALID ? SHUNT_EXIT_TABLE : SHUNT_EXIT_IO;
    describe_choice(query, &path.request, table);
    shunt_tool_report(&notes);
    if (query->problems)
        *query->problems = diagnostics;
    else
        shunt_tool_report(&diagnostics);
    return table;
}

static bool colours(FILE *stream)
{
    const char *term = shunt_environment_value("TERM"),
               *no_color = shunt_environment_value("NO_COLOR");
    return (!no_color || no_color[0] == '\0') && term && strcmp(term, "dumb") != 0 &&
           isatty(fileno(stream));
}

const char *shunt_tool_bold(FILE *stream)
{
    return colours(stream) ? "\033[1m" : "";
}

const char *shunt_tool_plain(FILE *stream)
{
    return colours(stream) ? "\033[0m" : "";
}

void shunt_tool_table_line(const char *label, const struct shunt_table *table, bool wide)
{
    const char *machine = shunt_table_string(table, table->machine);
    struct shunt_log_text line = {.grows = true};
    shunt_log_text_string(&line, label);
    shunt_log_text_whole(&line, shunt_table_string(table, table->source));
    if (machine[0] != '\0') {
        shunt_log_text_string(&line, " (");
        shunt_log_text_whole(&line, machine);
        shunt_log_text_string(&line, ")");
    }
    shunt_log_text_string(&line, "\n");
    if (wide)
        fwrite(line.bytes, 1, line.used, stdout);
    else
        shunt_fold_put(stdout, line.bytes, line.used, SHUNT_FOLD_LABEL);
    free(line.bytes);
}

void shunt_tool_rule(const struct shunt_table *table, const struct shunt_rule *rule, char *text,
                     size_t capacity)
{
    struct shunt_log_text printed = {.bytes = text, .capacity = capacity - 1};
    shunt_log_rule_human(&printed, shunt_table_string(table, rule->file), rule->line,
                         shunt_table_string(table, rule->id));
    text[printed.used] = '\0';
}

bool shunt_tool_number(const char *text, int most, int *number)
{
    int64_t value;
    if (text[0] == '\0' || text[strspn(text, "0123456789")] != '\0' ||
        !shunt_size_parse(text, &value) || value < 1 || value > most)
        return false;
    *number = (int)value;
    return true;
}
