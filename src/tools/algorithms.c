/* SPDX-License-Identifier: BSD-3-Clause */
/* algorithms.c: `shunt algorithms`: the registry, for people and for programs. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "route/words.h"
#include "tools/common/fold.h"
#include "tools/common/sheet.h"
#include "tools/common/tool.h"

static void print_operations(const struct shunt_algorithm *algorithm, char *text, size_t capacity)
{
    size_t used = 0;
    text[0] = '\0';
    for (int op = 0; op < SHUNT_OP_COUNT && used < capacity; op++)
        if ((algorithm->ops & (1U << op)) != 0)
            used += (size_t)snprintf(text + used, capacity - used, "%s%s", used > 0 ? "," : "",
                                     shunt_op_name((enum shunt_op)op));
}

/* "fused|separate(fused)": the words, then the default. */
static size_t print_words(enum shunt_param param, const struct shunt_param_spec *spec, char *text,
                          size_t capacity)
{
    size_t count, used = 0;
    const char *const *words = shunt_param_words(param, &count);
    for (size_t i = 0; i < count && used < capacity; i++)
        used += (size_t)snprintf(text + used, capacity - used, "%s%s", i > 0 ? "|" : "", words[i]);
    if (used < capacity)
        used += (size_t)snprintf(text + used, capacity - used, "(%s)",
                                 shunt_param_word(param, spec->preset.number));
    return used;
}

/* "2..P[x...](2)": bounds, whether a list may be given, then the default. */
static size_t print_bounds(enum shunt_param param, const struct shunt_param_spec *spec, char *text,
                           size_t capacity)
{
    char least[32], most[32], preset[32];
    snprintf(least, sizeof least, "%" PRId64, spec->min);
    shunt_value_print((struct shunt_value){.formula = spec->max}, most, sizeof most);
    shunt_value_print(spec->preset, preset, sizeof preset);
    if (shunt_param_is_size(param)) {
        shunt_size_print(spec->min, least, sizeof least);
        shunt_size_print(spec->preset.number, preset, sizeof preset);
    }
    return (size_t)snprintf(text, capacity, "%s..%s%s(%s)", least, most, spec->list ? "[x...]" : "",
                            preset);
}

/* "radix=2..P[x...](2) metadata=fused|separate(fused)". */
static void print_parameters(const struct shunt_algorithm *algorithm, char *text, size_t capacity)
{
    size_t used = 0;
    snprintf(text, capacity, "-");
    for (int i = 0; i < SHUNT_PARAM_COUNT && used < capacity; i++) {
        const struct shunt_param_spec *spec = &algorithm->params[i];
        const enum shunt_param param = (enum shunt_param)i;
        if (!spec->used)
            continue;
        used += (size_t)snprintf(text + used, capacity - used, "%s%s=", used > 0 ? " " : "",
                                 shunt_param_name(param));
        if (used < capacity)
            used += shunt_param_word(param, 0)
                        ? print_words(param, spec, text + used, capacity - used)
                        : print_bounds(param, spec, text + used, capacity - used);
    }
}

struct widths {
    int name, operations, parameters;
};

static int longer(int width, const char *text)
{
    int length = (int)strlen(text);
    return length > width ? length : width;
}

/* Puts the name in bold and the rest of the line. */
static void print_line(const struct shunt_log_text *line, const char *name)
{
    const size_t length = strlen(name);
    printf("%s%s%s", shunt_tool_bold(stdout), name, shunt_tool_plain(stdout));
    fwrite(line->bytes + length, 1, line->used - length, stdout);
}

/* LABEL and STRING, indented and folded. */
static void put_detail(struct shunt_log_text *text, int indent, const char *label,
                       const char *string, bool wide)
{
    char line[1024];
    const int length = snprintf(line, sizeof line, "%*s%s%s\n", indent, "", label, string);
    if (wide)
        shunt_log_text_string(text, line);
    else
        shunt_fold(text, line, (size_t)length, indent + (int)strlen(label));
}

static void put_details(struct shunt_log_text *text, const struct shunt_algorithm *algorithm,
                        int indent, bool wide)
{
    char source[512];
    snprintf(source, sizeof source, "%s%s%s", algorithm->citation,
             algorithm->alias ? "; also named " : "", algorithm->alias ? algorithm->alias : "");
    put_detail(text, indent, "when    ", algorithm->when, wide);
    put_detail(text, indent, "source  ", source, wide);
}

static struct widths find_widths(const struct shunt_algorithm *const *rows, size_t count)
{
    struct widths widths = {0};
    char operations[64], parameters[160];
    for (size_t i = 0; i < count; i++) {
        print_operations(rows[i], operations, sizeof operations);
        print_parameters(rows[i], parameters, sizeof parameters);
        widths.name = longer(widths.name, rows[i]->name);
        widths.operations = longer(widths.operations, operations);
        widths.parameters = longer(widths.parameters, parameters);
    }
    return widths;
}

/* Wide: all on one line, in columns. Otherwise the parameters stand below. */
static void put_row(struct shunt_log_text *text, const struct shunt_algorithm *algorithm,
                    const struct widths *widths, bool wide)
{
    char operations[64], parameters[160], line[1024];
    const int indent = widths->name + 2 + widths->operations + 2;
    print_operations(algorithm, operations, sizeof operations);
    print_parameters(algorithm, parameters, sizeof parameters);
    int length = snprintf(line, sizeof line, "%-*s  %-*s  ", widths->name, algorithm->name,
                          widths->operations, operations);
    if (wide)
        length += snprintf(line + length, sizeof line - (size_t)length, "%-*s  ",
                           widths->parameters, parameters);
    length += snprintf(line + length, sizeof line - (size_t)length, "%s\n", algorithm->summary);
    if (wide)
        shunt_log_text_string(text, line);
    else
        shunt_fold(text, line, (size_t)length, indent);
    if (!wide && strcmp(parameters, "-") != 0)
        put_detail(text, indent, "", parameters, false);
}

static int print_rows(bool details, bool wide)
{
    size_t count;
    const struct shunt_algorithm *const *rows = shunt_registry_rows(&count);
    const struct widths widths = find_widths(rows, count);
    struct shunt_log_text text = {.grows = true};
    for (size_t i = 0; i < count && !text.cut; i++) {
        text.used = 0;
        put_row(&text, rows[i], &widths, wide);
        if (details)
            put_details(&text, rows[i], widths.name + 2, wide);
        if (!text.cut)
            print_line(&text, rows[i]->name);
    }
    free(text.bytes);
    if (text.cut)
        shunt_tool_say("out of memory");
    return text.cut ? SHUNT_EXIT_IO : SHUNT_EXIT_OK;
}

static void json_words(struct shunt_json *json, enum shunt_param param,
                       const struct shunt_param_spec *spec)
{
    size_t count;
    const char *const *words = shunt_param_words(param, &count);
    shunt_json_put_array(json, SHUNT_KEY_WORDS);
    for (size_t i = 0; i < count; i++)
        shunt_json_string(json, words[i]);
    shunt_json_close(json);
    shunt_json_put_string(json, SHUNT_KEY_DEFAULT, shunt_param_word(param, spec->preset.number));
}

static void json_bounds(struct shunt_json *json, const struct shunt_param_spec *spec)
{
    char most[32], preset[32];
    shunt_value_print((struct shunt_value){.formula = spec->max}, most, sizeof most);
    shunt_value_print(spec->preset, preset, sizeof preset);
    shunt_json_put_known(json, SHUNT_KEY_MIN, spec->min);
    shunt_json_put_string(json, SHUNT_KEY_MAX, most);
    shunt_json_put_flag(json, SHUNT_KEY_LIST, spec->list);
    shunt_json_put_string(json, SHUNT_KEY_DEFAULT, preset);
}

static void json_accepts(struct shunt_json *json, const struct shunt_algorithm *algorithm)
{
    shunt_json_put_object(json, SHUNT_KEY_ACCEPTS);
    for (int i = 0; i < SHUNT_PARAM_COUNT; i++) {
        const enum shunt_param param = (enum shunt_param)i;
        if (!algorithm->params[i].used)
            continue;
        shunt_json_name(json, shunt_param_name(param));
        shunt_json_object(json);
        if (shunt_param_word(param, 0))
            json_words(json, param, &algorithm->params[i]);
        else
            json_bounds(json, &algorithm->params[i]);
        shunt_json_close(json);
    }
    shunt_json_close(json);
}

static void json_row(struct shunt_json *json, const struct shunt_algorithm *algorithm)
{
    shunt_json_object(json);
    shunt_json_put_string(json, SHUNT_KEY_ALGORITHM, algorithm->name);
    if (algorithm->alias)
        shunt_json_put_string(json, SHUNT_KEY_ALIAS, algorithm->alias);
    shunt_json_put_array(json, SHUNT_KEY_OPERATIONS);
    for (int op = 0; op < SHUNT_OP_COUNT; op++)
        if ((algorithm->ops & (1U << op)) != 0)
            shunt_json_string(json, shunt_op_name((enum shunt_op)op));
    shunt_json_close(json);
    json_accepts(json, algorithm);
    shunt_json_put_string(json, SHUNT_KEY_SUMMARY, algorithm->summary);
    shunt_json_put_string(json, SHUNT_KEY_WHEN, algorithm->when);
    shunt_json_put_string(json, SHUNT_KEY_SOURCE, algorithm->citation);
    shunt_json_close(json);
}

static int print_json(void)
{
    struct shunt_document document;
    struct shunt_json *json = shunt_document_begin(&document);
    size_t count;
    const struct shunt_algorithm *const *rows = shunt_registry_rows(&count);
    shunt_json_put_array(json, SHUNT_KEY_ALGORITHMS);
    for (size_t i = 0; i < count; i++) {
        shunt_json_line(json);
        json_row(json, rows[i]);
    }
    shunt_json_line(json);
    shunt_json_close(json);
    return shunt_document_end(&document);
}

struct algorithms {
    bool details, wide, json;
};

static int run(void *options, const struct shunt_words *words)
{
    const struct algorithms *asked = options;
    (void)words;
    return asked->json ? print_json() : print_rows(asked->details, asked->wide);
}

static const struct shunt_option list[] = {
    SHUNT_FLAG('l', "long", struct algorithms, details,
               "also when to use it, and where it was published"),
    SHUNT_WIDE(struct algorithms, wide, "one line for each algorithm, however long"),
    SHUNT_JSON(struct algorithms, json, "for programs"),
};

const struct shunt_subcommand shunt_subcommand_algorithms = {
    .name = "algorithms",
    .summary = "list the algorithms that rules can name",
    .usage = "shunt algorithms [OPTION]...",
    .about = "Lists the algorithms: name, operations, what it does; below, parameters as "
             "NAME=LEAST..MOST(DEFAULT) or NAME=WORD|WORD(DEFAULT). P is the number of ranks, N of "
             "nodes, Q of ranks per node; with [x...] each digit may have a value of its own.",
    SHUNT_OPTIONS(list),
    .size = sizeof(struct algorithms),
    .run = run,
};
