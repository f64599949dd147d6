/* SPDX-License-Identifier: BSD-3-Clause */
/* ticks.h: round numbers along an axis, with labels that do not touch. */
#ifndef SHUNT_PREDICT_TICKS_H
#define SHUNT_PREDICT_TICKS_H

#include <stdbool.h>

enum shunt_tick_unit {
    SHUNT_TICK_POWERS,  /* ranks or a radix: powers of two */
    SHUNT_TICK_BYTES,   /* powers of two, "64 KiB" */
    SHUNT_TICK_SECONDS, /* powers of ten, or 1, 2 and 5 of each: "20 us" */
    SHUNT_TICK_JOULES,
    SHUNT_TICK_NUMBERS,
    SHUNT_TICK_COUNTS, /* whole numbers */
    SHUNT_TICK_SHARES  /* "25 %" */
};

enum { SHUNT_TICKS_MOST = 64 };
struct shunt_ticks {
    int count;
    struct shunt_tick {
        double value;
        char label[24];
    } tick[SHUNT_TICKS_MOST]; /* ascending */
};

/* As many as there is room for on an axis of so many pixels, from 10^low to 10^high. upright:
 * labels are one above the other. */
void shunt_ticks_make(struct shunt_ticks *ticks, double low, double high, enum shunt_tick_unit unit,
                      double pixels, bool upright);

/* The same from `low` to `high` themselves, at multiples of a round step. */
void shunt_ticks_linear(struct shunt_ticks *ticks, double low, double high,
                        enum shunt_tick_unit unit, double pixels, bool upright);

#endif
