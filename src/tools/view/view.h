/* SPDX-License-Identifier: BSD-3-Clause */
/* view.h: pages of the viewer (src/viewer) with data in them, for every command that writes one. */
#ifndef SHUNT_TOOLS_VIEW_VIEW_H
#define SHUNT_TOOLS_VIEW_VIEW_H

#include <stdbool.h>
#include <string.h>

#include "tools/view/data.h"

enum { SHUNT_VIEW_TABLES = 8, SHUNT_VIEW_MACHINES = 8 };

struct shunt_view_machine {
    const char *name, *path; /* what the page calls it, and the file; not NULL */
    struct shunt_machine machine;
};

/* What is in a page. Descriptions of machines that are found by their names are there anyway. */
struct shunt_view_content {
    const struct shunt_table *tables[SHUNT_VIEW_TABLES]; /* the one that counts first */
    int table_count;
    const struct shunt_view_machine
        *machines; /* array of machine_count, which the page shows first */
    int machine_count;
    /* Further members of the data (view.schema.json). An exit code, after saying what is wrong; the
     * page is written up to SHUNT_EXIT_FINDINGS. */
    int (*put)(struct shunt_json *json, void *context);
    void *context;
};

/* write.c: the whole page to a file; "-": to standard output. An exit code, after saying what is
 * wrong; 4: no page is installed, among others. */
int shunt_view_write(const struct shunt_view_content *content, const char *path);
/* Whether the page is all that standard output has room for. path: of --html, or NULL. */
static inline bool shunt_view_alone(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

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
