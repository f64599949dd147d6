/* SPDX-License-Identifier: BSD-3-Clause */
/* svg.c: see svg.h. Colours are told apart with all common kinds of colour blindness as far as
 * twelve can be: they differ in brightness too, and nothing is told by colour alone. */
#include "tools/svg.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "tools/tool.h"

void shunt_drawing_escape(struct shunt_log_text *text, const char *string)
{
    struct shunt_log_text plain = {.grows = true};
    shunt_log_text_whole(&plain, string);
    text->cut = text->cut || plain.cut;
    for (size_t i = 0; i < plain.used; i++) {
        const char c = plain.bytes[i];
        if (c == '&')
            shunt_log_text_string(text, "&amp;");
        else if (c == '<')
            shunt_log_text_string(text, "&lt;");
        else if (c == '>')
            shunt_log_text_string(text, "&gt;");
        else if (c == '"')
            shunt_log_text_string(text, "&quot;");
        else
            shunt_log_text_put(text, &c, 1);
    }
    free(plain.bytes);
}

/* ` name="12.5"` */
static void put_length(struct shunt_log_text *text, const char *name, double value)
{
    char bytes[64];
    snprintf(bytes, sizeof bytes, " %s=\"%.1f\"", name, value);
    shunt_log_text_string(text, bytes);
}

static void put_class(struct shunt_log_text *text, const char *class)
{
    shunt_log_text_string(text, " class=\"");
    shunt_log_text_string(text, class);
    shunt_log_text_string(text, "\"");
}

/* Ends an element, with its hint. */
static void put_hint(struct shunt_log_text *text, const char *element, const char *hint)
{
    if (!hint) {
        shunt_log_text_string(text, "/>\n");
        return;
    }
    shunt_log_text_string(text, "><title>");
    shunt_drawing_escape(text, hint);
    shunt_log_text_string(text, "</title></");
    shunt_log_text_string(text, element);
    shunt_log_text_string(text, ">\n");
}

void shunt_drawing_begin(struct shunt_log_text *text, int width, int height, const char *id,
                         const char *title, const char *description)
{
    char bytes[320];
    snprintf(bytes, sizeof bytes,
             "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\" "
             "aria-labelledby=\"%.60s-t %.60s-d\">\n",
             width, height, id, id);
    shunt_log_text_string(text, bytes);
    snprintf(bytes, sizeof bytes, "<title id=\"%.60s-t\">", id);
    shunt_log_text_string(text, bytes);
    shunt_drawing_escape(text, title);
    snprintf(bytes, sizeof bytes, "</title><desc id=\"%.60s-d\">", id);
    shunt_log_text_string(text, bytes);
    shunt_drawing_escape(text, description);
    shunt_log_text_string(text, "</desc>\n");
}

static const char *const light[SHUNT_DRAWING_COLOURS] = {
    "#9fb3c8", "#e69f00", "#56b4e9", "#009e73", "#d8c93a", "#0072b2",
    "#d55e00", "#cc79a7", "#8c6d46", "#7fc97f", "#b39ddb", "#5f6b75"};
static const char *const dark[SHUNT_DRAWING_COLOURS] = {"#62788f", "#c48800", "#3f93c4", "#008a64",
                                                        "#a89b1e", "#2f8fd0", "#e0752a", "#c06a9a",
                                                        "#a58457", "#5fa75f", "#8f78c2", "#8b98a3"};

static const char style[] =
    "text { font-family: system-ui, sans-serif; fill: #1d2733 }\n"
    ".ground { fill: #ffffff } .title { font-size: 17px; font-weight: 600 }\n"
    ".subtitle, .label { font-size: 13px } .head { font-size: 13px; font-weight: 600 }\n"
    ".small { font-size: 11px } .cell { font-size: 12px; fill: #10161d }\n"
    ".rule { stroke: #d5dbe2; stroke-width: 1 } .frame { stroke: #55606c; stroke-width: 1 }\n"
    ".curve { fill: none; stroke-width: 2; stroke-linejoin: round }\n"
    ".disc { stroke: #ffffff; stroke-width: 1.5 }\n"
    ".clear { fill: transparent } .clear:hover { fill: #1d2733; fill-opacity: 0.12 }\n";

static const char style_dark[] =
    "text { fill: #e4e9ee } .ground { fill: #161b22 } .cell { fill: #ffffff }\n"
    ".rule { stroke: #343d48 } .frame { stroke: #9aa6b2 } .disc { stroke: #161b22 }\n"
    ".clear:hover { fill: #e4e9ee }\n";

static void put_colours(struct shunt_log_text *text, const char *const *colours)
{
    char bytes[96];
    for (int i = 0; i < SHUNT_DRAWING_COLOURS; i++) {
        snprintf(bytes, sizeof bytes, ".f%d { fill: %s; background: %s } .s%d { stroke: %s }\n", i,
                 colours[i], colours[i], i, colours[i]);
        shunt_log_text_string(text, bytes);
    }
}

void shunt_drawing_style(struct shunt_log_text *text)
{
    shunt_log_text_string(text, style);
    put_colours(text, light);
    shunt_log_text_string(text, "@media (prefers-color-scheme: dark) {\n");
    shunt_log_text_string(text, style_dark);
    put_colours(text, dark);
    shunt_log_text_string(text, "}\n");
}

void shunt_drawing_begin_file(struct shunt_log_text *text, int width, int height, const char *title,
                              const char *subtitle)
{
    char bytes[256];
    snprintf(bytes, sizeof bytes,
             "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
             "viewBox=\"0 0 %d %d\" role=\"img\">\n<title>",
             width, height, width, height);
    shunt_log_text_string(text, bytes);
    shunt_drawing_escape(text, title);
    shunt_log_text_string(text, "</title>\n<style>\n");
    shunt_drawing_style(text);
    shunt_log_text_string(text, "</style>\n");
    shunt_drawing_box(text, 0, 0, width, height, "ground", NULL);
    shunt_drawing_text(text, 20, 30, SHUNT_DRAWING_START, "title", title);
    shunt_drawing_text(text, 20, 50, SHUNT_DRAWING_START, "subtitle", subtitle);
}

int shunt_drawing_write(struct shunt_log_text *text, const char *path)
{
    const int error = text->cut ? ENOMEM : shunt_output_put(path, text->bytes, text->used);
    if (text->cut)
        shunt_tool_say("out of memory");
    else if (error != 0)
        shunt_tool_say("--svg: %s cannot be written: %s", path, strerror(error));
    free(text->bytes);
    *text = (struct shunt_log_text){.grows = true};
    return error == 0 ? SHUNT_EXIT_OK : SHUNT_EXIT_IO;
}

const char *shunt_drawing_fill(int colour)
{
    static const char *const classes[SHUNT_DRAWING_COLOURS] = {
        "f0", "f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9", "f10", "f11"};
    return classes[colour % SHUNT_DRAWING_COLOURS];
}

void shunt_drawing_end(struct shunt_log_text *text)
{
    shunt_log_text_string(text, "</svg>\n");
}

void shunt_drawing_text(struct shunt_log_text *text, double x, double y,
                        enum shunt_drawing_anchor anchor, const char *class, const char *string)
{
    static const char *const anchors[] = {"start", "middle", "end"};
    shunt_log_text_string(text, "<text");
    put_length(text, "x", x);
    put_length(text, "y", y);
    shunt_log_text_string(text, " text-anchor=\"");
    shunt_log_text_string(text, anchors[anchor]);
    shunt_log_text_string(text, "\"");
    put_class(text, class);
    shunt_log_text_string(text, ">");
    shunt_drawing_escape(text, string);
    shunt_log_text_string(text, "</text>\n");
}

void shunt_drawing_upright(struct shunt_log_text *text, double x, double y, const char *class,
                           const char *string)
{
    char bytes[128];
    snprintf(bytes, sizeof bytes,
             "<text transform=\"translate(%.1f %.1f) rotate(-90)\" text-anchor=\"middle\"", x, y);
    shunt_log_text_string(text, bytes);
    put_class(text, class);
    shunt_log_text_string(text, ">");
    shunt_drawing_escape(text, string);
    shunt_log_text_string(text, "</text>\n");
}

void shunt_drawing_box(struct shunt_log_text *text, double x, double y, double width, double height,
                       const char *class, const char *hint)
{
    shunt_log_text_string(text, "<rect");
    put_length(text, "x", x);
    put_length(text, "y", y);
    put_length(text, "width", width);
    put_length(text, "height", height);
    put_class(text, class);
    put_hint(text, "rect", hint);
}

void shunt_drawing_disc(struct shunt_log_text *text, double x, double y, double radius,
                        const char *class, const char *hint)
{
    shunt_log_text_string(text, "<circle");
    put_length(text, "cx", x);
    put_length(text, "cy", y);
    put_length(text, "r", radius);
    put_class(text, class);
    put_hint(text, "circle", hint);
}

void shunt_drawing_line(struct shunt_log_text *text, double x1, double y1, double x2, double y2,
                        const char *class)
{
    shunt_log_text_string(text, "<line");
    put_length(text, "x1", x1);
    put_length(text, "y1", y1);
    put_length(text, "x2", x2);
    put_length(text, "y2", y2);
    put_class(text, class);
    shunt_log_text_string(text, "/>\n");
}

/* ` points="..."` */
static void put_points(struct shunt_log_text *text, const double *points, size_t count)
{
    char bytes[64];
    shunt_log_text_string(text, " points=\"");
    for (size_t i = 0; i < count; i++) {
        snprintf(bytes, sizeof bytes, "%s%.1f,%.1f", i > 0 ? " " : "", points[2 * i],
                 points[2 * i + 1]);
        shunt_log_text_string(text, bytes);
    }
    shunt_log_text_string(text, "\"/>\n");
}

void shunt_drawing_area(struct shunt_log_text *text, const double *points, size_t count,
                        const char *class)
{
    shunt_log_text_string(text, "<polygon");
    put_class(text, class);
    put_points(text, points, count);
}

void shunt_drawing_curve(struct shunt_log_text *text, const double *points, size_t count,
                         int colour)
{
    char class[32];
    snprintf(class, sizeof class, "curve s%d", colour % SHUNT_DRAWING_COLOURS);
    shunt_log_text_string(text, "<polyline");
    put_class(text, class);
    if (colour >= SHUNT_DRAWING_COLOURS) /* where colours repeat, curves are dashed */
        shunt_log_text_string(text, " stroke-dasharray=\"6 4\"");
    put_points(text, points, count);
    for (size_t i = 0; i < count; i++)
        shunt_drawing_disc(text, points[2 * i], points[2 * i + 1], 2.5, shunt_drawing_fill(colour),
                           NULL);
}
