/* SPDX-License-Identifier: BSD-3-Clause */
/* figure.h: the drawings of scripts/papers, each from a table of its numbers. */
#ifndef SHUNT_PAPERS_FIGURE_H
#define SHUNT_PAPERS_FIGURE_H

#include "tools/papers/plot.h"
#include "tools/papers/rows.h"

/* Writes the drawing of `rows` to `path`. An exit code, after saying what is wrong. */
int papers_figure_draw(const struct papers_figure *figure, const struct papers_rows *rows,
                       const char *path);

#endif
