/* SPDX-License-Identifier: BSD-3-Clause */
/* svg.c: see svg.h. Colours are told apart with all common kinds of colour blindness as far as
 * twelve can be: they differ in brightness too, and nothing is told by colour alone. */
#include "tools/predict/svg.h"

static const char *const light[SHUNT_SVG_COLOURS] = {"#9fb3c8", "#e69f00", "#56b4e9", "#009e73",
                                                     "#d8c93a", "#0072b2", "#d55e00", "#cc79a7",
                                                     "#8c6d46", "#7fc97f", "#b39ddb", "#5f6b75"};
static const char *const dark[SHUNT_SVG_COLOURS] = {"#62788f", "#c48800", "#3f93c4", "#008a64",
                                                    "#a89b1e", "#2f8fd0", "#e0752a", "#c06a9a",
                                                    "#a58457", "#5fa75f", "#8f78c2", "#8b98a3"};

static const char style[] =
    "text { font-family: system-ui, sans-serif; fill: #1d2733 }\n"
    ".ground { fill: #ffffff } .title { font-size: 17px; font-weight: 600 }\n"
    ".subtitle, .label { font-size: 13px } .head { font-size: 13px; font-weight: 600 }\n"
    ".small { font-size: 11px } .cell { font-size: 12px; fill: #10161d }\n"
    ".rule { stroke: #d5dbe2; stroke-width: 1 } .frame { stroke: #55606c; stroke-width: 1 }\n"
    ".curve { fill: none; stroke-width: 2; stroke-linejoin: round }\n";

static const char style_dark[] =
    "text { fill: #e4e9ee } .ground { fill: #161b22 } .cell { fill: #ffffff }\n"
    ".rule { stroke: #343d48 } .frame { stroke: #9aa6b2 }\n";

static void put_colours(FILE *file, const char *const *colours)
{
    for (int i = 0; i < SHUNT_SVG_COLOURS; i++)
        fprintf(file, ".f%d { fill: %s } .s%d { stroke: %s }\n", i, colours[i], i, colours[i]);
}

/* Characters that XML has a use for as their names, and those it forbids as a question mark. */
static void put_text(FILE *file, const char *text)
{
    for (; *text != '\0'; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '&')
            fputs("&amp;", file);
        else if (c == '<')
            fputs("&lt;", file);
        else if (c == '>')
            fputs("&gt;", file);
        else
            fputc(c < 0x20 || c >= 0x7f ? '?' : c, file);
    }
}

void shunt_svg_text(FILE *file, double x, double y, enum shunt_anchor anchor, const char *kind,
                    const char *text)
{
    static const char *const anchors[] = {"start", "middle", "end"};
    fprintf(file, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" class=\"%s\">", x, y,
            anchors[anchor], kind);
    put_text(file, text);
    fputs("</text>\n", file);
}

void shunt_svg_upright(FILE *file, double x, double y, const char *kind, const char *text)
{
    fprintf(file,
            "<text transform=\"translate(%.1f %.1f) rotate(-90)\" text-anchor=\"middle\" "
            "class=\"%s\">",
            x, y, kind);
    put_text(file, text);
    fputs("</text>\n", file);
}

void shunt_svg_begin(FILE *file, int width, int height, const char *title, const char *subtitle)
{
    fprintf(file,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\" role=\"img\">\n<title>",
            width, height, width, height);
    put_text(file, title);
    fprintf(file, "</title>\n<style>\n%s", style);
    put_colours(file, light);
    fprintf(file, "@media (prefers-color-scheme: dark) {\n%s", style_dark);
    put_colours(file, dark);
    fprintf(file, "}\n</style>\n<rect class=\"ground\" width=\"%d\" height=\"%d\"/>\n", width,
            height);
    shunt_svg_text(file, 20, 30, SHUNT_ANCHOR_START, "title", title);
    shunt_svg_text(file, 20, 50, SHUNT_ANCHOR_START, "subtitle", subtitle);
}

void shunt_svg_end(FILE *file)
{
    fputs("</svg>\n", file);
}

void shunt_svg_box(FILE *file, double x, double y, double width, double height, int colour,
                   const char *hint)
{
    fprintf(file, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" class=\"f%d\"", x, y,
            width, height, colour % SHUNT_SVG_COLOURS);
    if (!hint) {
        fputs("/>\n", file);
        return;
    }
    fputs("><title>", file);
    put_text(file, hint);
    fputs("</title></rect>\n", file);
}

void shunt_svg_rule(FILE *file, double x1, double y1, double x2, double y2, bool frame)
{
    fprintf(file, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"%s\"/>\n", x1, y1,
            x2, y2, frame ? "frame" : "rule");
}

void shunt_svg_curve(FILE *file, const double *points, size_t count, int colour)
{
    const int shade = colour % SHUNT_SVG_COLOURS;
    /* where colours repeat, curves are dashed */
    fprintf(file, "<polyline class=\"curve s%d\"%s points=\"", shade,
            colour < SHUNT_SVG_COLOURS ? "" : " stroke-dasharray=\"6 4\"");
    for (size_t i = 0; i < count; i++)
        fprintf(file, "%s%.1f,%.1f", i > 0 ? " " : "", points[2 * i], points[2 * i + 1]);
    fputs("\"/>\n", file);
    for (size_t i = 0; i < count; i++)
        fprintf(file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\" class=\"f%d\"/>\n", points[2 * i],
                points[2 * i + 1], shade);
}
