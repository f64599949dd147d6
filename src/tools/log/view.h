/* SPDX-License-Identifier: BSD-3-Clause */
/* view.h: what is printed, in the order of time. */
#ifndef SHUNT_TOOLS_LOG_VIEW_H
#define SHUNT_TOOLS_LOG_VIEW_H

#include "log/text.h"
#include "tools/log/options.h"
#include "tools/log/out.h"
#include "tools/log/sort.h"
#include "tools/log/source.h"

/* Lines that all ranks tell alike and that were printed, so many at most. */
#define SHUNT_LOGS_TOLD 4096

struct shunt_logs_view {
    const struct shunt_logs_options *options;
    struct shunt_logs_out out;
    struct shunt_logs_progress progress;
    struct shunt_sort *sort;     /* what was read since the last output */
    struct shunt_log_text text;  /* of a line */
    struct shunt_log_text whole; /* likewise, before it is folded */
    uint64_t sequence;           /* of the events read: keeps the order of equal times */
    uint64_t bytes;              /* in `sort` */
    bool started;
    double start;                   /* the earliest time, seconds since 1970 */
    uint64_t told[SHUNT_LOGS_TOLD]; /* hashes, open addressing; 0: free */
    size_t told_count;
};

/* For shunt_logs_reader: keeps an event that is asked for. The context is the view. */
int shunt_logs_view_event(void *context, const struct shunt_logs_event *event, const char *line,
                          size_t length);
/* Prints what was kept. Returns an exit code, after telling of errors; also OK where nobody reads
 * any more. */
int shunt_logs_view_print(struct shunt_logs_view *view);
/* What puts lines in order; NULL after telling that memory is short. */
struct shunt_sort *shunt_logs_sort_new(const struct shunt_logs_options *options);
/* Tells of an error of sorting; returns the exit code. */
int shunt_logs_sort_failed(int error);
/* Prints what people read, in lines of any length if it is `wide`. Returns an exit code, after
 * telling of errors. */
int shunt_logs_put_lines(struct shunt_logs_out *out, const struct shunt_log_text *lines, bool wide);
/* Tells of an error of writing; returns the exit code. */
int shunt_logs_out_code(const struct shunt_logs_out *out);

/* `shunt log -f`: reads on until every file has had its summary, or until an interrupt. */
int shunt_logs_follow(struct shunt_logs_view *view, struct shunt_logs_reader *reader,
                      struct shunt_logs_file *files, int count);

#endif
