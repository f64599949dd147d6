/* SPDX-License-Identifier: BSD-3-Clause */
/* page.h: the page of scripts/papers: what each paper says and what was found, and the drawings. */
#ifndef SHUNT_PAPERS_PAGE_H
#define SHUNT_PAPERS_PAGE_H

#include "log/text.h"
#include "tools/papers/rows.h"

/* HTML 5 that is XML too and needs nothing but itself. results: of judge.awk; figures: of
 * figures.awk, whose drawings are in `folder`/figures. */
void papers_page_put(struct shunt_log_text *text, const struct papers_rows *results,
                     const struct papers_rows *figures, const char *folder);

#endif
