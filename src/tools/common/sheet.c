/* SPDX-License-Identifier: BSD-3-Clause */
/* sheet.c: see sheet.h. */
#include "tools/common/sheet_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "route/words.h"
#include "tools/common/fold.h"
#include "tools/common/tool.h"

#define WORD(name, word, unit, meaning) [SHUNT_KEY_##name] = {word, SHUNT_JSON_##unit},
static const struct {
    const char *word;
    enum shunt_unit unit;
} keys[SHUNT_KEY_COUNT] = {SHUNT_KEYS(WORD)};

bool shunt_field_known(const struct shunt_field *field)
{
    return field->kind != SHUNT_FIELD_UNKNOWN &&
           !(field->kind == SHUNT_FIELD_RANGE && field->range.low == 0 &&
             field->range.high == INT64_MAX);
}

bool shunt_column_in(const struct shunt_column *column, enum shunt_sheet_form form)
{
    if (column->in == 0)
        return form != SHUNT_SHEET_TEXT || column->title;
    return column->in >> form & 1;
}

enum shunt_unit shunt_column_unit(const struct shunt_column *column)
{
    return keys[column->key].unit;
}

static int digits_of(const struct shunt_column *column)
{
    const enum shunt_unit unit = shunt_column_unit(column);
    return column->digits != 0          ? column->digits
           : unit == SHUNT_JSON_JOULES  ? SHUNT_SIGNIFICANT(9)
           : unit == SHUNT_JSON_SECONDS ? 9
           : unit == SHUNT_JSON_SHARE   ? 6
                                        : 3;
}

static void json_range(struct shunt_json *json, struct shunt_range range)
{
    shunt_json_object(json);
    shunt_json_put_known(json, SHUNT_KEY_LOW, range.low);
    shunt_json_key(json, SHUNT_KEY_HIGH);
    if (range.high < INT64_MAX)
        shunt_json_integer(json, range.high);
    else
        shunt_json_null(json);
    shunt_json_close(json);
}

static void json_real(struct shunt_json *json, double value, int digits)
{
    if (digits < 0)
        shunt_json_digits(json, value, -digits);
    else
        shunt_json_fixed(json, value, digits);
}

static void json_field(struct shunt_json *json, const struct shunt_column *column,
                       const struct shunt_field *field)
{
    if (!shunt_field_known(field)) {
        if (column->null) {
            shunt_json_key(json, column->key);
            shunt_json_null(json);
        }
        return;
    }
    if (field->kind == SHUNT_FIELD_OWN) {
        column->own(json, field->own);
        return;
    }
    shunt_json_key(json, column->key);
    if (field->kind == SHUNT_FIELD_TEXT)
        shunt_json_string(json, field->text);
    else if (field->kind == SHUNT_FIELD_COUNT)
        shunt_json_integer(json, field->count);
    else if (field->kind == SHUNT_FIELD_REAL)
        json_real(json, field->real, digits_of(column));
    else if (field->kind == SHUNT_FIELD_FLAG)
        shunt_json_flag(json, field->flag);
    else
        json_range(json, field->range);
}

/* How many objects both stand in. */
static int depth_of_both(const struct shunt_column *a, const struct shunt_column *b)
{
    int depth = 0;
    while (depth < SHUNT_SHEET_DEPTH && a->within[depth] != SHUNT_KEY_NONE &&
           a->within[depth] == b->within[depth])
        depth++;
    return depth;
}

/* The first column behind those that stand in the same object, this deep, and whether a value of
 * theirs is known. */
static int end_of_object(const struct shunt_column *column, int first, int columns, int depth,
                         const struct shunt_field *row, bool *known)
{
    int end = first;
    *known = false;
    for (; end < columns; end++) {
        if (!shunt_column_in(&column[end], SHUNT_SHEET_JSON))
            continue;
        if (depth_of_both(&column[first], &column[end]) <= depth)
            break;
        *known |= shunt_field_known(&row[end]);
    }
    return end;
}

/* Members from `first` to `end`, which stand `depth` objects deep or deeper. */
static void json_members(struct shunt_json *json, const struct shunt_column *column, int first,
                         int end, int depth, const struct shunt_field *row)
{
    for (int i = first, next; i < end; i = next) {
        bool known;
        next = i + 1;
        if (!shunt_column_in(&column[i], SHUNT_SHEET_JSON))
            continue;
        if (depth == SHUNT_SHEET_DEPTH || column[i].within[depth] == SHUNT_KEY_NONE) {
            json_field(json, &column[i], &row[i]);
            continue;
        }
        next = end_of_object(column, i, end, depth, row, &known);
        if (known) {
            shunt_json_put_object(json, column[i].within[depth]);
            json_members(json, column, i, next, depth + 1, row);
            shunt_json_close(json);
        } else if (column[i].null) {
            shunt_json_key(json, column[i].within[depth]);
            shunt_json_null(json);
        }
    }
}

void shunt_sheet_members(struct shunt_json *json, const struct shunt_column *column, int columns,
                         const struct shunt_field *row)
{
    json_members(json, column, 0, columns, 0, row);
}

/* What a terminal would obey is spelt, for people look at these lines as well. */
static void csv_text(struct shunt_log_text *text, const char *value, bool quoted)
{
    char *clean = shunt_tool_clean(value);
    const char *at = clean ? clean : "", *quote = quoted || strpbrk(at, ",\"") ? "\"" : "";
    shunt_log_text_string(text, quote);
    for (; *at != '\0'; at++)
        shunt_log_text_put(text, *at == '"' ? "\"\"" : at, *at == '"' ? 2 : 1);
    shunt_log_text_string(text, quote);
    text->cut |= !clean; /* there was no memory for it */
    free(clean);
}

static void csv_real(struct shunt_log_text *text, double value, int digits)
{
    char bytes[40];
    if (digits >= 0) {
        shunt_log_text_fixed(text, value, digits);
        return;
    }
    snprintf(bytes, sizeof bytes, "%.*g", -digits, value);
    shunt_log_text_string(text, bytes);
}

static void csv_field(struct shunt_log_text *text, const struct shunt_column *column,
                      const struct shunt_field *field)
{
    if (field->kind == SHUNT_FIELD_TEXT) {
        csv_text(text, field->text, column->quoted);
    } else if (field->kind == SHUNT_FIELD_COUNT) {
        shunt_log_text_unsigned(text, (uint64_t)field->count);
    } else if (field->kind == SHUNT_FIELD_REAL) {
        csv_real(text, field->real,
                 column->csv_digits != 0 ? column->csv_digits : digits_of(column));
    } else if (field->kind == SHUNT_FIELD_FLAG) {
        shunt_log_text_string(text, field->flag ? "1" : "0");
    } else if (field->kind == SHUNT_FIELD_RANGE) {
        shunt_log_text_unsigned(text, (uint64_t)field->range.low);
        shunt_log_text_string(text, ",");
        if (field->range.high < INT64_MAX)
            shunt_log_text_unsigned(text, (uint64_t)field->range.high);
    }
}

static void csv_name(struct shunt_log_text *text, const struct shunt_column *column)
{
    const char *name = column->name ? column->name : keys[column->key].word;
    shunt_log_text_string(text, name);
    if (!column->range)
        return;
    shunt_log_text_string(text, "_from,");
    shunt_log_text_string(text, name);
    shunt_log_text_string(text, "_to");
}

void shunt_sheet_line(struct shunt_log_text *text, const struct shunt_column *column, int columns,
                      const struct shunt_field *row)
{
    const char *comma = "";
    for (int i = 0; i < columns; i++) {
        if (!shunt_column_in(&column[i], SHUNT_SHEET_CSV))
            continue;
        shunt_log_text_string(text, comma);
        if (row)
            csv_field(text, &column[i], &row[i]);
        else
            csv_name(text, &column[i]);
        comma = ",";
    }
    shunt_log_text_string(text, "\n");
}

/* What is printed, as far as it is complete: who reads rows need not wait for the last. */
static void flush(struct shunt_sheet *sheet)
{
    if (!sheet->out.cut)
        fwrite(sheet->out.bytes, 1, sheet->out.used, stdout);
    sheet->out.used = 0;
}

void shunt_sheet_begin(struct shunt_sheet *sheet)
{
    sheet->out = sheet->cells = (struct shunt_log_text){.grows = true};
    sheet->rows = 0;
    if (!sheet->text)
        sheet->text = &sheet->out;
    if (sheet->form == SHUNT_SHEET_JSON)
        shunt_json_put_array(sheet->json, sheet->list);
    if (sheet->form == SHUNT_SHEET_CSV)
        shunt_sheet_line(sheet->text, sheet->column, sheet->columns, NULL);
    for (int i = 0; i < sheet->columns; i++) {
        const struct shunt_column *column = &sheet->column[i];
        const int title =
            shunt_column_in(column, SHUNT_SHEET_TEXT) ? shunt_tool_width(column->title) : 0;
        sheet->width[i] = column->least > title ? column->least : title;
        sheet->left[i] = sheet->known[i] = false;
    }
}

void shunt_sheet_row(struct shunt_sheet *sheet, const struct shunt_field *row)
{
    if (sheet->form == SHUNT_SHEET_TEXT) {
        shunt_sheet_text_keep(sheet, row);
    } else if (sheet->form == SHUNT_SHEET_CSV) {
        shunt_sheet_line(sheet->text, sheet->column, sheet->columns, row);
        flush(sheet);
    } else {
        shunt_json_line(sheet->json);
        shunt_json_object(sheet->json);
        shunt_sheet_members(sheet->json, sheet->column, sheet->columns, row);
        shunt_json_close(sheet->json);
    }
}

int shunt_sheet_end(struct shunt_sheet *sheet)
{
    if (sheet->form == SHUNT_SHEET_JSON)
        shunt_json_close(sheet->json);
    sheet->text->cut |= sheet->cells.cut;
    if (sheet->form == SHUNT_SHEET_TEXT && !sheet->text->cut)
        shunt_sheet_text_put(sheet);
    flush(sheet);
    const bool cut = sheet->text->cut;
    if (cut)
        shunt_tool_say("out of memory");
    free(sheet->out.bytes);
    free(sheet->cells.bytes);
    return cut ? SHUNT_EXIT_IO : SHUNT_EXIT_OK;
}

struct shunt_json *shunt_document_begin(struct shunt_document *document)
{
    document->text = (struct shunt_log_text){.grows = true};
    document->json = (struct shunt_json){.text = &document->text, .whole = true};
    shunt_json_object(&document->json);
    shunt_json_put_string(&document->json, SHUNT_KEY_VERSION, PACKAGE_VERSION);
    return &document->json;
}

int shunt_document_end(struct shunt_document *document)
{
    shunt_json_close(&document->json);
    return shunt_tool_write(&document->text, stdout);
}
