/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * event.h: the lines of the log that are about no call: the first one, communicators, the clock,
 * the cap. Each appends its line with the newline, for people or as JSON.
 */
#ifndef SHUNT_LOG_EVENT_H
#define SHUNT_LOG_EVENT_H

#include <sys/types.h>
#include <time.h>

#include "log/record.h"
#include "log/text.h"

/* The form of the log: a number for what its keys mean. */
enum { SHUNT_LOG_SCHEMA = 1 };

/* What the first line tells. Strings may be NULL: not known, or there is none. */
struct shunt_log_header {
    char host[256], library[256], job[256], command[520]; /* "": likewise */
    const char *launcher;
    pid_t process;
    int rank, ranks; /* negative, and not positive: not known */
    time_t date;     /* when the log was opened */
    bool table_known;
    struct shunt_log_table table;
};

/* All but the table, which may become known until the line is written. `library`: as in struct
 * shunt_log_options. */
void shunt_log_header_fill(struct shunt_log_header *header, int rank, int ranks,
                           const char *library);

void shunt_log_header_human(struct shunt_log_text *text, const struct shunt_log_header *header);
void shunt_log_header_json(struct shunt_log_text *text, const struct shunt_log_header *header);

/* rank: of the world, -1 when unknown; time: nanoseconds since 1970, -1
 * likewise. */
void shunt_log_communicator_human(struct shunt_log_text *text,
                                  const struct shunt_log_communicator *communicator);
void shunt_log_communicator_json(struct shunt_log_text *text,
                                 const struct shunt_log_communicator *communicator, int rank,
                                 int64_t time);

void shunt_log_clock_human(struct shunt_log_text *text, int64_t offset, int64_t uncertainty);
void shunt_log_clock_json(struct shunt_log_text *text, int rank, int64_t offset,
                          int64_t uncertainty);

/* The log has reached its cap of so many bytes. */
void shunt_log_cap_human(struct shunt_log_text *text, int64_t size);
void shunt_log_cap_json(struct shunt_log_text *text, int rank, int64_t size);

#endif
