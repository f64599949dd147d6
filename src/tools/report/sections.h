/* SPDX-License-Identifier: BSD-3-Clause */
/* sections.h: what the parts of the page share. Each appends to the text; what cannot be had for
 * want of memory sets `cut` there. */
#ifndef SHUNT_TOOLS_REPORT_SECTIONS_H
#define SHUNT_TOOLS_REPORT_SECTIONS_H

#include "tools/report/report.h"
#include "tools/svg.h"

/* style.c */
extern const char shunt_report_style[];

/* A heading with its text, which a section has in front; and its end. */
void shunt_html_section(struct shunt_log_text *text, const char *id, const char *heading);
void shunt_html_section_end(struct shunt_log_text *text);
/* A paragraph. */
void shunt_html_say(struct shunt_log_text *text, const char *class, const char *string);
/* What words.c and src/log put, with `plain` of fixed room behind them. */
struct shunt_html_words {
    char bytes[2048];
    struct shunt_log_text text; /* begin with shunt_html_words */
};
void shunt_html_words_begin(struct shunt_html_words *words);
/* The words as a string. */
const char *shunt_html_words_end(struct shunt_html_words *words);
/* A swatch of a legend, by the class of its colour. */
void shunt_html_key(struct shunt_log_text *text, const char *class, const char *letter,
                    const char *string);

/* tables_html.c: a section each. */
void shunt_html_groups(struct shunt_log_text *text, struct shunt_report *report);
void shunt_html_ranks(struct shunt_log_text *text, const struct shunt_report *report);
void shunt_html_unused(struct shunt_log_text *text, const struct shunt_report *report);
void shunt_html_what_if(struct shunt_log_text *text, const struct shunt_report *report);
void shunt_html_rows(struct shunt_log_text *text, const struct shunt_report *report);

/* plots.c: a section each. */
void shunt_html_timeline(struct shunt_log_text *text, const struct shunt_report *report);
void shunt_html_histogram(struct shunt_log_text *text, const struct shunt_report *report);
/* A drawing. */
void shunt_html_imbalance(struct shunt_log_text *text, const struct shunt_report *report);

/* map.c: the table, with the calls. */
void shunt_html_map(struct shunt_log_text *text, const struct shunt_report *report);

#endif
