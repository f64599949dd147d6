/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text.h: text under construction, in fixed room (the path of a call: no allocation) or growing
 * (the summary).
 *
 * Numbers do not depend on the locale of the application. What does not fit is cut off and `cut` is
 * set.
 */
#ifndef SHUNT_LOG_TEXT_H
#define SHUNT_LOG_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A foreign string (a name, a path) takes at most about this many bytes of a line; longer ones end
 * in "...". */
#define SHUNT_LOG_STRING_MAX 512

struct shunt_log_text {
    char *bytes; /* not NUL-terminated */
    size_t used, capacity;
    bool grows; /* `bytes` is NULL or from malloc, and is the user's to free */
    bool cut;
};

void shunt_log_text_put(struct shunt_log_text *text, const char *bytes, size_t count);
void shunt_log_text_string(struct shunt_log_text *text, const char *string);
void shunt_log_text_unsigned(struct shunt_log_text *text, uint64_t value);
/* With that many digits after the point (0 to 9); negative values and NaN become 0, what is too
 * large 18446744073709551615 units. */
void shunt_log_text_fixed(struct shunt_log_text *text, double value, int digits);
/* Seconds with that many digits after the point (1 to 9), the rest cut off. */
void shunt_log_text_nanoseconds(struct shunt_log_text *text, int64_t nanoseconds, int digits);
/* 16 digits. */
void shunt_log_text_hexadecimal(struct shunt_log_text *text, uint64_t value);
/* For people: "1,180". */
void shunt_log_text_count(struct shunt_log_text *text, uint64_t value);
/* "82.3%"; what is not nothing and not all is never shown as 0.0% or 100.0%. 0 of 0 is 0.0%. */
void shunt_log_text_percent(struct shunt_log_text *text, double part, double whole);
/* "3.10 ms", "12.4 MiB" (base/size.h). */
void shunt_log_text_seconds(struct shunt_log_text *text, double seconds);
void shunt_log_text_bytes(struct shunt_log_text *text, uint64_t bytes);
/* Spaces until `width` bytes have been written since `start` (a former value of `used`); for
 * aligned columns. */
void shunt_log_text_pad(struct shunt_log_text *text, size_t start, size_t width);
/* A foreign string for people: control characters, what is not seen or turns text round, and bytes
 * that are not UTF-8 as \xNN, so that a line stays a line and a terminal obeys nobody. */
void shunt_log_text_plain(struct shunt_log_text *text, const char *string);
/* The same of any length. */
void shunt_log_text_whole(struct shunt_log_text *text, const char *string);
/* A foreign string between the quotes of JSON: bytes that are not UTF-8 become U+FFFD. Takes
 * about `most` bytes, which is less than SIZE_MAX. */
void shunt_log_text_escaped(struct shunt_log_text *text, const char *string, size_t most);

#endif
