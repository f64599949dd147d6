/* SPDX-License-Identifier: BSD-3-Clause */
/* view.c: `shunt view`: writes the page of the viewer with tables, descriptions of machines and
 * logged calls in it. */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "route/machine.h"
#include "tools/tool.h"
#include "tools/view/view.h"

#define OPENER "xdg-open"
#define SUFFIX ".cfg"

static int no_memory(void)
{
    shunt_tool_say("out of memory");
    return SHUNT_EXIT_IO;
}

static int take(struct shunt_view_options *options, int option, const char *word)
{
    switch (option) {
    case 't':
        if (options->table_count == SHUNT_VIEW_TABLES)
            return shunt_tool_usage(&shunt_subcommand_view,
                                    "--table: a page takes no more than %d tables",
                                    SHUNT_VIEW_TABLES);
        options->tables[options->table_count++] = optarg;
        return SHUNT_EXIT_OK;
    case 'm':
        if (options->machine_count == SHUNT_VIEW_MACHINES)
            return shunt_tool_usage(&shunt_subcommand_view,
                                    "--machine: a page takes no more than %d descriptions",
                                    SHUNT_VIEW_MACHINES);
        options->machines[options->machine_count++] = optarg;
        return SHUNT_EXIT_OK;
    case 'l':
        options->logs[options->log_count++] = optarg;
        return SHUNT_EXIT_OK;
    case 'o':
        options->output = optarg;
        return SHUNT_EXIT_OK;
    case 'O':
        options->open = true;
        return SHUNT_EXIT_OK;
    case 'h':
        options->help = true;
        return SHUNT_EXIT_OK;
    default:
        return shunt_tool_usage(&shunt_subcommand_view, "%s is not an option, or lacks its value",
                                word);
    }
}

static int read_options(struct shunt_view_options *options, int argc, char **argv)
{
    static const struct option known[] = {{"table", required_argument, NULL, 't'},
                                          {"machine", required_argument, NULL, 'm'},
                                          {"log", required_argument, NULL, 'l'},
                                          {"output", required_argument, NULL, 'o'},
                                          {"open", no_argument, NULL, 'O'},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
    int option;
    *options = (struct shunt_view_options){.output = "shunt-view.html",
                                           .logs = calloc((size_t)argc, sizeof *options->logs)};
    if (!options->logs)
        return no_memory();
    opterr = 0;
    while ((option = getopt_long(argc, argv, "o:h", known, NULL)) != -1) {
        const int code = take(options, option, argv[optind - 1]);
        if (code != SHUNT_EXIT_OK || options->help)
            return code;
    }
    /* "--log calls.*.jsonl": all but the first of them are words of their own. */
    while (optind < argc)
        options->logs[options->log_count++] = argv[optind++];
    if (options->open && strcmp(options->output, "-") == 0)
        return shunt_tool_usage(&shunt_subcommand_view,
                                "--open needs a file: standard output cannot be opened");
    return SHUNT_EXIT_OK;
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
            code = no_memory();
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
    return data->text.cut ? no_memory() : code;
}

/* Becomes the program that shows files in the user's browser. */
static int open_page(const char *path)
{
    char name[] = OPENER, *copy = strdup(path), *const words[] = {name, copy, NULL};
    if (!copy)
        return no_memory();
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

static int run(int argc, char **argv)
{
    struct shunt_view_options options;
    int code = read_options(&options, argc, argv);
    if (code == SHUNT_EXIT_OK && options.help)
        fputs(shunt_subcommand_view.help, stdout);
    else if (code == SHUNT_EXIT_OK)
        code = make(&options);
    free(options.logs);
    return code;
}

const struct shunt_subcommand shunt_subcommand_view = {
    .name = "view",
    .summary = "write a page that shows what a table decides and how algorithms move data",
    .help =
        "usage: shunt view [--table=FILE]... [--machine=FILE]... [--open] [-o FILE] [LOG]...\n\n"
        "Writes one HTML file that needs neither network nor server: maps of what tables "
        "decide, algorithms\n"
        "step by step, costs; with the calls of LOGs (JSON Lines of all ranks, as for shunt "
        "log) drawn on\n"
        "them.\n\n"
        "  --table=FILE         this table, or \"built-in\"; several to compare them (default: "
        "that of this\n"
        "                       host, as shunt where)\n"
        "  --machine=FILE       this description of a machine, or a name; those with names are "
        "there anyway\n"
        "  --log=FILE           a log, as LOG alone; \"-\" is the standard input\n"
        "  --open               show the page, by xdg-open\n"
        "  -o, --output=FILE    where to write (default shunt-view.html; \"-\": standard "
        "output)\n\n"
        "exit status: 0 good, 1 some lines are no lines of a log or are cut off, 2 usage, 3 a "
        "table or\n"
        "description is wrong, 4 a file cannot be read or written, or the page is not installed\n",
    .run = run,
};
