/* SPDX-License-Identifier: BSD-3-Clause */
/* literal.c: the number syntax of libconfig 1.5, which converts with atoi and strtoul and never
 * looks at overflow. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "route/literal.h"
#include "route/words.h"

static int digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return 16;
}

static size_t digits(const char *text, size_t length, int base)
{
    size_t count = 0;
    while (count < length && digit_of(text[count]) < base)
        count++;
    return count;
}

/* Whether the value fits a positive int64. */
static bool evaluate(const char *text, size_t length, int base, int64_t *value)
{
    *value = 0;
    for (size_t i = 0; i < length; i++) {
        int digit = digit_of(text[i]);
        if (*value > (INT64_MAX - digit) / base)
            return false;
        *value = *value * base + digit;
    }
    return true;
}

/* Mantissa with a dot or an exponent. Floating-point numbers are wrong everywhere in a table, so it
 * is enough to let them pass. */
static bool is_float(const char *text, size_t length)
{
    size_t at = digits(text, length, 10), mantissa = at;
    bool dot = at < length && text[at] == '.';
    if (dot) {
        size_t after = digits(text + at + 1, length - at - 1, 10);
        at += 1 + after;
        mantissa += after;
    }
    if (mantissa == 0 || at == length)
        return mantissa > 0 && dot;
    if (text[at] != 'e' && text[at] != 'E')
        return false;
    at++;
    if (at < length && (text[at] == '+' || text[at] == '-'))
        at++;
    return at < length && digits(text + at, length - at, 10) == length - at;
}

enum shunt_literal shunt_literal_classify(const char *text, size_t length, char *plain,
                                          size_t capacity)
{
    size_t sign = length > 0 && (text[0] == '-' || text[0] == '+');
    const char *at = text + sign;
    size_t rest = length - sign;
    int base = 10;
    if (rest > 2 && at[0] == '0' && (at[1] == 'x' || at[1] == 'X') && sign == 0) {
        base = 16;
        at += 2;
        rest -= 2;
    }
    size_t count = digits(at, rest, base);
    bool wide = (rest - count == 1 && at[count] == 'L') ||
                (rest - count == 2 && at[count] == 'L' && at[count + 1] == 'L');
    if (count == 0 || (count < rest && !wide))
        return is_float(text + sign, length - sign) ? SHUNT_LITERAL_GOOD : SHUNT_LITERAL_WORD;
    int64_t value;
    if (!evaluate(at, count, base, &value))
        return SHUNT_LITERAL_HUGE;
    if (wide || value <= INT32_MAX)
        return SHUNT_LITERAL_GOOD;
    snprintf(plain, capacity, "%s%" PRId64, text[0] == '-' ? "-" : "", value);
    return SHUNT_LITERAL_LARGE;
}

size_t shunt_literal_spaced(const char *text)
{
    char copy[64];
    struct shunt_range range;
    /* No further than such a value can reach: this is asked for every number of a file. */
    size_t length = 0;
    while (length < sizeof copy && !strchr(";,=\"#@/([{}])\n", text[length]))
        length++;
    if (length == sizeof copy)
        return 0;
    while (length > 0 && strchr(" \t\r\f", text[length - 1]))
        length--;
    memcpy(copy, text, length);
    copy[length] = '\0';
    if (strcspn(copy, " \t") >= length)
        return 0;
    return shunt_range_parse(copy, true, &range) ? length : 0;
}
