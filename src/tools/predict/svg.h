/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * svg.h: drawings (SVG 1.1) that need nothing but themselves, on light and on dark ground.
 *
 * Lengths are in pixels from the upper left corner. Texts may have any bytes. Errors of the stream
 * are found when it is closed.
 */
#ifndef SHUNT_PREDICT_SVG_H
#define SHUNT_PREDICT_SVG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Colours that are told apart; further ones repeat. Colour i has the classes f<i> (filled) and s<i>
 * (stroke). */
enum { SHUNT_SVG_COLOURS = 12 };

enum shunt_anchor { SHUNT_ANCHOR_START, SHUNT_ANCHOR_MIDDLE, SHUNT_ANCHOR_END };

/* The title is that of the document and stands above the drawing, with a line of explanation. */
void shunt_svg_begin(FILE *file, int width, int height, const char *title, const char *subtitle);
void shunt_svg_end(FILE *file);

/* `kind`: "label", "head", "small" or "cell". */
void shunt_svg_text(FILE *file, double x, double y, enum shunt_anchor anchor, const char *kind,
                    const char *text);
/* The same, from below upwards. */
void shunt_svg_upright(FILE *file, double x, double y, const char *kind, const char *text);
/* A filled rectangle with a text that is shown where the pointer rests; NULL: none. */
void shunt_svg_box(FILE *file, double x, double y, double width, double height, int colour,
                   const char *hint);
/* A line of a grid, or of a frame. */
void shunt_svg_rule(FILE *file, double x1, double y1, double x2, double y2, bool frame);
/* Points joined by a line, each with a dot. points: array of 2 * count, x and y in turn. */
void shunt_svg_curve(FILE *file, const double *points, size_t count, int colour);

#endif
