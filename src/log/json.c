/* SPDX-License-Identifier: BSD-3-Clause */
/* json.c: the writer of JSON. */
#include <float.h>
#include <stdio.h>
#include <string.h>

#include "log/json.h"

/* A key as it is written, so that it costs one copy on the path of a call. */
#define WRITTEN(name, key, unit, meaning)                                                          \
    [SHUNT_KEY_##name] = {"\"" key "\": ", sizeof "\"" key "\": " - 1, SHUNT_JSON_##unit},
static const struct {
    const char *written;
    size_t length;
    enum shunt_unit unit;
} keys[SHUNT_KEY_COUNT] = {SHUNT_KEYS(WRITTEN)};

/* Comma and space before a key, or before a value that has none. */
static void put_separator(struct shunt_json *json)
{
    if (json->named) {
        json->named = false;
        return;
    }
    if (json->more)
        shunt_log_text_put(json->text, ", ", json->line ? 1 : 2);
    if (json->line)
        shunt_log_text_put(json->text, "\n", 1);
    json->line = false;
    json->more = true;
}

static void open_level(struct shunt_json *json, bool object)
{
    put_separator(json);
    shunt_log_text_put(json->text, object ? "{" : "[", 1);
    if (json->depth < SHUNT_JSON_DEPTH_MAX) {
        const uint32_t bit = UINT32_C(1) << json->depth;
        json->objects = object ? json->objects | bit : json->objects & ~bit;
    }
    json->depth++;
    json->more = false;
}

void shunt_json_object(struct shunt_json *json)
{
    open_level(json, true);
}

void shunt_json_array(struct shunt_json *json)
{
    open_level(json, false);
}

void shunt_json_close(struct shunt_json *json)
{
    json->depth--;
    if (json->line)
        shunt_log_text_put(json->text, "\n", 1);
    json->line = false;
    shunt_log_text_put(json->text, json->objects >> json->depth & 1 ? "}" : "]", 1);
    json->more = true;
}

void shunt_json_line(struct shunt_json *json)
{
    json->line = true;
}

void shunt_json_key(struct shunt_json *json, enum shunt_key key)
{
    put_separator(json);
    shunt_log_text_put(json->text, keys[key].written, keys[key].length);
    json->named = true;
}

void shunt_json_name(struct shunt_json *json, const char *name)
{
    shunt_json_string(json, name);
    shunt_log_text_put(json->text, ": ", 2);
    json->named = true;
}

void shunt_json_string(struct shunt_json *json, const char *string)
{
    if (!string) {
        shunt_json_null(json);
        return;
    }
    put_separator(json);
    shunt_log_text_put(json->text, "\"", 1);
    shunt_log_text_escaped(json->text, string, json->whole ? SIZE_MAX / 2 : SHUNT_LOG_STRING_MAX);
    shunt_log_text_put(json->text, "\"", 1);
}

void shunt_json_integer(struct shunt_json *json, int64_t value)
{
    put_separator(json);
    if (value < 0)
        shunt_log_text_put(json->text, "-", 1);
    shunt_log_text_unsigned(json->text, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

void shunt_json_unsigned(struct shunt_json *json, uint64_t value)
{
    put_separator(json);
    shunt_log_text_unsigned(json->text, value);
}

void shunt_json_fixed(struct shunt_json *json, double value, int digits)
{
    if (!(value >= -DBL_MAX && value <= DBL_MAX)) {
        shunt_json_null(json);
        return;
    }
    put_separator(json);
    if (value < 0)
        shunt_log_text_put(json->text, "-", 1);
    shunt_log_text_fixed(json->text, value < 0 ? -value : value, digits);
}

void shunt_json_real(struct shunt_json *json, double value)
{
    shunt_json_digits(json, value, 9);
}

/* The point of the locale may be a comma, or more than one byte. */
void shunt_json_digits(struct shunt_json *json, double value, int count)
{
    char digits[40];
    if (!(value >= -DBL_MAX && value <= DBL_MAX)) {
        shunt_json_null(json);
        return;
    }
    const int length = snprintf(digits, sizeof digits, "%.*g", count, value);
    put_separator(json);
    bool pointed = false;
    for (int i = 0; i < length; i++) {
        const bool plain = strchr("0123456789+-e", digits[i]) != NULL;
        if (plain || !pointed)
            shunt_log_text_put(json->text, plain ? &digits[i] : ".", 1);
        pointed |= !plain;
    }
}

static void put_word(struct shunt_json *json, const char *word)
{
    put_separator(json);
    shunt_log_text_string(json->text, word);
}

void shunt_json_flag(struct shunt_json *json, bool value)
{
    put_word(json, value ? "true" : "false");
}

void shunt_json_null(struct shunt_json *json)
{
    put_word(json, "null");
}

void shunt_json_ready(struct shunt_json *json, const char *value)
{
    put_word(json, value);
}

void shunt_json_put_object(struct shunt_json *json, enum shunt_key key)
{
    shunt_json_key(json, key);
    shunt_json_object(json);
}

void shunt_json_put_array(struct shunt_json *json, enum shunt_key key)
{
    shunt_json_key(json, key);
    shunt_json_array(json);
}

void shunt_json_put_string(struct shunt_json *json, enum shunt_key key, const char *string)
{
    shunt_json_key(json, key);
    shunt_json_string(json, string);
}

void shunt_json_put_unsigned(struct shunt_json *json, enum shunt_key key, uint64_t value)
{
    shunt_json_key(json, key);
    shunt_json_unsigned(json, value);
}

void shunt_json_put_known(struct shunt_json *json, enum shunt_key key, int64_t value)
{
    if (value >= 0)
        shunt_json_put_unsigned(json, key, (uint64_t)value);
}

void shunt_json_put_fixed(struct shunt_json *json, enum shunt_key key, double value, int digits)
{
    shunt_json_key(json, key);
    shunt_json_fixed(json, value, digits);
}

void shunt_json_put_real(struct shunt_json *json, enum shunt_key key, double value)
{
    shunt_json_key(json, key);
    shunt_json_real(json, value);
}

void shunt_json_put_number(struct shunt_json *json, enum shunt_key key, double value)
{
    shunt_json_put_fixed(json, key, value,
                         keys[key].unit == SHUNT_JSON_SECONDS ? 9
                         : keys[key].unit == SHUNT_JSON_SHARE ? 6
                                                              : 3);
}

void shunt_json_put_nanoseconds(struct shunt_json *json, enum shunt_key key, int64_t nanoseconds)
{
    shunt_json_key(json, key);
    put_separator(json);
    shunt_log_text_nanoseconds(json->text, nanoseconds, 9);
}

void shunt_json_put_hexadecimal(struct shunt_json *json, enum shunt_key key, uint64_t value)
{
    shunt_json_key(json, key);
    put_separator(json);
    shunt_log_text_put(json->text, "\"", 1);
    shunt_log_text_hexadecimal(json->text, value);
    shunt_log_text_put(json->text, "\"", 1);
}

void shunt_json_put_flag(struct shunt_json *json, enum shunt_key key, bool value)
{
    shunt_json_key(json, key);
    shunt_json_flag(json, value);
}

void shunt_json_put_rule(struct shunt_json *json, enum shunt_key key, const char *file, int line,
                         const char *id)
{
    shunt_json_key(json, key);
    if (!file) {
        shunt_json_null(json);
        return;
    }
    shunt_json_object(json);
    shunt_json_put_string(json, SHUNT_KEY_FILE, file);
    shunt_json_put_known(json, SHUNT_KEY_LINE, line > 0 ? line : -1);
    shunt_json_put_string(json, SHUNT_KEY_ID, id ? id : "");
    shunt_json_close(json);
}
