/* SPDX-License-Identifier: BSD-3-Clause */
/* line.h: what the command line of a launcher tells, for `shunt run`. */
#ifndef SHUNT_TOOLS_LINE_H
#define SHUNT_TOOLS_LINE_H

#include <stdbool.h>

#include "tools/run/program.h"

/* What the command line tells. */
struct shunt_line {
    const char *launcher; /* NULL: none */
    char *const *rest;    /* what follows the launcher; the command itself where there is none */
    const char *program;  /* the one that matters, or NULL */
    enum shunt_program kind;
    bool elsewhere;       /* ranks may be on other hosts */
    bool contained;       /* or in a container */
    const char *preloads; /* word that has to do with LD_PRELOAD, or NULL */
    /* What keeps it from all that srun starts: the list of variables that are passed on, and what
     * has this list, an option or a variable. NULL: nothing does. */
    const char *passes, *passes_name;
};

/* Reads a command: array of words that ends with NULL. */
void shunt_line_read(char *const *command, struct shunt_line *line);

/* The last part of a path. */
const char *shunt_line_base(const char *word);

/* Whether the launcher of a line is Open MPI's, as its name or its file tells. */
bool shunt_line_open_mpi(const struct shunt_line *line);

#endif
