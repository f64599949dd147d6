/* SPDX-License-Identifier: BSD-3-Clause */
/* view.c: `shunt view`: writes the page of the viewer with tables, descriptions of machines and
 * logged calls in it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "route/machine.h"
#include "tools/tool.h"
#include "tools/view/view.h"

#define OPENER "xdg-open"
#define SUFFIX ".cfg"

static bool read_tables(struct shunt_option_value *value)
{
    struct shunt_view_options *options = value->options;
    if (options->table_count == SHUNT_VIEW_TABLES)
        return shunt_option_refuse(value, NULL, "is one too many: a page takes %d tables",
                                   SHUNT_VIEW_TABLES);
    options->tables[options->table_count++] = value->text;
    return true;
}

static bool read_machines(struct shunt_option_value *value)
{
    struct shunt_view_options *options = value->options;
    if (options->machine_count == SHUNT_VIEW_MACHINES)
        return shunt_option_refuse(value, NULL, "is one too many: a page takes %d descriptions",
                                   SHUNT_VIEW_MACHINES);
    options->machines[options->machine_count++] = value->text;
    return true;
}

static bool add_log(struct shunt_view_options *options, char *log)
{
    char **grown = realloc(options->logs, ((size_t)options->log_count + 1) * sizeof *options->logs);
    if (!grown)
        return false;
    options->logs = grown;
    options->logs[options->log_count++] = log;
    return true;
}

static bool read_log(struct shunt_option_value *value)
{
    return add_log(value->options, value->text) ||
           shunt_option_refuse(value, NULL, "cannot be taken: memory is short");
}

/* path: a file, "built-in", or NULL: what counts on this host. */
static int put_table(struct shunt_view_data *data, const char *path, int index)
{
    char name[16] = "user";
    int code = SHUNT_EXIT_OK;
    struct shunt_tool_query query = {.path = path};
    struct shunt_table *table = shunt_tool_table(&query, &code);
    if (!table)
        return code;
    if (index > 0)
        snprintf(name, sizeof name, "table%d", index + 1);
    shunt_view_put_table(data, name, table);
    free(table);
    return SHUNT_EXIT_OK;
}

static int put_tables(struct shunt_view_data *data, const struct shunt_view_options *options)
{
    int code = SHUNT_EXIT_OK;
    shunt_json_put_array(&data->json, SHUNT_KEY_TABLES);
    if (options->table_count == 0)
        code = put_table(data, NULL, 0);
    for (int i = 0; i < options->table_count && code == SHUNT_EXIT_OK; i++)
        code = put_table(data, options->tables[i], i);
    shunt_json_close(&data->json);
    return code;
}

/* "folder/alpha.cfg" is called alpha, as one that is found by its name. A malloc block, or NULL. */
static char *machine_name(const char *path)
{
    const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
    const size_t length = strlen(file), end = strlen(SUFFIX);
    const bool suffix = length > end && strcmp(file + length - end, SUFFIX) == 0;
    return strndup(file, suffix ? length - end : length);
}

/* false: there is none, or it is wrong; the problems say so. */
static bool put_machine(struct shunt_view_data *data, const char *asked, const char *name,
                        struct shunt_diagnostics *problems)
{
    struct shunt_machine machine;
    char *path = shunt_machine_path(asked, NULL, NULL, problems);
    const bool found = path && shunt_machine_find(&machine, asked, problems);
    if (found)
        shunt_view_put_machine(data, name, path, &machine);
    free(path);
    return found;
}

/* The place of a name among those that were given, or `count`: the name is free. */
static int place_of(char *const *names, int count, const char *name)
{
    int i = 0;
    while (i < count && strcmp(names[i], name) != 0)
        i++;
    return i;
}

/* Those of --machine, which the page shows first; their names to `names`, owned by the caller. */
static int put_given(struct shunt_view_data *data, const struct shunt_view_options *options,
                     char **names)
{
    struct shunt_diagnostics problems = {0};
    int code = SHUNT_EXIT_OK;
    for (int i = 0; i < options->machine_count && code == SHUNT_EXIT_OK; i++) {
        const char *asked = options->machines[i];
        names[i] = machine_name(asked);
        if (!names[i])
            code = shunt_tool_no_memory();
        else if (place_of(names, i, names[i]) < i)
            code = shunt_tool_usage(&shunt_subcommand_view,
                                    "--machine: two descriptions are called %s: rename a file",
                                    names[i]);
        else if (!put_machine(data, asked, names[i], &problems))
            code = shunt_machine_readable(asked) ? SHUNT_EXIT_TABLE : SHUNT_EXIT_IO;
    }
    shunt_tool_report(&problems);
    return code;
}

/* All that are found by their names and not hidden by one that was given. One that is wrong is
 * said, and the others are there. */
static void put_found(struct shunt_view_data *data, char *const *given, int count)
{
    struct shunt_diagnostics problems = {0};
    char *names = shunt_machine_names(), *rest = NULL;
    for (char *name = names ? strtok_r(names, ",", &rest) : NULL; name;
         name = strtok_r(NULL, ",", &rest)) {
        name += strspn(name, " ");
        if (place_of(given, count, name) == count)
            put_machine(data, name, name, &problems);
    }
    shunt_tool_report(&problems);
    free(names);
}

static int put_machines(struct shunt_view_data *data, const struct shunt_view_options *options)
{
    char *given[SHUNT_VIEW_MACHINES] = {NULL};
    shunt_json_put_array(&data->json, SHUNT_KEY_MACHINES);
    const int code = put_given(data, options, given);
    if (code == SHUNT_EXIT_OK)
        put_found(data, given, options->machine_count);
    shunt_json_close(&data->json);
    for (int i = 0; i < SHUNT_VIEW_MACHINES; i++)
        free(given[i]);
    return code;
}

static int make_data(struct shunt_view_data *data, const struct shunt_view_options *options)
{
    shunt_view_data_begin(data);
    int code = put_tables(data, options);
    if (code == SHUNT_EXIT_OK)
        code = put_machines(data, options);
    if (code != SHUNT_EXIT_OK)
        return code;
    code = shunt_view_logs(data, options);
    shunt_view_data_end(data);
    return data->text.cut ? shunt_tool_no_memory() : code;
}

/* Becomes the program that shows files in the user's browser. */
static int open_page(const char *path)
{
    char name[] = OPENER, *copy = strdup(path), *const words[] = {name, copy, NULL};
    if (!copy)
        return shunt_tool_no_memory();
    execvp(name, words);
    shunt_tool_say("%s cannot be started (%s): open %s in a browser", OPENER, strerror(errno),
                   path);
    free(copy);
    return SHUNT_EXIT_IO;
}

static int finish(const struct shunt_view_options *options)
{
    const char *path = options->output;
    if (strcmp(path, "-") == 0)
        return SHUNT_EXIT_OK;
    fputs(path, stdout);
    puts(options->open ? ": written" : ": written; open it in a browser, which needs no network");
    fflush(stdout);
    return options->open ? open_page(path) : SHUNT_EXIT_OK;
}

static int make(const struct shunt_view_options *options)
{
    struct shunt_view_page page;
    struct shunt_view_data data;
    if (!shunt_view_portable()) {
        shunt_tool_say("tables cannot be embedded on this processor, which keeps numbers in "
                       "another order than browsers do: run \"shunt view\" on another machine");
        return SHUNT_EXIT_IO;
    }
    int code = shunt_view_page_read(&page);
    if (code == SHUNT_EXIT_OK) {
        code = make_data(&data, options);
        /* Some lines of the logs may be none: the rest is worth seeing. */
        if (code <= SHUNT_EXIT_FINDINGS) {
            int written = shunt_view_page_write(&page, &data, options->output);
            written = written == SHUNT_EXIT_OK ? finish(options) : written;
            code = written > code ? written : code;
        }
        shunt_view_data_clear(&data);
    }
    shunt_view_page_clear(&page);
    return code;
}

static int run(void *options, const struct shunt_words *words)
{
    struct shunt_view_options *asked = options;
    /* "--log calls.*.jsonl": all but the first of them are words of their own. */
    for (int i = 0; i < words->count; i++)
        if (!add_log(asked, words->word[i]))
            return shunt_tool_no_memory();
    if (asked->open && strcmp(asked->output, "-") == 0)
        return shunt_tool_usage(words->command,
                                "--open needs a file: standard output cannot be opened");
    return make(asked);
}

static void clear(void *options)
{
    free(((struct shunt_view_options *)options)->logs);
}

static const struct shunt_option list[] = {
    SHUNT_VALUE("table", "FILE", struct shunt_view_options, tables, read_tables,
                "this table, or \"built-in\"; several to compare them (default: that of this host, "
                "as shunt where)"),
    SHUNT_VALUE("machine", "FILE", struct shunt_view_options, machines, read_machines,
                "this description of a machine, or a name; those with names are there anyway"),
    SHUNT_VALUE("log", "FILE", struct shunt_view_options, logs, read_log,
                "a log, as LOG alone; \"-\" is the standard input"),
    SHUNT_FLAG(0, "open", struct shunt_view_options, open, "show the page, by xdg-open"),
    SHUNT_OUTPUT(struct shunt_view_options, output,
                 "where to write (default shunt-view.html; \"-\": standard output)"),
};

const struct shunt_subcommand shunt_subcommand_view = {
    .name = "view",
    .summary = "write a page that shows what a table decides and how algorithms move data",
    .usage = "shunt view [OPTION]... [LOG]...",
    .about = "Writes one HTML file that needs neither network nor server: maps of what tables "
             "decide, algorithms step by step, costs; with the calls of LOGs (JSON Lines of all "
             "ranks, as for shunt log) drawn on them.",
    .status = "0 good, 1 some lines are no lines of a log or are cut off, 2 usage, 3 a table or "
              "description is wrong, 4 a file cannot be read or written, or the page is not "
              "installed",
    SHUNT_OPTIONS(list),
    .size = sizeof(struct shunt_view_options),
    .defaults = &(const struct shunt_view_options){.output = "shunt-view.html"},
    .words_most = -1,
    .run = run,
    .clear = clear,
};
