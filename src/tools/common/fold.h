/* SPDX-License-Identifier: BSD-3-Clause */
/* fold.h: lines for people that fit a terminal or a page. */
#ifndef SHUNT_TOOLS_FOLD_H
#define SHUNT_TOOLS_FOLD_H

#include <stdio.h>

#include "log/text.h"

/* Columns of a line, every character of UTF-8 one. */
enum { SHUNT_FOLD_COLUMNS = 100 };

/* Appends lines; those that are too long become several. A line is broken at spaces, and within a
 * word, after a slash if there is one, only where that is longer than a line. What follows is
 * indented by so many columns, or with SHUNT_FOLD_LABEL stands under the text behind the line's
 * label, or else four columns further in than the line. The last line may lack its newline. */
enum { SHUNT_FOLD_LABEL = -1 };
void shunt_fold(struct shunt_log_text *text, const char *lines, size_t count, int indent);
/* The same to a stream. */
void shunt_fold_put(FILE *stream, const char *lines, size_t count, int indent);
/* What is printed is of one line or more; with SHUNT_FOLD_LABEL. */
void shunt_fold_print(FILE *stream, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
