/* SPDX-License-Identifier: BSD-3-Clause */
/* command.c: `shunt check`: every mistake of a decision file, what is valid but cannot be meant,
 * and which calls no rule takes. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/size.h"
#include "route/findings.h"
#include "route/parse.h"
#include "route/words.h"
#include "tools/check/check.h"
#include "tools/common/fold.h"
#include "tools/common/shape.h"

/* What was found in one file, or about the table of a host. */
struct result {
    const char *path; /* as it was named; NULL: the table of a host */
    char *name;       /* in full; NULL with `path` */
    struct shunt_table *table;
    struct shunt_tool_query query;
    struct shunt_chosen chosen;
    int code;
    /* in the order in which they are told */
    struct shunt_diagnostics skipped, hosts, rules, gaps, problems;
};

static const char *file_of(const struct result *result)
{
    return result->table  ? shunt_table_string(result->table, result->table->source)
           : result->name ? result->name
                          : "";
}

static void look(struct result *result, const char *path, const struct shunt_check_options *options)
{
    *result = (struct result){.path = path};
    result->query = (struct shunt_tool_query){.path = path,
                                              .host = path ? NULL : options->host,
                                              .findings = &result->hosts,
                                              .skipped = &result->skipped,
                                              .problems = &result->problems};
    result->name = path ? shunt_parse_name(path) : NULL;
    result->table = shunt_tool_table(&result->query, &result->code);
    if (!result->table)
        return;
    shunt_table_findings(result->table, &result->rules);
    if (!path || !options->host || strcmp(path, SHUNT_BUILTIN_NAME) == 0)
        return;
    shunt_check_chosen(&result->chosen, path, options->host);
    if (!result->chosen.pattern)
        shunt_diagnostics_add(&result->hosts, "%s: %s", file_of(result), result->chosen.text);
}

static void finish(struct result *result)
{
    if (result->table &&
        result->skipped.count + result->hosts.count + result->rules.count + result->gaps.count > 0)
        result->code = SHUNT_EXIT_FINDINGS;
}

static void clear(struct result *result)
{
    shunt_diagnostics_clear(&result->skipped);
    shunt_diagnostics_clear(&result->hosts);
    shunt_diagnostics_clear(&result->rules);
    shunt_diagnostics_clear(&result->gaps);
    shunt_diagnostics_clear(&result->problems);
    free(result->chosen.pattern);
    free(result->table);
    free(result->name);
}

/* What has neither a name nor a line of its own has the name of its neighbour in every record. */
static void tell_unnamed(const struct shunt_table *table, enum shunt_op op)
{
    const struct shunt_rule *rules = &table->rules[table->rule_first[op]];
    for (uint32_t i = 1; i < table->rule_count[op]; i++) {
        if (rules[i].line != rules[i - 1].line || rules[i].file != rules[i - 1].file ||
            shunt_table_string(table, rules[i].id)[0] != '\0' ||
            shunt_table_string(table, rules[i - 1].id)[0] != '\0')
            continue;
        char *file = shunt_tool_clean(shunt_table_string(table, rules[i].file));
        shunt_fold_print(
            stdout,
            "%s:%d: %s rules %u and %u have no id and share a line, so records name them alike\n",
            file ? file : "?", rules[i].line, shunt_op_name(op), i, i + 1);
        free(file);
        return;
    }
}

static int tell(struct result *result, const struct shunt_check_options *options)
{
    bool enough = true;
    if (!result->path)
        shunt_fold_print(stdout, "%s\n", result->query.choice); /* without control characters */
    for (int op = 0; result->table && enough && op < SHUNT_OP_COUNT; op++)
        enough = shunt_check_coverage(result->table, (enum shunt_op)op, options, &result->gaps);
    if (result->table &&
        result->skipped.count + result->hosts.count + result->rules.count + result->gaps.count ==
            0) {
        char *file = shunt_tool_clean(file_of(result));
        shunt_fold_print(stdout, "%s: ok, rules: %u alltoall, %u alltoallv%s%s\n",
                         file ? file : "?", result->table->rule_count[SHUNT_OP_ALLTOALL],
                         result->table->rule_count[SHUNT_OP_ALLTOALLV],
                         result->table->modelled ? ", model: " : "",
                         result->table->modelled ? result->table->model.name : "");
        free(file);
    }
    if (result->chosen.pattern) {
        char *file = shunt_tool_clean(file_of(result)),
             *text = shunt_tool_clean(result->chosen.text);
        shunt_fold_print(stdout, "%s: %s\n", file ? file : "?", text ? text : "?");
        free(file);
        free(text);
    }
    for (int op = 0; result->table && op < SHUNT_OP_COUNT; op++)
        tell_unnamed(result->table, (enum shunt_op)op);
    finish(result);
    shunt_tool_report(&result->skipped);
    shunt_tool_report(&result->hosts);
    shunt_tool_report(&result->rules);
    shunt_tool_report(&result->gaps);
    shunt_tool_report(&result->problems);
    return enough ? result->code : shunt_tool_no_memory();
}

/* Whether a message is about the file of that name. Messages have `?` for control characters. */
static bool is_about(const char *message, const char *file)
{
    size_t i = 0;
    for (; file[i] != '\0'; i++)
        if (message[i] != file[i] && !(message[i] == '?' && iscntrl((unsigned char)file[i])))
            return false;
    return i > 0 && message[i] == ':' &&
           (message[i + 1] == ' ' || isdigit((unsigned char)message[i + 1]));
}

/* Where the name of the file ends in a message of another one, "FILE:LINE: TEXT" or "FILE: TEXT". A
 * name may hold colons itself: the longest beginning that is a file. */
static size_t name_length(const char *message)
{
    size_t length = 0;
    for (const char *end = strstr(message, ": "); end; end = strstr(end + 1, ": ")) {
        const char *digits = end;
        while (digits > message && digits[-1] >= '0' && digits[-1] <= '9')
            digits--;
        const bool numbered = digits < end && digits > message && digits[-1] == ':';
        const size_t beginning = (size_t)((numbered ? digits - 1 : end) - message);
        char *name = strndup(message, beginning);
        if (length == 0 || (name && access(name, F_OK) == 0))
            length = beginning;
        free(name);
    }
    return length;
}

static void json_finding(struct shunt_json *json, const char *kind, const char *known,
                         const char *message)
{
    const bool about_known = is_about(message, known);
    const size_t length = about_known ? strlen(known) : name_length(message);
    char *file = length > 0 ? strndup(about_known ? known : message, length) : NULL;
    const char *text = message + length + (length > 0);
    int64_t line = 0;
    const char *end = length > 0 ? shunt_number_read(text, &line) : NULL;
    if (end && *end == ':')
        text = end + 1;
    else
        line = 0;
    shunt_json_line(json);
    shunt_json_object(json);
    shunt_json_put_string(json, SHUNT_KEY_KIND, kind);
    shunt_json_put_string(json, SHUNT_KEY_FILE, file);
    if (line > 0)
        shunt_json_put_known(json, SHUNT_KEY_LINE, line);
    shunt_json_put_string(json, SHUNT_KEY_TEXT, text + (length > 0 && *text == ' '));
    shunt_json_close(json);
    free(file);
}

/* `known`: the file that most of them are about. */
static void json_findings(struct shunt_json *json, const char *kind, const char *known,
                          const struct shunt_diagnostics *findings)
{
    for (size_t i = 0; i < findings->count; i++)
        json_finding(json, kind, known, findings->text[i]);
}

static bool json_coverage(struct shunt_json *json, struct result *result,
                          const struct shunt_check_options *options)
{
    bool enough = true;
    shunt_json_put_array(json, SHUNT_KEY_COVERAGE);
    for (int op = 0; result->table && enough && op < SHUNT_OP_COUNT; op++)
        enough = shunt_check_coverage_json(result->table, (enum shunt_op)op, options, json,
                                           &result->gaps);
    shunt_json_close(json);
    return enough;
}

static int tell_json(struct result *result, const struct shunt_check_options *options,
                     struct shunt_json *json)
{
    shunt_json_line(json);
    shunt_json_object(json);
    shunt_json_put_string(json, SHUNT_KEY_TABLE,
                          file_of(result)[0] != '\0' ? file_of(result) : NULL);
    if (options->host) {
        shunt_json_put_string(json, SHUNT_KEY_HOST, options->host);
        if (result->path)
            shunt_json_put_string(json, SHUNT_KEY_MATCHED, result->chosen.pattern);
        shunt_json_put_flag(json, SHUNT_KEY_CHOSEN, !result->path || result->chosen.chosen);
    }
    const bool enough = json_coverage(json, result, options);
    finish(result);
    shunt_json_put_array(json, SHUNT_KEY_FINDINGS);
    json_findings(json, "skipped", file_of(result), &result->skipped);
    json_findings(json, "hosts", file_of(result), &result->hosts);
    json_findings(json, "rule", file_of(result), &result->rules);
    json_findings(json, "gap", file_of(result), &result->gaps);
    json_findings(json, result->code == SHUNT_EXIT_TABLE ? "invalid" : "unreadable",
                  file_of(result), &result->problems);
    shunt_json_close(json);
    shunt_json_close(json);
    return enough ? result->code : shunt_tool_no_memory();
}

/* All files, or the table of a host where none is named. */
static int check_all(const struct shunt_check_options *options, char *const *files, int count)
{
    struct shunt_log_text text = {.grows = true};
    struct shunt_json json = {.text = &text, .whole = true};
    int worst = SHUNT_EXIT_OK;
    if (options->json) {
        shunt_json_object(&json);
        shunt_json_put_array(&json, SHUNT_KEY_FILES);
    }
    for (int i = 0; i < count || i == 0; i++) {
        struct result result;
        look(&result, count > 0 ? files[i] : NULL, options);
        const int code =
            options->json ? tell_json(&result, options, &json) : tell(&result, options);
        worst = code > worst ? code : worst;
        clear(&result);
    }
    if (!options->json)
        return worst;
    shunt_json_close(&json);
    shunt_json_close(&json);
    const int code = shunt_tool_write(&text, stdout);
    return code > worst ? code : worst;
}

static int run(void *options, const struct shunt_words *words)
{
    const struct shunt_check_options *asked = options;
    const int code = shunt_box_check(words, &asked->space);
    return code != SHUNT_EXIT_OK ? code : check_all(asked, words->word, words->count);
}

static const struct shunt_option list[] = {
    SHUNT_TEXT("host", "NAME", struct shunt_check_options, host,
               "on that host instead, with the files that are here; with FILE: whether that host "
               "chooses it"),
    SHUNT_FLAG(0, "complete", struct shunt_check_options, complete,
               "calls that no rule takes are findings"),
    SHUNT_FLAG(0, "overlaps", struct shunt_check_options, overlaps,
               "tell which rules could take the same calls"),
    SHUNT_BOX_OPTIONS(struct shunt_check_options, space),
    SHUNT_JSON(struct shunt_check_options, json, "for programs"),
};

const struct shunt_subcommand shunt_subcommand_check = {
    .name = "check",
    .summary = "report every mistake in decision files, and what they leave out",
    .usage = "shunt check [OPTION]... [FILE | built-in]...",
    .about =
        "Reports every mistake in decision files, one per line, and what is valid but cannot be "
        "meant: rules that no call can reach, hosts that cannot be, files that no host will ever "
        "choose. Tells which calls no rule takes; they are native. Without FILE: the table of a "
        "job "
        "whose rank 0 runs on this host.",
    .status = "0 good, 1 valid, but something cannot be meant, was skipped or is lacking, 3 "
              "invalid, 4 a file cannot be read: missing, forbidden, empty, no text, too large, no "
              "regular file",
    SHUNT_OPTIONS(list),
    .size = sizeof(struct shunt_check_options),
    .defaults = &(const struct shunt_check_options){.space = SHUNT_BOX_ALL},
    .words_most = -1,
    .run = run,
};
