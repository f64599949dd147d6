/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * svg.h: drawings (SVG 1.1) at the end of a text: as a part of a page (HTML 5), whose style has the
 * classes, or as a file that needs nothing but itself.
 *
 * Both have one style, for light and dark ground: texts are "label", "head", "small" or "cell",
 * lines "rule" (of a grid) or "frame", and colours have numbers.
 *
 * Lengths are in pixels from the upper left corner. Strings may have any bytes.
 */
#ifndef SHUNT_TOOLS_SVG_H
#define SHUNT_TOOLS_SVG_H

#include <stddef.h>

#include "log/text.h"

enum shunt_drawing_anchor { SHUNT_DRAWING_START, SHUNT_DRAWING_MIDDLE, SHUNT_DRAWING_END };

/* As text of XML or HTML, or between double quotes there: what has a meaning there by its name,
 * control characters and bytes that are not UTF-8 as \xNN. */
void shunt_drawing_escape(struct shunt_log_text *text, const char *string);

/* The title and the description are what a screen reader says; `id` begins the identifiers of both,
 * and no other drawing of the page has it. */
void shunt_drawing_begin(struct shunt_log_text *text, int width, int height, const char *id,
                         const char *title, const char *description);
void shunt_drawing_end(struct shunt_log_text *text);

/* The same of a file. The title is that of the document and stands above the drawing, with a line
 * of explanation. */
void shunt_drawing_begin_file(struct shunt_log_text *text, int width, int height, const char *title,
                              const char *subtitle);
/* Writes the file and releases the text. An exit code, after saying what is wrong. */
int shunt_drawing_write(struct shunt_log_text *text, const char *path);

/* The style of both, for light and dark ground, to stand between <style> and </style>. */
void shunt_drawing_style(struct shunt_log_text *text);

/* Colours that are told apart; further ones repeat. 0 is grey. What is told of calls has the same
 * ones in all drawings. */
enum {
    SHUNT_DRAWING_NATIVE = 0,
    SHUNT_DRAWING_WARM_UP = 1,
    SHUNT_DRAWING_ROUTED = 5,
    SHUNT_DRAWING_LATE = 6, /* ranks that arrive late, and those that wait for them */
    SHUNT_DRAWING_WAIT = 3,
    SHUNT_DRAWING_COLOURS = 12
};
/* The class of what is filled with a colour. */
const char *shunt_drawing_fill(int colour);

void shunt_drawing_text(struct shunt_log_text *text, double x, double y,
                        enum shunt_drawing_anchor anchor, const char *class, const char *string);
/* The same in the middle of a place, from below upwards. */
void shunt_drawing_upright(struct shunt_log_text *text, double x, double y, const char *class,
                           const char *string);
/* Of those that follow, a hint is shown where the pointer rests; NULL: none. */
void shunt_drawing_box(struct shunt_log_text *text, double x, double y, double width, double height,
                       const char *class, const char *hint);
void shunt_drawing_disc(struct shunt_log_text *text, double x, double y, double radius,
                        const char *class, const char *hint);
void shunt_drawing_line(struct shunt_log_text *text, double x1, double y1, double x2, double y2,
                        const char *class);
/* A filled polygon. points: array of 2 * count, x and y in turn. */
void shunt_drawing_area(struct shunt_log_text *text, const double *points, size_t count,
                        const char *class);
/* Points joined by a line in a colour of a file, each with a dot. points: as above. */
void shunt_drawing_curve(struct shunt_log_text *text, const double *points, size_t count,
                         int colour);

#endif
