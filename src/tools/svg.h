/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * svg.h: drawings (SVG 1.1) at the end of a text, as a part of a page (HTML 5) or alone. Colours,
 * fonts and lines come from classes of the style that stands around them.
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

void shunt_drawing_text(struct shunt_log_text *text, double x, double y,
                        enum shunt_drawing_anchor anchor, const char *class, const char *string);
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

#endif
