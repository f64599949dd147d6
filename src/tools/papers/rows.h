/* SPDX-License-Identifier: BSD-3-Clause */
/* rows.h: a table of comma-separated values with a first line of names, as scripts/papers writes
 * them. */
#ifndef SHUNT_PAPERS_ROWS_H
#define SHUNT_PAPERS_ROWS_H

#include <stdbool.h>
#include <stddef.h>

enum { PAPERS_COLUMNS_MOST = 16 };

struct papers_rows {
    char *bytes; /* owned; fields are parts of it */
    int columns;
    char *name[PAPERS_COLUMNS_MOST];
    size_t count;
    char *(*row)[PAPERS_COLUMNS_MOST]; /* array of count, owned; what a line lacks is "" */
};

/* The whole file with a 0 at its end, to be freed; NULL after saying what is wrong. */
char *papers_file_read(const char *path);
/* false after saying what is wrong with the file. Clear it either way. */
bool papers_rows_read(struct papers_rows *rows, const char *path);
void papers_rows_clear(struct papers_rows *rows);

/* The field of that name in a row; "" where there is no such column. */
const char *papers_rows_get(const struct papers_rows *rows, size_t row, const char *name);

/* Different words of a column, in the order in which they come first. */
enum { PAPERS_WORDS_MOST = 32 };
struct papers_words {
    int count;
    const char *word[PAPERS_WORDS_MOST];
};
void papers_words_find(struct papers_words *words, const struct papers_rows *rows,
                       const char *column);
/* Its place; -1: it is not there. */
int papers_words_place(const struct papers_words *words, const char *word);

#endif
