/* SPDX-License-Identifier: BSD-3-Clause */
/* matrix.c: see matrix.h. */
#include "tools/common/matrix.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/common/tool.h"

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

/* Numbers have ten digits; more than this is no matrix of so many ranks, whatever its blanks. */
static size_t most_bytes(int ranks)
{
    return ((size_t)1 << 20) + (size_t)64 * (size_t)ranks * (size_t)ranks;
}

/* The whole file as a string, or NULL with the reason. Only regular files end by themselves. */
static char *read_text(FILE *file, size_t most, const char **reason)
{
    char *text = NULL;
    size_t used = 0, capacity = 0;
    do {
        capacity = capacity ? 2 * capacity : 65536;
        char *larger = realloc(text, capacity + 1);
        if (!larger)
            break;
        text = larger;
        used += fread(text + used, 1, capacity - used, file);
    } while (used == capacity && used <= most);
    *reason = ferror(file)                ? strerror(errno)
              : used > most               ? "it is larger than the numbers of so many ranks can be"
              : used == capacity || !text ? strerror(ENOMEM)
                                          : NULL;
    if (*reason || !text) {
        free(text);
        return NULL;
    }
    text[used] = '\0';
    return text;
}

static char *read_file(const char *path, int ranks, const char **reason)
{
    struct stat status;
    char *text = NULL;
    /* O_NONBLOCK: opening a pipe does not wait for a writer. */
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    const bool known = fd >= 0 && fstat(fd, &status) == 0;
    FILE *file = known && S_ISREG(status.st_mode) ? fdopen(fd, "r") : NULL;
    *reason = known && !S_ISREG(status.st_mode) ? "it is not a regular file" : strerror(errno);
    if (file) {
        text = read_text(file, most_bytes(ranks), reason);
        fclose(file);
    } else if (fd >= 0) {
        close(fd);
    }
    return text;
}

int shunt_matrix_read(const char *path, int ranks, int64_t *counts, char *diagnostic,
                      size_t capacity)
{
    char reason[300];
    const char *why;
    char *text = read_file(path, ranks, &why);
    if (!text) {
        snprintf(diagnostic, capacity, "%s cannot be read: %s", path, why);
        return SHUNT_EXIT_IO;
    }
    const bool good = shunt_matrix_parse(text, ranks, counts, reason, sizeof reason);
    free(text);
    if (!good)
        snprintf(diagnostic, capacity, "%s: %s", path, reason);
    return good ? SHUNT_EXIT_OK : SHUNT_EXIT_USAGE;
}
