/* SPDX-License-Identifier: BSD-3-Clause */
/* doze.c: to be preloaded: who gives up the processor sleeps for a moment. Where more ranks wait
 * than there are processors, one that only yields is soon chosen again, and burns the time of the
 * rank it waits for. */
#include <sched.h>
#include <time.h>

__attribute__((visibility("default"))) int sched_yield(void)
{
    const struct timespec moment = {.tv_nsec = 1000};
    return nanosleep(&moment, NULL);
}
