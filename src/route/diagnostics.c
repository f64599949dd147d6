/* SPDX-License-Identifier: BSD-3-Clause */
/* diagnostics.c: the list of what is wrong in user input, and the nearest valid spelling of a word.
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "route/table.h"

/* Longer words are not compared: nobody misspells that much, and the rows of the distance table
 * stay on the stack. */
#define WORD_MAX 63

enum { FILE_LIMIT = 50 };

bool shunt_diagnostics_begin(struct shunt_diagnostics *diagnostics, const char *name)
{
    if (diagnostics->name)
        return false;
    diagnostics->name = name;
    diagnostics->limit = diagnostics->count + FILE_LIMIT;
    return true;
}

void shunt_diagnostics_end(struct shunt_diagnostics *diagnostics, bool began)
{
    if (began)
        diagnostics->name = NULL;
}

bool shunt_diagnostics_full(const struct shunt_diagnostics *diagnostics)
{
    return diagnostics->name && diagnostics->count > diagnostics->limit;
}

/* One text; the one behind the limit is another. */
static __attribute__((format(printf, 3, 0))) int print(const struct shunt_diagnostics *diagnostics,
                                                       char **text, const char *format,
                                                       va_list arguments)
{
    if (diagnostics->name && diagnostics->count == diagnostics->limit)
        return asprintf(text, "%s: too many problems, the others are not listed",
                        diagnostics->name);
    return vasprintf(text, format, arguments);
}

void shunt_diagnostics_add(struct shunt_diagnostics *diagnostics, const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    if (shunt_diagnostics_full(diagnostics))
        return;
    va_start(arguments, format);
    int length = print(diagnostics, &text, format, arguments);
    va_end(arguments);
    if (length < 0)
        return;
    /* User input is quoted in messages: it must not break lines or drive a terminal. */
    for (char *at = text; *at != '\0'; at++)
        if (iscntrl((unsigned char)*at))
            *at = '?';
    char **grown = realloc(diagnostics->text, (diagnostics->count + 1) * sizeof *grown);
    if (!grown) {
        free(text);
        return;
    }
    diagnostics->text = grown;
    diagnostics->text[diagnostics->count++] = text;
}

void shunt_diagnostics_clear(struct shunt_diagnostics *diagnostics)
{
    for (size_t i = 0; i < diagnostics->count; i++)
        free(diagnostics->text[i]);
    free(diagnostics->text);
    *diagnostics = (struct shunt_diagnostics){0};
}

static int lower(char c)
{
    return tolower((unsigned char)c);
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Edit distance without regard to case; a swap of neighbours counts one. Both words are at most
 * WORD_MAX long. */
static size_t distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    size_t rows[3][WORD_MAX + 1];
    size_t *before = rows[0], *last = rows[1], *now = rows[2];
    for (size_t j = 0; j <= b_length; j++)
        last[j] = before[j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        now[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            size_t cost = lower(a[i - 1]) != lower(b[j - 1]);
            now[j] = smaller(last[j - 1] + cost, smaller(last[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                lower(a[i - 2]) == lower(b[j - 1]))
                now[j] = smaller(now[j], before[j - 2] + 1);
        }
        size_t *recycled = before;
        before = last;
        last = now;
        now = recycled;
    }
    return last[b_length];
}

const char *shunt_nearest(const char *word, const char *const *names, size_t count)
{
    size_t length = strlen(word);
    if (length == 0 || length > WORD_MAX)
        return NULL;
    const char *nearest = NULL;
    size_t least = SIZE_MAX;
    const size_t limit = length < 3 ? 1 : (length + 2) / 3;
    for (size_t i = 0; i < count; i++) {
        size_t name_length = strlen(names[i]);
        if (name_length > WORD_MAX)
            continue;
        size_t edits = distance(word, length, names[i], name_length);
        /* An abbreviation is far by edits but near in meaning: "parlinna" for "parlinna-coalesced".
         */
        if (length >= 3 && length < name_length && strncasecmp(word, names[i], length) == 0)
            edits = smaller(edits, limit);
        /* A letter left out is likelier than a wrong one: of equals the longer name. */
        if (!nearest || edits < least || (edits == least && name_length > strlen(nearest))) {
            least = edits;
            nearest = names[i];
        }
    }
    return least <= limit ? nearest : NULL;
}
