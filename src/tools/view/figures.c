/* SPDX-License-Identifier: BSD-3-Clause */
/* figures.c: figures of a file for the page: whether they are of the form in view.schema.json. */
#include <errno.h>
#include <json-c/json.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/tool.h"
#include "tools/view/embed.h"

struct reading {
    const char *path;
    size_t figure;     /* from 1 */
    const char *title; /* of it; NULL: not known */
};

static bool wrong(const struct reading *reading, const char *what, const char *remedy)
{
    shunt_tool_say("%s: figure %zu%s%s%s: %s: %s", reading->path, reading->figure,
                   reading->title ? " \"" : "", reading->title ? reading->title : "",
                   reading->title ? "\"" : "", what, remedy);
    return false;
}

/* json-c reads NaN and Infinity, too, which no browser does. */
static bool is_number(struct json_object *value)
{
    return json_object_is_type(value, json_type_int) ||
           (json_object_is_type(value, json_type_double) &&
            isfinite(json_object_get_double(value)));
}

static bool is_text(struct json_object *value)
{
    return json_object_is_type(value, json_type_string);
}

static bool is_place(struct json_object *value)
{
    return is_number(value) || is_text(value);
}

static bool is_cell(struct json_object *value)
{
    return !value || is_place(value);
}

static bool is_point(struct json_object *value)
{
    return json_object_is_type(value, json_type_array) && json_object_array_length(value) == 2 &&
           is_number(json_object_array_get_idx(value, 0)) &&
           is_number(json_object_array_get_idx(value, 1));
}

/* A list, each member of which is as `is` has it. */
static bool is_list(struct json_object *list, bool (*is)(struct json_object *value))
{
    if (!json_object_is_type(list, json_type_array))
        return false;
    for (size_t i = 0; i < json_object_array_length(list); i++)
        if (!is(json_object_array_get_idx(list, i)))
            return false;
    return true;
}

static bool is_member(struct json_object *object, const char *key,
                      bool (*is)(struct json_object *value))
{
    struct json_object *value;
    return json_object_object_get_ex(object, key, &value) && is(value);
}

static bool are_points(struct json_object *value)
{
    return is_list(value, is_point);
}

static bool is_line(struct json_object *value)
{
    return is_member(value, "name", is_text) && is_member(value, "points", are_points);
}

static bool is_tile(struct json_object *value)
{
    return is_member(value, "x", is_place) && is_member(value, "y", is_place) &&
           is_member(value, "name", is_text);
}

static bool is_part(struct json_object *value)
{
    return is_member(value, "name", is_text) && is_member(value, "value", is_number);
}

static bool are_parts(struct json_object *value)
{
    return is_list(value, is_part);
}

static bool is_bar(struct json_object *value)
{
    return is_member(value, "name", is_text) && is_member(value, "parts", are_parts);
}

static bool is_row(struct json_object *value)
{
    return is_list(value, is_cell);
}

static bool is_axis(struct json_object *value)
{
    return is_member(value, "name", is_text);
}

/* What a figure of each kind has. */
static const struct {
    const char *kind, *list;
    bool (*is)(struct json_object *value);
    const char *remedy;
    bool axes;
} kinds[] = {
    {"lines", "lines", is_line, "give each a \"name\" and \"points\", a list of [x, y]", true},
    {"tiles", "tiles", is_tile, "give each \"x\", \"y\" and a \"name\"", true},
    {"bars", "bars", is_bar, "give each a \"name\" and \"parts\" with \"name\" and \"value\"",
     true},
    {"table", "rows", is_row, "give each a list of texts, numbers and nulls", false}};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static bool check_rows(const struct reading *reading, struct json_object *figure)
{
    struct json_object *columns, *rows = json_object_object_get(figure, "rows");
    if (!json_object_object_get_ex(figure, "columns", &columns) || !is_list(columns, is_text))
        return wrong(reading, "columns", "give a list of their names");
    for (size_t i = 0; i < json_object_array_length(rows); i++)
        if (json_object_array_length(json_object_array_get_idx(rows, i)) !=
            json_object_array_length(columns))
            return wrong(reading, "rows", "give each as many cells as there are columns");
    return true;
}

static bool check_figure(const struct reading *reading, struct json_object *figure)
{
    struct json_object *kind = json_object_object_get(figure, "kind"), *list;
    int at = 0;
    while (at < KINDS && !(kind && strcmp(json_object_get_string(kind), kinds[at].kind) == 0))
        at++;
    if (at == KINDS)
        return wrong(reading, "kind", "give lines, tiles, bars or table");
    if (kinds[at].axes && !(is_member(figure, "x", is_axis) && is_member(figure, "y", is_axis)))
        return wrong(reading, "x and y", "give each axis a \"name\"");
    if (!json_object_object_get_ex(figure, kinds[at].list, &list) || !is_list(list, kinds[at].is))
        return wrong(reading, kinds[at].list, kinds[at].remedy);
    return kinds[at].axes || check_rows(reading, figure);
}

static bool check(struct reading *reading, struct json_object *figures)
{
    if (!json_object_is_type(figures, json_type_array)) {
        shunt_tool_say("%s: is no list of figures: begin it with [", reading->path);
        return false;
    }
    for (size_t i = 0; i < json_object_array_length(figures); i++) {
        struct json_object *figure = json_object_array_get_idx(figures, i);
        reading->figure = i + 1;
        reading->title = NULL;
        if (!is_member(figure, "title", is_text))
            return wrong(reading, "title", "give a text");
        reading->title = json_object_get_string(json_object_object_get(figure, "title"));
        if (!check_figure(reading, figure))
            return false;
    }
    return true;
}

/* The value in a file; NULL after saying what is wrong. */
static struct json_object *parse(FILE *file, const char *path, struct json_tokener *tokener)
{
    struct json_object *value = NULL;
    char *line = NULL;
    size_t room = 0;
    ssize_t length = 0;
    unsigned long number = 0;
    enum json_tokener_error state = json_tokener_continue;
    while (state == json_tokener_continue && (length = getline(&line, &room, file)) > 0) {
        number++;
        value = json_tokener_parse_ex(tokener, line, (int)length);
        state = json_tokener_get_error(tokener);
    }
    while (state == json_tokener_success && getline(&line, &room, file) > 0) {
        number++;
        if (line[strspn(line, " \t\r\n")] != '\0')
            state = json_tokener_error_parse_unexpected;
    }
    if (ferror(file))
        shunt_tool_say("%s: cannot be read: %s", path, strerror(errno));
    else if (state == json_tokener_continue)
        shunt_tool_say("%s:%lu: the JSON ends too early: write the file again", path, number);
    else if (state != json_tokener_success)
        shunt_tool_say("%s:%lu: no JSON: %s", path, number, json_tokener_error_desc(state));
    free(line);
    if (state == json_tokener_success && !ferror(file))
        return value;
    json_object_put(value);
    return NULL;
}

static struct json_object *read_file(const char *path)
{
    struct json_tokener *tokener = json_tokener_new();
    FILE *file = tokener ? fopen(path, "r") : NULL;
    struct json_object *value = NULL;
    if (file) {
        json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
        value = parse(file, path, tokener);
        fclose(file);
    } else {
        shunt_tool_say("%s: cannot be read: %s", path, strerror(errno));
    }
    if (tokener)
        json_tokener_free(tokener);
    return value;
}

int shunt_view_figures(struct shunt_json *json, const char *path)
{
    struct reading reading = {.path = path};
    struct json_object *figures = read_file(path);
    const bool good = figures && check(&reading, figures);
    if (good) {
        shunt_json_key(json, SHUNT_KEY_FIGURES);
        shunt_json_ready(json, json_object_to_json_string_ext(figures, JSON_C_TO_STRING_PLAIN));
    }
    json_object_put(figures);
    return good ? SHUNT_EXIT_OK : SHUNT_EXIT_IO;
}
