/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run.c: `shunt run`: sets the environment, starts the launcher, and tells at the end if nobody
 * used the library. With the log off, and as a rank other than the first, it becomes the command:
 * there is nothing to say then.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/environment.h"
#include "base/notice.h"
#include "route/parse.h"
#include "route/settings.h"
#include "tools/common/preload.h"
#include "tools/common/tool.h"
#include "tools/run/export.h"
#include "tools/run/hint.h"
#include "tools/run/start.h"

/* What the options say: values of variables, and whose table is checked. */
enum variable { CONFIG, FORCE, LOG, LOG_FILE, STRICT, DISABLE, VERIFY, VARIABLES };
struct run {
    const char *value[VARIABLES]; /* NULL: not given */
    const char *host;
};
static const char *const variables[VARIABLES] = {"SHUNT_CONFIG",   "SHUNT_FORCE",  "SHUNT_LOG",
                                                 "SHUNT_LOG_FILE", "SHUNT_STRICT", "SHUNT_DISABLE",
                                                 "SHUNT_VERIFY"};

/* What an option says must be right, whatever else the environment holds. */
static bool options_valid(const char *const values[VARIABLES])
{
    char *environment[VARIABLES + 1] = {NULL};
    struct shunt_diagnostics diagnostics = {0};
    struct shunt_settings settings;
    bool valid = true;
    size_t used = 0;
    for (size_t i = 0; i < VARIABLES; i++)
        if (values[i] && asprintf(&environment[used], "%s=%s", variables[i], values[i]) >= 0)
            used++;
    environment[used] = NULL;
    shunt_settings_read(&settings, environment, &diagnostics);
    if (diagnostics.count > 0)
        valid = false;
    shunt_tool_report(&diagnostics);
    for (size_t i = 0; i < used; i++)
        free(environment[i]);
    return valid;
}

/* The name of a log in this folder, whose own % are none of the pattern's; NULL: as it is. */
static char *log_from_here(const char *pattern)
{
    char *folder = pattern[0] != '\0' && pattern[0] != '/' ? getcwd(NULL, 0) : NULL, *full = NULL;
    const size_t room = folder ? 2 * strlen(folder) + strlen(pattern) + 2 : 0;
    size_t used = 0;
    if (folder && folder[0] == '/')
        full = malloc(room);
    for (const char *at = folder; full && *at != '\0'; at++) {
        if (*at == '%')
            full[used++] = '%';
        full[used++] = *at;
    }
    if (full)
        snprintf(full + used, room - used, "/%s", pattern);
    free(folder);
    return full;
}

/* A program may change its working directory before it communicates, so files travel with their
 * full path. */
static bool export_option(enum variable option, const char *value)
{
    char *full = NULL;
    if (option == CONFIG && strcmp(value, SHUNT_BUILTIN_NAME) != 0)
        full = realpath(value, NULL);
    else if (option == LOG_FILE)
        full = log_from_here(value);
    bool done = setenv(variables[option], full ? full : value, 1) == 0;
    free(full);
    return done;
}

/* The same for a file that the environment names. */
static bool export_again(enum variable option)
{
    const char *value = shunt_environment_value(variables[option]);
    if (!value || value[0] == '\0')
        return true;
    char *copy = strdup(value); /* setenv may move what it replaces */
    const bool done = copy && export_option(option, copy);
    free(copy);
    return done;
}

/* What is wrong in the environment, for the library not to say again. A `shunt run` around this one
 * may have said it. */
static void warn(const struct shunt_diagnostics *diagnostics)
{
    char list[SHUNT_TOLD_MAX] = "";
    const char *told = shunt_environment_value(SHUNT_TOLD_VARIABLE);
    if (diagnostics->count == 0)
        return;
    if (told && strlen(told) < sizeof list)
        memcpy(list, told, strlen(told) + 1);
    for (size_t i = 0; i < diagnostics->count; i++) {
        if (shunt_told_has(list, diagnostics->text[i]))
            continue;
        shunt_tool_say("warning: %s", diagnostics->text[i]);
        shunt_told_add(list, diagnostics->text[i]);
    }
    setenv(SHUNT_TOLD_VARIABLE, list, 1); /* otherwise it is said twice */
}

/* Everything that the library would complain about on every node, once and before the job starts.
 */
static int check(const char *config_option, const char *host)
{
    struct shunt_tool_query query = {.path = config_option, .host = host};
    struct shunt_diagnostics diagnostics = {0};
    struct shunt_settings settings;
    int code = SHUNT_EXIT_OK;
    shunt_settings_read(&settings, shunt_environment(), &diagnostics);
    warn(&diagnostics);
    shunt_diagnostics_clear(&diagnostics);
    if (settings.disable)
        return code;
    struct shunt_table *table = shunt_tool_table(&query, &code);
    free(table);
    if ((settings.start && shunt_environment_first_of_job()) || host)
        shunt_tool_say(
            "%s%s", query.choice,
            query.named ? ""
                        : "; the job uses that of its rank 0's host (--host=NAME checks another)");
    if (settings.force) {
        struct shunt_table *forced = shunt_table_from_force(settings.force, &diagnostics);
        if (!forced)
            code = SHUNT_EXIT_TABLE;
        free(forced);
        shunt_tool_report(&diagnostics);
    }
    return code;
}

/* Becomes the command. Returns why not. */
static int become(char **command)
{
    execvp(command[0], command);
    return errno;
}

/* Whether anybody wants to hear something at the end: not with the log off, nor from every rank
 * where the launcher starts `shunt run`, not the other way round. */
static bool speaks(void)
{
    struct shunt_diagnostics ignored = {0};
    struct shunt_settings settings;
    shunt_settings_read(&settings, shunt_environment(), &ignored);
    shunt_diagnostics_clear(&ignored);
    return settings.start && shunt_environment_first_of_job();
}

static char *copy_of(const char *text)
{
    return text ? strdup(text) : NULL;
}

/* A `shunt run` that started this one hears what this one has heard. */
static void pass_on(const char *outer, int notices)
{
    for (int i = 0; outer && i < SHUNT_NOTICE_COUNT; i++)
        if (shunt_notice_given(notices, (enum shunt_notice)i))
            shunt_notice_give(outer, (enum shunt_notice)i);
}

static int launch(char **command)
{
    char address[SHUNT_NOTICE_ADDRESS_MAX];
    bool ended = false;
    int status = 0, code = shunt_preload_set();
    if (code != SHUNT_EXIT_OK)
        return code;
    command = shunt_export_command(command);
    char *outer = copy_of(shunt_environment_value(SHUNT_NOTICE_VARIABLE));
    const int notices = speaks() ? shunt_notice_make(address) : -1;
    if (notices >= 0 && setenv(SHUNT_NOTICE_VARIABLE, address, 1) != 0) {
        free(outer);
        return SHUNT_EXIT_IO;
    }
    int error = notices >= 0 ? shunt_start_command(command, &status, &ended) : become(command);
    if (error == EAGAIN || error == ENOMEM || error == EMFILE || error == ENFILE)
        error = become(command); /* there may be no room for one process more */
    if (error != 0) {
        free(outer);
        shunt_tool_say("cannot start %s: %s", command[0], strerror(error));
        return SHUNT_EXIT_IO;
    }
    signal(SIGPIPE, SIG_IGN); /* who hears nothing any more still gets the status */
    pass_on(outer, notices);
    free(outer);
    if (!ended)
        shunt_hint_say(command, status, shunt_notice_given(notices, SHUNT_NOTICE_LOADED),
                       shunt_notice_given(notices, SHUNT_NOTICE_CALLED));
    return shunt_start_status(status);
}

static int run(void *options, const struct shunt_words *words)
{
    const struct run *run = options;
    if (!options_valid(run->value))
        return SHUNT_EXIT_USAGE;
    for (int i = 0; i < VARIABLES; i++) {
        if (run->value[i] && !export_option((enum variable)i, run->value[i])) {
            shunt_tool_say("%s cannot be set: %s", variables[i], strerror(errno));
            return SHUNT_EXIT_IO;
        }
    }
    const char *level = shunt_environment_value("SHUNT_LOG");
    if (!level || level[0] == '\0')
        setenv("SHUNT_LOG", "summary", 1);
    if (!export_again(CONFIG) || !export_again(LOG_FILE)) {
        shunt_tool_say("the environment cannot be set: %s", strerror(errno));
        return SHUNT_EXIT_IO;
    }
    const int code = check(run->value[CONFIG], run->host);
    return code != SHUNT_EXIT_OK ? code : launch(words->word);
}

static bool read_switch(struct shunt_option_value *value)
{
    *(const char **)value->field = "1";
    return true;
}

static const struct shunt_option list[] = {
    SHUNT_FILE("config", "FILE", struct run, value[CONFIG],
               "use this decision file (SHUNT_CONFIG)"),
    SHUNT_TEXT("host", "NAME", struct run, host,
               "check the table of that host, not of this one: a job uses that of the host of its "
               "rank 0"),
    SHUNT_TEXT("force", "RULES", struct run, value[FORCE],
               "OPERATION=ALGORITHM[:PARAMETER=VALUE]...[,...] instead of the table (SHUNT_FORCE)"),
    SHUNT_TEXT_OF("log", "LEVEL", struct run, value[LOG], "off,start,summary,calls",
                  "off, start, summary or calls; here the default is summary (SHUNT_LOG)"),
    SHUNT_TEXT("log-file", "NAME", struct run, value[LOG_FILE],
               "with %j job, %s step, %t restarts, %h host, %r rank, %p process (SHUNT_LOG_FILE)"),
    SHUNT_TEXT_OF("strict", "LEVEL", struct run, value[STRICT], "off,warn,error",
                  "off, warn or error: what a bad table does at run time (SHUNT_STRICT)"),
    SHUNT_VALUE("verify", NULL, struct run, value[VERIFY], read_switch,
                "compare every routed call with the native result (SHUNT_VERIFY)"),
    SHUNT_VALUE("disable", NULL, struct run, value[DISABLE], read_switch,
                "preload, but pass everything through (SHUNT_DISABLE)"),
};

const struct shunt_subcommand shunt_subcommand_run = {
    .name = "run",
    .summary = "start a program, or its launcher, with Shunt preloaded",
    .usage = "shunt run [OPTION]... [--] COMMAND [ARGUMENT]...",
    .about = "Starts COMMAND, usually a launcher line such as \"mpiexec -n 8 ./app\", with "
             "libshunt.so preloaded. The table and the options are checked first; the exit status "
             "is COMMAND's. Where no process used the library, a line at the end says so, and why.",
    .status = "COMMAND's, or before it is started 2 usage, 3 invalid table or force, 4 a file "
              "cannot be read or started",
    SHUNT_OPTIONS(list),
    .size = sizeof(struct run),
    .ordered = true,
    .words_most = -1,
    .missing = "no program to start",
    .run = run,
};
