/* SPDX-License-Identifier: BSD-3-Clause */
/* passed.h: calls of functions that are passed through, counted by name. Lock free. */
#ifndef SHUNT_LOG_PASSED_H
#define SHUNT_LOG_PASSED_H

#include <stddef.h>
#include <stdint.h>

struct shunt_log_passed {
    const char *function;
    uint64_t calls;
};

/* A call that Shunt passes through without looking: counted by MPI function name (a constant
 * string, kept as pointer). */
void shunt_log_passed(const char *function);

/* Functions that are told apart. */
enum { SHUNT_LOG_PASSED_MAX = 64 };

/* Takes the counters into `list` (array of SHUNT_LOG_PASSED_MAX), each function once. Returns how
 * many there are. */
size_t shunt_log_passed_take(struct shunt_log_passed *list);

#endif
