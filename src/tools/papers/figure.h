/* SPDX-License-Identifier: BSD-3-Clause */
/* figure.h: the drawings of scripts/papers, each from a table of its numbers. */
#ifndef SHUNT_PAPERS_FIGURE_H
#define SHUNT_PAPERS_FIGURE_H

#include "tools/papers/rows.h"

/* What figures.csv says of a figure. */
struct papers_figure {
    const char *kind; /* "lines", "boxes", "parts", "map" or "radixmap": see figures.awk */
    const char *title, *subtitle;
    const char *across, *upwards;
};

/* Writes the drawing of `rows` to `path`. An exit code, after saying what is wrong. */
int papers_figure_draw(const struct papers_figure *figure, const struct papers_rows *rows,
                       const char *path);

/* Its parts. */
int papers_plot_draw(const struct papers_figure *figure, const struct papers_rows *rows,
                     const char *path);
int papers_parts_draw(const struct papers_figure *figure, const struct papers_rows *rows,
                      const char *path);
int papers_map_draw(const struct papers_figure *figure, const struct papers_rows *rows,
                    const char *path);

/* Different words of a column, in the order in which they come first. */
enum { PAPERS_WORDS_MOST = 32 };
struct papers_words {
    int count;
    const char *word[PAPERS_WORDS_MOST];
};
void papers_words_find(struct papers_words *words, const struct papers_rows *rows,
                       const char *column);
/* Its place; -1: it is not there. */
int papers_words_place(const struct papers_words *words, const char *word);

#endif
