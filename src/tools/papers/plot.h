/* SPDX-License-Identifier: BSD-3-Clause */
/* plot.h: figures with two logarithmic axes. */
#ifndef SHUNT_PAPERS_PLOT_H
#define SHUNT_PAPERS_PLOT_H

#include "tools/papers/rows.h"

/* What figures.csv says of a figure. */
struct papers_figure {
    const char *kind; /* "lines", "boxes", "parts", "map" or "radixmap": see figures.awk */
    const char *title, *subtitle;
    const char *across, *upwards;
};

/* Draws "lines" and "boxes" into the file `path`. An exit code, after saying what is wrong. */
int papers_plot_draw(const struct papers_figure *figure, const struct papers_rows *rows,
                     const char *path);

#endif
