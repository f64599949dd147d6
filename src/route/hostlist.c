/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hostlist.c: host names against patterns.
 *
 * A pattern is cut into lists of numbers and what lies between them. From left to right each piece
 * moves the set of places that the pattern so far can reach in the host's name, so nothing is tried
 * twice.
 */
#include <ctype.h>
#include <fnmatch.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "route/hostlist.h"

enum {
    HOST_MAX = 255,    /* no host name is longer */
    PATTERN_MAX = 511, /* nor a sensible pattern, commas left out */
    DIGITS_MAX = 18    /* of a number: it fits 64 bits */
};

static size_t digits(const char *text)
{
    return strspn(text, "0123456789");
}

/*
 * The end of a list of numbers that begins behind its bracket: its closing bracket, or NULL when
 * this is no list but a set of characters. One number alone, "[12]", is a set of two digits, as it
 * has always been in shells; Slurm does not write such lists.
 */
static const char *list_end(const char *list)
{
    bool several = false;
    for (const char *at = list;; at++) {
        for (int end = 0; end < 2; end++) {
            const size_t length = digits(at);
            if (length == 0 || length > DIGITS_MAX)
                return NULL;
            at += length;
            if (*at != '-' || end == 1)
                break;
            several = true;
            at++;
        }
        if (*at == ']')
            return several ? at : NULL;
        if (*at != ',')
            return NULL;
        several = true;
    }
}

/* One item of a list: "7" or "001-064". */
struct item {
    int64_t low, high;
    size_t width; /* least number of digits */
};

/* Returns what follows the item. */
static const char *read_item(const char *at, struct item *item)
{
    item->width = digits(at);
    item->low = item->high = strtoll(at, NULL, 10);
    at += item->width;
    if (*at == '-') {
        item->high = strtoll(at + 1, NULL, 10);
        at += 1 + digits(at + 1);
    }
    return at;
}

/* Whether the number `text` of `length` digits is in the list, written as the list would write it.
 */
static bool list_holds(const char *list, const char *text, size_t length)
{
    char number[DIGITS_MAX + 1];
    memcpy(number, text, length);
    number[length] = '\0';
    const int64_t value = strtoll(number, NULL, 10);
    for (const char *at = list; *at != ']'; at += *at == ',') {
        struct item item;
        at = read_item(at, &item);
        if (value >= item.low && value <= item.high &&
            (length == item.width || (length > item.width && number[0] != '0')))
            return true;
    }
    return false;
}

/* The end of a set of characters that begins at its bracket: its closing bracket, or NULL when it
 * has none. */
static const char *set_end(const char *set)
{
    const char *at = set + 1;
    at += *at == '!' || *at == '^';
    at += *at == ']';
    for (; *at != '\0' && *at != ']'; at++) {
        if (at[0] == '[' && at[1] != '\0' && strchr(":.=", at[1])) {
            const char close[] = {at[1], ']', '\0'}, *end = strstr(at + 2, close);
            at = end ? end + 1 : at;
        }
    }
    return *at != '\0' ? at : NULL;
}

/* The next list of numbers at or after `at`, at its bracket; the end of the pattern when there is
 * none. */
static const char *next_list(const char *at)
{
    for (; *at != '\0'; at++) {
        if (*at == '\\' && at[1] != '\0') {
            at++;
        } else if (*at == '[') {
            if (list_end(at + 1))
                return at;
            const char *end = set_end(at);
            at = end ? end : at;
        }
    }
    return at;
}

/* Places in a host's name: whether the pattern so far can end there. */
struct positions {
    bool at[HOST_MAX + 1];
};

/* At the bracket of a list. A "*" beside it takes no digits of the number: "node[1-4]*" is not
 * node12. */
static void pass_list(struct positions *positions, const char *list, bool behind_star,
                      const char *host, size_t length)
{
    struct positions next = {{false}};
    const bool before_star = list_end(list + 1)[1] == '*';
    for (size_t from = 0; from < length; from++) {
        if (!positions->at[from] || (behind_star && from > 0 && digits(host + from - 1) > 0))
            continue;
        const size_t most = digits(host + from);
        for (size_t count = before_star ? most : 1;
             count > 0 && count <= most && count <= DIGITS_MAX; count++)
            next.at[from + count] =
                next.at[from + count] || list_holds(list + 1, host + from, count);
    }
    *positions = next;
}

/* `last`: nothing follows, so only the end of the name is of interest. */
static void pass_pattern(struct positions *positions, const char *pattern, bool last,
                         const char *host, size_t length)
{
    struct positions next = {{false}};
    const size_t plain = strlen(pattern);
    const bool special = strpbrk(pattern, "*?[\\");
    for (size_t from = 0; from <= length; from++) {
        if (!positions->at[from])
            continue;
        if (!special) {
            if (plain <= length - from && memcmp(host + from, pattern, plain) == 0)
                next.at[from + plain] = true;
            continue;
        }
        for (size_t to = last ? length : from; to <= length; to++) {
            char part[HOST_MAX + 1];
            memcpy(part, host + from, to - from);
            part[to - from] = '\0';
            next.at[to] = next.at[to] || fnmatch(pattern, part, 0) == 0;
        }
    }
    *positions = next;
}

/* One pattern without commas outside of brackets. */
static bool pattern_names(const char *pattern, const char *host, size_t length)
{
    struct positions positions = {{true}};
    for (const char *at = pattern; *at != '\0';) {
        const char *list = next_list(at);
        char piece[PATTERN_MAX + 1];
        memcpy(piece, at, (size_t)(list - at));
        piece[list - at] = '\0';
        if (piece[0] != '\0')
            pass_pattern(&positions, piece, *list == '\0', host, length);
        if (*list == '\0')
            break;
        pass_list(&positions, list, list > at && list[-1] == '*', host, length);
        at = list_end(list + 1) + 1;
    }
    return positions.at[length];
}

/* Copies the text up to the next comma outside of brackets. Returns what follows, NULL at the end.
 * False in *fits when it is too long. */
static const char *next_pattern(const char *text, char *pattern, bool *fits)
{
    const char *at = text;
    for (; *at != '\0' && *at != ','; at++) {
        if (*at == '\\' && at[1] != '\0') {
            at++;
        } else if (*at == '[') {
            const char *end = set_end(at);
            at = end ? end : at;
        }
    }
    const size_t length = (size_t)(at - text);
    *fits = length <= PATTERN_MAX;
    memcpy(pattern, text, *fits ? length : 0);
    pattern[*fits ? length : 0] = '\0';
    return *at == ',' ? at + 1 : NULL;
}

bool shunt_hostlist_names(const char *text, const char *host)
{
    const size_t length = strlen(host);
    char pattern[PATTERN_MAX + 1];
    bool fits;
    if (length > HOST_MAX)
        return false;
    for (const char *at = text; at;) {
        at = next_pattern(at, pattern, &fits);
        if (fits && pattern_names(pattern, host, length))
            return true;
    }
    return false;
}

/* Whether every range of a list goes upwards. */
static bool list_possible(const char *list, char *reason, size_t capacity)
{
    for (const char *at = list; *at != ']'; at += *at == ',') {
        struct item item;
        const char *begin = at;
        at = read_item(at, &item);
        if (item.low > item.high) {
            snprintf(reason, capacity, "the range %.*s is empty", (int)(at - begin), begin);
            return false;
        }
    }
    return true;
}

static bool character_possible(char c, char *reason, size_t capacity)
{
    if (isalnum((unsigned char)c) || strchr("-._*?", c))
        return true;
    if (c == '{' || c == '}')
        snprintf(reason, capacity,
                 "braces are not understood: write \"login[1,2]\", or one string per name");
    else if (c >= ' ' && c < 0x7f)
        snprintf(reason, capacity, "no host name has a \"%c\"", c);
    else
        snprintf(reason, capacity, "no host name has a byte 0x%02x", (unsigned char)c);
    return false;
}

static bool pattern_possible(const char *pattern, char *reason, size_t capacity)
{
    for (const char *at = pattern; *at != '\0'; at++) {
        if (*at == '[') {
            const char *end = set_end(at);
            if (!end) {
                snprintf(reason, capacity, "its \"[\" is never closed");
                return false;
            }
            if (list_end(at + 1) && !list_possible(at + 1, reason, capacity))
                return false;
            at = end;
            continue;
        }
        at += *at == '\\' && at[1] != '\0';
        if (!character_possible(*at, reason, capacity))
            return false;
    }
    return true;
}

bool shunt_hostlist_possible(const char *text, char *reason, size_t capacity)
{
    char pattern[PATTERN_MAX + 1];
    bool fits;
    for (const char *at = text; at;) {
        at = next_pattern(at, pattern, &fits);
        if (!fits || pattern[0] == '\0') {
            snprintf(reason, capacity,
                     fits ? "a name is empty" : "it is too long: use several strings");
            return false;
        }
        if (!pattern_possible(pattern, reason, capacity))
            return false;
    }
    return true;
}
