/* SPDX-License-Identifier: BSD-3-Clause */
/* env.c: `shunt env`: every setting, its value and where that comes from. */
#include <stdlib.h>
#include <string.h>

#include "base/environment.h"
#include "config.h"
#include "log/json.h"
#include "route/settings.h"
#include "tools/fold.h"
#include "tools/tool.h"

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

static void print(const struct shown *all, size_t count)
{
    char value[1024];
    int name_width = 0, value_width = 0;
    for (size_t i = 0; i < count; i++) {
        const int name = (int)strlen(all[i].name);
        shunt_tool_fit(all[i].value, value, sizeof value);
        const int length = shunt_tool_width(value);
        name_width = name > name_width ? name : name_width;
        value_width = length > value_width && length <= 40 ? length : value_width;
    }
    for (size_t i = 0; i < count; i++) {
        shunt_tool_fit(all[i].value, value, sizeof value);
        const int rest = value_width - shunt_tool_width(value);
        char line[2048];
        const int length =
            snprintf(line, sizeof line, "%-*s  %s%*s  %-14s  %s%s\n", name_width, all[i].name,
                     value, rest > 0 ? rest : 0, "", names_of_from[all[i].from],
                     all[i].from == NOT_UNDERSTOOD ? "the default counts: "
                     : all[i].row                  ? ""
                                                   : "has no effect",
                     all[i].row ? all[i].row->meaning : "");
        /* Under the meaning, or where values are long, under the value. */
        shunt_fold_put(stdout, line, (size_t)length,
                       value_width <= 20 ? name_width + value_width + 20 : name_width + 2);
    }
}

static int print_json(const struct shown *all, size_t count)
{
    struct shunt_log_text text = {.grows = true};
    struct shunt_json json = {.text = &text, .whole = true};
    shunt_json_object(&json);
    shunt_json_put_string(&json, SHUNT_KEY_VERSION, PACKAGE_VERSION);
    shunt_json_put_array(&json, SHUNT_KEY_SETTINGS);
    for (size_t i = 0; i < count; i++) {
        shunt_json_line(&json);
        shunt_json_object(&json);
        shunt_json_put_string(&json, SHUNT_KEY_NAME, all[i].name);
        shunt_json_put_string(&json, SHUNT_KEY_VALUE, all[i].value);
        shunt_json_put_string(&json, SHUNT_KEY_SET_BY, names_of_from[all[i].from]);
        if (all[i].row) {
            shunt_json_put_string(&json, SHUNT_KEY_DEFAULT, all[i].row->preset);
            shunt_json_put_string(&json, SHUNT_KEY_EXPECTS, all[i].row->expects);
            shunt_json_put_string(&json, SHUNT_KEY_MEANING, all[i].row->meaning);
        }
        shunt_json_close(&json);
    }
    shunt_json_line(&json);
    shunt_json_close(&json);
    shunt_json_close(&json);
    return shunt_tool_write(&text, stdout);
}

static int show(bool as_json)
{
    struct shunt_diagnostics diagnostics = {0};
    struct shown *all;
    int code = SHUNT_EXIT_OK;
    const size_t count = collect(&all, &diagnostics);
    if (count == SIZE_MAX) {
        shunt_tool_say("out of memory");
        return SHUNT_EXIT_IO;
    }
    if (as_json)
        code = print_json(all, count);
    else
        print(all, count);
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
