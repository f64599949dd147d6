/* SPDX-License-Identifier: BSD-3-Clause */
/* growth.c: see growth.h. */
#include "base/growth.h"

#include <errno.h>
#include <time.h>

void shunt_growth_begin(struct shunt_growth *growth)
{
    sigset_t file_size, pending;
    sigemptyset(&file_size);
    sigaddset(&file_size, SIGXFSZ);
    growth->pending = sigpending(&pending) == 0 && sigismember(&pending, SIGXFSZ) == 1;
    pthread_sigmask(SIG_BLOCK, &file_size, &growth->before);
}

void shunt_growth_end(const struct shunt_growth *growth)
{
    const int error = errno;
    sigset_t file_size;
    const struct timespec now = {0};
    sigemptyset(&file_size);
    sigaddset(&file_size, SIGXFSZ);
    while (!growth->pending && sigtimedwait(&file_size, NULL, &now) == SIGXFSZ)
        continue; /* ours: it never reaches the application */
    pthread_sigmask(SIG_SETMASK, &growth->before, NULL);
    errno = error;
}
