/* SPDX-License-Identifier: BSD-3-Clause */
/* algorithms.c: `shunt algorithms`: the registry, for people and for programs. */
#include <getopt.h>
#include <inttypes.h>
#include <string.h>

#include "base/size.h"
#include "route/words.h"
#include "tools/tool.h"

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

static void print_details(const struct shunt_algorithm *algorithm, int indent)
{
    printf("%*swhen    %s\n%*ssource  %s%s%s\n", indent, "", algorithm->when, indent, "",
           algorithm->citation, algorithm->alias ? "; also named " : "",
           algorithm->alias ? algorithm->alias : "");
}

static void print_rows(bool details)
{
    size_t count;
    const struct shunt_algorithm *const *rows = shunt_registry_rows(&count);
    struct widths widths = {0};
    char operations[64], parameters[160];
    for (size_t i = 0; i < count; i++) {
        print_operations(rows[i], operations, sizeof operations);
        print_parameters(rows[i], parameters, sizeof parameters);
        widths.name = longer(widths.name, rows[i]->name);
        widths.operations = longer(widths.operations, operations);
        widths.parameters = longer(widths.parameters, parameters);
    }
    for (size_t i = 0; i < count; i++) {
        print_operations(rows[i], operations, sizeof operations);
        print_parameters(rows[i], parameters, sizeof parameters);
        printf("%s%-*s%s  %-*s  %-*s  %s\n", shunt_tool_bold(stdout), widths.name, rows[i]->name,
               shunt_tool_plain(stdout), widths.operations, operations, widths.parameters,
               parameters, rows[i]->summary);
        if (details)
            print_details(rows[i], widths.name + 2);
    }
}

static void print_json_words(enum shunt_param param, const struct shunt_param_spec *spec)
{
    size_t count;
    const char *const *words = shunt_param_words(param, &count);
    fputs("{\"words\":[", stdout);
    for (size_t i = 0; i < count; i++)
        printf("%s\"%s\"", i > 0 ? "," : "", words[i]);
    printf("],\"default\":\"%s\"}", shunt_param_word(param, spec->preset.number));
}

static void print_json_bounds(const struct shunt_param_spec *spec)
{
    char most[32], preset[32];
    shunt_value_print((struct shunt_value){.formula = spec->max}, most, sizeof most);
    shunt_value_print(spec->preset, preset, sizeof preset);
    printf("{\"min\":%" PRId64 ",\"max\":\"%s\",\"list\":%s,\"default\":\"%s\"}", spec->min, most,
           spec->list ? "true" : "false", preset);
}

static void print_json_params(const struct shunt_algorithm *algorithm)
{
    const char *separator = "";
    fputs("\"parameters\":{", stdout);
    for (int i = 0; i < SHUNT_PARAM_COUNT; i++) {
        const enum shunt_param param = (enum shunt_param)i;
        if (!algorithm->params[i].used)
            continue;
        printf("%s\"%s\":", separator, shunt_param_name(param));
        if (shunt_param_word(param, 0))
            print_json_words(param, &algorithm->params[i]);
        else
            print_json_bounds(&algorithm->params[i]);
        separator = ",";
    }
    fputs("}", stdout);
}

static void print_json_row(const struct shunt_algorithm *algorithm)
{
    const char *separator = "";
    fputs("{\"name\":", stdout);
    shunt_tool_json(stdout, algorithm->name);
    if (algorithm->alias) {
        fputs(",\"alias\":", stdout);
        shunt_tool_json(stdout, algorithm->alias);
    }
    fputs(",\"operations\":[", stdout);
    for (int op = 0; op < SHUNT_OP_COUNT; op++) {
        if ((algorithm->ops & (1U << op)) == 0)
            continue;
        printf("%s\"%s\"", separator, shunt_op_name((enum shunt_op)op));
        separator = ",";
    }
    fputs("],", stdout);
    print_json_params(algorithm);
    fputs(",\"summary\":", stdout);
    shunt_tool_json(stdout, algorithm->summary);
    fputs(",\"when\":", stdout);
    shunt_tool_json(stdout, algorithm->when);
    fputs(",\"source\":", stdout);
    shunt_tool_json(stdout, algorithm->citation);
    fputs("}", stdout);
}

static void print_json(void)
{
    size_t count;
    const struct shunt_algorithm *const *rows = shunt_registry_rows(&count);
    for (size_t i = 0; i < count; i++) {
        fputs(i == 0 ? "[" : ",\n ", stdout);
        print_json_row(rows[i]);
    }
    fputs("]\n", stdout);
}

static int run(int argc, char **argv)
{
    static const struct option options[] = {{"json", no_argument, NULL, 'j'},
                                            {"long", no_argument, NULL, 'l'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    bool json = false, details = false;
    int option;
    opterr = 0;
    while ((option = getopt_long(argc, argv, "hjl", options, NULL)) != -1) {
        if (option == 'j') {
            json = true;
        } else if (option == 'l') {
            details = true;
        } else if (option == 'h') {
            fputs(shunt_subcommand_algorithms.help, stdout);
            return SHUNT_EXIT_OK;
        } else {
            return shunt_tool_usage(&shunt_subcommand_algorithms, "%s is not an option",
                                    argv[optind - 1]);
        }
    }
    if (optind < argc)
        return shunt_tool_usage(&shunt_subcommand_algorithms, "\"%s\" is one word too many",
                                argv[optind]);
    if (json)
        print_json();
    else
        print_rows(details);
    return SHUNT_EXIT_OK;
}

const struct shunt_subcommand shunt_subcommand_algorithms = {
    .name = "algorithms",
    .summary = "list the algorithms that rules can name",
    .help = "usage: shunt algorithms [--long] [--json]\n\n"
            "Lists the algorithms, one per line: name, operations, parameters as "
            "NAME=LEAST..MOST(DEFAULT) or\n"
            "NAME=WORD|WORD(DEFAULT), what it does.\n"
            "P is the number of ranks, N of nodes, Q of ranks per node; with [x...] each digit may "
            "have a value of its own.\n\n"
            "  -l, --long   also when to use it, and where it was published\n"
            "  -j, --json   for programs\n",
    .run = run,
};
