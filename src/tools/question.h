/* SPDX-License-Identifier: BSD-3-Clause */
/* question.h: what `shunt explain` is asked, from its options. */
#ifndef SHUNT_TOOLS_QUESTION_H
#define SHUNT_TOOLS_QUESTION_H

#include <stdbool.h>
#include <stdint.h>

#include "algorithms/registry.h"

struct shunt_question {
    enum shunt_op op;
    struct shunt_layout layout; /* owned */
    int64_t block;              /* bytes */
    int64_t memory;             /* cap in bytes, -1: the table's */
    int rank;                   /* whose schedule is counted */
    const char *file;           /* NULL: the table of a job whose rank 0 runs here */
    bool json;
    bool help;
};

/* Returns SHUNT_EXIT_OK, or another exit code after saying what is wrong. Release with
 * shunt_question_clear in any case. */
int shunt_question_read(struct shunt_question *question, int argc, char **argv);
void shunt_question_clear(struct shunt_question *question);

#endif
