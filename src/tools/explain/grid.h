/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * grid.h: what the parts of `shunt explain --grid` share: which rule decides each of many calls.
 * Columns are layouts, rows are block sizes, in bytes.
 */
#ifndef SHUNT_EXPLAIN_GRID_H
#define SHUNT_EXPLAIN_GRID_H

#include "route/route.h"
#include "tools/common/axis.h"
#include "tools/common/tool.h"

enum { SHUNT_EXPLAIN_ENTRIES = 62, SHUNT_EXPLAIN_NAME = 160 };

struct shunt_explain_grid {
    enum shunt_op op;
    struct shunt_axis ranks, nodes, block; /* no block: all sizes, cut where a decision changes */
    int ppn;                               /* 0: not given */
    const char *layout;                    /* sizes of the nodes, or NULL */
    const char *file;                      /* NULL: the table of a job whose rank 0 runs here */
    const char *html;                      /* file, or NULL */
    int64_t memory;                        /* cap in bytes, -1: the table's */
    int density; /* percent, see shunt_density; of calls that are not empty */
    bool oversubscribed, csv, json;

    struct shunt_table *table; /* owned, like all that follows */
    const char *across;        /* "ranks" or "nodes" */
    int columns, rows;
    struct shunt_explain_column {
        int ranks, nodes, ppn_min, ppn_max;
        struct shunt_map map;
    } * column;                 /* array of columns */
    struct shunt_range *blocks; /* array of rows */
    /* The legend: rules, and algorithms without one. */
    int entries;
    struct shunt_explain_entry {
        const struct shunt_algorithm *algorithm;
        const struct shunt_rule *rule; /* NULL: none matched */
        bool modelled;
        char name[SHUNT_EXPLAIN_NAME]; /* "bruck:radix=sqrt(P)", as the rule spells it */
    } entry[SHUNT_EXPLAIN_ENTRIES];
};

/* Of blocks that are not empty. */
static inline const struct shunt_map *shunt_explain_part(const struct shunt_explain_grid *grid,
                                                         int column)
{
    return shunt_map_part(&grid->column[column].map, grid->density);
}

static inline const struct shunt_decision *
shunt_explain_decision(const struct shunt_explain_grid *grid, int row, int column)
{
    const struct shunt_map *map = grid->blocks[row].high > 0
                                      ? shunt_explain_part(grid, column)
                                      : shunt_map_part(&grid->column[column].map, 0);
    return shunt_map_find(map, grid->blocks[row].low);
}

/* explain/command.c: fills and prints it; an exit code. */
int shunt_explain_grid(struct shunt_explain_grid *grid);

/* explain/grid.c: an exit code, after saying what is wrong. Clear in any case. */
int shunt_explain_grid_fill(struct shunt_explain_grid *grid);
void shunt_explain_grid_clear(struct shunt_explain_grid *grid);
/* The entry of a decision; the last one where there are too many. */
int shunt_explain_entry(const struct shunt_explain_grid *grid,
                        const struct shunt_decision *decision);
/* "a" to "z", "A" to "Z", "0" to "9". */
char shunt_explain_letter(int entry);
/* `site.cfg:21 "small"`, "no rule", "the model". */
void shunt_explain_rule(const struct shunt_explain_grid *grid,
                        const struct shunt_explain_entry *entry, char *text, size_t capacity);
/* "16-4K", "64". */
void shunt_explain_size(struct shunt_range block, char *text, size_t capacity);

/* explain/forms.c: an exit code. */
int shunt_explain_grid_print(const struct shunt_explain_grid *grid);
/* The page, to the file of --html. */
int shunt_explain_grid_html(struct shunt_explain_grid *grid);

#endif
