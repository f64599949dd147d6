/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * machine.h: descriptions of machines for the cost model as files: shunt-machine(5). Reading needs
 * libconfig, like decision files; writing does not.
 */
#ifndef SHUNT_ROUTE_MACHINE_H
#define SHUNT_ROUTE_MACHINE_H

#include <stdio.h>

#include "model/machine.h"
#include "route/table.h"

/*
 * Reads a file, or a text that is named `name` in messages. True: every byte of `machine` is set,
 * what was left out has its default, and shunt_machine_wrong finds nothing. False: every problem
 * was added, with file, line and key.
 */
bool shunt_machine_read(struct shunt_machine *machine, const char *path,
                        struct shunt_diagnostics *diagnostics);
bool shunt_machine_read_text(struct shunt_machine *machine, const char *text, const char *name,
                             struct shunt_diagnostics *diagnostics);

/*
 * The same for a file as users name it: a path, which has a slash or ends in ".cfg"; or else NAME,
 * of the first file NAME.cfg in the folders `machines` of this user's and of the system's decision
 * files, and among the descriptions that come with Shunt. Where there is none the problem tells
 * which there are.
 */
bool shunt_machine_find(struct shunt_machine *machine, const char *name,
                        struct shunt_diagnostics *diagnostics);

/*
 * What shunt_machine_find would read, and where a name stands in a file that lies in the folder
 * `beside`: then paths are relative to it, and its folder `machines` comes first.
 * where: begins the problem, "site.cfg:3: machine.model"; NULL, as beside: none. A malloc block, or
 * NULL with a problem added.
 */
char *shunt_machine_path(const char *name, const char *beside, const char *where,
                         struct shunt_diagnostics *diagnostics);

/* Whether shunt_machine_find would find a file that can be read: then it is the file that is wrong.
 */
bool shunt_machine_readable(const char *name);

/* The names that shunt_machine_find knows, each once, in the order of the alphabet: "a, b, c". A
 * malloc block; NULL when memory is short. */
char *shunt_machine_names(void);

/*
 * machine_write.c, without libconfig. A file that reads back as the same numbers, if these have at
 * most 15 decimal digits, with a comment for every line; lines of comments may be written before.
 * Or the group alone, `{ name = ...; }`, in one line. Errors stay in the stream.
 */
void shunt_machine_write(FILE *stream, const struct shunt_machine *machine);
void shunt_machine_write_group(FILE *stream, const struct shunt_machine *machine);

#endif
