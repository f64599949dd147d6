/* SPDX-License-Identifier: BSD-3-Clause */
/* mode.c: see mode.h. */
#include "tools/tune/mode.h"

/*
 * `seconds`: what a sample should last, so that the clock is little of it. At least `least` calls:
 * of a row the end, where ranks wait for each other once more, must not be what decides.
 */
static const struct {
    const char *name;
    double seconds;
    int least, most;
} modes[TUNE_MODE_COUNT] = {
    [TUNE_MODE_ROW] = {"back-to-back", 5e-3, 4, 50},
    [TUNE_MODE_SINGLE] = {"single", 1e-3, 1, 5},
};

const char *tune_mode_name(enum tune_mode mode)
{
    return modes[mode].name;
}

int tune_mode_calls(enum tune_mode mode, double native)
{
    const double calls = native > 0 ? modes[mode].seconds / native : modes[mode].most;
    return calls < modes[mode].least  ? modes[mode].least
           : calls > modes[mode].most ? modes[mode].most
                                      : (int)calls;
}
