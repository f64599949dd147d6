/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json.h: JSON (RFC 8259) at the end of a text: all of it that Shunt writes.
 *
 * Commas come from the writer. In a text of fixed capacity it allocates nothing. What does not fit
 * is cut off (`text->cut`), and is no JSON then. Numbers do not depend on the locale.
 */
#ifndef SHUNT_LOG_JSON_H
#define SHUNT_LOG_JSON_H

#include "log/keys.h"
#include "log/text.h"

/* Objects and arrays within each other. */
#define SHUNT_JSON_DEPTH_MAX 32

/* Begin with {.text = ...}. */
struct shunt_json {
    struct shunt_log_text *text;
    bool whole;       /* strings of any length; otherwise as shunt_log_text_plain cuts them */
    bool more;        /* something stands before the next value or key, at its depth */
    bool named;       /* a key was written, its value comes next */
    bool line;        /* what comes next begins a line */
    uint32_t objects; /* a bit for each depth: an object, otherwise an array */
    int depth;
};

void shunt_json_object(struct shunt_json *json);
void shunt_json_array(struct shunt_json *json);
/* Ends the innermost object or array. */
void shunt_json_close(struct shunt_json *json);

/* What comes next in this object or array begins a line, for the eye. */
void shunt_json_line(struct shunt_json *json);

/* A key of the list; then the value. */
void shunt_json_key(struct shunt_json *json, enum shunt_key key);
/* A name that is data. */
void shunt_json_name(struct shunt_json *json, const char *name);

/* Values. A string may have any bytes: those that are not UTF-8 become U+FFFD. NULL is null. */
void shunt_json_string(struct shunt_json *json, const char *string);
void shunt_json_integer(struct shunt_json *json, int64_t value);
void shunt_json_unsigned(struct shunt_json *json, uint64_t value);
/* With so many digits after the point (0 to 9); what is no finite number is null. */
void shunt_json_fixed(struct shunt_json *json, double value, int digits);
/* With nine significant digits, whatever the size: 1.65e-11. */
void shunt_json_real(struct shunt_json *json, double value);
/* The same with so many digits, 15 at most: as a file spells it. */
void shunt_json_digits(struct shunt_json *json, double value, int count);
void shunt_json_flag(struct shunt_json *json, bool value);
void shunt_json_null(struct shunt_json *json);
/* What is JSON already. */
void shunt_json_ready(struct shunt_json *json, const char *value);

/* A key with its value. */
void shunt_json_put_object(struct shunt_json *json, enum shunt_key key);
void shunt_json_put_array(struct shunt_json *json, enum shunt_key key);
void shunt_json_put_string(struct shunt_json *json, enum shunt_key key, const char *string);
void shunt_json_put_unsigned(struct shunt_json *json, enum shunt_key key, uint64_t value);
/* A negative number is not known: its key is left out. */
void shunt_json_put_known(struct shunt_json *json, enum shunt_key key, int64_t value);
void shunt_json_put_fixed(struct shunt_json *json, enum shunt_key key, double value, int digits);
void shunt_json_put_real(struct shunt_json *json, enum shunt_key key, double value);
/* As many digits as the unit of the key is worth: nanoseconds, millionths of shares, thousandths of
 * bytes and counts. */
void shunt_json_put_number(struct shunt_json *json, enum shunt_key key, double value);
/* As seconds with nine digits: a double has too few for a time since 1970. */
void shunt_json_put_nanoseconds(struct shunt_json *json, enum shunt_key key, int64_t nanoseconds);
/* A string of 16 digits. */
void shunt_json_put_hexadecimal(struct shunt_json *json, enum shunt_key key, uint64_t value);
void shunt_json_put_flag(struct shunt_json *json, enum shunt_key key, bool value);
/* {"file": ..., "line": ..., "id": ...}; null without a file. The line is left out unless positive.
 */
void shunt_json_put_rule(struct shunt_json *json, enum shunt_key key, const char *file, int line,
                         const char *id);

#endif
