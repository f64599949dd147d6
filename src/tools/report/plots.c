/* SPDX-License-Identifier: BSD-3-Clause */
/* plots.c: the run over time, sizes of blocks, late and waiting ranks. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/size.h"
#include "tools/axis.h"
#include "tools/report/sections.h"

enum { WIDTH = 820, LEFT = 62, RIGHT = 14, TOP = 14, BOTTOM = 40, HEIGHT = 190 };
enum { LANE_HEIGHT = 200, LEVELS = 5, BARS = 40 };

static void begin_plot(struct shunt_log_text *text, int width, int height, const char *id,
                       const char *title, const char *description)
{
    shunt_log_text_string(text, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
                                "aria-label=\"");
    shunt_drawing_escape(text, title);
    shunt_log_text_string(text, "\">\n");
    shunt_drawing_begin(text, width, height, id, title, description);
}

static void end_plot(struct shunt_log_text *text)
{
    shunt_drawing_end(text);
    shunt_log_text_string(text, "</div>\n");
}

/* The time of the run, across; bins are places on it. */
struct times {
    struct shunt_drawing_axis axis;
    double width; /* of a bin */
    int bins;
};

static double seconds_at(const struct times *times, double bin)
{
    return times->axis.low + bin * times->width;
}

static double place(const struct times *times, double bin)
{
    /* Not by the time: of very late times a bin may be too small to tell. */
    return LEFT + bin / times->bins * (WIDTH - LEFT - RIGHT);
}

/* Upright, from 0 to `most`, over the height of a drawing. */
static struct shunt_drawing_axis upwards(double most, enum shunt_tick_unit unit)
{
    return (struct shunt_drawing_axis){.high = most,
                                       .from = TOP + HEIGHT,
                                       .to = TOP,
                                       .unit = unit,
                                       .upright = true,
                                       .linear = true};
}

static double share_of(const struct shunt_report *report, int kind, int bin)
{
    const struct shunt_report_timeline *timeline = &report->timeline;
    double seconds = timeline->kind[kind][bin];
    if (kind == SHUNT_LOG_NATIVE)
        seconds += timeline->kind[SHUNT_LOG_TURN][bin] + timeline->kind[SHUNT_LOG_EARLY][bin];
    return seconds / (timeline->width * (double)report->totals.ranks);
}

/* A layer on top of `base`, which grows by it. */
static void put_layer(struct shunt_log_text *text, const struct shunt_report *report,
                      const struct times *times, int kind, double *base)
{
    static const int colours[] = {SHUNT_DRAWING_ROUTED, SHUNT_DRAWING_NATIVE,
                                  SHUNT_DRAWING_WARM_UP};
    double points[8 * SHUNT_REPORT_BINS] = {0};
    const int bins = report->timeline.used;
    size_t count = 0;
    for (int i = 0; i < 4 * bins; i++) {
        /* Forth along the upper edge, then back along the lower one; each bin has two ends. */
        const bool back = i >= 2 * bins;
        const int step = back ? 4 * bins - 1 - i : i, bin = step / 2;
        const double value = base[bin] + (back ? 0 : share_of(report, kind, bin));
        points[count++] = place(times, bin + (step & 1));
        points[count++] = TOP + HEIGHT * (1 - fmin(value, 1));
    }
    shunt_drawing_area(text, points, count / 2, shunt_drawing_fill(colours[kind]));
    for (int i = 0; i < bins; i++)
        base[i] += share_of(report, kind, i);
}

/* What the pointer tells of a bin. */
static void put_bin(struct shunt_log_text *text, const struct shunt_report *report,
                    const struct times *times, int bin)
{
    char hint[160];
    snprintf(hint, sizeof hint, "%.6g to %.6g s: routed %.1f %%, native %.1f %%, warm-up %.1f %%",
             seconds_at(times, bin), seconds_at(times, bin + 1),
             100 * share_of(report, SHUNT_LOG_ROUTED, bin),
             100 * share_of(report, SHUNT_LOG_NATIVE, bin),
             100 * share_of(report, SHUNT_LOG_WARM_UP, bin));
    shunt_drawing_box(text, place(times, bin), TOP, place(times, bin + 1) - place(times, bin),
                      HEIGHT, "clear", hint);
}

static void put_shares(struct shunt_log_text *text, const struct shunt_report *report,
                       const struct times *times)
{
    double base[SHUNT_REPORT_BINS] = {0};
    /* Of clocks that disagree it may seem more than all: that is cut off. */
    const struct shunt_drawing_axis shares = upwards(1, SHUNT_TICK_SHARES);
    begin_plot(text, WIDTH, TOP + HEIGHT + BOTTOM, "p-when",
               "Share of the ranks' time in all-to-all, over the run",
               "A stack of three: routed calls, native ones, and those of the warm-up.");
    shunt_drawing_axis_draw(text, &shares, LEFT, WIDTH - RIGHT);
    shunt_drawing_axis_draw(text, &times->axis, TOP + HEIGHT, TOP);
    for (int kind = 0; kind < 3; kind++)
        put_layer(text, report, times, kind, base);
    for (int i = 0; i < report->timeline.used; i++)
        put_bin(text, report, times, i);
    end_plot(text);
}

/* 0 to LEVELS. */
static int level_of(const struct shunt_report_timeline *timeline, int lane, int bin)
{
    const double share = timeline->lane[lane][bin] / (timeline->width * (double)timeline->per_lane);
    const int level = (int)ceil(share * LEVELS);
    return level > LEVELS ? LEVELS : level;
}

static void put_lane(struct shunt_log_text *text, const struct shunt_report_timeline *timeline,
                     const struct times *times, int lane, double height)
{
    char class[16], hint[128];
    int next;
    for (int bin = 0; bin < timeline->used; bin = next) {
        const int level = level_of(timeline, lane, bin), first = lane * timeline->per_lane;
        for (next = bin + 1; next < timeline->used && level_of(timeline, lane, next) == level;)
            next++;
        if (level == 0)
            continue;
        snprintf(class, sizeof class, "%s h%d", shunt_drawing_fill(SHUNT_DRAWING_ROUTED), level);
        snprintf(hint, sizeof hint, "rank %d%s, %.6g to %.6g s: up to %d %%", first,
                 timeline->per_lane > 1 ? " and those after it" : "", seconds_at(times, bin),
                 seconds_at(times, next), 100 * level / LEVELS);
        shunt_drawing_box(text, place(times, bin), TOP + lane * height,
                          place(times, next) - place(times, bin), height - (height > 4 ? 1 : 0),
                          class, hint);
    }
}

static void put_lanes(struct shunt_log_text *text, const struct shunt_report *report,
                      const struct times *times)
{
    const struct shunt_report_timeline *timeline = &report->timeline;
    const double high = (double)LANE_HEIGHT / timeline->lanes, height = high > 24 ? 24 : high;
    const int every = (int)ceil(14 / height);
    const double bottom = TOP + height * timeline->lanes;
    char number[32];
    if (timeline->lanes == 0)
        return;
    begin_plot(
        text, WIDTH, (int)ceil(bottom) + BOTTOM, "p-lanes", "When each rank is in all-to-all",
        "A line for each rank, or for several; the stronger the colour, the more of the time.");
    shunt_drawing_box(text, LEFT, TOP, WIDTH - LEFT - RIGHT, bottom - TOP, "ground", NULL);
    shunt_drawing_axis_draw(text, &times->axis, bottom, TOP);
    for (int lane = 0; lane < timeline->lanes; lane++) {
        put_lane(text, timeline, times, lane, height);
        if (lane % every != 0)
            continue;
        snprintf(number, sizeof number, "rank %d", lane * timeline->per_lane);
        shunt_drawing_text(text, LEFT - 8, TOP + (lane + 0.5) * height + 4, SHUNT_DRAWING_END,
                           "small", number);
    }
    end_plot(text);
}

void shunt_html_timeline(struct shunt_log_text *text, const struct shunt_report *report)
{
    const struct shunt_report_timeline *timeline = &report->timeline;
    const double begin = timeline->origin - report->summary.start;
    const struct times times = {.axis = {.low = begin,
                                         .high = begin + timeline->used * timeline->width,
                                         .from = LEFT,
                                         .to = WIDTH - RIGHT,
                                         .unit = SHUNT_TICK_SECONDS,
                                         .linear = true,
                                         .name = "time since the start"},
                                .width = timeline->width,
                                .bins = timeline->used};
    shunt_html_section(text, "when", "When");
    if (!timeline->started) {
        shunt_html_say(text, "muted", "Not known: the calls have no times.");
    } else {
        shunt_log_text_string(text, "<h3>Share of the ranks' time in all-to-all</h3>\n"
                                    "<ul class=\"keys\">\n");
        shunt_html_key(text, shunt_drawing_fill(SHUNT_DRAWING_ROUTED), NULL, "routed");
        shunt_html_key(text, shunt_drawing_fill(SHUNT_DRAWING_NATIVE), NULL, "native");
        shunt_html_key(text, shunt_drawing_fill(SHUNT_DRAWING_WARM_UP), NULL,
                       "native, before a communicator was set up");
        shunt_log_text_string(text, "</ul>\n");
        put_shares(text, report, &times);
        shunt_log_text_string(
            text, "<h3>Each rank: the stronger the colour, the more of its time</h3>\n");
        put_lanes(text, report, &times);
    }
    shunt_html_section_end(text);
}

/* Fewer would be bars as broad as doors. */
enum { CLASSES_LEAST = 14, CLASSES_MOST = 66 };

/* Calls by size of the largest block. */
struct histogram {
    uint64_t routed[CLASSES_MOST], native[CLASSES_MOST];
    int first, last; /* classes */
    uint64_t most, unknown;
};

static void count_sizes(const struct shunt_report *report, enum shunt_op op,
                        struct histogram *histogram)
{
    *histogram = (struct histogram){.first = CLASSES_MOST, .last = -1};
    for (uint32_t i = 0; i < report->calls.count; i++) {
        const struct shunt_report_row *row = &report->calls.rows[i];
        const int class = row->cell.key.size;
        if (row->op != op)
            continue;
        if (class < 0) {
            histogram->unknown += row->cell.calls;
            continue;
        }
        (shunt_report_row_routed(row) ? histogram->routed : histogram->native)[class] +=
            row->cell.calls;
        const uint64_t sum = histogram->routed[class] + histogram->native[class];
        histogram->first = class < histogram->first ? class : histogram->first;
        histogram->last = class > histogram->last ? class : histogram->last;
        histogram->most = sum > histogram->most ? sum : histogram->most;
    }
    while (histogram->last >= 0 && histogram->last - histogram->first + 1 < CLASSES_LEAST) {
        histogram->first -= histogram->first > 0;
        histogram->last += histogram->last + 1 < CLASSES_MOST;
    }
}

static void put_class(struct shunt_log_text *text, const struct histogram *histogram, int class,
                      double x, double width)
{
    const double top = (double)histogram->most, routed = (double)histogram->routed[class],
                 native = (double)histogram->native[class];
    const double high = HEIGHT * routed / top, above = HEIGHT * native / top;
    char hint[160], size[32], to[32];
    shunt_bytes_print((uint64_t)shunt_log_class_from(class), size, sizeof size);
    shunt_bytes_print((uint64_t)shunt_log_class_to(class), to, sizeof to);
    snprintf(hint, sizeof hint, "%s to %s: %.0f calls routed, %.0f native", size, to, routed,
             native);
    if (routed > 0)
        shunt_drawing_box(text, x + 2, TOP + HEIGHT - high, width - 4, high,
                          shunt_drawing_fill(SHUNT_DRAWING_ROUTED), hint);
    if (native > 0)
        shunt_drawing_box(text, x + 2, TOP + HEIGHT - high - above, width - 4, above,
                          shunt_drawing_fill(SHUNT_DRAWING_NATIVE), hint);
    if (width >= 46 || class % 2 == 0)
        shunt_drawing_text(text, x + width / 2, TOP + HEIGHT + 17, SHUNT_DRAWING_MIDDLE, "small",
                           size);
}

static void put_unknown(struct shunt_log_text *text, uint64_t calls)
{
    struct shunt_html_words words;
    if (calls == 0)
        return;
    shunt_html_words_begin(&words);
    shunt_log_text_string(&words.text, "Besides calls of which the log does not tell the largest "
                                       "block, as before set-up: ");
    shunt_log_text_count(&words.text, calls);
    shunt_html_say(text, "note", shunt_html_words_end(&words));
}

static void put_histogram(struct shunt_log_text *text, const struct shunt_report *report,
                          enum shunt_op op)
{
    struct histogram h;
    char id[32], title[96];
    count_sizes(report, op, &h);
    if (h.last < 0)
        return;
    const int classes = h.last - h.first + 1;
    const double width = (double)(WIDTH - LEFT - RIGHT) / classes;
    const struct shunt_drawing_axis counts = upwards((double)h.most, SHUNT_TICK_COUNTS);
    snprintf(id, sizeof id, "p-sizes-%s", shunt_op_name(op));
    snprintf(title, sizeof title, "Calls of %s by size of the largest block", shunt_op_name(op));
    shunt_log_text_string(text, "<h3>");
    shunt_drawing_escape(text, title);
    shunt_log_text_string(text, "</h3>\n");
    begin_plot(text, WIDTH, TOP + HEIGHT + BOTTOM, id, title,
               "Bars of routed calls, with native ones on top of them.");
    shunt_drawing_axis_draw(text, &counts, LEFT, LEFT + width * classes);
    for (int class = h.first; class <= h.last; class ++)
        put_class(text, &h, class, LEFT + (class - h.first) * width, width);
    shunt_drawing_line(text, LEFT, TOP + HEIGHT, LEFT + width * classes, TOP + HEIGHT, "frame");
    shunt_drawing_text(text, LEFT + width * classes / 2, TOP + HEIGHT + 34, SHUNT_DRAWING_MIDDLE,
                       "head", "bytes, this and up to twice as many");
    end_plot(text);
    put_unknown(text, h.unknown);
}

void shunt_html_histogram(struct shunt_log_text *text, const struct shunt_report *report)
{
    shunt_html_section(text, "sizes", "Block sizes");
    shunt_log_text_string(text, "<ul class=\"keys\">\n");
    shunt_html_key(text, shunt_drawing_fill(SHUNT_DRAWING_ROUTED), NULL, "routed");
    shunt_html_key(text, shunt_drawing_fill(SHUNT_DRAWING_NATIVE), NULL, "native");
    shunt_log_text_string(text, "</ul>\n");
    for (int op = 0; op < SHUNT_OP_COUNT; op++)
        put_histogram(text, report, (enum shunt_op)op);
    shunt_html_section_end(text);
}

/* The rank among `step` ranks that is the latest, or that waits the longest; -1: none came. */
static int worst_of(const struct shunt_report_arrivals *arrivals, size_t first, size_t step,
                    bool late)
{
    int worst = -1;
    double most = -1;
    for (size_t i = first; i < first + step && i < arrivals->rank.count; i++) {
        const struct shunt_report_rank *rank = shunt_report_rank(arrivals, i);
        const double mean = rank ? (late ? rank->late : rank->waited) / (double)rank->calls : -1;
        if (mean > most) {
            most = mean;
            worst = (int)i;
        }
    }
    return worst;
}

static double mean_of(const struct shunt_report_arrivals *arrivals, int rank, bool late)
{
    const struct shunt_report_rank *one = shunt_report_rank(arrivals, (size_t)rank);
    return (late ? one->late : one->waited) / (double)one->calls;
}

static void put_bar(struct shunt_log_text *text, const struct shunt_report_arrivals *arrivals,
                    int rank, bool late, double x, double width, double top)
{
    const double middle = TOP + HEIGHT / 2.0,
                 high = mean_of(arrivals, rank, late) / top * (HEIGHT / 2.0);
    char hint[128];
    struct shunt_log_text words = {.bytes = hint, .capacity = sizeof hint - 1};
    shunt_log_text_string(&words, "rank ");
    shunt_log_text_unsigned(&words, (uint64_t)rank);
    shunt_log_text_string(&words, late ? " comes " : " waits ");
    shunt_log_text_seconds(&words, mean_of(arrivals, rank, late));
    shunt_log_text_string(&words, late ? " after the first, on average" : ", on average");
    hint[words.used] = '\0';
    shunt_drawing_box(text, x + 1, late ? middle - high : middle, width - 2, high,
                      shunt_drawing_fill(late ? SHUNT_DRAWING_LATE : SHUNT_DRAWING_WAIT), hint);
}

void shunt_html_imbalance(struct shunt_log_text *text, const struct shunt_report *report)
{
    const struct shunt_report_arrivals *arrivals = &report->arrivals;
    size_t last = 0;
    for (size_t i = 0; i < arrivals->rank.count; i++)
        last = shunt_report_rank(arrivals, i) ? i : last;
    const size_t step = last / BARS + 1, bars = last / step + 1;
    const double fits = (double)(WIDTH - LEFT - RIGHT) / (double)bars,
                 width = fits > 60 ? 60 : fits;
    double top = 0;
    for (size_t i = 0; i <= last; i++)
        for (int late = 0; late < 2 && shunt_report_rank(arrivals, i); late++)
            top = fmax(top, mean_of(arrivals, (int)i, late == 1));
    top = top > 0 ? top : 1e-9;
    const double middle = TOP + HEIGHT / 2.0;
    struct shunt_drawing_axis axis = upwards(top, SHUNT_TICK_SECONDS);
    axis.from = middle;
    shunt_log_text_string(text, "<ul class=\"keys\">\n");
    shunt_html_key(text, shunt_drawing_fill(SHUNT_DRAWING_LATE), NULL,
                   "upwards: comes so long after the first rank, on average");
    shunt_html_key(text, shunt_drawing_fill(SHUNT_DRAWING_WAIT), NULL,
                   "downwards: waits so long for the last rank, on average");
    shunt_log_text_string(text, "</ul>\n");
    begin_plot(text, WIDTH, TOP + HEIGHT + BOTTOM, "p-who", "Late and waiting ranks",
               step > 1 ? "A pair of bars for several ranks: the worst of them."
                        : "A pair of bars for each rank.");
    shunt_drawing_axis_draw(text, &axis, LEFT, WIDTH - RIGHT);
    axis.to = TOP + HEIGHT; /* and downwards, where 0 has been drawn */
    axis.low = 1e-6 * top;
    shunt_drawing_axis_draw(text, &axis, LEFT, WIDTH - RIGHT);
    for (size_t i = 0; i < bars; i++) {
        const double x = LEFT + (double)i * width;
        const int late = worst_of(arrivals, i * step, step, true),
                  wait = worst_of(arrivals, i * step, step, false);
        char number[32];
        snprintf(number, sizeof number, "%zu", i * step);
        if (late >= 0)
            put_bar(text, arrivals, late, true, x, width, top);
        if (wait >= 0)
            put_bar(text, arrivals, wait, false, x, width, top);
        if (width >= 26 || i % 2 == 0)
            shunt_drawing_text(text, x + width / 2, TOP + HEIGHT + 17, SHUNT_DRAWING_MIDDLE,
                               "small", number);
    }
    shunt_drawing_text(text, LEFT + (double)bars * width / 2, TOP + HEIGHT + 34,
                       SHUNT_DRAWING_MIDDLE, "head",
                       step > 1 ? "rank, and those after it" : "rank");
    end_plot(text);
}
