/* SPDX-License-Identifier: BSD-3-Clause */
/* out.c: see out.h. */
#include "tools/log/view.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/environment.h"
#include "base/size.h"

/* Seconds before the first line, and between two of them. */
#define PATIENCE 2.0
#define PACE 0.5

bool shunt_logs_flush(struct shunt_logs_out *out)
{
    const char *from = out->bytes;
    while (out->used > 0 && !out->closed && out->error == 0) {
        const ssize_t count = write(STDOUT_FILENO, from, out->used);
        if (count < 0 && errno == EPIPE)
            out->closed = true;
        else if (count < 0 && errno != EINTR)
            out->error = errno;
        if (count > 0) {
            from += count;
            out->used -= (size_t)count;
        }
    }
    out->used = 0;
    return !out->closed && out->error == 0;
}

bool shunt_logs_put(struct shunt_logs_out *out, const char *bytes, size_t count)
{
    while (count > 0) {
        const size_t room = sizeof out->bytes - out->used, some = count < room ? count : room;
        memcpy(out->bytes + out->used, bytes, some);
        out->used += some;
        bytes += some;
        count -= some;
        if (out->used == sizeof out->bytes && !shunt_logs_flush(out))
            return false;
    }
    return true;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void shunt_logs_progress_begin(struct shunt_logs_progress *progress, const char *what,
                               uint64_t total)
{
    const char *term = shunt_environment_value("TERM");
    *progress = (struct shunt_logs_progress){
        .on = isatty(STDERR_FILENO) && term && strcmp(term, "dumb") != 0,
        .what = what,
        .total = total,
        .began = now(),
    };
    progress->shown = progress->began + PATIENCE - PACE;
}

static void show(struct shunt_logs_progress *progress, double time)
{
    char done[32], total[32];
    shunt_bytes_print(progress->done, done, sizeof done);
    shunt_bytes_print(progress->total, total, sizeof total);
    if (progress->total > progress->done) {
        const double rate = (double)progress->done / (time - progress->began);
        fprintf(stderr, "\r\033[Kshunt: %s of %s %s, %.0f s to go", done, total, progress->what,
                (double)(progress->total - progress->done) / rate);
    } else {
        fprintf(stderr, "\r\033[Kshunt: %s %s", done, progress->what);
    }
    fflush(stderr);
    progress->visible = true;
    progress->shown = time;
}

void shunt_logs_progress_add(struct shunt_logs_progress *progress, uint64_t count)
{
    progress->done += count;
    if (!progress->on)
        return;
    const double time = now();
    if (time - progress->shown >= PACE)
        show(progress, time);
}

void shunt_logs_progress_end(struct shunt_logs_progress *progress)
{
    if (progress->visible)
        fputs("\r\033[K", stderr);
    *progress = (struct shunt_logs_progress){0};
}
