/* SPDX-License-Identifier: BSD-3-Clause */
/* timeline.c: calls over time in a fixed number of bins: where they do not reach, two become one.
 * How long the run is and how many ranks it has need not be known beforehand. */
#include <math.h>
#include <string.h>

#include "tools/report/report.h"

/* Seconds of a bin at the beginning. */
#define LEAST 1e-4

static void fold(double *bins)
{
    for (size_t i = 0; i < SHUNT_REPORT_BINS / 2; i++)
        bins[i] = bins[2 * i] + bins[2 * i + 1];
    memset(bins + SHUNT_REPORT_BINS / 2, 0, SHUNT_REPORT_BINS / 2 * sizeof *bins);
}

static void widen(struct shunt_report_timeline *timeline)
{
    for (int i = 0; i < SHUNT_LOG_KINDS; i++)
        fold(timeline->kind[i]);
    for (int i = 0; i < SHUNT_REPORT_LANES; i++)
        fold(timeline->lane[i]);
    timeline->width *= 2;
    timeline->used = (timeline->used + 1) / 2;
}

static void shift(double *bins, int by)
{
    memmove(bins + by, bins, (size_t)(SHUNT_REPORT_BINS - by) * sizeof *bins);
    memset(bins, 0, (size_t)by * sizeof *bins);
}

/* Room for what comes before the first bin. */
static void begin_at(struct shunt_report_timeline *timeline, double time)
{
    while (timeline->origin - time > timeline->width * (SHUNT_REPORT_BINS - timeline->used))
        widen(timeline);
    const int by = (int)ceil((timeline->origin - time) / timeline->width);
    if (by <= 0)
        return;
    for (int i = 0; i < SHUNT_LOG_KINDS; i++)
        shift(timeline->kind[i], by);
    for (int i = 0; i < SHUNT_REPORT_LANES; i++)
        shift(timeline->lane[i], by);
    timeline->origin -= by * timeline->width;
    timeline->used += by;
}

static void add_lanes(struct shunt_report_timeline *timeline, int rank)
{
    const size_t half = SHUNT_REPORT_LANES / 2;
    while (rank / timeline->per_lane >= SHUNT_REPORT_LANES) {
        for (size_t i = 0; i < half; i++)
            for (size_t k = 0; k < SHUNT_REPORT_BINS; k++)
                timeline->lane[i][k] = timeline->lane[2 * i][k] + timeline->lane[2 * i + 1][k];
        memset(timeline->lane[half], 0, half * sizeof timeline->lane[0]);
        timeline->per_lane *= 2;
        timeline->lanes = (timeline->lanes + 1) / 2;
    }
    if (rank / timeline->per_lane >= timeline->lanes)
        timeline->lanes = rank / timeline->per_lane + 1;
}

void shunt_report_timeline_add(struct shunt_report_timeline *timeline,
                               const struct shunt_logs_event *call, enum shunt_log_kind kind)
{
    const double seconds = call->record.seconds > 0 ? call->record.seconds : 0;
    const double from = call->time, to = from + seconds;
    if (!call->timed || !isfinite(to) || to > 1e15)
        return;
    if (!timeline->started) {
        timeline->started = true;
        timeline->origin = from;
        timeline->width = LEAST;
        timeline->per_lane = 1;
    }
    begin_at(timeline, from);
    while (to - timeline->origin >= timeline->width * (SHUNT_REPORT_BINS - 1))
        widen(timeline);
    if (call->rank >= 0)
        add_lanes(timeline, call->rank);
    const int first = (int)((from - timeline->origin) / timeline->width),
              last = (int)((to - timeline->origin) / timeline->width);
    for (int i = first; i <= last; i++) {
        const double begin = timeline->origin + i * timeline->width, end = begin + timeline->width;
        const double part = (to < end ? to : end) - (from > begin ? from : begin);
        timeline->kind[kind][i] += part > 0 ? part : 0;
        if (call->rank >= 0)
            timeline->lane[call->rank / timeline->per_lane][i] += part > 0 ? part : 0;
    }
    if (last >= timeline->used)
        timeline->used = last + 1;
}
