/* SPDX-License-Identifier: BSD-3-Clause */
/* where.c: `shunt where`: which decision file counts and why, and where Shunt's own files are. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/environment.h"
#include "route/learned.h"
#include "tools/common/fold.h"
#include "tools/common/preload.h"
#include "tools/common/sheet.h"
#include "tools/common/tool.h"

/* For programs, and for people: `%s` are the patterns of the file. */
static const struct {
    const char *name, *text;
} states[SHUNT_SEEN_COUNT] = {
    [SHUNT_SEEN_FOLDER] = {"searched", ""},
    [SHUNT_SEEN_ABSENT] = {"absent", "is not there"},
    [SHUNT_SEEN_CLOSED] = {"closed", "cannot be searched"},
    [SHUNT_SEEN_USED] = {"used", "used: its machine.hosts has %s"},
    [SHUNT_SEEN_OTHER] = {"other", "for other hosts: %s"},
    [SHUNT_SEEN_NO_HOSTS] = {"no hosts", "for no host: it has no machine.hosts"},
    [SHUNT_SEEN_SKIPPED] = {"skipped", "cannot be parsed, and does not seem to be for this host"},
    [SHUNT_SEEN_WRONG] = {"wrong", "for this host, and not valid: nothing else is looked at"},
    [SHUNT_SEEN_LATER] = {"later", "comes later, so it is not looked at"},
};

struct step {
    enum shunt_seen state;
    char *name, *hosts;
};

struct places {
    struct step *steps;
    size_t count;
    bool cut; /* memory was short */
    struct shunt_tool_query query;
    struct shunt_table *table;
    char *library;
    char host[256], module[PATH_MAX + 64], bench[PATH_MAX + 64];
    char learned[PATH_MAX]; /* "": there is no such file */
};

static bool is_folder(const struct step *step)
{
    return step->state <= SHUNT_SEEN_CLOSED;
}

static void visit(void *context, const struct shunt_parse_seen *seen)
{
    struct places *places = context;
    struct step *grown = realloc(places->steps, (places->count + 1) * sizeof *grown);
    if (!grown) {
        places->cut = true;
        return;
    }
    places->steps = grown;
    struct step *step = &grown[places->count++];
    *step = (struct step){seen->state, strdup(seen->name), strdup(seen->hosts)};
    places->cut |= !step->name || !step->hosts;
}

static void find(struct places *places, const char *host, int *code)
{
    if (host || gethostname(places->host, sizeof places->host - 1) != 0)
        snprintf(places->host, sizeof places->host, "%s", host ? host : "(no name)");
    places->query = (struct shunt_tool_query){.host = host, .visit = visit, .context = places};
    places->table = shunt_tool_table(&places->query, code);
    places->library = shunt_preload_library();
    if (!places->library ||
        !shunt_preload_module(places->library, places->module, sizeof places->module))
        places->module[0] = '\0';
    shunt_tool_program("shunt-bench", places->bench, sizeof places->bench);
    if (access(places->bench, X_OK) != 0)
        places->bench[0] = '\0';
    char hosts[SHUNT_LEARNED_HOSTS];
    if (!shunt_learned_path(places->table, host, shunt_environment(), places->learned,
                            sizeof places->learned, hosts) ||
        access(places->learned, F_OK) != 0)
        places->learned[0] = '\0';
}

static void clear(struct places *places)
{
    for (size_t i = 0; i < places->count; i++) {
        free(places->steps[i].name);
        free(places->steps[i].hosts);
    }
    free(places->steps);
    free(places->table);
    free(places->library);
}

/* What names of files hold must not break lines. False: memory is short. */
static bool clean_steps(struct places *places)
{
    for (size_t i = 0; i < places->count; i++) {
        struct step *step = &places->steps[i];
        char *name = shunt_tool_clean(step->name), *hosts = shunt_tool_clean(step->hosts);
        free(step->name);
        free(step->hosts);
        step->name = name;
        step->hosts = hosts;
        if (!name || !hosts)
            return false;
    }
    return true;
}

/* What became of files and folders; those that were searched have nothing to tell. */
static const struct shunt_column columns[] = {
    {.key = SHUNT_KEY_FILE, .title = "", .most = 50},
    {.key = SHUNT_KEY_STATE, .title = "", .none = ""},
};

static int print_steps(const struct places *places)
{
    struct shunt_sheet sheet = SHUNT_SHEET(columns, .form = SHUNT_SHEET_TEXT, .indent = 2);
    shunt_sheet_begin(&sheet);
    for (size_t i = 0; i < places->count; i++) {
        const struct step *step = &places->steps[i];
        const char *text = states[step->state].text, *hosts = strstr(text, "%s");
        char name[PATH_MAX + 4], state[PATH_MAX];
        snprintf(name, sizeof name, "%s%s", is_folder(step) ? "" : "  ", step->name);
        snprintf(state, sizeof state, "%.*s%s", hosts ? (int)(hosts - text) : (int)strlen(text),
                 text, hosts ? step->hosts : "");
        const struct shunt_field row[] = {shunt_field_text(name), shunt_field_text(state)};
        shunt_sheet_row(&sheet, row);
    }
    return shunt_sheet_end(&sheet);
}

static void print_named(const char *label, const char *name)
{
    char *clean = shunt_tool_clean(name);
    shunt_fold_print(stdout, "%-9s%s\n", label, clean ? clean : "?");
    free(clean);
}

static void print_table(const struct shunt_table *table)
{
    if (table)
        shunt_tool_table_line("table    ", table, false);
    else
        puts("table    none, for the file is not valid");
}

static int print(const struct places *places)
{
    print_named("host", places->host);
    if (places->query.named)
        printf("%-9sSHUNT_CONFIG names the table, so no folder is\n", "searched");
    else
        puts("searched");
    const int code = print_steps(places);
    print_table(places->table);
    print_named("learned", places->learned[0] != '\0' ? places->learned : "nothing yet");
    print_named("library", places->library ? places->library : "not found");
    print_named("module", places->module[0] != '\0' ? places->module : "not found");
    print_named("bench", places->bench[0] != '\0' ? places->bench : "not found");
    return code;
}

static void json_steps(struct shunt_json *json, const struct places *places)
{
    shunt_json_put_array(json, SHUNT_KEY_FOLDERS);
    for (size_t i = 0; i < places->count;) {
        const struct step *folder = &places->steps[i++];
        shunt_json_line(json);
        shunt_json_object(json);
        shunt_json_put_string(json, SHUNT_KEY_FOLDER, folder->name);
        shunt_json_put_string(json, SHUNT_KEY_STATE, states[folder->state].name);
        shunt_json_put_array(json, SHUNT_KEY_FILES);
        for (; i < places->count && !is_folder(&places->steps[i]); i++) {
            shunt_json_object(json);
            shunt_json_put_string(json, SHUNT_KEY_FILE, places->steps[i].name);
            shunt_json_put_string(json, SHUNT_KEY_STATE, states[places->steps[i].state].name);
            shunt_json_put_string(json, SHUNT_KEY_PATTERNS, places->steps[i].hosts);
            shunt_json_close(json);
        }
        shunt_json_close(json);
        shunt_json_close(json);
    }
    shunt_json_close(json);
}

static int print_json(const struct places *places)
{
    const struct shunt_table *table = places->table;
    const char *machine = table ? shunt_table_string(table, table->machine) : "";
    struct shunt_document document;
    struct shunt_json *json = shunt_document_begin(&document);
    shunt_json_put_string(json, SHUNT_KEY_HOST, places->host);
    json_steps(json, places);
    shunt_json_put_string(json, SHUNT_KEY_TABLE,
                          table ? shunt_table_string(table, table->source) : NULL);
    shunt_json_put_string(json, SHUNT_KEY_MACHINE, machine[0] != '\0' ? machine : NULL);
    shunt_json_put_string(json, SHUNT_KEY_LEARNED,
                          places->learned[0] != '\0' ? places->learned : NULL);
    shunt_json_put_string(json, SHUNT_KEY_LIBSHUNT, places->library);
    shunt_json_put_string(json, SHUNT_KEY_MODULE,
                          places->module[0] != '\0' ? places->module : NULL);
    shunt_json_put_string(json, SHUNT_KEY_BENCH, places->bench[0] != '\0' ? places->bench : NULL);
    return shunt_document_end(&document);
}

static int show(const char *host, bool json)
{
    struct places places = {0};
    int code = SHUNT_EXIT_OK;
    find(&places, host, &code);
    if (places.cut || (!json && !clean_steps(&places))) {
        shunt_tool_say("out of memory");
        code = SHUNT_EXIT_IO;
    } else {
        const int written = json ? print_json(&places) : print(&places);
        code = code == SHUNT_EXIT_OK ? written : code;
    }
    clear(&places);
    return code;
}

struct where {
    const char *host; /* NULL: this one */
    bool json;
};

static int where(void *options, const struct shunt_words *words)
{
    const struct where *asked = options;
    (void)words;
    return show(asked->host, asked->json);
}

static const struct shunt_option list[] = {
    SHUNT_TEXT("host", "NAME", struct where, host,
               "for that host instead, with the files that are here"),
    SHUNT_JSON(struct where, json, "for programs"),
};

const struct shunt_subcommand shunt_subcommand_where = {
    .name = "where",
    .summary = "show which decision file counts and why, and where Shunt is",
    .usage = "shunt where [OPTION]...",
    .about = "Shows the folders that are searched, in order, each decision file in them and what "
             "became of it, the table that counts for a job whose rank 0 runs on this host, what "
             "was learned to complete it, and where the library, its module and the measuring "
             "program are.",
    .status = "0 good, 3 the file that counts is not valid, 4 it cannot be read",
    SHUNT_OPTIONS(list),
    .size = sizeof(struct where),
    .run = where,
};
