/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * line.h: one record as one line, for people or as JSON.
 */
#ifndef SHUNT_LOG_LINE_H
#define SHUNT_LOG_LINE_H

#include "log/log.h"
#include "log/text.h"

/* No line of a record is longer, newline included; a list of rejected rules that would not fit is
 * shortened and says by how many. */
#define SHUNT_LOG_LINE_MAX 16384

/* Appends the line with its newline. `rank`: of the world, -1 when unknown. */
void shunt_log_line_human(struct shunt_log_text *text, const struct shunt_record *record);
void shunt_log_line_json(struct shunt_log_text *text, const struct shunt_record *record, int rank);

/* `site.cfg:21 "small"`: what is known of the rule. The JSON form is an object, or null without a
 * file. */
void shunt_log_rule_human(struct shunt_log_text *text, const char *file, int line, const char *id);
void shunt_log_rule_json(struct shunt_log_text *text, const char *file, int line, const char *id);

/* `, "name": ` and the value; for lists of members. A negative number is unknown and leaves the
 * member out. */
void shunt_log_member(struct shunt_log_text *text, const char *name);
void shunt_log_member_string(struct shunt_log_text *text, const char *name, const char *value);
void shunt_log_member_unsigned(struct shunt_log_text *text, const char *name, uint64_t value);
void shunt_log_member_known(struct shunt_log_text *text, const char *name, int64_t value);
void shunt_log_member_fixed(struct shunt_log_text *text, const char *name, double value,
                            int digits);

#endif
