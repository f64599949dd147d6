/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * output.h: where lines go: a file of a name made from a pattern, or stderr. Unbuffered; whole
 * lines in, whole lines out.
 *
 * Nothing here raises a signal, blocks for long or changes the application's descriptors. Failures
 * are returned as errno values.
 */
#ifndef SHUNT_LOG_OUTPUT_H
#define SHUNT_LOG_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct shunt_log_output {
    int fd;
    bool owned; /* opened here; otherwise stderr */
    dev_t device;
    ino_t inode;
};

/*
 * Replaces %j (job), %s (step), %t (times the job was begun anew), %h (host), %r (rank), %p
 * (process id) and %% in `pattern`. `path` has
 * `capacity` bytes. An unknown sequence is kept and told in `unknown` (its character, 0 when there
 * is none). Returns 0 or ENAMETOOLONG.
 */
int shunt_log_path(const char *pattern, int rank, char *path, size_t capacity, char *unknown);
/* Whether the pattern has %r or %p: then each rank has a file of its own. */
bool shunt_log_path_is_own(const char *pattern);

/* Opens a file for appending, made when missing (its directory is not). Returns 0 or an errno
 * value. */
int shunt_log_output_open(struct shunt_log_output *output, const char *path);
void shunt_log_output_stderr(struct shunt_log_output *output);
void shunt_log_output_close(struct shunt_log_output *output);

/*
 * Writes whole lines so that other processes' lines cannot come between their bytes: one write() to
 * a file, pieces of at most PIPE_BUF that end with a line elsewhere. Returns 0 or an errno value;
 * EBADF also when the application closed the descriptor and it is another file now.
 */
int shunt_log_output_write(const struct shunt_log_output *output, const char *bytes, size_t count);

#endif
