/* SPDX-License-Identifier: BSD-3-Clause */
/* command.c: `shunt view`: writes the page of the viewer with tables, descriptions of machines,
 * logged calls and figures in it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "route/machine.h"
#include "tools/common/tool.h"
#include "tools/view/embed.h"
#include "tools/view/view.h"

#define OPENER "xdg-open"
#define SUFFIX ".cfg"

struct view_options {
    const char *tables[SHUNT_VIEW_TABLES]; /* files or "built-in"; none: the table of this host */
    int table_count;
    const char *machines[SHUNT_VIEW_MACHINES]; /* descriptions, before those found by their names */
    int machine_count;
    char **logs; /* array of log_count, owned; its strings are not */
    int log_count;
    const char *figures; /* a file, or NULL */
    const char *output;  /* "-": standard output */
    bool open;
};

static bool read_tables(struct shunt_option_value *value)
{
    struct view_options *options = value->options;
    if (options->table_count == SHUNT_VIEW_TABLES)
        return shunt_option_refuse(value, NULL, "is one too many: a page takes %d tables",
                                   SHUNT_VIEW_TABLES);
    options->tables[options->table_count++] = value->text;
    return true;
}

static bool read_machines(struct shunt_option_value *value)
{
    struct view_options *options = value->options;
    if (options->machine_count == SHUNT_VIEW_MACHINES)
        return shunt_option_refuse(value, NULL, "is one too many: a page takes %d descriptions",
                                   SHUNT_VIEW_MACHINES);
    options->machines[options->machine_count++] = value->text;
    return true;
}

static bool add_log(struct view_options *options, char *log)
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

/* What was read for the page; all of it owned. */
struct loaded {
    const struct view_options *options;
    struct shunt_table *tables[SHUNT_VIEW_TABLES];
    struct shunt_view_machine machines[SHUNT_VIEW_MACHINES];
    char *names[SHUNT_VIEW_MACHINES], *paths[SHUNT_VIEW_MACHINES];
};

static int load_tables(struct loaded *loaded, struct shunt_view_content *content)
{
    const struct view_options *options = loaded->options;
    const int count = options->table_count > 0 ? options->table_count : 1;
    int code = SHUNT_EXIT_OK;
    for (int i = 0; i < count; i++) {
        struct shunt_tool_query query = {.path = options->tables[i]};
        loaded->tables[i] = shunt_tool_table(&query, &code);
        if (!loaded->tables[i])
            return code;
        content->tables[content->table_count++] = loaded->tables[i];
    }
    return SHUNT_EXIT_OK;
}

/* "folder/alpha.cfg" is called alpha, as one that is found by its name. A malloc block, or NULL. */
static char *machine_name(const char *path)
{
    const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
    const size_t length = strlen(file), end = strlen(SUFFIX);
    const bool suffix = length > end && strcmp(file + length - end, SUFFIX) == 0;
    return strndup(file, suffix ? length - end : length);
}

static int load_machine(struct loaded *loaded, int at, struct shunt_diagnostics *problems)
{
    const char *asked = loaded->options->machines[at];
    struct shunt_view_machine *one = &loaded->machines[at];
    one->name = loaded->names[at] = machine_name(asked);
    if (!one->name)
        return shunt_tool_no_memory();
    for (int i = 0; i < at; i++)
        if (strcmp(loaded->machines[i].name, one->name) == 0)
            return shunt_tool_usage(&shunt_subcommand_view,
                                    "--machine: two descriptions are called %s: rename a file",
                                    one->name);
    one->path = loaded->paths[at] = shunt_machine_path(asked, NULL, NULL, problems);
    if (one->path && shunt_machine_find(&one->machine, asked, problems))
        return SHUNT_EXIT_OK;
    return shunt_machine_readable(asked) ? SHUNT_EXIT_TABLE : SHUNT_EXIT_IO;
}

static int load_machines(struct loaded *loaded, struct shunt_view_content *content)
{
    struct shunt_diagnostics problems = {0};
    int code = SHUNT_EXIT_OK;
    for (int i = 0; i < loaded->options->machine_count && code == SHUNT_EXIT_OK; i++)
        code = load_machine(loaded, i, &problems);
    shunt_tool_report(&problems);
    content->machines = loaded->machines;
    content->machine_count = loaded->options->machine_count;
    return code;
}

static int put_rest(struct shunt_json *json, void *context)
{
    const struct loaded *loaded = context;
    const struct view_options *options = loaded->options;
    const int code = options->figures ? shunt_view_figures(json, options->figures) : SHUNT_EXIT_OK;
    return code == SHUNT_EXIT_OK ? shunt_view_logs(json, options->logs, options->log_count) : code;
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

static int finish(const struct view_options *options)
{
    const char *path = options->output;
    if (strcmp(path, "-") == 0)
        return SHUNT_EXIT_OK;
    fputs(path, stdout);
    puts(options->open ? ": written" : ": written; open it in a browser, which needs no network");
    fflush(stdout);
    return options->open ? open_page(path) : SHUNT_EXIT_OK;
}

static int make(const struct view_options *options)
{
    struct loaded *loaded = calloc(1, sizeof *loaded);
    struct shunt_view_content content = {.put = put_rest, .context = loaded};
    if (!loaded)
        return shunt_tool_no_memory();
    loaded->options = options;
    int code = load_tables(loaded, &content);
    if (code == SHUNT_EXIT_OK)
        code = load_machines(loaded, &content);
    if (code == SHUNT_EXIT_OK)
        code = shunt_view_write(&content, options->output);
    if (code <= SHUNT_EXIT_FINDINGS) {
        const int shown = finish(options);
        code = shown > code ? shown : code;
    }
    for (int i = 0; i < SHUNT_VIEW_TABLES; i++)
        free(loaded->tables[i]);
    for (int i = 0; i < SHUNT_VIEW_MACHINES; i++) {
        free(loaded->names[i]);
        free(loaded->paths[i]);
    }
    free(loaded);
    return code;
}

static int run(void *options, const struct shunt_words *words)
{
    struct view_options *asked = options;
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
    free(((struct view_options *)options)->logs);
}

static const struct shunt_option list[] = {
    SHUNT_VALUE("table", "FILE", struct view_options, tables, read_tables,
                "this table, or \"built-in\"; several to compare them (default: that of this host, "
                "as shunt where)"),
    SHUNT_VALUE("machine", "FILE", struct view_options, machines, read_machines,
                "this description of a machine, or a name; those with names are there anyway"),
    SHUNT_VALUE("log", "FILE", struct view_options, logs, read_log,
                "a log, as LOG alone; \"-\" is the standard input"),
    SHUNT_FILE("figures", "FILE", struct view_options, figures,
               "figures and tables of this file too, as view.schema.json describes them"),
    SHUNT_FLAG(0, "open", struct view_options, open, "show the page, by xdg-open"),
    SHUNT_OUTPUT(struct view_options, output,
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
    .size = sizeof(struct view_options),
    .defaults = &(const struct view_options){.output = "shunt-view.html"},
    .words_most = -1,
    .run = run,
    .clear = clear,
};
