/* SPDX-License-Identifier: BSD-3-Clause */
/* rows.c: calls by size and by reason. */
#include <stdlib.h>
#include <string.h>

#include "log/rows.h"

static const char *operation_of(const struct shunt_log_cell *cell)
{
    return shunt_log_entry_field(cell->key.entry, SHUNT_LOG_OPERATION);
}

static const char *algorithm_of(const struct shunt_log_cell *cell)
{
    return shunt_log_entry_field(cell->key.entry, SHUNT_LOG_ALGORITHM);
}

static int by_row(const struct shunt_log_cell *a, const struct shunt_log_cell *b)
{
    const int order = strcmp(operation_of(a), operation_of(b));
    return order != 0 ? order : a->key.size - b->key.size;
}

static int by_row_and_algorithm(const void *a, const void *b)
{
    const struct shunt_log_cell *x = *(struct shunt_log_cell *const *)a,
                                *y = *(struct shunt_log_cell *const *)b;
    const int order = by_row(x, y);
    return order != 0 ? order : strcmp(algorithm_of(x), algorithm_of(y));
}

static void add(struct shunt_log_part *part, uint64_t calls, uint64_t bytes, double seconds)
{
    part->calls += calls;
    part->bytes += bytes;
    part->seconds += seconds;
}

struct shunt_log_rows shunt_log_rows_by_size(struct shunt_log_sizes *sizes)
{
    struct shunt_log_rows rows = {.rows = calloc(sizes->count + 1, sizeof *rows.rows)};
    struct shunt_log_row *row = rows.rows;
    if (!row)
        return rows;
    shunt_log_sizes_sort(sizes, by_row_and_algorithm);
    for (size_t i = 0; i < sizes->count; i++) {
        struct shunt_log_cell *const *cells = &sizes->slots[i];
        if (i == 0 || by_row(*row->cells, *cells) != 0) {
            row = &rows.rows[rows.count++];
            row->name = operation_of(*cells);
            row->class = cells[0]->key.size;
            row->cells = cells;
        }
        row->cell_count++;
        add(&row->part, cells[0]->calls, cells[0]->bytes, cells[0]->seconds);
    }
    const struct shunt_log_cell *other = &sizes->other;
    if (other->calls > 0) {
        row = &rows.rows[rows.count++];
        *row = (struct shunt_log_row){.name = "", .class = SHUNT_LOG_CLASS_UNKNOWN};
        add(&row->part, other->calls, other->bytes, other->seconds);
    }
    return rows;
}

static bool same_reason(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static int by_time(const void *a, const void *b)
{
    const struct shunt_log_row *x = a, *y = b;
    if (x->part.seconds != y->part.seconds)
        return x->part.seconds > y->part.seconds ? -1 : 1;
    return strcmp(x->name ? x->name : "", y->name ? y->name : "");
}

static const char *reason_of(const struct shunt_log_entry *entry)
{
    return entry->rest ? "only a last rule without conditions says so"
                       : entry->key.field[SHUNT_LOG_REASON];
}

struct shunt_log_rows shunt_log_rows_by_reason(const struct shunt_log_set *done)
{
    struct shunt_log_rows rows = {.rows = calloc(done->count + 1, sizeof *rows.rows)};
    for (size_t i = 0; rows.rows && i < done->count; i++) {
        const struct shunt_log_entry *entry = done->slots[i];
        const char *reason = reason_of(entry);
        size_t at = 0;
        if (strcmp(shunt_log_entry_field(entry, SHUNT_LOG_ALGORITHM), "native") != 0)
            continue;
        while (at < rows.count && !same_reason(rows.rows[at].name, reason))
            at++;
        if (at == rows.count)
            rows.rows[rows.count++].name = reason;
        add(&rows.rows[at].part, entry->calls, entry->bytes, entry->seconds);
    }
    if (rows.count > 1)
        qsort(rows.rows, rows.count, sizeof *rows.rows, by_time);
    return rows;
}

void shunt_log_rows_clear(struct shunt_log_rows *rows)
{
    free(rows->rows);
    *rows = (struct shunt_log_rows){0};
}

size_t shunt_log_row_shares(const struct shunt_log_row *row, struct shunt_log_share *list)
{
    size_t count = 0;
    for (size_t i = 0; i < row->cell_count; i++) {
        const struct shunt_log_cell *cell = row->cells[i];
        if (count == 0 || strcmp(list[count - 1].algorithm, algorithm_of(cell)) != 0) {
            if (count == SHUNT_LOG_SHARES)
                break; /* more algorithms than there are */
            list[count++] = (struct shunt_log_share){.algorithm = algorithm_of(cell)};
        }
        list[count - 1].calls += cell->calls;
    }
    for (size_t i = 1; i < count; i++) { /* few, and stable */
        const struct shunt_log_share share = list[i];
        size_t at = i;
        for (; at > 0 && list[at - 1].calls < share.calls; at--)
            list[at] = list[at - 1];
        list[at] = share;
    }
    return count;
}
