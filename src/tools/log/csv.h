/* SPDX-License-Identifier: BSD-3-Clause */
/* csv.h: calls as comma-separated values (RFC 4180), with the names of the JSON form. */
#ifndef SHUNT_TOOLS_LOG_CSV_H
#define SHUNT_TOOLS_LOG_CSV_H

#include "log/text.h"
#include "tools/log/event.h"

/* Each appends a line with its newline. What is not known is empty. */
void shunt_logs_csv_names(struct shunt_log_text *text);
void shunt_logs_csv_call(struct shunt_log_text *text, const struct shunt_logs_event *event);

#endif
