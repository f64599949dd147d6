/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * choose_known.c: what is known of candidates and of native at the sizes that were looked at, and
 * what follows for others.
 *
 * No call gets faster with larger blocks. So a candidate takes at most what it was predicted to
 * take at a larger size, and native, while it does the same, at least what it takes at a smaller
 * one: a prediction says something about many sizes, and what was not predicted for want of work
 * leaves no wrong answer, but a more careful one.
 */
#include "model/choosing.h"

static double share(double mine, double native)
{
    return native > 0 ? mine / native : 1;
}

/* `factor` as unlucky. */
static double score(const struct shunt_choosing *c, const struct shunt_figures *mine, size_t spot,
                    double factor)
{
    const double *weight = c->ask->weight;
    const struct shunt_figures *native = &c->spot[spot].native;
    const double data = 2.0 * (double)c->ask->layout->ranks * (double)c->spot[spot].size;
    return (weight[SHUNT_OBJECTIVE_TIME] * factor * share(mine->time, native->time) +
            weight[SHUNT_OBJECTIVE_ENERGY] * factor * share(mine->energy, native->energy) +
            weight[SHUNT_OBJECTIVE_MEMORY] * (data + (double)mine->memory) / data) /
           c->sum;
}

double shunt_choosing_score(const struct shunt_choosing *c, const struct shunt_figures *mine,
                            size_t spot)
{
    return score(c, mine, spot, 1);
}

double shunt_choosing_worst(const struct shunt_choosing *c, const struct shunt_figures *mine,
                            size_t spot)
{
    return score(c, mine, spot, SHUNT_CHOOSE_BOX * SHUNT_CHOOSE_BOX);
}

bool shunt_choosing_keeps(const struct shunt_choosing *c, double worst)
{
    return worst * c->ask->margin <= 1;
}

struct shunt_figures shunt_choosing_of_time(const struct shunt_choosing *c, double time)
{
    const struct shunt_machine *m = c->ask->machine;
    const double drawn =
        m->power == SHUNT_POWER_CARD ? (double)c->ask->layout->nodes * m->cards : 1;
    return (struct shunt_figures){.time = time, .energy = drawn * m->static_power * time};
}

static void raise(struct shunt_figures *figures, const struct shunt_figures *least)
{
    if (figures->time < least->time)
        figures->time = least->time;
    if (figures->energy < least->energy)
        figures->energy = least->energy;
}

/* Whether an algorithm takes no less at the larger of two sizes: blocks that are long enough for
 * the library to copy them at once may be quicker than shorter ones. */
static bool is_alike(const struct shunt_choosing *c, const struct shunt_algorithm *row, size_t a,
                     size_t b)
{
    const int64_t longs = c->ask->machine->type_long;
    return row->kind != SHUNT_KIND_DATATYPE ||
           (c->spot[a].size < longs) == (c->spot[b].size < longs);
}

/* With the same parameters, which do not follow from the size. */
static bool same_native(const struct shunt_choosing *c, size_t a, size_t b)
{
    return c->spot[a].row == c->spot[b].row && is_alike(c, c->spot[a].row, a, b);
}

void shunt_choosing_native(struct shunt_choosing *c, size_t spot)
{
    struct shunt_spot *s = &c->spot[spot];
    s->native = shunt_choosing_of_time(
        c, shunt_bound_native(&s->bound, c->ask->machine, c->ask->layout, s->size));
    if (spot > 0 && same_native(c, spot, spot - 1))
        raise(&s->native, &c->spot[spot - 1].native);
}

void shunt_choosing_raise(struct shunt_choosing *c, size_t spot,
                          const struct shunt_figures *figures)
{
    for (size_t i = spot; i < c->spots && same_native(c, i, spot); i++)
        raise(&c->spot[i].native, figures);
}

const struct shunt_figures *shunt_choosing_most(const struct shunt_choosing *c, size_t k,
                                                size_t spot)
{
    for (size_t i = spot; i < c->spots && c->known[k]; i++)
        if (c->spot[i].estimate[k].state == SHUNT_ESTIMATE_KNOWN &&
            is_alike(c, c->list.candidate[k].algorithm, spot, i))
            return &c->spot[i].estimate[k].figures;
    return NULL;
}

struct shunt_figures shunt_choosing_least(const struct shunt_choosing *c, size_t k, size_t spot)
{
    struct shunt_figures least = shunt_choosing_of_time(
        c, shunt_bound_time(&c->bound[k], c->ask->machine, c->spot[spot].size));
    for (size_t i = spot + 1; i > 0 && c->known[k]; i--) {
        const struct shunt_estimate *estimate = &c->spot[i - 1].estimate[k];
        if (estimate->state != SHUNT_ESTIMATE_KNOWN ||
            !is_alike(c, c->list.candidate[k].algorithm, spot, i - 1))
            continue;
        raise(&least, &estimate->figures);
        break;
    }
    return least;
}

size_t shunt_choosing_best(const struct shunt_choosing *c, size_t spot, double *worst)
{
    size_t best = c->list.count;
    *worst = 1;
    for (size_t k = 0; k < c->list.count; k++) {
        const struct shunt_figures *most = shunt_choosing_most(c, k, spot);
        const double cost = most ? shunt_choosing_worst(c, most, spot) : 2;
        if (!shunt_choosing_keeps(c, cost) || (best < c->list.count && !(cost < *worst)))
            continue;
        best = k;
        *worst = cost;
    }
    return best;
}

bool shunt_choosing_bridges(const struct shunt_choosing *c, size_t k, size_t spot)
{
    if (k == c->list.count || !is_alike(c, c->list.candidate[k].algorithm, spot, spot + 1))
        return false;
    const struct shunt_figures *low = shunt_choosing_most(c, k, spot),
                               *high = shunt_choosing_most(c, k, spot + 1);
    return low && high && shunt_choosing_keeps(c, shunt_choosing_worst(c, low, spot)) &&
           shunt_choosing_keeps(c, shunt_choosing_worst(c, high, spot + 1)) &&
           shunt_choosing_worst(c, high, spot) <= 1;
}
