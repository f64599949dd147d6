/* SPDX-License-Identifier: BSD-3-Clause */
/* ticks.c: see ticks.h. */
#include "tools/predict/ticks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Pixels: of a letter, of a line, and between two labels. */
#define LETTER 6.6
#define LINE 14.0
#define BETWEEN 8.0

struct axis {
    double low, high; /* logarithms of 10, unless it is linear */
    enum shunt_tick_unit unit;
    double pixels;
    bool upright, linear;
};

static double place_of(const struct axis *axis, double value)
{
    return axis->linear ? value : log10(value);
}

/* "20 us": the largest unit of which it is no less than one. */
static void print_thousands(double value, const char *const *units, int count, double least,
                            char *text, size_t capacity)
{
    if (value == 0) {
        snprintf(text, capacity, "0");
        return;
    }
    double unit = least;
    int i = 0;
    while (i + 1 < count && value >= 999.5 * unit) {
        unit *= 1000;
        i++;
    }
    snprintf(text, capacity, "%.4g %s", value / unit, units[i]);
}

static void print_bytes(double value, char *text, size_t capacity)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    const int count = (int)(sizeof units / sizeof units[0]);
    int i = 0;
    for (; i + 1 < count && value >= 1024; i++)
        value /= 1024;
    snprintf(text, capacity, "%.4g %s", value, units[i]);
}

static void print_label(enum shunt_tick_unit unit, double value, char *text, size_t capacity)
{
    static const char *const seconds[] = {"ns", "us", "ms", "s"}, *const joules[] = {
                                                                      "nJ", "uJ", "mJ", "J", "kJ"};
    switch (unit) {
    case SHUNT_TICK_SECONDS:
        print_thousands(value, seconds, 4, 1e-9, text, capacity);
        break;
    case SHUNT_TICK_JOULES:
        print_thousands(value, joules, 5, 1e-9, text, capacity);
        break;
    case SHUNT_TICK_BYTES:
        print_bytes(value, text, capacity);
        break;
    case SHUNT_TICK_SHARES:
        snprintf(text, capacity, "%.4g %%", 100 * value);
        break;
    default:
        snprintf(text, capacity, value < 1e9 ? "%.10g" : "%.3g", value);
    }
}

static void add(struct shunt_ticks *ticks, const struct axis *axis, double value)
{
    const double at = place_of(axis, value);
    if (at < axis->low || at > axis->high || ticks->count == SHUNT_TICKS_MOST)
        return;
    struct shunt_tick *tick = &ticks->tick[ticks->count++];
    tick->value = value;
    print_label(axis->unit, value, tick->label, sizeof tick->label);
}

/* The room that a label takes along the axis. */
static double room_of(const struct axis *axis, const struct shunt_tick *tick)
{
    return axis->upright ? LINE : LETTER * (double)strlen(tick->label) + BETWEEN;
}

static bool fits(const struct shunt_ticks *ticks, const struct axis *axis)
{
    const double scale = axis->pixels / (axis->high - axis->low);
    for (int i = 1; i < ticks->count; i++) {
        const struct shunt_tick *a = &ticks->tick[i - 1], *b = &ticks->tick[i];
        const double apart = scale * (place_of(axis, b->value) - place_of(axis, a->value));
        if (apart < (room_of(axis, a) + room_of(axis, b)) / 2)
            return false;
    }
    return ticks->count < SHUNT_TICKS_MOST;
}

/* Every stride-th power of the base. */
static void add_powers(struct shunt_ticks *ticks, const struct axis *axis, double base, int stride)
{
    const double digits = log10(base);
    const int first = (int)floor(axis->low / digits / stride) * stride;
    for (int power = first; power * digits <= axis->high; power += stride)
        add(ticks, axis, pow(base, power));
}

/* 1, 2 and 5 of every power of ten. */
static void add_fifths(struct shunt_ticks *ticks, const struct axis *axis)
{
    static const int steps[] = {1, 2, 5};
    for (int power = (int)floor(axis->low); power <= axis->high; power++)
        for (int i = 0; i < 3; i++)
            add(ticks, axis, steps[i] * pow(10, power));
}

/* Multiples of a round step, where not even two of those numbers are on the axis. */
static void add_even(struct shunt_ticks *ticks, const struct axis *axis, double step)
{
    const double low = axis->linear ? axis->low : pow(10, axis->low),
                 high = axis->linear ? axis->high : pow(10, axis->high);
    const double first = ceil(low / step);
    for (int i = 0; (first + i) * step <= high && ticks->count < SHUNT_TICKS_MOST; i++)
        add(ticks, axis, (first + i) * step);
}

/* From fine steps to coarse ones: the first whose labels do not touch. */
static void make_even(struct shunt_ticks *ticks, const struct axis *axis)
{
    static const int steps[] = {1, 2, 5};
    const bool whole = axis->unit == SHUNT_TICK_POWERS || axis->unit == SHUNT_TICK_BYTES ||
                       axis->unit == SHUNT_TICK_COUNTS ||
                       (axis->unit == SHUNT_TICK_NUMBERS && !axis->linear);
    /* Of a linear axis from a hundredth of its length. */
    const double length = axis->linear ? log10(axis->high - axis->low) : axis->high;
    const int first = (int)floor(axis->linear ? length : axis->low) - 2;
    for (int power = whole && first < 0 ? 0 : first; power <= length; power++)
        for (int i = 0; i < 3; i++) {
            ticks->count = 0;
            add_even(ticks, axis, steps[i] * pow(10, power));
            if (fits(ticks, axis))
                return;
        }
    ticks->count = 0;
}

void shunt_ticks_make(struct shunt_ticks *ticks, double low, double high, enum shunt_tick_unit unit,
                      double pixels, bool upright)
{
    const struct axis axis = {low, high, unit, pixels, upright, false};
    const bool twos = unit == SHUNT_TICK_POWERS || unit == SHUNT_TICK_BYTES;
    ticks->count = 0;
    if (twos)
        add_powers(ticks, &axis, 2, 1);
    else
        add_fifths(ticks, &axis);
    if (ticks->count < 2) {
        make_even(ticks, &axis);
        return;
    }
    for (int stride = twos ? 2 : 1; !fits(ticks, &axis); stride += twos && stride > 1 ? 2 : 1) {
        ticks->count = 0;
        add_powers(ticks, &axis, twos ? 2 : 10, stride);
    }
}

void shunt_ticks_linear(struct shunt_ticks *ticks, double low, double high,
                        enum shunt_tick_unit unit, double pixels, bool upright)
{
    const struct axis axis = {low, high, unit, pixels, upright, true};
    ticks->count = 0;
    if (high > low && isfinite(high - low))
        make_even(ticks, &axis);
}
