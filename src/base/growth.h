/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * growth.h: files that may not grow. Where a file would become longer than RLIMIT_FSIZE allows,
 * Linux sends SIGXFSZ, which is deadly by default, besides failing with EFBIG. Begin and end
 * enclose calls that could cause it, on one thread: the call fails, and the signal reaches nobody.
 */
#ifndef SHUNT_BASE_GROWTH_H
#define SHUNT_BASE_GROWTH_H

#include <signal.h>
#include <stdbool.h>

struct shunt_growth {
    sigset_t before;
    bool pending; /* one that the application waits for */
};

void shunt_growth_begin(struct shunt_growth *growth);
/* Keeps errno. */
void shunt_growth_end(const struct shunt_growth *growth);

#endif
