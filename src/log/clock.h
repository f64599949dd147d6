/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clock.h: the two clocks of a process, in nanoseconds. Times in the log run with shunt_now; where
 * it stands is taken once from CLOCK_REALTIME.
 */
#ifndef SHUNT_LOG_CLOCK_H
#define SHUNT_LOG_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* What is to be added to shunt_now for the time since 1970. */
int64_t shunt_log_clock_find(void);

struct timespec;

/* Whether a second has passed since then, by CLOCK_MONOTONIC. */
bool shunt_log_clock_second(const struct timespec *since);

#endif
