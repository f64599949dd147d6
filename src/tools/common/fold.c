/* SPDX-License-Identifier: BSD-3-Clause */
/* fold.c: see fold.h. */
#include "tools/common/fold.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Labels are no broader; nor are lines indented further. */
enum { LABEL_MOST = 28, FURTHER = 4 };

static bool is_continued(char byte)
{
    return ((unsigned char)byte & 0xc0) == 0x80;
}

/* How many bytes the first `columns` characters take; `count` where there are no more. */
static size_t bytes_of(const char *line, size_t count, size_t columns)
{
    size_t at = 0;
    while (at < count && (columns > 0 || is_continued(line[at])))
        columns -= !is_continued(line[at++]);
    return at;
}

/* Columns in front of what a line goes on with: "gain        0.4 s" 12, "  a word" 6. */
static size_t indent_of(const char *line, size_t count)
{
    size_t at = 0, first;
    while (at < count && line[at] == ' ')
        at++;
    first = at;
    while (at + 1 < count && at < LABEL_MOST && !(line[at] == ' ' && line[at + 1] == ' '))
        at++;
    while (at + 1 < count && at < LABEL_MOST && line[at] == ' ' && line[at + 1] == ' ')
        at++;
    if (at + 1 < count && at > first && at < LABEL_MOST && line[at] == ' ')
        return at + 1;
    return (first < LABEL_MOST ? first : LABEL_MOST) + FURTHER;
}

/* Where a line of at most `fits` bytes ends: behind it comes a space, or it is within a word. */
static size_t end_of(const char *line, size_t least, size_t fits)
{
    size_t at = fits;
    while (at > least && line[at] != ' ')
        at--;
    if (at > least)
        return at;
    for (at = fits; at > least; at--)
        if (line[at - 1] == '/' || line[at - 1] == ',')
            return at;
    return fits;
}

static void put_line(struct shunt_log_text *text, const char *line, size_t count, int further)
{
    const size_t indent = further >= 0 ? (size_t)further : indent_of(line, count);
    size_t least = 0; /* a line has more than its indent */
    while (least < count && line[least] == ' ')
        least++;
    for (size_t room = SHUNT_FOLD_COLUMNS;; room = SHUNT_FOLD_COLUMNS - indent, least = 0) {
        const size_t fits = bytes_of(line, count, room);
        size_t end = fits < count ? end_of(line, least, fits) : count, next = end;
        while (next < count && line[next] == ' ')
            next++;
        while (end < count && end > 0 && line[end - 1] == ' ')
            end--;
        shunt_log_text_put(text, line, end);
        if (next == count)
            break;
        shunt_log_text_put(text, "\n", 1);
        shunt_log_text_pad(text, text->used, indent);
        line += next;
        count -= next;
    }
}

void shunt_fold(struct shunt_log_text *text, const char *lines, size_t count, int indent)
{
    while (count > 0) {
        const char *newline = memchr(lines, '\n', count);
        const size_t length = newline ? (size_t)(newline - lines) : count;
        put_line(text, lines, length, indent);
        if (!newline)
            break;
        shunt_log_text_put(text, "\n", 1);
        lines += length + 1;
        count -= length + 1;
    }
}

void shunt_fold_put(FILE *stream, const char *lines, size_t count, int indent)
{
    struct shunt_log_text text = {.grows = true};
    shunt_fold(&text, lines, count, indent);
    if (text.cut) /* better too long than not at all */
        fwrite(lines, 1, count, stream);
    else
        fwrite(text.bytes, 1, text.used, stream);
    free(text.bytes);
}

void shunt_fold_print(FILE *stream, const char *format, ...)
{
    char *lines;
    va_list arguments;
    va_start(arguments, format);
    const int length = vasprintf(&lines, format, arguments);
    va_end(arguments);
    if (length < 0)
        return;
    shunt_fold_put(stream, lines, (size_t)length, SHUNT_FOLD_LABEL);
    free(lines);
}
