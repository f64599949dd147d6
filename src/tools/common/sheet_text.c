/* SPDX-License-Identifier: BSD-3-Clause */
/* sheet_text.c: rows for people: cells in columns, long lines folded. */
#include "tools/common/sheet_text.h"

#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "route/words.h"
#include "tools/common/fold.h"
#include "tools/common/tool.h"

static void people_count(struct shunt_log_text *text, const struct shunt_column *column,
                         int64_t count)
{
    char bytes[32];
    if (shunt_column_unit(column) == SHUNT_JSON_BYTES) {
        shunt_volume_print(count, bytes, sizeof bytes);
        shunt_log_text_string(text, bytes);
    } else if (column->grouped) {
        shunt_log_text_count(text, (uint64_t)count);
    } else {
        shunt_log_text_unsigned(text, (uint64_t)count);
    }
}

static void people_real(struct shunt_log_text *text, const struct shunt_column *column,
                        double value)
{
    const enum shunt_unit unit = shunt_column_unit(column);
    char bytes[32];
    if (unit == SHUNT_JSON_SECONDS) {
        shunt_log_text_seconds(text, value);
    } else if (unit == SHUNT_JSON_SHARE) {
        shunt_log_text_percent(text, value, 1);
    } else if (unit == SHUNT_JSON_JOULES) {
        shunt_joules_print(value, bytes, sizeof bytes);
        shunt_log_text_string(text, bytes);
    } else {
        shunt_log_text_fixed(text, value, column->text_digits > 0 ? column->text_digits : 2);
    }
}

static void people_field(struct shunt_log_text *text, const struct shunt_column *column,
                         const struct shunt_field *field)
{
    const enum shunt_unit unit = shunt_column_unit(column);
    char range[64];
    if (!shunt_field_known(field) || (field->kind == SHUNT_FIELD_TEXT && field->text[0] == '\0')) {
        shunt_log_text_string(text, column->none ? column->none : "-");
    } else if (field->kind == SHUNT_FIELD_TEXT) {
        shunt_log_text_whole(text, field->text);
    } else if (field->kind == SHUNT_FIELD_FLAG) {
        shunt_log_text_string(text, field->flag ? "yes" : "no");
    } else if (field->kind == SHUNT_FIELD_RANGE) {
        (unit == SHUNT_JSON_BYTES ? shunt_range_spell : shunt_range_print)(field->range, range,
                                                                           sizeof range);
        shunt_log_text_string(text, range);
    } else {
        if (field->kind == SHUNT_FIELD_COUNT)
            people_count(text, column, field->count);
        else
            people_real(text, column, field->real);
        shunt_log_text_string(text, column->suffix ? column->suffix : "");
    }
}

/* Keeps the cells, as the widths of columns depend on all of them. */
void shunt_sheet_text_keep(struct shunt_sheet *sheet, const struct shunt_field *row)
{
    for (int i = 0; i < sheet->columns; i++) {
        const struct shunt_column *column = &sheet->column[i];
        const size_t start = sheet->cells.used;
        if (!shunt_column_in(column, SHUNT_SHEET_TEXT))
            continue;
        people_field(&sheet->cells, column, &row[i]);
        shunt_log_text_put(&sheet->cells, "", 1);
        if (sheet->cells.cut)
            return;
        const int width = shunt_tool_width(sheet->cells.bytes + start);
        if (width > sheet->width[i] && (sheet->wide || column->most == 0 || width <= column->most))
            sheet->width[i] = width;
        sheet->known[i] |= shunt_field_known(&row[i]);
        sheet->left[i] |=
            !column->right && (row[i].kind == SHUNT_FIELD_TEXT || row[i].kind == SHUNT_FIELD_FLAG ||
                               row[i].kind == SHUNT_FIELD_RANGE);
    }
    sheet->rows++;
}

static bool is_shown(const struct shunt_sheet *sheet, int i)
{
    return shunt_column_in(&sheet->column[i], SHUNT_SHEET_TEXT) &&
           (sheet->known[i] || !sheet->column[i].optional);
}

/* Spaces between columns; what the last one needs at least, as it is folded; how much further a
 * long cell goes on. */
enum { GAP = 2, LAST_MOST = 30, FURTHER = 4 };

/* The column that may have a line of its own gets what room the others leave. Returns where the
 * last one begins. */
static int fit_columns(struct shunt_sheet *sheet)
{
    int end = sheet->indent - GAP, last = 0, long_one = -1, begins = sheet->indent;
    for (int i = 0; i < sheet->columns; i++) {
        if (!is_shown(sheet, i))
            continue;
        begins = end + GAP;
        end = begins + sheet->width[i];
        last = i;
        if (sheet->column[i].most > 0 && long_one < 0)
            long_one = i;
    }
    if (sheet->width[last] > LAST_MOST)
        end = begins + LAST_MOST;
    const int over = end - SHUNT_FOLD_COLUMNS;
    if (sheet->wide || over <= 0 || long_one < 0 || long_one == last)
        return begins;
    const int title = shunt_tool_width(sheet->column[long_one].title),
              least = sheet->column[long_one].least > title ? sheet->column[long_one].least : title,
              spare = sheet->width[long_one] - least;
    sheet->width[long_one] -= over < spare ? over : spare;
    return begins - (over < spare ? over : spare);
}

/* A cell in its column, behind `owed` spaces; returns how many are owed behind it. */
static int put_cell(struct shunt_log_text *line, const struct shunt_sheet *sheet, int i,
                    const char *cell, int begins, int owed)
{
    const int rest = sheet->width[i] - shunt_tool_width(cell);
    const bool right = !sheet->left[i] && rest > 0;
    if (cell[0] == '\0')
        return owed + sheet->width[i];
    owed += right ? rest : 0;
    shunt_log_text_pad(line, line->used, (size_t)owed);
    shunt_log_text_string(line, cell);
    if (rest >= 0)
        return right ? 0 : rest;
    if (sheet->wide || sheet->column[i].most == 0)
        return 0;
    shunt_log_text_string(line, "\n");
    return begins + sheet->width[i];
}

/* A long cell is alone in the lines before the last; that one goes on where its last cell is. */
static void fold_lines(struct shunt_sheet *sheet, const struct shunt_log_text *line,
                       int last_begins)
{
    const char *end = line->bytes + line->used - 1, *rest = end;
    while (rest > line->bytes && rest[-1] != '\n')
        rest--;
    shunt_fold(sheet->text, line->bytes, (size_t)(rest - line->bytes), sheet->indent + FURTHER);
    shunt_fold(sheet->text, rest, (size_t)(end + 1 - rest), last_begins);
}

/* One line from its cells; NULL: the titles. Returns the cells behind it. */
static const char *put_cells(struct shunt_sheet *sheet, const char *cells, int last_begins)
{
    struct shunt_log_text line = {.grows = true};
    int begins = sheet->indent, owed = begins;
    for (int i = 0; i < sheet->columns; i++) {
        const char *cell = cells ? cells : sheet->column[i].title;
        if (!shunt_column_in(&sheet->column[i], SHUNT_SHEET_TEXT))
            continue;
        cells = cells ? cells + strlen(cells) + 1 : NULL;
        if (!is_shown(sheet, i))
            continue;
        owed = put_cell(&line, sheet, i, cell, begins, owed) + GAP;
        begins += sheet->width[i] + GAP;
    }
    shunt_log_text_string(&line, "\n");
    if (sheet->wide)
        shunt_log_text_put(sheet->text, line.bytes, line.used);
    else if (!line.cut)
        fold_lines(sheet, &line, last_begins);
    sheet->text->cut |= line.cut;
    free(line.bytes);
    return cells;
}

static bool has_titles(const struct shunt_sheet *sheet)
{
    for (int i = 0; i < sheet->columns; i++)
        if (shunt_column_in(&sheet->column[i], SHUNT_SHEET_TEXT) &&
            sheet->column[i].title[0] != '\0')
            return true;
    return false;
}

void shunt_sheet_text_put(struct shunt_sheet *sheet)
{
    const int begins = fit_columns(sheet);
    /* Far to the right there is no room to go on. */
    const int further = begins <= SHUNT_FOLD_COLUMNS - LAST_MOST ? begins : sheet->indent + FURTHER;
    const char *cells = sheet->cells.bytes;
    if (!sheet->untitled && has_titles(sheet)) {
        shunt_log_text_string(sheet->text, sheet->bold ? sheet->bold : "");
        put_cells(sheet, NULL, further);
        shunt_log_text_string(sheet->text, sheet->plain ? sheet->plain : "");
    }
    for (size_t i = 0; i < sheet->rows; i++)
        cells = put_cells(sheet, cells, further);
}
