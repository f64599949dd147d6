/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * source.h: the text of a decision file with its includes, made ready for libconfig. Private to the
 * parser.
 *
 * libconfig stops at the first syntax error and names no token, truncates numbers silently and
 * looks for includes in the working directory. So the text is scanned first: includes are put in
 * place, the usual mistakes are reported in words and mended, so that reading goes on and all
 * errors of a file are found in one go. libconfig then sees one text without includes, comments,
 * unbalanced or deeply nested brackets, unclosed strings, NUL bytes or literals that it would wrap.
 */
#ifndef SHUNT_ROUTE_SOURCE_H
#define SHUNT_ROUTE_SOURCE_H

#include "route/table.h"

/* Room for the beginning of a message. */
#define SHUNT_WHERE_MAX 1024

struct shunt_source_line {
    uint32_t file; /* index into files */
    int32_t line;  /* from 1 */
};

struct shunt_source {
    char *text; /* NUL-terminated */
    size_t length, capacity;
    struct shunt_source_line *lines; /* array of line_count: where each line of text came from */
    size_t line_count, line_capacity;
    char **files; /* as they are named in messages */
    uint32_t file_count;
    bool broken;     /* reading on makes no sense, or memory was short */
    bool unreadable; /* the file, or one that it includes, could not be read */
};

/* Frees what the source holds; the structure itself belongs to the caller. */
void shunt_source_clear(struct shunt_source *source);

/* Where line `line` (from 1) of the text came from. */
const char *shunt_source_name(const struct shunt_source *source, unsigned line);
int shunt_source_number(const struct shunt_source *source, unsigned line);

/* For the scanner. Each marks the source broken when memory is short. */
void shunt_source_put(struct shunt_source *source, const char *text, size_t length);
void shunt_source_at(struct shunt_source *source, uint32_t file,
                     int line); /* the line being written comes from there */
uint32_t shunt_source_add_file(struct shunt_source *source, const char *name);

/* Reads a whole regular file of text. NULL with a problem that begins with `where` (which may be
 * the path itself). The result is a malloc block. */
char *shunt_source_load(const char *path, const char *where, struct shunt_diagnostics *diagnostics);

#endif
