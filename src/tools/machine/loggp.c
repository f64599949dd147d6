/* SPDX-License-Identifier: BSD-3-Clause */
/* loggp.c: see loggp.h. */
#include "tools/machine/loggp.h"

#include <math.h>

/* So many lines of long messages are needed to tell their slope. */
enum { RENDEZVOUS_LEAST = 3 };

/* The least share of half a round trip that is on the way: the model has L > 0, and overheads that
 * were measured apart from the round trip may come to more than it, for they overlap there. */
static const double LATENCY_LEAST = 0.05;

double machine_link_time(const struct shunt_link *link, double bytes)
{
    const double answer = bytes > (double)link->eager ? link->latency : 0;
    return 2 * link->overhead + link->latency + answer + bytes * link->byte;
}

static double deviation(const struct shunt_link *link, const struct measure_point *point)
{
    return fabs(machine_link_time(link, point->x) - point->y) / point->y;
}

/* Median over all sizes. */
static double residual_of(const struct shunt_link *link,
                          const struct machine_link_measured *measured)
{
    struct measure_samples deviations = {0};
    for (int i = 0; i < measured->half_count; i++)
        measure_samples_add(&deviations, deviation(link, &measured->half[i]));
    return measure_samples_median(&deviations);
}

static double sum_of_deviations(const struct shunt_link *link,
                                const struct machine_link_measured *measured)
{
    double sum = 0;
    for (int i = 0; i < measured->half_count; i++)
        sum += deviation(link, &measured->half[i]);
    return sum;
}

static int count_eager(const struct machine_link_measured *measured)
{
    int count = 0;
    while (count < measured->half_count && measured->half[count].x <= (double)measured->eager)
        count++;
    return count > 0 ? count : 1;
}

/* Takes the value if the link then fits the times better. */
static void try_byte(const struct machine_link_measured *measured, struct shunt_link *link,
                     double byte)
{
    struct shunt_link other = *link;
    other.byte = byte;
    if (sum_of_deviations(&other, measured) < sum_of_deviations(link, measured))
        link->byte = byte;
}

/* The model has one G for all sizes: that of short messages, of long ones or of all, whichever fits
 * all sizes best. */
static void choose_byte(const struct machine_link_measured *measured, struct shunt_link *link,
                        struct machine_link_fit *fit)
{
    struct measure_point points[MACHINE_POINTS_MOST];
    for (int i = 0; i < measured->half_count; i++) {
        points[i] = measured->half[i];
        const double without = points[i].y - link->latency;
        if (i >= fit->eager_count && without > 0)
            points[i].y = without;
    }
    link->byte = fit->eager.slope;
    if (fit->rendezvous_count >= RENDEZVOUS_LEAST)
        try_byte(measured, link, fit->rendezvous.slope);
    try_byte(measured, link, measure_line_fit(points, measured->half_count).slope);
    fit->residual = residual_of(link, measured);
}

void machine_link_make(const struct machine_link_measured *measured, struct shunt_link *link,
                       struct machine_link_fit *fit)
{
    *fit = (struct machine_link_fit){.eager_count = count_eager(measured)};
    fit->rendezvous_count = measured->half_count - fit->eager_count;
    const struct measure_point *rest = measured->half + fit->eager_count;
    fit->eager = measure_line_fit(measured->half, fit->eager_count);
    fit->start_residual = measure_line_residual(&fit->eager, measured->half, fit->eager_count);
    if (fit->rendezvous_count > 0)
        fit->rendezvous = measure_line_fit(rest, fit->rendezvous_count);
    /* A single eager size: it is as short as messages are. */
    const double start = fit->eager.start > 0 ? fit->eager.start : measured->half[0].y,
                 both = measured->send + measured->receive, most = (1 - LATENCY_LEAST) * start;
    fit->overlapped = both > most;
    link->overhead = (fit->overlapped ? most : both) / 2;
    link->latency = start - 2 * link->overhead;
    link->eager = measured->eager;
    const struct measure_line window = measure_line_fit(measured->window, measured->window_count);
    fit->gap_residual = measure_line_residual(&window, measured->window, measured->window_count);
    link->gap = window.slope;
    choose_byte(measured, link, fit);
}
