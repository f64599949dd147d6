/* SPDX-License-Identifier: BSD-3-Clause */
/* write.h: the table of what won, as a decision file with its evidence. No MPI. */
#ifndef SHUNT_TUNE_WRITE_H
#define SHUNT_TUNE_WRITE_H

#include <stdio.h>

#include "tools/tune/sweep.h"

/* What all rules rest on. */
struct tune_evidence {
    const char *command, *date, *processor, *library; /* one line each */
    const char *host;                                 /* of rank 0 */
    const char *logged;                               /* as in struct tune_run; NULL: as measured */
    const char *pattern;                              /* for machine.hosts; "" none */
    const char *simulated; /* name of the machine of the model; NULL: it was measured */
    const char *csv;       /* the samples; NULL: none */
    int processors;        /* of the node of rank 0 */
    bool oversubscribed;
    int cells, measured, busy; /* sizes on layouts; of these measured, and on a busy machine */
    double others;             /* processes that ran beside the ranks on the host of rank 0, mean */
    double gain, builtin_gain; /* means over the measured ones, geometric */
};

/* Means over all measured sizes; counts them. */
void tune_evidence_add(struct tune_evidence *evidence, const struct tune_sweep *sweeps, int count);

/* Whether to use the table or to keep the built-in one, and why: a sentence, without newline. */
enum { TUNE_ADVICE_ROOM = 320 };
void tune_advise(const struct tune_evidence *evidence, char *text, size_t capacity);

/* sweeps: array of count, those of one operation on several layouts too. Errors stay in the
 * stream. */
void tune_write(FILE *stream, const struct tune_evidence *evidence, const struct tune_sweep *sweeps,
                int count);

#endif
