/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * out.h: standard output without stdio, so that a reader who leaves (head, less) is no error, and a
 * line on standard error that tells how far long work is.
 */
#ifndef SHUNT_TOOLS_LOG_OUT_H
#define SHUNT_TOOLS_LOG_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct shunt_logs_out {
    bool closed; /* nobody reads any more */
    int error;   /* errno value of a failed write, 0: none */
    size_t used;
    char bytes[64 * 1024];
};

/* Both return whether there is still somebody to write for. */
bool shunt_logs_put(struct shunt_logs_out *out, const char *bytes, size_t count);
bool shunt_logs_flush(struct shunt_logs_out *out);

struct shunt_logs_progress {
    bool on; /* standard error is a terminal */
    bool visible;
    const char *what; /* "read", "written" */
    uint64_t total, done;
    double began, shown; /* seconds, of a clock of its own */
};

/* `total` bytes, 0: not known. */
void shunt_logs_progress_begin(struct shunt_logs_progress *progress, const char *what,
                               uint64_t total);
void shunt_logs_progress_add(struct shunt_logs_progress *progress, uint64_t count);
/* Takes the line away. */
void shunt_logs_progress_end(struct shunt_logs_progress *progress);

#endif
