/* SPDX-License-Identifier: BSD-3-Clause */
/* quota.c: what a control group leaves of the processors. */
#include <stdlib.h>

#include "tools/machine/results.h"

double machine_quota_read(const char *line)
{
    char *end;
    const double quota = strtod(line, &end);
    if (end == line || quota <= 0) /* "max", or -1 of version 1 */
        return 0;
    const double period = strtod(end, NULL);
    return period > 0 ? quota / period : 0;
}
