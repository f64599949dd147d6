/* SPDX-License-Identifier: BSD-3-Clause */
/* clock.h: CLOCK_MONOTONIC, which nobody sets. */
#ifndef SHUNT_BASE_CLOCK_H
#define SHUNT_BASE_CLOCK_H

#include <stdint.h>

int64_t shunt_now(void);  /* in nanoseconds */
double shunt_clock(void); /* in seconds, for programs of our own */

#endif
