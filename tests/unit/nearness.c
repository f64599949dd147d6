/* SPDX-License-Identifier: BSD-3-Clause */
/* nearness.c: see nearness.h. */
#include "nearness.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

bool near(double value, double wanted, double share)
{
    if (fabs(value - wanted) <= share * wanted)
        return true;
    print_error("%.6g is not within %g %% of %.6g\n", value, 100 * share, wanted);
    return false;
}
