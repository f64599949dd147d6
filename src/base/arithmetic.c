/* SPDX-License-Identifier: BSD-3-Clause */
/* arithmetic.c: see arithmetic.h. */
#include "base/arithmetic.h"

/* fegetenv sets nothing and traps nothing; the default environment traps nothing either. */
void shunt_arithmetic_enter(struct shunt_arithmetic *arithmetic)
{
    fegetenv(&arithmetic->program);
    fesetenv(FE_DFL_ENV);
}

/* With the flags that were set before, and no others. */
void shunt_arithmetic_leave(const struct shunt_arithmetic *arithmetic)
{
    fesetenv(&arithmetic->program);
}
