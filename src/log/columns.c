/* SPDX-License-Identifier: BSD-3-Clause */
/* columns.c: aligned columns. Each cell is made twice, to be measured and to be written. */
#include "log/columns.h"

struct cell {
    char bytes[SHUNT_LOG_CELL_MAX];
    size_t used;
};

static struct cell make_cell(const struct shunt_log_columns *columns, int row, int column)
{
    struct cell cell = {.used = 0};
    struct shunt_log_text text = {.bytes = cell.bytes, .capacity = sizeof cell.bytes};
    columns->cell(&text, columns->data, row, column);
    cell.used = text.used;
    return cell;
}

static void put_row(struct shunt_log_text *text, const struct shunt_log_columns *columns, int row,
                    const size_t *width)
{
    shunt_log_text_string(text, "shunt:");
    for (int column = 0; column + 1 < columns->count; column++) {
        const struct cell cell = make_cell(columns, row, column);
        shunt_log_text_string(text, "  ");
        const size_t start = text->used;
        if (columns->numbers & 1u << column)
            shunt_log_text_pad(text, start, width[column] - cell.used);
        shunt_log_text_put(text, cell.bytes, cell.used);
        shunt_log_text_pad(text, start, width[column]);
    }
    shunt_log_text_string(text, "  ");
    columns->cell(text, columns->data, row, columns->count - 1);
    shunt_log_text_put(text, "\n", 1);
}

void shunt_log_columns_put(struct shunt_log_text *text, const struct shunt_log_columns *columns)
{
    const int first = columns->headings ? SHUNT_LOG_HEADING : 0;
    size_t width[SHUNT_LOG_COLUMNS_MAX] = {0};
    for (int row = first; row < columns->rows; row++) {
        for (int column = 0; column + 1 < columns->count; column++) {
            const struct cell cell = make_cell(columns, row, column);
            width[column] = cell.used > width[column] ? cell.used : width[column];
        }
    }
    for (int row = first; row < columns->rows; row++)
        put_row(text, columns, row, width);
}
