/* SPDX-License-Identifier: BSD-3-Clause */
/* size.c: sizes as people write them: the only place that knows their spelling. */
#include <stdbool.h>
#include <stddef.h>

#include "base/size.h"

/* Of ASCII, whatever the locale. */
static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static char upper(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

static bool is_letter(char c)
{
    return upper(c) >= 'A' && upper(c) <= 'Z';
}

const char *shunt_blank_skip(const char *text)
{
    while (is_blank(*text))
        text++;
    return text;
}

const char *shunt_number_read(const char *text, int64_t *number)
{
    int64_t value = 0;
    const char *at = text;
    for (; *at >= '0' && *at <= '9'; at++) {
        const int digit = *at - '0';
        if (value > (INT64_MAX - digit) / 10)
            return NULL;
        value = value * 10 + digit;
    }
    if (at == text)
        return NULL;
    *number = value;
    return at;
}

/* "K", "KB", "KiB", "Ki" and so on, or "B". Returns what follows the unit; NULL: that is none. */
static const char *unit_read(const char *at, int *shift)
{
    const char first = upper(*at);
    *shift = first == 'K' ? 10 : first == 'M' ? 20 : first == 'G' ? 30 : 0;
    if (*shift == 0 && first != 'B')
        return NULL;
    at++;
    if (*shift > 0 && upper(*at) == 'I')
        at++;
    if (*shift > 0 && upper(*at) == 'B')
        at++;
    return is_letter(*at) ? NULL : at;
}

const char *shunt_size_read(const char *text, int64_t *bytes)
{
    int64_t value;
    int shift;
    const char *end = shunt_number_read(text, &value);
    if (!end)
        return NULL;
    const char *unit = shunt_blank_skip(end);
    if (is_letter(*unit)) {
        end = unit_read(unit, &shift);
        if (!end || value > INT64_MAX >> shift)
            return NULL;
        value <<= shift;
    }
    *bytes = value;
    return end;
}
