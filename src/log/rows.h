/* SPDX-License-Identifier: BSD-3-Clause */
/* rows.h: what the summary tells by size and by reason, added up. */
#ifndef SHUNT_LOG_ROWS_H
#define SHUNT_LOG_ROWS_H

#include "log/set.h"
#include "log/sizes.h"

/* Some of the calls. */
struct shunt_log_part {
    uint64_t calls, bytes;
    double seconds;
};

struct shunt_log_row {
    const char *name; /* operation, "" for cells without room; or reason, NULL: a rule said so */
    int class;        /* of the size */
    struct shunt_log_part part;
    struct shunt_log_cell *const *cells; /* by algorithm; array of `cell_count` */
    size_t cell_count;
};

struct shunt_log_rows {
    struct shunt_log_row *rows; /* from malloc; NULL also when memory is short */
    size_t count;
};

/* A row for each operation and size. Sorts the cells, which have to stay. */
struct shunt_log_rows shunt_log_rows_by_size(struct shunt_log_sizes *sizes);
/* A row for each reason of native calls, longest time first. */
struct shunt_log_rows shunt_log_rows_by_reason(const struct shunt_log_set *done);
void shunt_log_rows_clear(struct shunt_log_rows *rows);

/* What carried out the calls of a row by size; most calls first. `list` has room for SHARES.
 * Returns how many there are. */
enum { SHUNT_LOG_SHARES = 64 };
struct shunt_log_share {
    const char *algorithm;
    uint64_t calls;
};
size_t shunt_log_row_shares(const struct shunt_log_row *row, struct shunt_log_share *list);

#endif
