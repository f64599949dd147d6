/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * output.h: a file that is whole or not there. It grows in a new file beside it and gets its name
 * when it is complete: whoever ends the program, or fills the disk, leaves what was there before.
 *
 * The new file is NAME.XXXXXX.part with six letters that nobody can guess, so nothing that somebody
 * else put there is written to. A link to a file stays one, and that file is replaced; one that
 * leads nowhere is an error. Mode, group and, where that is allowed, owner are kept. What is no
 * regular file, /dev/stdout and the like, and a file in a folder that takes no new one are written
 * as they are.
 */
#ifndef SHUNT_BASE_OUTPUT_H
#define SHUNT_BASE_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct shunt_output {
    FILE *stream; /* NULL: not open */
    char *path;   /* owned: what the file is to be, links followed; NULL: written as it is */
    char *part;   /* owned: what it is until then; NULL likewise */
};

/* Returns 0 or an errno. "-" is no special name here. */
int shunt_output_open(struct shunt_output *output, const char *name);

/* Closes the file and gives it its name if it is `whole`; one that is not is left under the other.
 * Returns 0, or an errno; then nothing new is left. Nothing where it is not open. */
int shunt_output_close(struct shunt_output *output, bool whole);

/* Closes it, and leaves nothing new. */
void shunt_output_drop(struct shunt_output *output);

/* All of a file at once. Returns 0 or an errno. */
int shunt_output_put(const char *name, const char *bytes, size_t count);

#endif
