/* SPDX-License-Identifier: BSD-3-Clause */
/* map.h: the choice for every call of a grid, and its legend. */
#ifndef SHUNT_PREDICT_MAP_H
#define SHUNT_PREDICT_MAP_H

#include "model/candidates.h"
#include "model/cost.h"
#include "tools/predict/predict.h"

/* One call. */
struct shunt_cell {
    int ranks, nodes, ppn_min, ppn_max;
    int64_t block;
    bool found;   /* false: nothing is within the caps, or is known */
    bool unknown; /* the call has too many messages to predict native */
    bool capped;  /* something better is above the caps, or all that is known */
    size_t left;  /* settings that might be the choice, and have too many messages */
    struct shunt_candidate choice, better; /* capped: the best that is above the caps */
    struct shunt_cost cost, native;
    int entry; /* of the legend */
};

/* Columns are ranks or nodes, rows are blocks. */
struct shunt_grid {
    const struct shunt_predict *predict;
    const char *across; /* "ranks" or "nodes" */
    int columns, rows;
    struct shunt_cell *cell; /* array of rows * columns, owned */
    int entries;             /* of the legend: algorithms that win somewhere */
    const struct shunt_algorithm *entry[64];
};

static inline const struct shunt_cell *shunt_grid_cell(const struct shunt_grid *grid, int row,
                                                       int column)
{
    return &grid->cell[row * grid->columns + column];
}

/* "a", "b", ...; "." where nothing is within the caps; "?" where nothing is known. */
char shunt_grid_letter(const struct shunt_cell *cell);
/* Ranks or nodes of a column. */
int shunt_grid_across(const struct shunt_grid *grid, int column);

/* What is said of cells whose choice the caps changed, and of those that have none: a line of the
 * legend each. NULL: there is no such cell. */
const char *shunt_grid_capped(const struct shunt_grid *grid);
const char *shunt_grid_empty(const struct shunt_grid *grid);

/* The letter, and how good the choice is in what is to be least: times as fast as native, or with
 * as little energy; the memory that it needs; "!" where something better is above the caps. And a
 * line of the legend that says which. */
enum { SHUNT_GRID_ROOM = 48 };
void shunt_grid_text(const struct shunt_grid *grid, const struct shunt_cell *cell, char *text,
                     size_t capacity);
const char *shunt_grid_meaning(const struct shunt_grid *grid);
/* A line about what was left out; false: nothing was. */
bool shunt_grid_left(const struct shunt_grid *grid, char *text, size_t capacity);

#endif
