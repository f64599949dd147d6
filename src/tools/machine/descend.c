/* SPDX-License-Identifier: BSD-3-Clause */
/* descend.c: see descend.h. */
#include "tools/machine/descend.h"

#include <math.h>
#include <stdbool.h>

#include "base/clock.h"

static const double FIRST_FACTOR = 4, LAST_FACTOR = 1.02, FURTHEST = 1000, LEASH = 0.003;

void descend_add(struct descend *descend, double *value, double least)
{
    if (descend->count == DESCEND_NUMBERS_MOST)
        return;
    if (!(*value > least))
        *value = least;
    descend->value[descend->count] = value;
    descend->begin[descend->count++] = *value;
}

double descend_off(double predicted, double measured)
{
    const double off = log(predicted / measured);
    return fabs(off) + off * off / 10;
}

/* With a little for numbers that left their beginning. */
static double distance(const struct descend *descend)
{
    double moved = 0;
    for (int i = 0; i < descend->count; i++)
        moved += fabs(log(*descend->value[i] / descend->begin[i]));
    return descend->distance(descend->context) + LEASH * moved;
}

/* As far as it helps in one direction. Whether it did. */
static bool walk(const struct descend *descend, int i, double factor, double *best)
{
    double *value = descend->value[i];
    bool moved = false;
    while (shunt_now() < descend->until) {
        const double before = *value, far = before * factor / descend->begin[i];
        if (far > FURTHEST || far < 1 / FURTHEST)
            break;
        *value = before * factor;
        const double now = distance(descend);
        if (!(now < *best * (1 - 1e-6))) {
            *value = before;
            break;
        }
        *best = now;
        moved = true;
    }
    return moved;
}

void descend_run(struct descend *descend)
{
    double best = distance(descend), factor = FIRST_FACTOR;
    while (factor > LAST_FACTOR && shunt_now() < descend->until) {
        bool moved = false;
        for (int i = 0; i < descend->count; i++) {
            moved |= walk(descend, i, factor, &best);
            moved |= walk(descend, i, 1 / factor, &best);
        }
        if (!moved)
            factor = sqrt(factor);
    }
}
