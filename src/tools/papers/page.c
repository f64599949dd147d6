/* SPDX-License-Identifier: BSD-3-Clause */
/* page.c: see page.h. */
#include "tools/papers/page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "tools/report/sections.h"
#include "tools/svg.h"

static const struct {
    const char *number, *name;
} papers[] = {
    {"000", "Optimizing the Bruck Algorithm for Non-uniform All-to-all (Fan and others, 2022)"},
    {"001", "Parameterized Radix-r Bruck Algorithm (Fan and Kumar)"},
    {"002", "Parameterized Algorithms for Non-uniform All-to-all (Fan and others, 2025)"},
    {"004", "Energy, Memory, and Runtime Tradeoffs (Hoefler and Moor, 2014)"}};
enum { PAPERS = sizeof papers / sizeof papers[0] };

/* Verdicts, their classes on the page and what they mean. */
static const struct {
    const char *name, *class, *meaning;
} verdicts[] = {
    {"reproduced", "good",
     "what the paper says holds here; a gain is at least four fifths of the paper's"},
    {"exceeded", "good", "a gain more than a quarter above the paper's"},
    {"partly", "some", "the same direction, but a smaller gain; or in half of the cases"},
    {"not reproduced", "bad", "not so here; the row says why, as far as it is known"},
    {"not clear", "none", "measured, but the intervals of the two times overlap"},
    {"not measured", "none", "nothing there that answers; the row says what would"}};
enum { VERDICTS = sizeof verdicts / sizeof verdicts[0] };

static const char style[] =
    ".mark { display: inline-block; border-radius: 4px; padding: 0 7px; white-space: nowrap;\n"
    "  border: 1px solid var(--line) } .tile .mark { display: inline-block; color: inherit }\n"
    ".good { background: #d7efe4 } .some { background: #fbeccb } .bad { background: #f9d9cb }\n"
    ".none { background: var(--card) } @media (prefers-color-scheme: dark) {\n"
    "  .good { background: #14503b } .some { background: #5b4510 } .bad { background: #6a2f16 } }\n"
    "main, header, footer { max-width: 1240px } .tiles { grid-template-columns:\n"
    "  repeat(auto-fit, minmax(170px, 1fr)) } .claims { min-width: 1000px }\n"
    ".claims td { overflow-wrap: break-word } .claims td.what { min-width: 19ch; max-width: 40ch "
    "}\n"
    ".what b, .at b { font-weight: 600 } .what span { display: block; color: var(--muted) }\n"
    ".claims td.why { min-width: 24ch; color: var(--muted) } .claims td.at { min-width: 20ch }\n"
    ".claims td.own { min-width: 13ch } .claims code { overflow-wrap: normal }\n"
    "figure { margin: 26px 0 } figcaption { font-size: 14px; color: var(--muted) }\n"
    "figure svg { max-width: 900px }\n"
    "@media (max-width: 520px) { .tiles { grid-template-columns: 1fr 1fr } }\n";

static void put(struct shunt_log_text *text, const char *string)
{
    shunt_log_text_string(text, string);
}

static const char *class_of(const char *verdict)
{
    for (int i = 0; i < VERDICTS; i++)
        if (strcmp(verdicts[i].name, verdict) == 0)
            return verdicts[i].class;
    return "none";
}

static void put_cell(struct shunt_log_text *text, const char *class, const char *value)
{
    put(text, "<td class=\"");
    put(text, class);
    put(text, "\">");
    shunt_drawing_escape(text, value);
    put(text, "</td>\n");
}

static void put_mark(struct shunt_log_text *text, const char *verdict)
{
    put(text, "<span class=\"mark ");
    put(text, class_of(verdict));
    put(text, "\">");
    shunt_drawing_escape(text, verdict);
    put(text, "</span>");
}

/* How many rows after `first` are of the same claim, itself included. */
static size_t rows_of_claim(const struct papers_rows *results, size_t first)
{
    const char *claim = papers_rows_get(results, first, "claim");
    size_t count = 1;
    while (first + count < results->count &&
           strcmp(papers_rows_get(results, first + count, "claim"), claim) == 0)
        count++;
    return count;
}

/* "model: polaris-like", and what it was asked. */
static void put_where(struct shunt_log_text *text, const struct papers_rows *results, size_t i)
{
    const char *machine = papers_rows_get(results, i, "machine");
    put(text, "<td class=\"at\"><b>");
    shunt_drawing_escape(text, papers_rows_get(results, i, "source"));
    put(text, "</b>");
    if (machine[0]) {
        put(text, " ");
        shunt_drawing_escape(text, machine);
    }
    if (papers_rows_get(results, i, "condition")[0]) {
        put(text, "<br/>");
        shunt_drawing_escape(text, papers_rows_get(results, i, "condition"));
    }
    put(text, "</td>\n");
}

/* Once for all rows of a claim: where it stands and what it says, and further on the number. */
static void put_spanning(struct shunt_log_text *text, const struct papers_rows *results, size_t i,
                         bool number, size_t rows)
{
    char bytes[64];
    snprintf(bytes, sizeof bytes, "<td class=\"%s\" rowspan=\"%zu\">", number ? "n" : "what", rows);
    put(text, bytes);
    if (!number) {
        put(text, "<span>");
        shunt_drawing_escape(text, papers_rows_get(results, i, "place"));
        put(text, "</span>");
    }
    shunt_drawing_escape(text, papers_rows_get(results, i, number ? "number" : "what"));
    put(text, "</td>\n");
}

/* Why it is not so, or what would answer. */
static void put_why(struct shunt_log_text *text, const struct papers_rows *results, size_t i)
{
    const char *command = papers_rows_get(results, i, "command");
    if (!command[0]) {
        put_cell(text, "why", papers_rows_get(results, i, "why"));
        return;
    }
    put(text, "<td class=\"why\">try <code>");
    shunt_drawing_escape(text, command);
    put(text, "</code></td>\n");
}

static void put_claim(struct shunt_log_text *text, const struct papers_rows *results, size_t first,
                      size_t rows)
{
    for (size_t i = first; i < first + rows; i++) {
        const char *unit = papers_rows_get(results, i, "unit");
        char value[80];
        put(text, "<tr>\n");
        if (i == first)
            put_spanning(text, results, i, false, rows);
        put(text, "<td>");
        put_mark(text, papers_rows_get(results, i, "verdict"));
        put(text, "</td>\n");
        if (i == first)
            put_spanning(text, results, i, true, rows);
        snprintf(value, sizeof value, "%.40s%s%.8s", papers_rows_get(results, i, "ours"),
                 unit[0] ? " " : "", unit);
        put_cell(text, "n", value);
        put_where(text, results, i);
        put_cell(text, "own", papers_rows_get(results, i, "own"));
        put_why(text, results, i);
        put(text, "</tr>\n");
    }
}

static void put_claims(struct shunt_log_text *text, const struct papers_rows *results,
                       const char *paper)
{
    put(text, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Claims of paper ");
    put(text, paper);
    put(text, "\">\n<table class=\"claims\">\n<thead><tr><th scope=\"col\">What the paper says</th>"
              "<th scope=\"col\">Verdict</th><th scope=\"col\" class=\"n\">Paper</th>"
              "<th scope=\"col\" class=\"n\">Ours</th><th scope=\"col\">Source of ours</th>"
              "<th scope=\"col\">Best of Shunt's own,<br/>against native</th>"
              "<th scope=\"col\">Why not</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < results->count;) {
        const size_t rows = rows_of_claim(results, i);
        if (strcmp(papers_rows_get(results, i, "paper"), paper) == 0)
            put_claim(text, results, i, rows);
        i += rows;
    }
    put(text, "</tbody>\n</table>\n</div>\n");
}

/* The drawing itself, without the line that makes it a file. */
static void put_drawing(struct shunt_log_text *text, const char *path)
{
    char *bytes = papers_file_read(path);
    const char *svg = bytes ? strstr(bytes, "<svg") : NULL;
    if (svg)
        put(text, svg);
    text->cut = text->cut || !svg;
    free(bytes);
}

static void put_figures(struct shunt_log_text *text, const struct papers_rows *figures,
                        const char *folder, const char *paper)
{
    for (size_t i = 0; i < figures->count; i++) {
        const char *id = papers_rows_get(figures, i, "id");
        char path[4096];
        if (strcmp(papers_rows_get(figures, i, "paper"), paper) != 0)
            continue;
        snprintf(path, sizeof path, "%.3000s/figures/%.200s.svg", folder, id);
        put(text, "<figure id=\"f-");
        shunt_drawing_escape(text, id);
        put(text, "\">\n<div class=\"scroll\">\n");
        put_drawing(text, path);
        put(text, "</div>\n<figcaption>");
        shunt_drawing_escape(text, papers_rows_get(figures, i, "title"));
        put(text, "; ");
        shunt_drawing_escape(text, papers_rows_get(figures, i, "subtitle"));
        snprintf(path, sizeof path,
                 ". <a href=\"figures/%.200s.csv\">Numbers</a>, <a href=\"figures/%.200s.svg\">"
                 "drawing</a></figcaption>\n</figure>\n",
                 id, id);
        put(text, path);
    }
}

static bool has_paper(const struct papers_rows *results, const char *paper)
{
    for (size_t i = 0; i < results->count; i++)
        if (strcmp(papers_rows_get(results, i, "paper"), paper) == 0)
            return true;
    return false;
}

static void put_tiles(struct shunt_log_text *text, const struct papers_rows *results)
{
    put(text, "<div class=\"tiles\">\n");
    for (int v = 0; v < VERDICTS; v++) {
        char bytes[64];
        size_t count = 0;
        for (size_t i = 0; i < results->count; i++)
            count += strcmp(papers_rows_get(results, i, "verdict"), verdicts[v].name) == 0;
        snprintf(bytes, sizeof bytes, "<div class=\"tile\"><b>%zu</b><span>", count);
        put(text, bytes);
        put_mark(text, verdicts[v].name);
        put(text, " ");
        put(text, verdicts[v].meaning);
        put(text, "</span></div>\n");
    }
    put(text, "</div>\n");
}

static void put_head(struct shunt_log_text *text, const struct papers_rows *results)
{
    put(text, "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n"
              "<meta charset=\"utf-8\"/>\n"
              "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
              "<title>What the papers say, and what was found</title>\n<style>\n");
    put(text, shunt_report_style);
    put(text, style);
    put(text,
        "</style>\n</head>\n<body>\n<header>\n<h1>What the papers say, and what was found</h1>\n"
        "<p>A row for each table, figure and headline claim, and for each source that has an "
        "answer. Verdicts are made of the two numbers alone, by one rule for all.</p>\n");
    put_tiles(text, results);
    put(text, "<nav aria-label=\"Papers\">\n");
    for (int p = 0; p < PAPERS; p++) {
        char bytes[64];
        if (!has_paper(results, papers[p].number))
            continue;
        snprintf(bytes, sizeof bytes, "<a href=\"#p%s\">Paper %s</a>\n", papers[p].number,
                 papers[p].number);
        put(text, bytes);
    }
    put(text, "<a href=\"#how\">Sources</a>\n</nav>\n</header>\n");
}

static void put_footer(struct shunt_log_text *text)
{
    static const char *const notes[] = {
        "node: measured by shunt bench with ranks on one node, more of them than it has "
        "processors; "
        "they yield while they wait.",
        "hosts: the same on network namespaces of one machine, with TCP between them.",
        "application: whole programs, native and routed in turn.",
        "model: predicted by shunt predict for a described machine; nothing ran. Where sizes are "
        "random and ranks are many, equal blocks of half the largest stand for them.",
        "simulation: the algorithms' own code under SimGrid (scripts/simulate), on a described "
        "platform. simulation/model: of an algorithm, beside the model's time of direct exchange, "
        "which takes the simulator too long among so many ranks (borrowed.csv).",
        "count: of messages and blocks of a schedule. formula: closed forms as printed.",
        "Ours are medians, of the slowest rank; of several settings the fastest counts, as in the "
        "papers. Paper numbers are for thousands of ranks; sources with few ranks are asked at the "
        "most that they have."};
    put(text, "<footer>\n<h2 id=\"how\">Sources</h2>\n");
    for (size_t i = 0; i < sizeof notes / sizeof notes[0]; i++) {
        put(text, "<p class=\"note\">");
        put(text, notes[i]);
        put(text, "</p>\n");
    }
    put(text, "<p class=\"note\">All numbers: <a href=\"results.csv\">results.csv</a>, "
              "<a href=\"times.csv\">times.csv</a>. Made by scripts/papers, " PACKAGE_STRING
              ".</p>\n</footer>\n</body>\n</html>\n");
}

void papers_page_put(struct shunt_log_text *text, const struct papers_rows *results,
                     const struct papers_rows *figures, const char *folder)
{
    put_head(text, results);
    put(text, "<main>\n");
    for (int p = 0; p < PAPERS; p++) {
        if (!has_paper(results, papers[p].number))
            continue;
        put(text, "<section>\n<h2 id=\"p");
        put(text, papers[p].number);
        put(text, "\">Paper ");
        put(text, papers[p].number);
        put(text, ": ");
        put(text, papers[p].name);
        put(text, "</h2>\n");
        put_claims(text, results, papers[p].number);
        put_figures(text, figures, folder, papers[p].number);
        put(text, "</section>\n");
    }
    put(text, "</main>\n");
    put_footer(text);
}
