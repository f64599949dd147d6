/* SPDX-License-Identifier: BSD-3-Clause */
/* matrix.c: see matrix.h. */
#include "tools/matrix.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/tool.h"

/* One line of the matrix. */
static bool parse_row(const char *line, int ranks, int64_t *counts, char *diagnostic,
                      size_t capacity)
{
    int found = 0;
    for (const char *at = line; *at != '\n' && *at != '\0';) {
        char *end;
        if (isspace((unsigned char)*at) || *at == ',') {
            at++;
            continue;
        }
        errno = 0;
        const intmax_t value = strtoimax(at, &end, 10);
        if (end == at || value < 0 || value > INT32_MAX || errno != 0) {
            snprintf(diagnostic, capacity, "\"%.*s\" is not a number of bytes from 0 to %d",
                     (int)strcspn(at, " \t\r\n,"), at, INT32_MAX);
            return false;
        }
        if (found < ranks)
            counts[found] = value;
        found++;
        at = end;
    }
    if (found != ranks)
        snprintf(diagnostic, capacity, "%d numbers instead of one for each of %d ranks", found,
                 ranks);
    return found == ranks;
}

bool shunt_matrix_parse(const char *text, int ranks, int64_t *counts, char *diagnostic,
                        size_t capacity)
{
    int row = 0, number = 0;
    char reason[160];
    for (const char *line = text; *line != '\0';
         line += strcspn(line, "\n"), line += *line == '\n') {
        number++;
        const char *first = line + strspn(line, " \t\r");
        if (*first == '\n' || *first == '\0' || *first == '#')
            continue;
        if (row < ranks &&
            !parse_row(first, ranks, counts + (int64_t)row * ranks, reason, sizeof reason)) {
            snprintf(diagnostic, capacity, "line %d: %s", number, reason);
            return false;
        }
        row++;
    }
    if (row != ranks)
        snprintf(diagnostic, capacity, "%d rows instead of one for each of %d ranks", row, ranks);
    return row == ranks;
}

/* The whole file as a string, or NULL with errno. */
static char *read_file(const char *path)
{
    char *text = NULL;
    size_t used = 0, capacity = 0;
    FILE *file = fopen(path, "r");
    if (!file)
        return NULL;
    do {
        capacity = capacity ? 2 * capacity : 65536;
        char *larger = realloc(text, capacity + 1);
        if (!larger) {
            free(text);
            fclose(file);
            errno = ENOMEM;
            return NULL;
        }
        text = larger;
        used += fread(text + used, 1, capacity - used, file);
    } while (used == capacity);
    text[used] = '\0';
    const int failed = ferror(file) ? errno : 0;
    fclose(file);
    if (!failed)
        return text;
    free(text);
    errno = failed;
    return NULL;
}

int shunt_matrix_read(const char *path, int ranks, int64_t *counts, char *diagnostic,
                      size_t capacity)
{
    char reason[300];
    char *text = read_file(path);
    if (!text) {
        snprintf(diagnostic, capacity, "%s cannot be read: %s", path, strerror(errno));
        return SHUNT_EXIT_IO;
    }
    const bool good = shunt_matrix_parse(text, ranks, counts, reason, sizeof reason);
    free(text);
    if (!good)
        snprintf(diagnostic, capacity, "%s: %s", path, reason);
    return good ? SHUNT_EXIT_OK : SHUNT_EXIT_USAGE;
}
