/* SPDX-License-Identifier: BSD-3-Clause */
/* columns.h: aligned columns under construction, lines that begin with "shunt:". */
#ifndef SHUNT_LOG_COLUMNS_H
#define SHUNT_LOG_COLUMNS_H

#include "log/text.h"

/* The row of headings. */
#define SHUNT_LOG_HEADING (-1)
/* No cell is longer but those of the last column, which is not padded. */
enum { SHUNT_LOG_CELL_MAX = SHUNT_LOG_STRING_MAX + 16, SHUNT_LOG_COLUMNS_MAX = 8 };

struct shunt_log_columns {
    int count;        /* of columns */
    unsigned numbers; /* a bit (1 << column) for each column that is aligned to the right */
    bool headings;
    int rows;
    /* Appends one cell; always the same for the same row and column. */
    void (*cell)(struct shunt_log_text *text, const void *data, int row, int column);
    const void *data;
};

void shunt_log_columns_put(struct shunt_log_text *text, const struct shunt_log_columns *columns);

#endif
