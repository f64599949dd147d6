/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * arithmetic.h: the program's floating-point environment stays its own: what it traps, how it
 * rounds, and which flags are set.
 *
 * Whatever of ours computes with floating point in a call or callback of the program lies between
 * enter and leave, in the environment that C programs begin with; times of calls are integers, so
 * that steady calls do not compute at all. Nothing in between may call what the program has
 * written.
 */
#ifndef SHUNT_BASE_ARITHMETIC_H
#define SHUNT_BASE_ARITHMETIC_H

#include <fenv.h>

struct shunt_arithmetic {
    fenv_t program;
};

void shunt_arithmetic_enter(struct shunt_arithmetic *arithmetic);
void shunt_arithmetic_leave(const struct shunt_arithmetic *arithmetic);

#endif
