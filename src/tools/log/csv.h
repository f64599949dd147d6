/* SPDX-License-Identifier: BSD-3-Clause */
/* csv.h: calls as comma-separated values (RFC 4180), with the names of the JSON form. */
#ifndef SHUNT_TOOLS_LOG_CSV_H
#define SHUNT_TOOLS_LOG_CSV_H

#include "log/text.h"
#include "tools/log/event.h"

/* Each appends a line with its newline. What is not known is empty. */
void shunt_logs_csv_names(struct shunt_log_text *text);
void shunt_logs_csv_call(struct shunt_log_text *text, const struct shunt_logs_event *event);

/* A value and the comma behind it. Text may be NULL; negative numbers are not known. */
void shunt_logs_csv_text(struct shunt_log_text *text, const char *value);
void shunt_logs_csv_number(struct shunt_log_text *text, int64_t value);
void shunt_logs_csv_fixed(struct shunt_log_text *text, double value, int digits);

#endif
