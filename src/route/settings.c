/* SPDX-License-Identifier: BSD-3-Clause */
/* settings.c: one row per variable SHUNT_*: what its value means is decided here. Other variables
 * are read where they are used. */
#include <stdlib.h>
#include <string.h>

#include "base/environment.h"
#include "route/settings.h"
#include "route/words.h"

#define PREFIX "SHUNT_"

static bool set_flag(const char *value, bool *flag)
{
    static const char *const words[] = {"0", "no", "off", "false", "1", "yes", "on", "true"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(value, words[i]) == 0) {
            *flag = i >= 4;
            return true;
        }
    }
    return false;
}

/* Position of `value` in `words`, which ends with NULL; -1 when it is not there. */
static int position(const char *value, const char *const *words)
{
    for (int i = 0; words[i]; i++)
        if (strcmp(value, words[i]) == 0)
            return i;
    return -1;
}

/* Digits only: no suffix for counts. */
static bool set_count(const char *value, int64_t *count)
{
    return value[strspn(value, "0123456789")] == '\0' && shunt_size_parse(value, count);
}

/* Not strtod: the application's locale must not decide what a dot means. */
static bool set_seconds(const char *value, double *seconds)
{
    double result = 0, unit = 1;
    const char *at = value;
    for (; *at >= '0' && *at <= '9'; at++)
        result = result * 10 + (*at - '0');
    if (at == value || at - value > 9)
        return false;
    if (*at == '.')
        for (at++; *at >= '0' && *at <= '9'; at++)
            result += (*at - '0') * (unit /= 10);
    if (*at != '\0')
        return false;
    *seconds = result;
    return true;
}

/* One number of a list, at most 9 digits. Returns what follows it, or NULL. */
static const char *read_int(const char *at, int *number)
{
    int value = 0, digits = 0;
    for (; *at >= '0' && *at <= '9'; at++, digits++) {
        if (digits == 9)
            return NULL;
        value = value * 10 + (*at - '0');
    }
    *number = value;
    return digits > 0 ? at : NULL;
}

static bool set_layout(const char *value, struct shunt_settings *settings)
{
    static const char cyclic[] = "cyclic:";
    const bool dealt = strncmp(value, cyclic, strlen(cyclic)) == 0;
    int pieces[SHUNT_LAYOUT_MAX], count = 0;
    for (const char *at = value + (dealt ? strlen(cyclic) : 0);; at++) {
        if (count == SHUNT_LAYOUT_MAX || (at = read_int(at, &pieces[count])) == NULL ||
            pieces[count] < 1)
            return false;
        count++;
        if (*at == '\0')
            break;
        if (*at != ',')
            return false;
    }
    memcpy(settings->layout, pieces, sizeof pieces[0] * (size_t)count);
    settings->layout_count = count;
    settings->layout_cyclic = dealt;
    return true;
}

/* Walks a list of ranks: false when it is malformed. *found tells whether `rank` is in it. */
static bool ranks_walk(const char *list, int rank, bool *found)
{
    *found = false;
    for (const char *at = list;; at++) {
        int low, high;
        if (strncmp(at, "all", 3) == 0) {
            at += 3;
            *found = true;
        } else {
            if ((at = read_int(at, &low)) == NULL)
                return false;
            high = low;
            if (*at == '-' && (at = read_int(at + 1, &high)) == NULL)
                return false;
            if (high < low)
                return false;
            *found = *found || (rank >= low && rank <= high);
        }
        if (*at == '\0')
            return true;
        if (*at != ',')
            return false;
    }
}

bool shunt_ranks_contain(const char *list, int rank)
{
    bool found;
    return !list || (ranks_walk(list, rank, &found) && found);
}

static bool set_disable(struct shunt_settings *settings, const char *value)
{
    return set_flag(value, &settings->disable);
}

static bool set_verify(struct shunt_settings *settings, const char *value)
{
    return set_flag(value, &settings->verify);
}

static bool set_ptracer(struct shunt_settings *settings, const char *value)
{
    static const char *const words[] = {"off", "any", NULL};
    const int found = position(value, words);
    if (found >= 0)
        settings->ptracer = found == 1;
    return found >= 0;
}

static bool set_strict(struct shunt_settings *settings, const char *value)
{
    static const char *const words[] = {"off", "warn", "error", NULL};
    int found = position(value, words);
    if (found >= 0)
        settings->strict = (enum shunt_strict)found;
    return found >= 0;
}

static bool set_warmup(struct shunt_settings *settings, const char *value)
{
    return set_count(value, &settings->warmup);
}

static bool set_memory(struct shunt_settings *settings, const char *value)
{
    return shunt_size_parse(value, &settings->memory);
}

static bool set_learn(struct shunt_settings *settings, const char *value)
{
    for (int i = 0; i < SHUNT_LEARNING_COUNT; i++) {
        if (strcmp(value, shunt_learning_name((enum shunt_learning)i)) == 0) {
            settings->learn = i;
            return true;
        }
    }
    return false;
}

static bool set_guard(struct shunt_settings *settings, const char *value)
{
    bool guard;
    if (!set_flag(value, &guard))
        return false;
    settings->guard = guard;
    return true;
}

static bool set_test_layout(struct shunt_settings *settings, const char *value)
{
    return set_layout(value, settings);
}

static bool set_test_communicators(struct shunt_settings *settings, const char *value)
{
    settings->communicators = value;
    return true;
}

static bool set_force(struct shunt_settings *settings, const char *value)
{
    settings->force = value;
    return true;
}

static bool set_config(struct shunt_settings *settings, const char *value)
{
    settings->config = value;
    return true;
}

static bool set_watchdog(struct shunt_settings *settings, const char *value)
{
    return set_seconds(value, &settings->watchdog);
}

static bool set_log(struct shunt_settings *settings, const char *value)
{
    static const char *const words[] = {"off", "start", "summary", "calls", NULL};
    static const enum shunt_log_level levels[] = {SHUNT_LOG_OFF, SHUNT_LOG_OFF, SHUNT_LOG_SUMMARY,
                                                  SHUNT_LOG_CALLS};
    int found = position(value, words);
    if (found < 0)
        return false;
    settings->log = levels[found];
    settings->start = found > 0;
    return true;
}

static bool set_log_format(struct shunt_settings *settings, const char *value)
{
    static const char *const words[] = {"human", "json", NULL};
    int found = position(value, words);
    if (found >= 0)
        settings->log_format = (enum shunt_log_format)found;
    return found >= 0;
}

static bool set_log_file(struct shunt_settings *settings, const char *value)
{
    for (const char *at = value; (at = strchr(at, '%')) != NULL; at += 2)
        if (at[1] == '\0' || !strchr("jsthrp%", at[1]))
            return false;
    settings->log_file = value;
    return true;
}

static bool set_log_ranks(struct shunt_settings *settings, const char *value)
{
    bool found;
    if (!ranks_walk(value, 0, &found))
        return false;
    settings->log_ranks = value;
    return true;
}

static bool set_log_size(struct shunt_settings *settings, const char *value)
{
    return shunt_size_parse(value, &settings->log_size);
}

static bool set_log_phases(struct shunt_settings *settings, const char *value)
{
    return set_flag(value, &settings->log_phases);
}

static bool set_log_counts(struct shunt_settings *settings, const char *value)
{
    return set_flag(value, &settings->log_counts);
}

static bool set_log_sites(struct shunt_settings *settings, const char *value)
{
    return set_flag(value, &settings->log_sites);
}

/* The lists of the manual and of `shunt env` are held against this one by tests. */
static const struct {
    struct shunt_setting shown;
    bool (*set)(struct shunt_settings *settings, const char *value);
} variables[] = {
    {{"SHUNT_CONFIG", "a file", "by the folders", "decision file"}, set_config},
    {{"SHUNT_FORCE", "OPERATION=ALGORITHM[:PARAMETER=VALUE]...", "not set",
      "algorithms instead of the table's"},
     set_force},
    {{"SHUNT_DISABLE", "0 or 1", "0", "1: every call is passed through"}, set_disable},
    {{"SHUNT_VERIFY", "0 or 1", "0", "1: every routed call is compared with the native result"},
     set_verify},
    {{"SHUNT_STRICT", "off, warn or error", "warn", "what a table that cannot be used does"},
     set_strict},
    {{"SHUNT_WARMUP", "a number of calls", "by the table",
      "native calls before a communicator is set up"},
     set_warmup},
    {{"SHUNT_MEMORY", "bytes such as 64M", "by the table",
      "most buffers of a rank for one communicator"},
     set_memory},
    {{"SHUNT_LEARN", "off, suggest or on", "by the table",
      "what is done where no rule takes a call: nothing, a hint, trials"},
     set_learn},
    {{"SHUNT_GUARD", "0 or 1", "by the table",
      "1: a rule that does not win where it is used is left; 0: rules are followed"},
     set_guard},
    {{"SHUNT_TEST_LAYOUT", "at most 64 sizes such as 3,5,8,1 or cyclic:4,2", "not set",
      "for tests: nodes made of the ranks of a node"},
     set_test_layout},
    {{"SHUNT_TEST_COMMUNICATORS", "a file", "not set",
      "for tests: settings of communicators by their names"},
     set_test_communicators},
    {{"SHUNT_PTRACER", "off or any", "off", "who may read the memory of this process"},
     set_ptracer},
    {{"SHUNT_WATCHDOG", "seconds", "30", "how long a rank waits before it says for what; 0: never"},
     set_watchdog},
    {{"SHUNT_LOG", "off, start, summary or calls", "off",
      "what is said: nothing, one line, a summary, calls as well"},
     set_log},
    {{"SHUNT_LOG_FORMAT", "human or json", "by SHUNT_LOG_FILE", "form of the log"}, set_log_format},
    {{"SHUNT_LOG_FILE", "a file name in which % is followed by j, s, t, h, r, p or %",
      "standard error", "where the log goes"},
     set_log_file},
    {{"SHUNT_LOG_RANKS", "world ranks such as 0,3-7 or all", "by SHUNT_LOG_FILE",
      "ranks whose calls are in the log"},
     set_log_ranks},
    {{"SHUNT_LOG_SIZE", "bytes such as 64M", "64M",
      "most that a process writes into its log; 0: no limit"},
     set_log_size},
    {{"SHUNT_LOG_PHASES", "0 or 1", "0", "1: what the time of each logged call went into"},
     set_log_phases},
    {{"SHUNT_LOG_COUNTS", "0 or 1", "0", "1: bytes to each rank in each logged call"},
     set_log_counts},
    {{"SHUNT_LOG_SITES", "0 or 1", "0", "1: where in the program each logged call was made"},
     set_log_sites},
};
#define VARIABLE_COUNT (sizeof variables / sizeof variables[0])

/* What module systems set for every package that they load. */
static bool is_of_module(const char *name)
{
    static const char *const set[] = {"BASE", "BIN",     "DIR",  "DOC",    "HOME",
                                      "INC",  "INCLUDE", "LIB",  "LIBDIR", "MAN",
                                      "PATH", "PREFIX",  "ROOT", "SHARE",  "VERSION"};
    for (size_t i = 0; i < sizeof set / sizeof *set; i++)
        if (strcmp(name, set[i]) == 0)
            return true;
    return false;
}

static void report_unknown(const char *entry, struct shunt_diagnostics *diagnostics)
{
    const char *names[VARIABLE_COUNT];
    char word[64];
    size_t length = strcspn(entry, "=");
    if (length >= sizeof word)
        length = sizeof word - 1;
    memcpy(word, entry, length);
    word[length] = '\0';
    if (is_of_module(word + strlen(PREFIX)))
        return;
    /* The prefix is common to all and must not make strangers look alike. */
    for (size_t i = 0; i < VARIABLE_COUNT; i++) {
        names[i] = variables[i].shown.name + strlen(PREFIX);
        if (strcmp(word, variables[i].shown.name) == 0)
            return;
    }
    const char *near = shunt_nearest(word + strlen(PREFIX), names, VARIABLE_COUNT);
    if (near)
        shunt_diagnostics_add(diagnostics, "unknown variable %s (did you mean " PREFIX "%s?)", word,
                              near);
    else
        shunt_diagnostics_add(diagnostics, "unknown variable %s", word);
}

static void report_wrong(size_t variable, const char *value, struct shunt_diagnostics *diagnostics)
{
    char hint[96] = "";
    if (variables[variable].set == set_memory || variables[variable].set == set_log_size)
        shunt_size_hint(value, hint, sizeof hint);
    shunt_diagnostics_add(diagnostics, "%s=%s: expected %s%s", variables[variable].shown.name,
                          value, variables[variable].shown.expects, hint);
}

static bool contains(const char *text, const char *part)
{
    return text && strstr(text, part);
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = text ? strlen(text) : 0, end_length = strlen(end);
    return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

/* Defaults that follow from other settings. */
static void derive(struct shunt_settings *settings, bool format_given)
{
    const char *file = settings->log_file;
    if (!format_given && (ends_with(file, ".json") || ends_with(file, ".jsonl")))
        settings->log_format = SHUNT_LOG_JSON;
    if (!settings->log_ranks)
        settings->log_ranks = contains(file, "%r") || contains(file, "%p") ? "all" : "0";
}

const struct shunt_setting *shunt_setting_row(size_t index)
{
    return index < VARIABLE_COUNT ? &variables[index].shown : NULL;
}

bool shunt_setting_understood(const struct shunt_setting *setting, const char *value)
{
    struct shunt_settings ignored = {0};
    for (size_t i = 0; i < VARIABLE_COUNT; i++)
        if (setting == &variables[i].shown)
            return variables[i].set(&ignored, value);
    return false;
}

void shunt_settings_read(struct shunt_settings *settings, char *const *environment,
                         struct shunt_diagnostics *diagnostics)
{
    *settings = (struct shunt_settings){.strict = SHUNT_STRICT_WARN,
                                        .warmup = -1,
                                        .memory = -1,
                                        .learn = -1,
                                        .guard = -1,
                                        .watchdog = 30,
                                        .log = SHUNT_LOG_OFF,
                                        .log_size = INT64_C(64) << 20};
    bool format_given = false;
    for (size_t i = 0; i < VARIABLE_COUNT && *environment; i++) {
        const char *value = shunt_environment_find(environment, variables[i].shown.name);
        if (!value || *value == '\0')
            continue;
        if (!variables[i].set(settings, value))
            report_wrong(i, value, diagnostics);
        else if (variables[i].set == set_log_format)
            format_given = true;
    }
    for (char *const *entry = environment; *entry; entry++)
        if (strncmp(*entry, PREFIX, strlen(PREFIX)) == 0)
            report_unknown(*entry, diagnostics);
    derive(settings, format_given);
}
