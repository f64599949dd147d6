/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * follow.c: `shunt log -f`.
 *
 * Files are looked at by name, over and over: kernels tell only of what was written on the same
 * host, and ranks write on others. What one look finds is put in order; lines of ranks that write
 * later come later.
 */
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "tools/common/tool.h"
#include "tools/log/view.h"

/* Between two looks. */
#define PACE_NANOSECONDS 400000000L
/* Looks without anything new after the last summary: ranks write their last lines at about the same
 * time. */
enum { QUIET_LOOKS = 3 };

static volatile sig_atomic_t interrupted;

static void interrupt(int signal)
{
    (void)signal;
    interrupted = 1;
}

static void catch_interrupts(void)
{
    struct sigaction action = {.sa_handler = interrupt};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

/* Whether the file is worth opening. */
static bool has_more(const struct shunt_logs_file *file)
{
    struct stat status;
    if (file->given_up || (file->stream && file->seen))
        return false;
    if (!file->seen || strcmp(file->path, "-") == 0)
        return true;
    return stat(file->path, &status) == 0 &&
           (status.st_size != file->offset || status.st_ino != file->inode ||
            status.st_dev != file->device);
}

static bool is_over(const struct shunt_logs_file *file)
{
    return file->given_up || file->ended || (file->stream && file->seen);
}

/* *changed: there was something new. */
static int look(struct shunt_logs_view *view, struct shunt_logs_reader *reader,
                struct shunt_logs_file *files, int count, bool *changed)
{
    const uint64_t before = view->sequence;
    int code = SHUNT_EXIT_OK;
    for (int i = 0; i < count && code == SHUNT_EXIT_OK && !interrupted; i++)
        if (has_more(&files[i]))
            code = shunt_logs_read(reader, &files[i]);
    *changed = view->sequence != before;
    shunt_logs_progress_end(&view->progress);
    return code == SHUNT_EXIT_OK ? shunt_logs_view_print(view) : code;
}

int shunt_logs_follow(struct shunt_logs_view *view, struct shunt_logs_reader *reader,
                      struct shunt_logs_file *files, int count)
{
    const struct timespec pace = {.tv_nsec = PACE_NANOSECONDS};
    int code = SHUNT_EXIT_OK, quiet = 0;
    catch_interrupts();
    while (code == SHUNT_EXIT_OK && !interrupted && !view->out.closed) {
        bool changed, over = true;
        code = look(view, reader, files, count, &changed);
        for (int i = 0; i < count; i++)
            over = over && is_over(&files[i]);
        quiet = changed || !over ? 0 : quiet + 1;
        if (quiet == QUIET_LOOKS)
            break;
        nanosleep(&pace, NULL);
    }
    return code;
}
