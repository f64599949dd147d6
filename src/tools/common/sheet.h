/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sheet.h: rows of values under columns that are described once. Text for people, CSV (RFC 4180)
 * and JSON are three printers of the same rows, so a new column is one line of the description and
 * its value.
 *
 * A "table" is a decision table here, hence the name. It lies beside fold.h and not with one
 * subcommand, as all of them print rows, the measuring programs too.
 */
#ifndef SHUNT_TOOLS_SHEET_H
#define SHUNT_TOOLS_SHEET_H

#include <math.h>

#include "log/json.h"
#include "route/table.h"

enum shunt_sheet_form { SHUNT_SHEET_TEXT, SHUNT_SHEET_CSV, SHUNT_SHEET_JSON };

/* Forms that have a column. */
enum { SHUNT_IN_TEXT = 1, SHUNT_IN_CSV = 2, SHUNT_IN_JSON = 4, SHUNT_IN_NONE = 8 };

enum { SHUNT_SHEET_DEPTH = 2, SHUNT_SHEET_COLUMNS = 48 };
/* No object. */
#define SHUNT_KEY_NONE ((enum shunt_key)0)

/* Digits of numbers with a fraction that count, wherever their point is. */
#define SHUNT_SIGNIFICANT(digits) (-(digits))

struct shunt_column {
    /* Of JSON. Its word is the name in CSV, its unit says how people read values: "3.10 ms",
     * "12.4 MiB", "82.3%". */
    enum shunt_key key;
    const char *title; /* for people; NULL: it is not shown to them */
    const char *name;  /* in CSV, where it is not the key's */
    unsigned in;       /* SHUNT_IN_TEXT | ...; 0: CSV and JSON, and text where it has a title */
    /* Objects of JSON that it stands in, the outer first. One none of whose values is known is
     * null, or left out, as its first column is. */
    enum shunt_key within[SHUNT_SHEET_DEPTH];
    bool null; /* unknown in JSON: null; otherwise left out. CSV has an empty field. */
    /* Behind the point, or SHUNT_SIGNIFICANT; 0: what the unit is worth. In CSV the second, if it
     * is given. */
    int digits, csv_digits;
    bool quoted; /* in CSV always; otherwise where it must be */
    bool range;  /* of ranges, which are two columns in CSV: NAME_from, NAME_to */
    /* For people: */
    const char *none;   /* unknown, or an empty text; NULL: "-" */
    const char *suffix; /* of numbers */
    int text_digits;    /* behind the point, of numbers without a unit; 0: 2 */
    int least, most;    /* width in columns; most: longer values have a line of their own */
    bool grouped;       /* "1,180" */
    bool right;         /* texts that are numbers are aligned as these are */
    bool optional;      /* it is left out where no row has it */
    /* Puts a member of another kind, such as a list: the key and its value. */
    void (*own)(struct shunt_json *json, const void *value);
};

/* One value. */
struct shunt_field {
    enum shunt_field_kind {
        SHUNT_FIELD_UNKNOWN,
        SHUNT_FIELD_TEXT,
        SHUNT_FIELD_COUNT,
        SHUNT_FIELD_REAL,
        SHUNT_FIELD_FLAG,
        SHUNT_FIELD_RANGE,
        SHUNT_FIELD_OWN
    } kind;
    union {
        const char *text; /* the caller's, until the row is added */
        int64_t count;
        double real;
        bool flag;
        struct shunt_range range;
        const void *own;
    };
};

static inline struct shunt_field shunt_field_unknown(void)
{
    return (struct shunt_field){SHUNT_FIELD_UNKNOWN, .text = NULL};
}

/* NULL: unknown. */
static inline struct shunt_field shunt_field_text(const char *text)
{
    return (struct shunt_field){text ? SHUNT_FIELD_TEXT : SHUNT_FIELD_UNKNOWN, .text = text};
}

/* A whole number, or bytes; negative: unknown. */
static inline struct shunt_field shunt_field_count(int64_t count)
{
    return (struct shunt_field){count >= 0 ? SHUNT_FIELD_COUNT : SHUNT_FIELD_UNKNOWN,
                                .count = count};
}

/* What JSON has no place for is the largest number it has one for. */
static inline struct shunt_field shunt_field_unsigned(uint64_t count)
{
    return shunt_field_count(count < INT64_MAX ? (int64_t)count : INT64_MAX);
}

/* 0, too, is unknown. */
static inline struct shunt_field shunt_field_some(int64_t count)
{
    return shunt_field_count(count > 0 ? count : -1);
}

/* A number in the unit of the key; negative or not finite: unknown. */
static inline struct shunt_field shunt_field_real(double real)
{
    return (struct shunt_field){
        isfinite(real) && real >= 0 ? SHUNT_FIELD_REAL : SHUNT_FIELD_UNKNOWN, .real = real};
}

/* 0, too, is unknown. */
static inline struct shunt_field shunt_field_positive(double real)
{
    return shunt_field_real(real > 0 ? real : -1);
}

/* 1 or 0 in CSV. */
static inline struct shunt_field shunt_field_flag(bool flag)
{
    return (struct shunt_field){SHUNT_FIELD_FLAG, .flag = flag};
}

/* Whole numbers from low to high; INT64_MAX is no upper end. 0 to that is everything, which JSON
 * and people take for unknown. */
static inline struct shunt_field shunt_field_range(struct shunt_range range)
{
    return (struct shunt_field){SHUNT_FIELD_RANGE, .range = range};
}

/* What the column's `own` takes; NULL: unknown. */
static inline struct shunt_field shunt_field_own(const void *own)
{
    return (struct shunt_field){own ? SHUNT_FIELD_OWN : SHUNT_FIELD_UNKNOWN, .own = own};
}

/* Members of an object that is open: one row. */
void shunt_sheet_members(struct shunt_json *json, const struct shunt_column *column, int columns,
                         const struct shunt_field *row);
/* A line of CSV with its newline. row: NULL for the names. */
void shunt_sheet_line(struct shunt_log_text *text, const struct shunt_column *column, int columns,
                      const struct shunt_field *row);

/* Rows in one of the three forms. Begin with SHUNT_SHEET(columns, .form = ...). */
struct shunt_sheet {
    const struct shunt_column *column; /* array of columns */
    int columns;
    enum shunt_sheet_form form;
    struct shunt_json *json;     /* of SHUNT_SHEET_JSON: an object that is open */
    enum shunt_key list;         /* and the key of the rows in it */
    struct shunt_log_text *text; /* of the other forms: at its end; NULL: to stdout */
    bool wide;                   /* lines for people have any length; otherwise 100 columns */
    bool untitled;               /* a line with the titles is there already */
    int indent;                  /* of these lines */
    const char *bold, *plain;    /* around the titles; NULL: nothing */
    /* Its own; texts are aligned to the left, numbers to the right. */
    struct shunt_log_text out, cells; /* cells of all rows, each with its end */
    size_t rows;
    int width[SHUNT_SHEET_COLUMNS];
    bool left[SHUNT_SHEET_COLUMNS], known[SHUNT_SHEET_COLUMNS];
};
#define SHUNT_COUNT_OF(array) ((int)(sizeof(array) / sizeof(array)[0]))
/* Not compiled where there are more columns than a sheet has room for. */
#define SHUNT_SHEET_FITS(columns)                                                                  \
    (0 * (int)sizeof(char[SHUNT_COUNT_OF(columns) <= SHUNT_SHEET_COLUMNS ? 1 : -1]))
#define SHUNT_SHEET(columns, ...)                                                                  \
    (struct shunt_sheet)                                                                           \
    {                                                                                              \
        columns, SHUNT_COUNT_OF(columns) + SHUNT_SHEET_FITS(columns), __VA_ARGS__                  \
    }

void shunt_sheet_begin(struct shunt_sheet *sheet);
/* As many values as there are columns, in their order. */
void shunt_sheet_row(struct shunt_sheet *sheet, const struct shunt_field *row);
/* Releases what the sheet holds. An exit code, after saying that memory is short; with `text` that
 * is `text->cut`. */
int shunt_sheet_end(struct shunt_sheet *sheet);

/* One object of JSON on stdout, with the version first. Put members into what begin returns; end
 * gives an exit code, after saying what is wrong. */
struct shunt_document {
    struct shunt_log_text text;
    struct shunt_json json;
};
struct shunt_json *shunt_document_begin(struct shunt_document *document);
int shunt_document_end(struct shunt_document *document);

#endif
