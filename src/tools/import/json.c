/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json.c: from JSON to values that know their lines; with log/event.c the only file that knows the
 * library for JSON.
 *
 * The library does not tell where a value was. But it keeps members in their order, so the keys of
 * the text, one after the other, are those of the tree: the text is gone through once more for the
 * places of its keys. As MPICH reads these files with the same library, what it takes is taken.
 */
#include <inttypes.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "tools/import/import.h"

struct place {
    const char *at; /* behind the opening quote */
    size_t length;
    int line;
    int object; /* number of the one that it is a key of */
};

/* The library takes no more objects and lists within each other. */
enum { DEPTH = 64 };

struct reading {
    struct shunt_import *import;
    struct place *places; /* of keys */
    size_t count, capacity, next;
    int line;
    bool broken; /* memory was short, or a key comes twice */
};

/* The library would keep the last of equal keys, and in the place of the first. */
static void check_place(struct reading *reading, const struct place *place)
{
    for (size_t i = reading->count; i > 0; i--) {
        const struct place *other = &reading->places[i - 1];
        if (other->object != place->object || other->length != place->length ||
            memcmp(other->at, place->at, place->length) != 0)
            continue;
        shunt_import_problem(reading->import, place->line,
                             "\"%.*s\" is in this object already, in line %d: join the two, or "
                             "drop one",
                             (int)(place->length < 80 ? place->length : 80), place->at,
                             other->line);
        reading->broken = true;
        return;
    }
}

static void add_place(struct reading *reading, struct place place)
{
    check_place(reading, &place);
    if (reading->count == reading->capacity) {
        const size_t capacity = reading->capacity > 0 ? 2 * reading->capacity : 256;
        struct place *grown = realloc(reading->places, capacity * sizeof *grown);
        reading->broken |= !grown;
        if (!grown)
            return;
        reading->places = grown;
        reading->capacity = capacity;
    }
    reading->places[reading->count++] = place;
}

/* Behind blanks and comments. */
static const char *skip(const char *at, int *line)
{
    for (;;) {
        if (at[0] == '/' && at[1] == '/') {
            at += strcspn(at, "\n");
        } else if (at[0] == '/' && at[1] == '*') {
            for (at += 2; *at != '\0' && !(at[0] == '*' && at[1] == '/'); at++)
                *line += *at == '\n';
            at += *at == '\0' ? 0 : 2;
        } else if (*at != '\0' && strchr(" \t\r\n", *at)) {
            *line += *at == '\n';
            at++;
        } else {
            return at;
        }
    }
}

/* Behind the quote that ends a string. */
static const char *skip_string(const char *at, char quote, int *line)
{
    for (; *at != '\0' && *at != quote; at++) {
        *line += *at == '\n';
        at += *at == '\\' && at[1] != '\0';
    }
    return at + (*at == quote);
}

/* Strings with a colon behind them are keys. */
static void find_places(struct reading *reading, const char *text)
{
    int line = 1, objects[DEPTH] = {0}, depth = 0, last = 0;
    for (const char *at = skip(text, &line); *at != '\0' && !reading->broken;
         at = skip(at, &line)) {
        const char c = *at++;
        const int own = line;
        if ((c == '{' || c == '[') && depth + 1 < DEPTH)
            objects[++depth] = ++last;
        else if ((c == '}' || c == ']') && depth > 0)
            depth--;
        if (c != '"' && c != '\'')
            continue;
        const char *begin = at;
        at = skip_string(at, c, &line);
        const size_t length = (size_t)(at - begin) - 1;
        at = skip(at, &line);
        if (*at == ':')
            add_place(reading, (struct place){begin, length, own, objects[depth]});
    }
}

/* The line of a member, whose key has to be the next one of the text. */
static int line_of(struct reading *reading)
{
    if (reading->next == reading->count) {
        reading->broken = true;
        return reading->line;
    }
    const struct place *place = &reading->places[reading->next++];
    reading->line = place->line;
    return place->line;
}

/* MPICH looks at keys without their blanks. */
static char *without_blanks(const char *key)
{
    char *copy = strdup(key), *to = copy;
    for (const char *from = copy; copy && *from != '\0'; from++)
        if (*from != ' ')
            *to++ = *from;
    if (copy)
        *to = '\0';
    return copy;
}

static void convert(struct reading *reading, struct json_object *from,
                    struct shunt_import_value *to);

static void convert_object(struct reading *reading, struct json_object *from,
                           struct shunt_import_value *to)
{
    json_object_object_foreach(from, key, member)
    {
        struct shunt_import_value *child = &to->child[to->count++];
        child->line = line_of(reading);
        child->key = without_blanks(key);
        reading->broken |= !child->key;
        if (reading->broken)
            return;
        convert(reading, member, child);
    }
}

static void convert_list(struct reading *reading, struct json_object *from,
                         struct shunt_import_value *to)
{
    const size_t count = json_object_array_length(from);
    for (size_t i = 0; i < count && !reading->broken; i++)
        convert(reading, json_object_array_get_idx(from, i), &to->child[to->count++]);
}

/* An element of a list is in the line of its first key, or of the last one before it. */
static void convert(struct reading *reading, struct json_object *from,
                    struct shunt_import_value *to)
{
    const bool object = json_object_is_type(from, json_type_object),
               list = json_object_is_type(from, json_type_array);
    const size_t count = object ? (size_t)json_object_object_length(from)
                         : list ? json_object_array_length(from)
                                : 0;
    if (to->line == 0)
        to->line = object && count > 0 && reading->next < reading->count
                       ? reading->places[reading->next].line
                       : reading->line;
    to->kind = object ? SHUNT_IMPORT_OBJECT : list ? SHUNT_IMPORT_ARRAY : SHUNT_IMPORT_OTHER;
    to->child = calloc(count + 1, sizeof *to->child);
    reading->broken |= !to->child;
    if (reading->broken)
        return;
    if (object) {
        convert_object(reading, from, to);
    } else if (list) {
        convert_list(reading, from, to);
    } else if (json_object_is_type(from, json_type_string)) {
        to->kind = SHUNT_IMPORT_STRING;
        to->text = strdup(json_object_get_string(from));
        reading->broken |= !to->text;
    } else if (json_object_is_type(from, json_type_int)) {
        to->kind = SHUNT_IMPORT_NUMBER;
        to->number = json_object_get_int64(from);
    }
}

static int line_at(const char *text, size_t offset)
{
    int line = 1;
    for (size_t i = 0; i < offset && text[i] != '\0'; i++)
        line += text[i] == '\n';
    return line;
}

/* One value, and nothing behind it. */
static struct json_object *parse(struct shunt_import *import)
{
    const size_t length = strlen(import->text);
    struct json_tokener *tokener = json_tokener_new();
    struct json_object *root = NULL;
    if (!tokener || length > INT32_MAX - 1)
        return NULL;
    root = json_tokener_parse_ex(tokener, import->text, (int)length + 1);
    const enum json_tokener_error error = json_tokener_get_error(tokener);
    size_t end = json_tokener_get_parse_end(tokener);
    int line = line_at(import->text, end);
    if (error != json_tokener_success)
        shunt_import_problem(import, line, "this is no JSON: %s; python3 -m json.tool tells more",
                             error == json_tokener_continue || error == json_tokener_error_parse_eof
                                 ? "it ends before its brackets do"
                                 : json_tokener_error_desc(error));
    else if (end < length && *skip(import->text + end, &line) != '\0')
        shunt_import_problem(import, line, "something follows the JSON value: remove it");
    json_tokener_free(tokener);
    return root;
}

bool shunt_import_json(struct shunt_import *import, struct shunt_import_value *root)
{
    struct reading reading = {.import = import, .line = 1};
    struct json_object *parsed = parse(import);
    *root = (struct shunt_import_value){.line = 1};
    if (parsed && import->problems.count == 0) {
        find_places(&reading, import->text);
        if (!reading.broken)
            convert(&reading, parsed, root);
    }
    json_object_put(parsed);
    free(reading.places);
    const bool good = parsed && !reading.broken && import->problems.count == 0;
    if (!good && import->problems.count == 0)
        shunt_import_problem(import, reading.line, "out of memory");
    return good;
}
