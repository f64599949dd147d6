/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spelling.c: what may have been meant by a text that is no size or range: fractions, larger units,
 * words, signs of comparison and other dashes are understood here, for the hint of a message alone.
 */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/size.h"
#include "route/words.h"

/* Nobody means more digits behind a point. */
#define SCALE_MOST INT64_C(1000000)

/* What is written in other ways; `range`: only in ranges. */
static const struct {
    const char *written, *meant;
    bool range;
} words[] = {
    {"kilobyte", "K", false},
    {"kibibyte", "K", false},
    {"megabyte", "M", false},
    {"mebibyte", "M", false},
    {"gigabyte", "G", false},
    {"gibibyte", "G", false},
    {"byte", "B", false},
    {"to", "-", true},
    {"...", "-", true},
    {"..", "-", true},
    {":", "-", true},
    {"~", "-", true},
    {"\xe2\x80\x93", "-", true}, /* the dashes of word processors, and the sign minus */
    {"\xe2\x80\x94", "-", true},
    {"\xe2\x88\x92", "-", true},
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Whether a comma, an underscore or an apostrophe at `at` stands before three digits of a number.
 */
static bool separates(const char *text, const char *at)
{
    return strchr(",_'", *at) && at > text && is_digit(at[-1]) && strspn(at + 1, "0123456789") == 3;
}

/* The text without separators of thousands, and with `words` replaced. False: it does not fit. */
static bool simplify(const char *text, bool range, char *simple, size_t capacity)
{
    size_t used = 0;
    for (const char *at = text; *at != '\0';) {
        size_t word = 0;
        if (used + 2 > capacity)
            return false;
        if (separates(text, at)) {
            at++;
            continue;
        }
        while (word < sizeof words / sizeof words[0] &&
               ((words[word].range && !range) ||
                strncasecmp(at, words[word].written, strlen(words[word].written)) != 0))
            word++;
        if (word == sizeof words / sizeof words[0]) {
            simple[used++] = *at++;
            continue;
        }
        at += strlen(words[word].written);
        at += words[word].range || strncasecmp(at, "s", 1) != 0 ? 0 : 1;
        simple[used++] = words[word].meant[0];
    }
    simple[used] = '\0';
    return true;
}

/* A size with a fraction, rounded down. Returns what follows it, or NULL. */
static const char *fraction_read(const char *text, int64_t *bytes)
{
    int64_t whole, fraction = 0, scale = 1, unit;
    char one[32];
    const char *at = shunt_number_read(text, &whole);
    if (!at || (*at != '.' && *at != ','))
        return NULL;
    for (at++; is_digit(*at); at++) {
        if (scale == SCALE_MOST)
            return NULL;
        fraction = fraction * 10 + (*at - '0');
        scale *= 10;
    }
    /* The unit alone, by the rules for units. */
    snprintf(one, sizeof one, "1%s", shunt_blank_skip(at));
    const char *end = shunt_size_read(one, &unit);
    if (scale == 1 || !end || end == one + 1 || whole > INT64_MAX / 2 / unit)
        return NULL;
    *bytes = whole * unit + fraction * unit / scale;
    return shunt_blank_skip(at) + (end - one - 1);
}

static const char *loose_read(const char *text, int64_t *bytes)
{
    int64_t number;
    const char *at = fraction_read(text, bytes);
    if (at)
        return at;
    at = shunt_size_read(text, bytes);
    if (at)
        return at;
    /* Of units beyond G. */
    at = shunt_number_read(text, &number);
    at = at ? shunt_blank_skip(at) : NULL;
    if (!at || (*at != 'T' && *at != 't') || number > INT64_MAX >> 40)
        return NULL;
    *bytes = number << 40;
    at++;
    at += *at == 'i' ? 1 : 0;
    return at + (*at == 'B' || *at == 'b' ? 1 : 0);
}

void shunt_size_hint(const char *text, char *hint, size_t capacity)
{
    char simple[64], spelt[32];
    int64_t bytes;
    hint[0] = '\0';
    if (!simplify(text, false, simple, sizeof simple))
        return;
    const char *end = loose_read(shunt_blank_skip(simple), &bytes);
    if (!end || *shunt_blank_skip(end) != '\0')
        return;
    shunt_size_print(bytes, spelt, sizeof spelt);
    snprintf(hint, capacity, " (did you mean \"%s\"?)", spelt);
}

/* "<= 8K", ">1K", "8K+" and the like. */
static bool compare_read(const char *at, struct shunt_range *range)
{
    const bool less = *at == '<', more = *at == '>';
    const size_t sign = strspn(at, "<>=");
    const bool equal = memchr(at, '=', sign) != NULL;
    int64_t number;
    const char *end = loose_read(shunt_blank_skip(at + sign), &number);
    if (!end || (less && !equal && number == 0) || number == INT64_MAX)
        return false;
    end = shunt_blank_skip(end);
    const bool plus = sign == 0 && *end == '+';
    if (*shunt_blank_skip(end + plus) != '\0' || (sign == 0 && !plus))
        return false;
    if (less)
        *range = (struct shunt_range){0, equal ? number : number - 1};
    else if (more || plus)
        *range = (struct shunt_range){equal || plus ? number : number + 1, INT64_MAX};
    else
        *range = (struct shunt_range){number, number};
    return true;
}

static bool loose_range(const char *at, struct shunt_range *range)
{
    *range = (struct shunt_range){0, INT64_MAX};
    if (compare_read(at, range))
        return true;
    if (is_digit(*at)) {
        at = loose_read(at, &range->low);
        if (!at)
            return false;
        at = shunt_blank_skip(at);
        if (*at == '\0')
            range->high = range->low;
    }
    if (*at == '-') {
        at = shunt_blank_skip(at + 1);
        if (is_digit(*at))
            at = loose_read(at, &range->high);
    }
    return at && *shunt_blank_skip(at) == '\0';
}

void shunt_range_hint(const char *text, bool sizes, char *hint, size_t capacity)
{
    static const char *const everything[] = {"any", "all", "*", "-"};
    char simple[64], spelt[64];
    struct shunt_range range;
    hint[0] = '\0';
    for (size_t i = 0; i < sizeof everything / sizeof everything[0]; i++)
        if (strcasecmp(text, everything[i]) == 0) {
            snprintf(hint, capacity, " (a condition that is left out matches everything)");
            return;
        }
    if (!simplify(text, true, simple, sizeof simple) || simple[0] == '\0' ||
        !loose_range(shunt_blank_skip(simple), &range))
        return;
    if (sizes)
        shunt_range_spell(range, spelt, sizeof spelt);
    else
        shunt_range_print(range, spelt, sizeof spelt);
    if (range.low <= range.high && strcmp(spelt, "any") != 0)
        snprintf(hint, capacity, " (did you mean \"%s\"?)", spelt);
}
