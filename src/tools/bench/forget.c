/* SPDX-License-Identifier: BSD-3-Clause */
/* forget.c: see forget.h. */
#include "tools/bench/forget.h"

#include <stdlib.h>

#include "route/parse.h"

void bench_forget_settings(void)
{
    static const char *const names[] = {
        "SHUNT_FORCE", "SHUNT_DISABLE",  "SHUNT_STRICT",    "SHUNT_VERIFY",     "SHUNT_WARMUP",
        "SHUNT_LOG",   "SHUNT_LOG_FILE", "SHUNT_LOG_RANKS", "SHUNT_LOG_FORMAT", "SHUNT_LOG_SIZE"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        unsetenv(names[i]);
    setenv("SHUNT_CONFIG", SHUNT_BUILTIN_NAME, 1);
}
