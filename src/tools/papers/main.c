/* SPDX-License-Identifier: BSD-3-Clause */
/* main.c: papers-page FOLDER: the drawings and the page of scripts/papers, from the tables that it
 * has written into FOLDER. Not installed. */
#include <stdio.h>
#include <stdlib.h>

#include "tools/papers/figure.h"
#include "tools/papers/page.h"
#include "tools/svg.h"
#include "tools/tool.h"

static int draw(const struct papers_rows *figures, size_t i, const char *folder)
{
    struct papers_rows rows;
    char path[4096];
    int code = SHUNT_EXIT_IO;
    const char *id = papers_rows_get(figures, i, "id");
    const struct papers_figure figure = {.kind = papers_rows_get(figures, i, "kind"),
                                         .title = papers_rows_get(figures, i, "title"),
                                         .subtitle = papers_rows_get(figures, i, "subtitle"),
                                         .across = papers_rows_get(figures, i, "across"),
                                         .upwards = papers_rows_get(figures, i, "upwards")};
    snprintf(path, sizeof path, "%.3000s/figures/%.200s.csv", folder, id);
    if (papers_rows_read(&rows, path)) {
        snprintf(path, sizeof path, "%.3000s/figures/%.200s.svg", folder, id);
        code = papers_figure_draw(&figure, &rows, path);
    }
    papers_rows_clear(&rows);
    return code;
}

static int make_page(const struct papers_rows *results, const struct papers_rows *figures,
                     const char *folder)
{
    struct shunt_log_text text = {.grows = true};
    char path[4096];
    for (size_t i = 0; i < figures->count; i++) {
        const int code = draw(figures, i, folder);
        if (code != SHUNT_EXIT_OK)
            return code;
    }
    papers_page_put(&text, results, figures, folder);
    snprintf(path, sizeof path, "%.3000s/index.html", folder);
    return shunt_drawing_write(&text, path);
}

int main(int argc, char **argv)
{
    struct papers_rows results = {0}, figures = {0};
    char path[4096];
    int code = SHUNT_EXIT_IO;
    if (argc != 2 || argv[1][0] == '-') {
        fputs("usage: papers-page FOLDER, which scripts/papers has filled\n", stderr);
        return SHUNT_EXIT_USAGE;
    }
    snprintf(path, sizeof path, "%.3000s/results.csv", argv[1]);
    if (papers_rows_read(&results, path)) {
        snprintf(path, sizeof path, "%.3000s/figures.csv", argv[1]);
        if (papers_rows_read(&figures, path))
            code = make_page(&results, &figures, argv[1]);
    }
    papers_rows_clear(&figures);
    papers_rows_clear(&results);
    return code;
}
