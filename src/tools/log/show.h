/* SPDX-License-Identifier: BSD-3-Clause */
/* show.h: an event as a line, in one of the forms. */
#ifndef SHUNT_TOOLS_LOG_SHOW_H
#define SHUNT_TOOLS_LOG_SHOW_H

#include "log/text.h"
#include "tools/log/options.h"

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

#endif
