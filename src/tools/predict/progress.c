/* SPDX-License-Identifier: BSD-3-Clause */
/* progress.c: how far a long prediction is, on a terminal. */
#include "tools/predict/progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

static double begin, shown;
static int width; /* of what is shown; 0: nothing */

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Twice a second, over what was there. */
void shunt_progress_show(const char *what, size_t done, size_t all)
{
    const double now = seconds();
    if (begin <= 0)
        begin = now;
    if (now - begin < 1 || now - shown < 0.5 || !isatty(STDERR_FILENO))
        return;
    shown = now;
    int used = fprintf(stderr, "\r%zu of %zu %s", done, all, what);
    if (done > 0 && done < all)
        used +=
            fprintf(stderr, ", %.0f s left  ", (now - begin) * (double)(all - done) / (double)done);
    width = used > width ? used : width;
}

void shunt_progress_clear(void)
{
    if (width > 0)
        fprintf(stderr, "\r%*s\r", width, "");
    width = 0;
}
