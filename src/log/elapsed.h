/* SPDX-License-Identifier: BSD-3-Clause */
/* elapsed.h: how long the run has lasted. */
#ifndef SHUNT_LOG_ELAPSED_H
#define SHUNT_LOG_ELAPSED_H

/* Seconds since this library was loaded: for a preloaded one, since just before the program's own
 * code began. */
double shunt_log_elapsed(void);

#endif
