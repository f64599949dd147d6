/* SPDX-License-Identifier: BSD-3-Clause */
/* passed.h: calls of functions that are passed through, counted by name (shunt_log_passed). Lock
 * free. */
#ifndef SHUNT_LOG_PASSED_H
#define SHUNT_LOG_PASSED_H

#include "log/summary.h"

/* Functions that are told apart. */
enum { SHUNT_LOG_PASSED_MAX = 64 };

/* Takes the counters into `list` (array of SHUNT_LOG_PASSED_MAX), each function once. Returns how
 * many there are. */
size_t shunt_log_passed_take(struct shunt_log_passed *list);

#endif
