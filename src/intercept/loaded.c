/* SPDX-License-Identifier: BSD-3-Clause */
/* loaded.c: when this library is loaded, it keeps the environment. Programs change or clear theirs
 * later, some of them on one rank alone. */
#include "base/environment.h"

__attribute__((constructor)) static void keep_environment(void)
{
    shunt_environment_keep();
}
