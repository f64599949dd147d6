/* SPDX-License-Identifier: BSD-3-Clause */
/* summaries.h: what the tests of the summary share: one summary, calls to add to it, its text. */
#ifndef SHUNT_TESTS_SUMMARIES_H
#define SHUNT_TESTS_SUMMARIES_H

#include <stdbool.h>

#include "log/summary.h"

extern struct shunt_log_summary summary;
extern char result[1 << 20]; /* what print has made */

/* Before and after each test. */
int begin_summary(void **unused);
int end_summary(void **unused);

/* The finished summary, in static memory. */
const char *print(bool json);

/* Fails the test where the text has not, or has, the part. */
void contains(const char *text, const char *part);
void lacks(const char *text, const char *part);

/* A call of 64 bytes per block, the tenth of its communicator. */
struct shunt_record routed_call(double seconds);
struct shunt_record warm_up_call(double seconds);
/* Native, in turn with routed ones. */
struct shunt_record turn_call(double seconds);
void add(struct shunt_record record, int times);

/* What the summary says of the gain. */
struct shunt_log_estimate estimate(void);

#endif
