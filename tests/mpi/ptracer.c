/* SPDX-License-Identifier: BSD-3-Clause */
/* ptracer.c: says when a process lets others read its memory, instead of the system; to be
 * preloaded. */
#include <stdio.h>
#include <sys/prctl.h>

__attribute__((visibility("default"))) int prctl(int option, ...)
{
    if (option == PR_SET_PTRACER)
        fputs("PR_SET_PTRACER\n", stderr);
    return 0;
}
