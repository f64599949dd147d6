/* SPDX-License-Identifier: BSD-3-Clause */
/* view.h: what is printed and how: lines in the order of time, and their output. */
#ifndef SHUNT_TOOLS_LOG_VIEW_H
#define SHUNT_TOOLS_LOG_VIEW_H

#include "log/text.h"
#include "tools/log/options.h"
#include "tools/log/sort.h"
#include "tools/log/source.h"

/* out.c: standard output without stdio, so that a reader who leaves (head, less) is no error, and a
 * line on standard error that tells how far long work is. */
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

/* show.c: an event as a line, in one of the forms. */
/* A name that people and CSV need beside the identifier: "row/01234567". */
void shunt_logs_show_communicator(struct shunt_log_text *text, const char *name, const char *id);

/*
 * Appends the line with its newline, in people's form without the time. False: that form has none
 * for such an event. *once: every rank tells the same, which people read once. `line` is as it
 * stands in the file, without its newline.
 */
bool shunt_logs_show(struct shunt_log_text *text, enum shunt_logs_form form,
                     const struct shunt_logs_event *event, const char *line, size_t length,
                     bool *once);

/* csv.c: the names, and a call; each appends a line with its newline. */
void shunt_logs_csv_names(struct shunt_log_text *text);
void shunt_logs_csv_call(struct shunt_log_text *text, const struct shunt_logs_event *event);

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
