/* SPDX-License-Identifier: BSD-3-Clause */
/* inject.h: what a program finds in inject.so by dlsym. Points are functions that libshunt.so
 * calls, by number. */
#ifndef SHUNT_TESTS_INJECT_H
#define SHUNT_TESTS_INJECT_H

/* How many points there are; 0: libshunt.so is not here. */
int inject_points(void);
const char *inject_name(int point);

/* Begins to count; the call of `point` (-1: none) with number `at`, from 1, is to fail. */
void inject_arm(int point, long at);

/* Ends it. Returns whether a call failed. */
int inject_disarm(void);

/* How often libshunt.so came by since inject_arm. */
long inject_count(int point);

#endif
