/* SPDX-License-Identifier: BSD-3-Clause */
/* output.c: where lines go: standard error or a file, whole lines only. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "log/output.h"

/* How long a full pipe may hold up the application before the log gives up, in milliseconds. */
#define PATIENCE 1000

int shunt_log_output_open(struct shunt_log_output *output, const char *path)
{
    struct stat status;
    /* O_NONBLOCK: a FIFO that nobody reads is an error (ENXIO), not a hang. */
    int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0666);
    if (fd < 0)
        return errno;
    if (fd <= STDERR_FILENO) {
        /* The application closed a standard stream: what it prints there must not end up in the
         * log. */
        const int higher = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        const int error = errno;
        close(fd);
        if (higher < 0)
            return error;
        fd = higher;
    }
    if (fstat(fd, &status) != 0) {
        const int error = errno;
        close(fd);
        return error;
    }
    *output = (struct shunt_log_output){
        .fd = fd, .owned = true, .device = status.st_dev, .inode = status.st_ino};
    return 0;
}

void shunt_log_output_stderr(struct shunt_log_output *output)
{
    *output = (struct shunt_log_output){.fd = STDERR_FILENO};
}

/* An application may close every descriptor it does not know and open files of its own under their
 * numbers. */
static bool still_ours(const struct shunt_log_output *output, struct stat *status)
{
    if (fstat(output->fd, status) != 0)
        return false;
    return !output->owned || (status->st_dev == output->device && status->st_ino == output->inode);
}

void shunt_log_output_close(struct shunt_log_output *output)
{
    struct stat status;
    if (output->owned && still_ours(output, &status))
        close(output->fd);
    *output = (struct shunt_log_output){.fd = -1};
}

static void wait_writable(int fd)
{
    struct pollfd ready = {.fd = fd, .events = POLLOUT};
    while (poll(&ready, 1, PATIENCE) < 0 && errno == EINTR)
        ;
}

/* Bytes of the next write(): everything for a file, whole lines up to what a pipe takes undivided
 * otherwise. */
static size_t next_piece(const char *bytes, size_t count, bool regular)
{
    if (regular || count <= PIPE_BUF)
        return count;
    size_t piece = PIPE_BUF;
    while (piece > 0 && bytes[piece - 1] != '\n')
        piece--;
    if (piece > 0)
        return piece;
    const char *end = memchr(bytes, '\n', count);
    return end ? (size_t)(end - bytes) + 1 : count;
}

static int write_pieces(int fd, const char *bytes, size_t count, bool regular)
{
    bool waited = false;
    while (count > 0) {
        const ssize_t written = write(fd, bytes, next_piece(bytes, count, regular));
        if (written > 0) {
            bytes += written;
            count -= (size_t)written;
            waited = false;
        } else if (written < 0 && errno == EAGAIN && !waited) {
            wait_writable(fd);
            waited = true;
        } else if (written == 0 || errno != EINTR) {
            return written == 0 ? EIO : errno;
        }
    }
    return 0;
}

/*
 * A reader that went away (SIGPIPE) or a file size limit (SIGXFSZ) must not end the application:
 * the signals are blocked in this thread around the write, and one that the write raised is taken
 * off the queue before they are unblocked.
 */
static int write_quietly(int fd, const char *bytes, size_t count, bool regular)
{
    sigset_t ours, before, pending;
    sigemptyset(&ours);
    sigaddset(&ours, SIGPIPE);
    sigaddset(&ours, SIGXFSZ);
    sigemptyset(&pending);
    sigpending(&pending);
    if (pthread_sigmask(SIG_BLOCK, &ours, &before) != 0)
        return EINVAL;
    const int error = write_pieces(fd, bytes, count, regular);
    const int signal = error == EPIPE ? SIGPIPE : error == EFBIG ? SIGXFSZ : 0;
    if (signal != 0 && sigismember(&pending, signal) == 0) {
        const struct timespec now = {0};
        sigset_t raised;
        sigemptyset(&raised);
        sigaddset(&raised, signal);
        while (sigtimedwait(&raised, NULL, &now) < 0 && errno == EINTR)
            ;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

int shunt_log_output_write(const struct shunt_log_output *output, const char *bytes, size_t count)
{
    struct stat status;
    if (count == 0)
        return 0;
    if (!still_ours(output, &status))
        return EBADF;
    return write_quietly(output->fd, bytes, count, S_ISREG(status.st_mode) != 0);
}
