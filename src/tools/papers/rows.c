/* SPDX-License-Identifier: BSD-3-Clause */
/* rows.c: see rows.h. */
#include "tools/papers/rows.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/tool.h"

char *papers_file_read(const char *path)
{
    FILE *file = fopen(path, "r");
    char *bytes = NULL;
    size_t used = 0, room = 0, got = 0;
    if (!file) {
        shunt_tool_say("%s cannot be read: %s", path, strerror(errno));
        return NULL;
    }
    do {
        used += got;
        if (used + 1 >= room) {
            room = room > 0 ? 2 * room : 1 << 16;
            char *more = realloc(bytes, room);
            if (!more) {
                shunt_tool_say("out of memory");
                free(bytes);
                fclose(file);
                return NULL;
            }
            bytes = more;
        }
        got = fread(bytes + used, 1, room - used - 1, file);
    } while (got > 0);
    bytes[used] = '\0';
    const bool failed = ferror(file) != 0;
    fclose(file);
    if (!failed)
        return bytes;
    shunt_tool_say("%s cannot be read", path);
    free(bytes);
    return NULL;
}

/* Takes a field off the line at *at, without its quotes, and ends it with a 0. */
static char *take_field(char **at, bool *last)
{
    char *out = *at, *in = *at, *field = *at;
    bool quoted = false;
    for (; *in && *in != '\n' && (quoted || *in != ','); in++) {
        if (*in == '"' && quoted && in[1] == '"')
            *out++ = *in++;
        else if (*in == '"')
            quoted = !quoted;
        else
            *out++ = *in;
    }
    *last = *in != ',';
    *at = *in ? in + 1 : in;
    *out = '\0';
    return field;
}

static void take_line(char **at, char **fields)
{
    static char nothing[] = "";
    bool last = false;
    for (int i = 0; i < PAPERS_COLUMNS_MOST; i++)
        fields[i] = last ? nothing : take_field(at, &last);
    while (!last)
        take_field(at, &last);
}

bool papers_rows_read(struct papers_rows *rows, const char *path)
{
    *rows = (struct papers_rows){.bytes = papers_file_read(path)};
    if (!rows->bytes)
        return false;
    size_t lines = 0;
    for (const char *c = rows->bytes; *c; c++)
        lines += *c == '\n';
    if (lines == 0) {
        shunt_tool_say("%s has no line of names", path);
        return false;
    }
    rows->row = calloc(lines, sizeof *rows->row);
    if (!rows->row) {
        shunt_tool_say("out of memory");
        return false;
    }
    char *at = rows->bytes;
    take_line(&at, rows->name);
    while (rows->columns < PAPERS_COLUMNS_MOST && rows->name[rows->columns][0])
        rows->columns++;
    for (; *at && rows->count < lines; rows->count++)
        take_line(&at, rows->row[rows->count]);
    return true;
}

void papers_rows_clear(struct papers_rows *rows)
{
    free(rows->row);
    free(rows->bytes);
    *rows = (struct papers_rows){0};
}

const char *papers_rows_get(const struct papers_rows *rows, size_t row, const char *name)
{
    for (int i = 0; i < rows->columns; i++)
        if (strcmp(rows->name[i], name) == 0)
            return rows->row[row][i];
    return "";
}

int papers_words_place(const struct papers_words *words, const char *word)
{
    for (int i = 0; i < words->count; i++)
        if (strcmp(words->word[i], word) == 0)
            return i;
    return -1;
}

void papers_words_find(struct papers_words *words, const struct papers_rows *rows,
                       const char *column)
{
    words->count = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const char *word = papers_rows_get(rows, i, column);
        if (words->count < PAPERS_WORDS_MOST && papers_words_place(words, word) < 0)
            words->word[words->count++] = word;
    }
}
