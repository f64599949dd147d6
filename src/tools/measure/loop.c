/* SPDX-License-Identifier: BSD-3-Clause */
/* loop.c: see loop.h. */
#include "tools/measure/loop.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "tools/measure/program.h"
#include "tools/measure/random.h"

static const double NAP = 5e-4; /* seconds: how long whoever rests sleeps at a time */

void measure_loop_shuffle(struct measure_loop *loop, uint64_t seed, uint64_t stream)
{
    struct measure_random random = measure_random_begin(seed, stream);
    measure_random_shuffle(&random, loop->order, loop->count);
}

void measure_loop_turn(const struct measure_loop *loop, double *times, ptrdiff_t stride)
{
    for (int k = 0; k < loop->count; k++)
        loop->call(loop->context, loop->order[k], times + loop->order[k] * stride);
}

void measure_loop_keep(struct measure_loop *loop, bool (*runs)(void *context, int candidate))
{
    int kept = 0;
    for (int k = 0; k < loop->count; k++)
        if (runs(loop->context, loop->order[k]))
            loop->order[kept++] = loop->order[k];
    loop->count = kept;
}

/* In parts: MPI's counts are ints. */
void measure_most(MPI_Comm comm, double *values, size_t count)
{
    for (size_t done = 0, part; done < count; done += part) {
        part = count - done < INT_MAX ? count - done : INT_MAX;
        measure_must(
            PMPI_Allreduce(MPI_IN_PLACE, values + done, (int)part, MPI_DOUBLE, MPI_MAX, comm),
            "MPI_Allreduce");
    }
}

void measure_pause(double seconds)
{
    struct timespec time = {.tv_sec = (time_t)seconds};
    time.tv_nsec = (long)(1e9 * (seconds - (double)time.tv_sec));
    nanosleep(&time, NULL);
}

void measure_rest(MPI_Comm comm)
{
    MPI_Request request;
    int done = 0;
    measure_must(PMPI_Ibarrier(comm, &request), "MPI_Ibarrier");
    for (;;) {
        measure_must(PMPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
        if (done)
            return;
        measure_pause(NAP);
    }
}

enum { ANCESTORS = 8 };

static int width; /* of what is shown; 0: nothing */

/* Reads "PID (NAME) STATE PARENT ..." of a process. */
static bool read_process(long process, char *name, size_t capacity, long *parent)
{
    char path[64], line[512];
    snprintf(path, sizeof path, "/proc/%ld/stat", process);
    const bool read = measure_line_read(path, line, sizeof line);
    char *begin = read ? strchr(line, '(') : NULL, *end = read ? strrchr(line, ')') : NULL;
    if (!begin || !end || sscanf(end + 1, " %*c %ld", parent) != 1)
        return false;
    snprintf(name, capacity, "%.*s", (int)(end - begin - 1), begin + 1);
    return true;
}

/* Launchers take the ranks' output through pipes: whether the one that started this rank, on this
 * host, writes to a terminal. */
static bool launcher_writes_to_terminal(void)
{
    char name[64], path[64];
    long process = getppid(), parent = 0;
    for (int i = 0; i < ANCESTORS && process > 1; i++, process = parent) {
        if (!read_process(process, name, sizeof name, &parent))
            return false;
        if (strncmp(name, "mpiexec", 7) != 0 && strncmp(name, "mpirun", 6) != 0)
            continue;
        snprintf(path, sizeof path, "/proc/%ld/fd/%d", process, STDERR_FILENO);
        const int file = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
        const bool terminal = file >= 0 && isatty(file);
        if (file >= 0)
            close(file);
        return terminal;
    }
    return false;
}

static bool is_watched(void)
{
    static enum { UNKNOWN, NO, YES } watched;
    if (watched == UNKNOWN)
        watched = isatty(STDERR_FILENO) || launcher_writes_to_terminal() ? YES : NO;
    return watched == YES;
}

bool measure_progress_due(void)
{
    static double shown;
    const double now = shunt_clock();
    if (now - shown < 0.5 || !is_watched())
        return false;
    shown = now;
    return true;
}

/* Over what was there, with blanks: there are terminals that know no more. */
void measure_progress_show(const char *text, double left)
{
    char line[160];
    int used = snprintf(line, sizeof line, "%s", text);
    if (left >= 0 && used < (int)sizeof line)
        used += snprintf(line + used, sizeof line - (size_t)used, ", %.0f s left", left);
    if (used >= (int)sizeof line)
        used = (int)sizeof line - 1;
    fprintf(stderr, "\r%-*s", width, line);
    width = used > width ? used : width;
}

void measure_progress_clear(void)
{
    if (width > 0)
        fprintf(stderr, "\r%*s\r", width, "");
    width = 0;
}

double measure_progress_left(double begin, double done, double all)
{
    return done > 0 ? (shunt_clock() - begin) / done * (all - done) : -1;
}
