/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mode.h: how calls that are measured follow each other. Programs seldom have a barrier before an
 * exchange: then a rank that is done goes on to the next call while others are still in this one,
 * which some algorithms allow and others do not. So both are measured. No MPI.
 */
#ifndef SHUNT_TUNE_MODE_H
#define SHUNT_TUNE_MODE_H

enum tune_mode {
    TUNE_MODE_ROW,    /* back to back: many calls, without a barrier between them */
    TUNE_MODE_SINGLE, /* each call after a barrier */
    TUNE_MODE_COUNT
};

/* As files and results have it: "back-to-back", "single". */
const char *tune_mode_name(enum tune_mode mode);

/* How many calls make a sample, where a native one takes so many seconds; a single one with its
 * barrier. */
int tune_mode_calls(enum tune_mode mode, double native);

#endif
