/* SPDX-License-Identifier: BSD-3-Clause */
/* lab.c: see lab.h. */
#include "tools/tune/lab.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

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

bool tune_samples_make(struct tune_samples *samples, int count, int cases, int repetitions)
{
    *samples = (struct tune_samples){.count = count, .cases = cases, .repetitions = repetitions};
    samples->seconds =
        calloc((size_t)count * (size_t)cases * (size_t)repetitions + 1, sizeof *samples->seconds);
    return samples->seconds;
}

void tune_samples_clear(struct tune_samples *samples)
{
    free(samples->seconds);
    *samples = (struct tune_samples){0};
}

void tune_samples_cut(struct tune_samples *samples, int repetitions)
{
    const int rows = samples->count * samples->cases, before = samples->repetitions;
    if (repetitions >= before)
        return;
    for (int i = 0; i < rows; i++)
        memmove(samples->seconds + (ptrdiff_t)i * repetitions,
                samples->seconds + (ptrdiff_t)i * before,
                (size_t)repetitions * sizeof *samples->seconds);
    samples->repetitions = repetitions;
}
