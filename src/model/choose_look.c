/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * choose_look.c: what is predicted, within the work that may be done.
 *
 * Every candidate gets a bound from below (bound.h), by a formula or from one rank's events.
 * Candidates are then predicted, at each size the most promising ones by these bounds, until no
 * other can be much better: mostly none, where the library does well. Sizes come first where most
 * may be gained; a prediction says something about smaller and about larger ones as well. Where a
 * winner ends between two sizes, one in between is looked at too.
 *
 * Work is counted, in events and blocks that are built or run, and never timed: all ranks stop at
 * the same place. Native, bounds and each size have their share of what is left, so that a little
 * is known everywhere before much is known anywhere.
 */
#include "model/choosing.h"

/* Shares of the work that is left: native's at all sizes and at each, one size's. The
 * first size may take all: one prediction that is dear is worth more than none. */
enum { SHARE_NATIVE = 4, SHARE_EACH = 8, SHARE_SIZE = 2 };

/* Of a size, how many candidates are predicted at most; and what another must promise to cost,
 * where the best so far costs 1. */
enum { LOOKS = 5 };
#define TRIES 0.9
/* What takes more than this share of what is left is dear. Its bound is multiplied by so much, for
 * what it waits, before it is looked at farther away. */
enum { SHARE_DEAR = 4 };
#define WAITING 1.5

/* What candidates cost at least at a spot; without asking for memory first, which takes longer. */
static void list_promises(struct shunt_choosing *c, size_t spot)
{
    for (size_t k = 0; k < c->list.count; k++) {
        c->promise[k] = 2;
        if (!c->bounded[k] || c->spot[spot].estimate[k].state != SHUNT_ESTIMATE_UNKNOWN)
            continue;
        struct shunt_figures least = shunt_choosing_least(c, k, spot);
        if (!shunt_choosing_keeps(c, shunt_choosing_worst(c, &least, spot)))
            continue;
        if (shunt_choosing_fits(c, k, spot, &least.memory))
            c->promise[k] = shunt_choosing_worst(c, &least, spot);
    }
}

/* Whether candidate k at a spot takes no more than `allowed`; if not, that is remembered. */
static bool is_affordable(struct shunt_choosing *c, size_t k, size_t spot, uint64_t allowed)
{
    if (shunt_choosing_price(c, k, spot) <= allowed)
        return true;
    c->limited = true;
    return false;
}

/* The most promising candidate that may cost less than `least`; list.count: none. */
static size_t next_at(struct shunt_choosing *c, size_t spot, double least, uint64_t allowed)
{
    size_t next = c->list.count;
    for (size_t k = 0; k < c->list.count; k++)
        if (shunt_choosing_keeps(c, c->promise[k]) && c->promise[k] < least &&
            is_affordable(c, k, spot, allowed)) {
            least = c->promise[k];
            next = k;
        }
    return next;
}

/* A spot of that size behind `spot`, where native does the same. */
static void insert(struct shunt_choosing *c, size_t spot, int64_t size)
{
    struct shunt_estimate *const fresh = c->estimates + c->spots * c->list.count;
    for (size_t i = c->spots++; i > spot + 1; i--)
        c->spot[i] = c->spot[i - 1];
    c->spot[spot + 1] = c->spot[spot];
    c->spot[spot + 1].size = size;
    c->spot[spot + 1].estimate = fresh;
    shunt_choosing_native(c, spot + 1);
}

/* A power of two between a spot and the next, in the middle as near as may be, for which there is
 * room; 0: none. */
static int64_t middle_of(const struct shunt_choosing *c, size_t spot)
{
    int64_t size = 1;
    if (c->spots == SHUNT_CHOOSE_SPOTS || spot + 1 == c->spots)
        return 0;
    const int64_t low = c->spot[spot].size, high = c->spot[spot + 1].size;
    while (2 * size * 2 * size <= low * high)
        size *= 2;
    return size > low && size < high ? size : 0;
}

/* Whether candidate k would keep the margin with some waiting, which is not in its bound. */
static bool is_hopeful(const struct shunt_choosing *c, size_t k, size_t spot)
{
    const struct shunt_figures least = shunt_choosing_least(c, k, spot);
    return shunt_choosing_keeps(c, WAITING * shunt_choosing_worst(c, &least, spot));
}

/* Where to look at candidate k for the sake of a spot. What is dear is not asked about at every
 * size: a larger one tells about all between. */
static size_t place_of(struct shunt_choosing *c, size_t k, size_t spot)
{
    const int64_t middle = middle_of(c, spot);
    if (shunt_choosing_price(c, k, spot) <= c->left / SHARE_DEAR || middle == 0)
        return spot;
    if (is_hopeful(c, k, spot + 1))
        return spot + 1;
    insert(c, spot, middle);
    return is_hopeful(c, k, spot + 1) ? spot + 1 : spot;
}

/* Which candidate is asked next at a spot. The one that was best elsewhere is the first: if it is
 * best here as well, ranges are few and hardly any other has to be asked. Then what is not dear,
 * and last what is. */
static size_t choose_next(struct shunt_choosing *c, size_t spot, size_t favourite, bool last,
                          uint64_t allowed)
{
    const size_t none = c->list.count;
    double worst;
    const size_t best = shunt_choosing_best(c, spot, &worst);
    const double least = best == none ? 1 : TRIES * worst;
    const uint64_t little = c->left / SHARE_DEAR < allowed ? c->left / SHARE_DEAR : allowed;
    if (favourite != none && c->promise[favourite] <= least &&
        shunt_choosing_keeps(c, c->promise[favourite]) &&
        is_affordable(c, favourite, spot, allowed))
        return favourite;
    const size_t next = last ? none : next_at(c, spot, least, little);
    return next == none ? next_at(c, spot, least, allowed) : next;
}

/* Candidate k at a spot, if it is unknown there and may keep the margin. */
static void ask_again(struct shunt_choosing *c, size_t k, size_t spot)
{
    const struct shunt_figures least = shunt_choosing_least(c, k, spot);
    if (shunt_choosing_keeps(c, shunt_choosing_worst(c, &least, spot)) &&
        is_affordable(c, k, spot, c->left))
        shunt_choosing_predict(c, k, spot);
}

/* Two neighbours with different winners: each is asked about the other's place, so that the sizes
 * between them are not native for want of a prediction. */
static void join(struct shunt_choosing *c, size_t low, size_t high, size_t spot)
{
    ask_again(c, low, spot + 1);
    if (!shunt_choosing_bridges(c, low, spot))
        ask_again(c, high, spot);
}

/* Where a winner ends before the next spot, or begins behind one. */
static void look_between(struct shunt_choosing *c, size_t spot)
{
    const size_t none = c->list.count;
    double worst;
    if (spot + 1 == c->spots)
        return;
    const size_t low = shunt_choosing_best(c, spot, &worst),
                 high = shunt_choosing_best(c, spot + 1, &worst);
    if (shunt_choosing_bridges(c, low, spot) || shunt_choosing_bridges(c, high, spot) ||
        (low == none && high == none) || c->failed ||
        c->spot[spot + 1].size == c->spot[spot].size + 1)
        return;
    if (low != none && high != none) {
        join(c, low, high, spot);
        return;
    }
    const int64_t size = middle_of(c, spot);
    if (size == 0)
        return;
    insert(c, spot, size);
    shunt_choosing_predict_native(c, spot + 1, c->left / SHARE_SIZE);
    ask_again(c, low != none ? low : high, spot + 1);
}

/* What is best at a spot is held against its neighbours at once: a winner that nobody could follow
 * to another size would be of no use. */
static void look_at_spot(struct shunt_choosing *c, size_t spot, size_t *favourite)
{
    const uint64_t share = *favourite == c->list.count ? c->left : c->left / SHARE_SIZE,
                   reserve = c->left - share;
    double worst;
    list_promises(c, spot);
    for (int i = 0; i < LOOKS && !c->failed; i++) {
        const uint64_t allowed = c->left > reserve ? c->left - reserve : 0;
        const size_t next = choose_next(c, spot, *favourite, i + 1 == LOOKS, allowed);
        if (next == c->list.count)
            break;
        c->promise[next] = 2;
        shunt_choosing_predict(c, next, place_of(c, next, spot));
    }
    const size_t best = shunt_choosing_best(c, spot, &worst);
    if (best == c->list.count)
        return;
    *favourite = best;
    look_between(c, spot);
    if (spot > 0)
        look_between(c, spot - 1);
}

/* What the most promising candidate costs at a spot, at least. */
static double promise_at(struct shunt_choosing *c, size_t spot)
{
    double least = 2;
    list_promises(c, spot);
    for (size_t k = 0; k < c->list.count; k++)
        least = c->promise[k] < least ? c->promise[k] : least;
    return least;
}

/* Sizes with a candidate that may keep the margin, those first where most may be gained. Returns
 * how many. */
static size_t order_sizes(struct shunt_choosing *c, int64_t *order)
{
    double least[SHUNT_CHOOSE_SPOTS];
    size_t count = 0;
    for (size_t i = 0; i < c->spots; i++) {
        const double promise = promise_at(c, i);
        size_t at = count;
        if (!shunt_choosing_keeps(c, promise))
            continue;
        for (count++; at > 0 && promise < least[at - 1]; at--) {
            least[at] = least[at - 1];
            order[at] = order[at - 1];
        }
        least[at] = promise;
        order[at] = c->spot[i].size;
    }
    return count;
}

static size_t spot_of(const struct shunt_choosing *c, int64_t size)
{
    size_t spot = 0;
    while (c->spot[spot].size != size)
        spot++;
    return spot;
}

void shunt_choosing_look(struct shunt_choosing *c)
{
    const uint64_t reserve = c->left - c->left / SHARE_NATIVE, each = c->left / SHARE_EACH;
    int64_t order[SHUNT_CHOOSE_SPOTS];
    size_t favourite = c->list.count;
    c->ranks_built = shunt_choosing_ranks(c->ask->layout);
    for (int later = 0; later < 2; later++) /* first where it becomes another */
        for (size_t i = 0; i < c->spots && c->left > reserve + each; i++)
            if (later == (i > 0 && c->spot[i].row == c->spot[i - 1].row))
                shunt_choosing_predict_native(c, i, each);
    shunt_choosing_bounds(c);
    const size_t count = order_sizes(c, order);
    for (size_t i = 0; i < count && !c->failed; i++)
        look_at_spot(c, spot_of(c, order[i]), &favourite);
    for (size_t i = c->spots - 1; i > 0 && !c->failed; i--)
        look_between(c, i - 1);
}
