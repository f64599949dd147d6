/* SPDX-License-Identifier: BSD-3-Clause */
/* dawdle.h: what takes longer by intent: it sleeps, for work would be delayed by what else runs on
 * this machine; or, where clockwork.so is preloaded, that clock goes on and nobody waits. */
#ifndef SHUNT_TESTS_DAWDLE_H
#define SHUNT_TESTS_DAWDLE_H

#include <dlfcn.h>
#include <stddef.h>
#include <time.h>

static inline void dawdle(long long nanoseconds)
{
    static void (*pass)(long long nanoseconds);
    static int known;
    const struct timespec time = {.tv_sec = (time_t)(nanoseconds / 1000000000),
                                  .tv_nsec = (long)(nanoseconds % 1000000000)};
    if (!known)
        *(void **)&pass = dlsym(RTLD_DEFAULT, "clockwork_pass");
    known = 1;
    if (pass)
        pass(nanoseconds);
    else
        nanosleep(&time, NULL);
}

#endif
