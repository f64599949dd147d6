/* SPDX-License-Identifier: BSD-3-Clause */
/* view.h: what the parts of `shunt view` share: its options, the data that it embeds in the page,
 * and the page. */
#ifndef SHUNT_TOOLS_VIEW_VIEW_H
#define SHUNT_TOOLS_VIEW_VIEW_H

#include "tools/view/data.h"

enum { SHUNT_VIEW_TABLES = 8, SHUNT_VIEW_MACHINES = 8 };

struct shunt_view_options {
    const char *tables[SHUNT_VIEW_TABLES]; /* files or "built-in"; none: the table of this host */
    int table_count;
    const char *machines[SHUNT_VIEW_MACHINES]; /* descriptions, before those found by their names */
    int machine_count;
    char **logs; /* array of log_count, owned; its strings are not */
    int log_count;
    const char *output; /* "-": standard output */
    bool open;
};

/* Adds the calls of the logs by kind; an exit code, with the problems said. logs.c, or without.c in
 * a build that reads no JSON. */
int shunt_view_logs(struct shunt_view_data *data, const struct shunt_view_options *options);

/*
 * page.c: the page as it is installed, with other data. A page may be some megabytes.
 * text: a malloc block, NUL-terminated; [begin, end) is what the page has as its data now.
 */
struct shunt_view_page {
    char *text;
    size_t length, begin, end;
};
/* An exit code, with the problem said: there is no page, or it is of another version. */
int shunt_view_page_read(struct shunt_view_page *page);
/* Writes it with the data in their place. */
int shunt_view_page_write(const struct shunt_view_page *page, const struct shunt_view_data *data,
                          const char *path);
void shunt_view_page_clear(struct shunt_view_page *page);

#endif
