/* SPDX-License-Identifier: BSD-3-Clause */
/* axis.c: see axis.h. */
#include "tools/axis.h"

#include <math.h>

#include "tools/svg.h"

static double value_of(const struct shunt_drawing_axis *axis, double value)
{
    return axis->linear ? value : log10(value);
}

double shunt_drawing_axis_place(const struct shunt_drawing_axis *axis, double value)
{
    return axis->from +
           (value_of(axis, value) - axis->low) / (axis->high - axis->low) * (axis->to - axis->from);
}

void shunt_drawing_axis_widen(struct shunt_drawing_axis *axis, double value)
{
    if (!axis->linear && !(value > 0))
        return;
    axis->low = fmin(axis->low, value_of(axis, value));
    axis->high = fmax(axis->high, value_of(axis, value));
}

static void draw_tick(struct shunt_log_text *svg, const struct shunt_drawing_axis *axis,
                      const struct shunt_tick *tick, double at, double across)
{
    const double place = shunt_drawing_axis_place(axis, tick->value);
    if (axis->upright) {
        shunt_drawing_line(svg, at, place, across, place, "rule");
        shunt_drawing_text(svg, at - 8, place + 4, SHUNT_DRAWING_END, "small", tick->label);
    } else {
        shunt_drawing_line(svg, place, at, place, across, "rule");
        shunt_drawing_text(svg, place, at + 16, SHUNT_DRAWING_MIDDLE, "small", tick->label);
    }
}

void shunt_drawing_axis_draw(struct shunt_log_text *svg, const struct shunt_drawing_axis *axis,
                             double at, double across)
{
    struct shunt_ticks ticks;
    const double pixels = fabs(axis->to - axis->from);
    if (axis->linear)
        shunt_ticks_linear(&ticks, axis->low, axis->high, axis->unit, pixels, axis->upright);
    else
        shunt_ticks_make(&ticks, axis->low, axis->high, axis->unit, pixels, axis->upright);
    for (int i = 0; i < ticks.count; i++)
        draw_tick(svg, axis, &ticks.tick[i], at, across);
    if (axis->upright)
        shunt_drawing_line(svg, at, axis->from, at, axis->to, "frame");
    else
        shunt_drawing_line(svg, axis->from, at, axis->to, at, "frame");
    if (!axis->upright && axis->name)
        shunt_drawing_text(svg, (axis->from + axis->to) / 2, at + 34, SHUNT_DRAWING_MIDDLE, "head",
                           axis->name);
}
