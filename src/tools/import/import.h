/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * import.h: what the parts of `shunt import` share: the selection of algorithms as another MPI
 * library's file has it, in the order in which it is looked at. Sizes are in bytes.
 */
#ifndef SHUNT_IMPORT_IMPORT_H
#define SHUNT_IMPORT_IMPORT_H

#include <stdio.h>

#include "route/cover.h"
#include "tools/common/tool.h"

enum shunt_import_form {
    SHUNT_IMPORT_MPICH,        /* JSON: a tree of conditions */
    SHUNT_IMPORT_OPEN_MPI,     /* numbers */
    SHUNT_IMPORT_OPEN_MPI_JSON /* JSON: lists of rules */
};

enum { SHUNT_IMPORT_NAME = 96, SHUNT_IMPORT_NOTE = 320 };

/* Which calls. */
struct shunt_import_where {
    bool known; /* the operation is */
    enum shunt_op op;
    bool powers; /* powers of two alone */
    struct shunt_range ranks, nodes, ppn, block;
    struct shunt_range total; /* of what a rank sends to all; 0 to INT64_MAX: any */
};

struct shunt_import_rule {
    struct shunt_import_where where;
    int line;                     /* of the file that is read */
    char name[SHUNT_IMPORT_NAME]; /* of the algorithm there */
    const struct shunt_algorithm *algorithm;
    enum shunt_param param; /* given, where `value` is positive */
    int64_t value;
    char note[SHUNT_IMPORT_NOTE]; /* what cannot be expressed as it is there; "" */
};

struct shunt_import {
    const char *path; /* as it was named */
    char *file;       /* as messages name it, owned */
    char *text;       /* owned */
    enum shunt_import_form form;
    const char *output;       /* NULL: standard output */
    struct shunt_range ranks; /* of jobs: beyond them nothing is told apart */
    bool form_given;
    size_t count, capacity;
    struct shunt_import_rule *rule; /* array of count, owned */
    struct shunt_diagnostics notes; /* what is not expressed, or not as it is there */
    struct shunt_diagnostics problems;
};

/* A problem, or a note, about a line. */
void shunt_import_problem(struct shunt_import *import, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void shunt_import_note(struct shunt_import *import, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* All calls of no operation. */
struct shunt_import_where shunt_import_all(void);
/* What both have; false: nothing. */
bool shunt_import_narrow(struct shunt_range *range, int64_t low, int64_t high);

/* import/algorithms.c: adds a rule. `name` is that of the file, `number` the value of its parameter
 * (k, or how many requests; 0: none). What has no counterpart is native, with a note. False when
 * memory is short. */
bool shunt_import_add(struct shunt_import *import, const struct shunt_import_where *where, int line,
                      const char *name, int64_t number);
/* A native rule, with a note that it has for itself or NULL. */
bool shunt_import_add_native(struct shunt_import *import, const struct shunt_import_where *where,
                             int line, const char *note);

/* A JSON value, with the line it is in. */
enum shunt_import_kind {
    SHUNT_IMPORT_OBJECT,
    SHUNT_IMPORT_ARRAY,
    SHUNT_IMPORT_STRING,
    SHUNT_IMPORT_NUMBER, /* whole */
    SHUNT_IMPORT_OTHER
};
struct shunt_import_value {
    enum shunt_import_kind kind;
    char *key; /* in an object: without blanks; owned */
    int line;
    char *text; /* of a string, owned */
    int64_t number;
    size_t count;                     /* of members or elements */
    struct shunt_import_value *child; /* array of count, owned */
};
/* import/json.c: the text of the file. False with problems added. Clear in any case. */
bool shunt_import_json(struct shunt_import *import, struct shunt_import_value *root);
void shunt_import_value_clear(struct shunt_import_value *value);
/* The member of that name, or NULL. */
const struct shunt_import_value *shunt_import_member(const struct shunt_import_value *object,
                                                     const char *key);

/* import/mpich.c, import/open_mpi.c, import/open_mpi_json.c: fill the rules. False when memory is
 * short; what is wrong is in the problems. */
bool shunt_import_mpich(struct shunt_import *import, const struct shunt_import_value *root);
bool shunt_import_open_mpi(struct shunt_import *import);
bool shunt_import_open_mpi_json(struct shunt_import *import, const struct shunt_import_value *root);

/* import/write.c: the decision file. An exit code, after saying what is wrong. */
int shunt_import_write(struct shunt_import *import, FILE *stream);

#endif
