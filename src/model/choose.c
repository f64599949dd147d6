/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * choose.c: candidates against native, by worst cases.
 *
 * The worst case of the box. Times only add up and wait for one another (sums and maxima), so with
 * each parameter higher a call takes no less: native is fastest with all of them at the good end,
 * the candidate slowest with all at the bad one. And with all times at F times theirs, every sum
 * and every maximum is F times its own, so the whole is. The worst of the box is thus native's
 * prediction / F against the candidate's * F, without predicting anything anew: energies likewise,
 * which are powers that are sure times such times, and sums of energies that are in the box.
 * (Where ranks take turns on processors, a longer wait may by chance make for a better order; such
 * luck is not counted on. tests/unit/test_choose_bounds.c holds all this against the model.)
 *
 * Sizes. Between two that are looked at nothing is predicted. Native does the same on all of them,
 * for where it changes there are two sizes side by side; and no call gets faster with larger
 * blocks. So in between native takes at least what it takes at the lower end and the candidate at
 * most what it takes at the upper one: it gets the sizes in between where that is no loss in the
 * worst case, and it keeps the margin at both ends. Where both costs are straight lines, as they
 * are while no message of either becomes a different one, their quotient is monotone: the margin
 * then holds in between as well. Where the two ends have different winners, the one that does all
 * this is taken, the lower end's first; else native.
 *
 * Work. There is a limit to all of it; how it is spent is in choose_look.c. What is not known when
 * it is used up is not chosen.
 */
#include "model/choosing.h"

#include <stdlib.h>

/*
 * Work that may be done, in events and blocks that are built or run: some ten nanoseconds each, so
 * that a choice takes some hundredths of a second, and a tenth for 16,384 ranks.
 */
enum { WORK = 3 << 18, WORK_RANK = 13 << 4 };

uint64_t shunt_choose_limit(int ranks)
{
    return WORK + (uint64_t)WORK_RANK * (uint64_t)ranks;
}

const char *shunt_objective_name(enum shunt_objective objective)
{
    static const char *const names[SHUNT_OBJECTIVE_COUNT] = {"time", "energy", "memory"};
    return names[objective];
}

static void add_size(struct shunt_choosing *c, int64_t size)
{
    size_t at = c->spots;
    if (size < 1 || size > SHUNT_CHOOSE_LARGEST)
        return;
    while (at > 0 && c->spot[at - 1].size > size)
        at--;
    if (at > 0 && c->spot[at - 1].size == size)
        return;
    for (size_t i = c->spots++; i > at; i--)
        c->spot[i] = c->spot[i - 1];
    c->spot[at].size = size;
}

/* Sizes to look at, and what native does there: powers of 4, and both sides of where it, or a
 * message, becomes another. */
static void list_sizes(struct shunt_choosing *c)
{
    const struct shunt_machine *m = c->ask->machine;
    const int64_t changes[] = {m->native_short, m->native_medium, m->link[0].eager,
                               m->link[1].eager};
    for (int64_t size = 1; size <= SHUNT_CHOOSE_LARGEST; size *= 4)
        add_size(c, size);
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        add_size(c, changes[i]);
        if (changes[i] < SHUNT_CHOOSE_LARGEST)
            add_size(c, changes[i] + 1);
    }
}

/* What native does at a spot, and at least takes. Returns 0, or -1 when memory is short. */
static int bound_native(struct shunt_choosing *c, size_t spot)
{
    const struct shunt_choose *ask = c->ask;
    struct shunt_spot *s = &c->spot[spot];
    int status = 0;
    s->row = shunt_cost_native(&s->params, ask->machine, ask->op, ask->layout, s->size);
    const struct shunt_event_call call = {.op = ask->op,
                                          .algorithm = s->row,
                                          .layout = ask->layout,
                                          .params = &s->params,
                                          .block = s->size};
    if (spot > 0 && s->row == c->spot[spot - 1].row) {
        s->bound = c->spot[spot - 1].bound;
    } else if (s->row->kind != SHUNT_KIND_DIRECT || !shunt_bound_formula(&s->bound, &call)) {
        status = shunt_bound_make(&s->bound, &call);
        c->left -= s->bound.work < c->left ? s->bound.work : c->left;
    }
    shunt_choosing_native(c, spot);
    return status;
}

static void all_native(struct shunt_choices *choices)
{
    choices->count = 1;
    choices->choice[0] = (struct shunt_choice){.algorithm = shunt_registry_row(0)};
}

/*
 * Whether numbers are as IEEE 754 has them where nobody asked for something else. A program may
 * have asked, in one of its ranks alone: for another rounding, or for no numbers near 0. Seen in
 * what comes out. (The library asks in the environment that programs begin with.)
 */
static bool rounds_as_usual(void)
{
    volatile const double one = 1, little = 1e-30, least = 1e-310;
    volatile const double up = one + little, down = one - little, below = -one - little,
                          half = least / 2;
    return up <= one && down >= one && below >= -one && half > 0;
}

static bool prepare(struct shunt_choosing *c)
{
    const struct shunt_choose *ask = c->ask;
    list_sizes(c);
    c->left = shunt_choose_limit(ask->layout->ranks);
    /* Memory is looked at where it matters. */
    if (shunt_candidates_make(&c->list, ask->op, ask->layout, c->spot[0].size, -1) != 0)
        return false;
    const size_t count = c->list.count + 1;
    c->bound = calloc(count, sizeof *c->bound);
    c->bounded = calloc(count, sizeof *c->bounded);
    c->alone = calloc(count, sizeof *c->alone);
    c->known = calloc(count, sizeof *c->known);
    c->promise = calloc(count, sizeof *c->promise);
    c->estimates = calloc(SHUNT_CHOOSE_SPOTS * count, sizeof *c->estimates);
    if (!c->bound || !c->bounded || !c->alone || !c->known || !c->promise || !c->estimates)
        return false;
    for (size_t i = 0; i < c->spots; i++) {
        c->spot[i].estimate = c->estimates + i * c->list.count;
        if (bound_native(c, i) != 0)
            return false;
    }
    return true;
}

static void clear(struct shunt_choosing *c)
{
    free(c->estimates);
    free(c->promise);
    free(c->known);
    free(c->alone);
    free(c->bounded);
    free(c->bound);
    shunt_candidates_clear(&c->list);
}

int shunt_choose(struct shunt_choices *choices, const struct shunt_choose *ask)
{
    const char *key;
    struct shunt_choosing c = {.ask = ask};
    all_native(choices);
    choices->limited = false;
    choices->work = 0;
    if (ask->machine && !rounds_as_usual())
        return -1;
    for (int i = 0; i < SHUNT_OBJECTIVE_COUNT; i++)
        c.sum += ask->weight[i];
    if (!ask->machine || shunt_machine_wrong(ask->machine, &key) || ask->layout->ranks < 2 ||
        !(c.sum > 0) || !(ask->margin >= 1))
        return 0;
    c.failed = !prepare(&c);
    if (!c.failed)
        shunt_choosing_look(&c);
    if (!c.failed)
        shunt_choosing_ranges(choices, &c);
    choices->limited = c.limited;
    choices->work = shunt_choose_limit(ask->layout->ranks) - c.left;
    clear(&c);
    return c.failed ? -1 : 0;
}
