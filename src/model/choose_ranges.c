/* SPDX-License-Identifier: BSD-3-Clause */
/* choose_ranges.c: from what is known at sizes to ranges of sizes. */
#include <string.h>

#include "model/choosing.h"

/* What is predicted for candidate k at a spot. A cost may be 0, of energy where messages take none,
 * and no prediction is worth much more than the most. */
static double gain_at(const struct shunt_choosing *c, size_t k, size_t spot)
{
    const struct shunt_figures *most = shunt_choosing_most(c, k, spot);
    const double cost = most ? shunt_choosing_score(c, most, spot) : 1;
    return cost * SHUNT_CHOOSE_GAIN_MOST > 1 ? 1 / cost : SHUNT_CHOOSE_GAIN_MOST;
}

/* From `from` bytes on candidate k; the same as before goes on, with the lesser gain. */
static void append(struct shunt_choices *choices, const struct shunt_choosing *c, int64_t from,
                   size_t k, double gain)
{
    struct shunt_choice *last = &choices->choice[choices->count - 1];
    struct shunt_choice next = {.from = from, .algorithm = shunt_registry_row(0)};
    if (k < c->list.count) {
        next.algorithm = c->list.candidate[k].algorithm;
        next.params = c->list.candidate[k].params;
        next.gain = gain;
    }
    if (last->algorithm == next.algorithm &&
        memcmp(&last->params, &next.params, sizeof next.params) == 0)
        last->gain = next.gain < last->gain ? next.gain : last->gain;
    else if (last->from == from)
        *last = next;
    else
        choices->choice[choices->count++] = next;
}

/* Who has the sizes behind a spot, up to the next one: what is best at the lower end, or at the
 * upper one. */
static size_t between(const struct shunt_choosing *c, const size_t *best, size_t spot)
{
    if (shunt_choosing_bridges(c, best[spot], spot))
        return best[spot];
    return shunt_choosing_bridges(c, best[spot + 1], spot) ? best[spot + 1] : c->list.count;
}

static bool touch(const struct shunt_choosing *c, size_t spot)
{
    return spot + 1 < c->spots && c->spot[spot + 1].size == c->spot[spot].size + 1;
}

/* Who has a spot. Where work was short a size by itself is no finding, but what is left of one:
 * then it goes with its neighbours, if they can have it. */
static size_t winner(const struct shunt_choosing *c, const size_t *best, size_t spot)
{
    const size_t k = best[spot], none = c->list.count;
    const bool below = spot > 0 && touch(c, spot - 1), above = touch(c, spot);
    const size_t lower = spot == 0 ? none : below ? best[spot - 1] : between(c, best, spot - 1);
    const size_t upper = spot + 1 == c->spots ? none
                         : above              ? best[spot + 1]
                                              : between(c, best, spot);
    if (!c->limited || lower == k || upper == k)
        return k;
    return !above && upper != none ? upper : !below ? lower : none;
}

/* Blocks of no bytes go with the smallest. */
void shunt_choosing_ranges(struct shunt_choices *choices, const struct shunt_choosing *c)
{
    const size_t none = c->list.count;
    size_t best[SHUNT_CHOOSE_SPOTS];
    double worst;
    for (size_t i = 0; i < c->spots; i++)
        best[i] = shunt_choosing_best(c, i, &worst);
    for (size_t i = 0; i < c->spots; i++) {
        const size_t k = winner(c, best, i);
        append(choices, c, i == 0 ? 0 : c->spot[i].size, k, k == none ? 0 : gain_at(c, k, i));
        if (i + 1 == c->spots || touch(c, i))
            continue;
        const size_t middle = between(c, best, i);
        double gain = 0;
        if (middle != none) {
            const double low = gain_at(c, middle, i), high = gain_at(c, middle, i + 1);
            gain = low < high ? low : high;
        }
        append(choices, c, c->spot[i].size + 1, middle, gain);
    }
    append(choices, c, SHUNT_CHOOSE_LARGEST + 1, none, 0);
}
