/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * source.h: reading log files, event by event, and telling what is wrong with them.
 *
 * A file is open only while it is read: jobs have more ranks than processes may have open files.
 */
#ifndef SHUNT_TOOLS_LOG_SOURCE_H
#define SHUNT_TOOLS_LOG_SOURCE_H

#include <sys/types.h>

#include "tools/log/event.h"

struct shunt_logs_progress;

struct shunt_logs_file {
    const char *path; /* "-": standard input */
    off_t offset;     /* what was read, whole lines */
    uint64_t line;    /* lines before that */
    uint64_t blank;   /* of these, empty ones */
    dev_t device;
    ino_t inode;
    bool seen;     /* the file was there */
    bool stream;   /* no regular file: its end is its end */
    bool given_up; /* nothing more is read: it cannot be, or is no log that is understood */
    bool ended;    /* the summary of ... */
    int ended_rank;
    double origin; /* of the times that follow, seconds since 1970 */
    double last;   /* time of the last event that has one, likewise */
    uint64_t events;
    /* Lines that are none of a log, and the first of them. */
    uint64_t wrong, wrong_line;
    bool wrong_people; /* it is a line for people */
};

struct shunt_logs_reader {
    struct shunt_logs_parser *parser;
    struct shunt_logs_progress *progress;
    /* Gets each event. Its time has become that since 1970, of one without a time that of the event
     * before it in the file. `line` has no newline. Returns SHUNT_EXIT_OK, or what ends all. */
    int (*event)(void *context, const struct shunt_logs_event *event, const char *line,
                 size_t length);
    void *context;
    bool follow;            /* what lacks its newline is left for later; nothing to complain of */
    int code;               /* the worst that was found in files, an exit code */
    uint64_t cut, cut_line; /* lines that end too early, and the first of them */
    const char *cut_path;
    char *bytes; /* the reader's own */
    size_t capacity;
};

/* False: memory is short. */
bool shunt_logs_reader_open(struct shunt_logs_reader *reader);
void shunt_logs_reader_close(struct shunt_logs_reader *reader);

/* Bytes of all files that say how long they are, 0 when one does not. */
uint64_t shunt_logs_total(char *const *paths, int count);

/* Reads on where the file was left. Returns SHUNT_EXIT_OK (also when there is something wrong with
 * the file: that is in reader->code), or what `event` returned. */
int shunt_logs_read(struct shunt_logs_reader *reader, struct shunt_logs_file *file);

/* Reads all files to their ends. Returns as shunt_logs_read. */
int shunt_logs_read_all(struct shunt_logs_reader *reader, struct shunt_logs_file *files,
                        char *const *paths, int count);
/* Tells what was wrong with them, where `code` is good; returns the worst of it and `code`. */
int shunt_logs_judge_all(struct shunt_logs_reader *reader, const struct shunt_logs_file *files,
                         int count, int code);

/* All of the file has been read: tells what was wrong with its lines. */
void shunt_logs_judge(struct shunt_logs_reader *reader, const struct shunt_logs_file *file);
/* All files have been: tells of the lines that end too early. */
void shunt_logs_judge_cut(struct shunt_logs_reader *reader);

#endif
