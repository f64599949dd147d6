/* SPDX-License-Identifier: BSD-3-Clause */
/* trace.h: how a program asks the traced library for what a call did; found at run time. */
#ifndef TESTS_MPI_TRACE_H
#define TESTS_MPI_TRACE_H

#include <stdio.h>

void shunt_trace_begin(void);
/* What was done since, a line for each event; `call` begins each line. */
void shunt_trace_print(FILE *file, const char *call);

#endif
