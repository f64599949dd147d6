/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * matrix.h: how many bytes each rank sends to each other one, from a file: for `shunt bench` and
 * `shunt schedule`.
 *
 * `ranks` lines of `ranks` numbers of bytes, separated by blanks or commas; empty lines and lines
 * that begin with # are skipped. A regular file.
 */
#ifndef SHUNT_TOOLS_MATRIX_H
#define SHUNT_TOOLS_MATRIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* counts: array of ranks * ranks, row by row. Returns false with a message in `diagnostic`. */
bool shunt_matrix_parse(const char *text, int ranks, int64_t *counts, char *diagnostic,
                        size_t capacity);

/* The same from a file: an exit code; the message names the file. */
int shunt_matrix_read(const char *path, int ranks, int64_t *counts, char *diagnostic,
                      size_t capacity);

#endif
