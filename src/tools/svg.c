/* SPDX-License-Identifier: BSD-3-Clause */
/* svg.c: see svg.h. */
#include "tools/svg.h"

#include <stdio.h>
#include <stdlib.h>

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

void shunt_drawing_area(struct shunt_log_text *text, const double *points, size_t count,
                        const char *class)
{
    char bytes[64];
    shunt_log_text_string(text, "<polygon");
    put_class(text, class);
    shunt_log_text_string(text, " points=\"");
    for (size_t i = 0; i < count; i++) {
        snprintf(bytes, sizeof bytes, "%s%.1f,%.1f", i > 0 ? " " : "", points[2 * i],
                 points[2 * i + 1]);
        shunt_log_text_string(text, bytes);
    }
    shunt_log_text_string(text, "\"/>\n");
}
