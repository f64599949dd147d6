/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * decimal.h: numbers of machine descriptions between the unit of a file (latency_us) and that of
 * the model (seconds).
 *
 * Both are taken as decimal numbers of 15 significant digits, of which a double holds every one: so
 * "0.73" ns is the same bits as 0.73e-9, and what is written reads back as the same bits. Neither
 * depends on the locale.
 */
#ifndef SHUNT_ROUTE_DECIMAL_H
#define SHUNT_ROUTE_DECIMAL_H

#include <stddef.h>

/* value * 10^power; infinities and NaN as they are, and 0 is never negative. */
double shunt_decimal_scale(double value, int power);

/* value * 10^power in few digits, as libconfig reads it: "0.73", "6", "1.5e-7", "1e10". */
void shunt_decimal_print(double value, int power, char *text, size_t capacity);

#endif
