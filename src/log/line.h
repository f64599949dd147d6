/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * line.h: one record as one line, for people or as JSON.
 */
#ifndef SHUNT_LOG_LINE_H
#define SHUNT_LOG_LINE_H

#include "log/record.h"
#include "log/text.h"

/* No line of a record without `send_bytes` is longer, newline included; a list of rejected rules
 * that would not fit is shortened and says by how many. */
#define SHUNT_LOG_LINE_MAX 16384

/* Appends the line with its newline. `rank`: of the world, -1 when unknown. Nanoseconds of the
 * arrival, since the date of the header and since 1970: -1 when unknown. */
void shunt_log_line_human(struct shunt_log_text *text, const struct shunt_record *record,
                          int64_t since);
void shunt_log_line_json(struct shunt_log_text *text, const struct shunt_record *record, int rank,
                         int64_t time);

/* `site.cfg:21 "small"`: what is known of the rule. */
void shunt_log_rule_human(struct shunt_log_text *text, const char *file, int line, const char *id);

#endif
