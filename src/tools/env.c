/* SPDX-License-Identifier: BSD-3-Clause */
/* env.c: `shunt env`: every setting, its value and where that comes from. */
#include <stdlib.h>
#include <string.h>

#include "base/environment.h"
#include "route/settings.h"
#include "tools/common/sheet.h"
#include "tools/common/tool.h"

static const char *const names_of_from[] = {"environment", "default", "not understood", "unknown"};
enum from { ENVIRONMENT, DEFAULT, NOT_UNDERSTOOD, UNKNOWN };

struct shown {
    char name[64];
    const char *value;
    enum from from;
    const struct shunt_setting *row; /* NULL: unknown */
};

/* What counts without the variable: some defaults follow from other variables. */
static const char *preset_of(const struct shunt_setting *row, const struct shunt_settings *settings)
{
    if (strcmp(row->name, "SHUNT_LOG_FORMAT") == 0)
        return settings->log_format == SHUNT_LOG_JSON ? "json" : "human";
    if (strcmp(row->name, "SHUNT_LOG_RANKS") == 0)
        return settings->log_ranks;
    return row->preset;
}

/* Its text is looked at where it is used: at set-up. */
static bool is_wrong_force(const struct shunt_setting *row, const char *value)
{
    struct shunt_diagnostics ignored = {0};
    if (strcmp(row->name, "SHUNT_FORCE") != 0)
        return false;
    struct shunt_table *table = shunt_table_from_force(value, &ignored);
    shunt_diagnostics_clear(&ignored);
    free(table);
    return !table;
}

static struct shown look(const struct shunt_setting *row, const struct shunt_settings *settings)
{
    struct shown shown = {.row = row, .value = shunt_environment_value(row->name)};
    snprintf(shown.name, sizeof shown.name, "%s", row->name);
    if (!shown.value || shown.value[0] == '\0') {
        shown.value = preset_of(row, settings);
        shown.from = DEFAULT;
    } else if (!shunt_setting_understood(row, shown.value) || is_wrong_force(row, shown.value)) {
        shown.from = NOT_UNDERSTOOD;
    }
    return shown;
}

static bool is_known(const char *name, size_t length)
{
    const struct shunt_setting *row;
    for (size_t i = 0; (row = shunt_setting_row(i)); i++)
        if (strlen(row->name) == length && strncmp(name, row->name, length) == 0)
            return true;
    return false;
}

/* Those with a row, then those without. *all is to be freed; SIZE_MAX when memory is short. */
static size_t collect(struct shown **all, struct shunt_diagnostics *diagnostics)
{
    char *const *environment = shunt_environment();
    struct shunt_settings settings;
    const struct shunt_setting *row;
    size_t count = 0, room = 0;
    while (shunt_setting_row(room))
        room++;
    for (; *environment; environment++)
        room++;
    *all = calloc(room + 1, sizeof **all);
    if (!*all)
        return SIZE_MAX;
    shunt_settings_read(&settings, shunt_environment(), diagnostics);
    for (; (row = shunt_setting_row(count)); count++)
        (*all)[count] = look(row, &settings);
    for (environment = shunt_environment(); *environment; environment++) {
        const size_t length = strcspn(*environment, "=");
        if (strncmp(*environment, "SHUNT_", 6) != 0 || is_known(*environment, length))
            continue;
        struct shown *shown = &(*all)[count++];
        snprintf(shown->name, sizeof shown->name, "%.*s", (int)length, *environment);
        shown->value = (*environment)[length] == '=' ? *environment + length + 1 : "";
        shown->from = UNKNOWN;
    }
    return count;
}

/* People are told what is wrong beside the meaning. */
static const struct shunt_column columns[] = {
    {.key = SHUNT_KEY_NAME, .title = ""},
    {.key = SHUNT_KEY_VALUE, .title = "", .none = "", .most = 40},
    {.key = SHUNT_KEY_SET_BY, .title = ""},
    {.key = SHUNT_KEY_DEFAULT},
    {.key = SHUNT_KEY_EXPECTS},
    {.key = SHUNT_KEY_MEANING, .in = SHUNT_IN_JSON},
    {.key = SHUNT_KEY_MEANING, .title = "", .in = SHUNT_IN_TEXT},
};

static int put_all(const struct shown *all, size_t count, struct shunt_json *json)
{
    struct shunt_sheet sheet =
        SHUNT_SHEET(columns, .form = json ? SHUNT_SHEET_JSON : SHUNT_SHEET_TEXT, .json = json,
                    .list = SHUNT_KEY_SETTINGS);
    shunt_sheet_begin(&sheet);
    for (size_t i = 0; i < count; i++) {
        const struct shunt_setting *setting = all[i].row;
        char meaning[1024];
        snprintf(meaning, sizeof meaning, "%s%s",
                 all[i].from == NOT_UNDERSTOOD ? "the default counts: " : "",
                 setting ? setting->meaning : "has no effect");
        const struct shunt_field row[] = {shunt_field_text(all[i].name),
                                          shunt_field_text(all[i].value),
                                          shunt_field_text(names_of_from[all[i].from]),
                                          shunt_field_text(setting ? setting->preset : NULL),
                                          shunt_field_text(setting ? setting->expects : NULL),
                                          shunt_field_text(setting ? setting->meaning : NULL),
                                          shunt_field_text(meaning)};
        shunt_sheet_row(&sheet, row);
    }
    if (json)
        shunt_json_line(json);
    return shunt_sheet_end(&sheet);
}

static int print_json(const struct shown *all, size_t count)
{
    struct shunt_document document;
    put_all(all, count, shunt_document_begin(&document));
    return shunt_document_end(&document);
}

static int show(bool as_json)
{
    struct shunt_diagnostics diagnostics = {0};
    struct shown *all;
    int code;
    const size_t count = collect(&all, &diagnostics);
    if (count == SIZE_MAX) {
        shunt_tool_say("out of memory");
        return SHUNT_EXIT_IO;
    }
    code = as_json ? print_json(all, count) : put_all(all, count, NULL);
    if (code == SHUNT_EXIT_OK && diagnostics.count > 0)
        code = SHUNT_EXIT_FINDINGS;
    shunt_tool_report(&diagnostics);
    free(all);
    return code;
}

struct env {
    bool json;
};

static int env(void *options, const struct shunt_words *words)
{
    (void)words;
    return show(((const struct env *)options)->json);
}

static const struct shunt_option list[] = {
    SHUNT_JSON(struct env, json, "for programs"),
};

const struct shunt_subcommand shunt_subcommand_env = {
    .name = "env",
    .summary = "show every setting, its value and where it comes from",
    .usage = "shunt env [--json]",
    .about = "Shows every variable of Shunt, one per line: name, value, where the value comes from "
             "(environment, default, not understood, unknown), what it means. libshunt(7) says "
             "more.",
    .status = "0 good, 1 a variable is not understood or unknown",
    SHUNT_OPTIONS(list),
    .size = sizeof(struct env),
    .run = env,
};
