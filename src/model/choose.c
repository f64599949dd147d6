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
 * luck is not counted on. tests/unit/test_choose.c holds all this against the model.)
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
 * Work. Every candidate has a bound from below (bound.h) that needs one rank's events once, and is
 * predicted only where that bound keeps the margin: mostly none, where the library does well. Where
 * native itself has too many events, the bound takes its place: then the choice is more careful. So
 * is it where predictions of a size have used up their share.
 */
#include "model/choose.h"

#include <stdlib.h>
#include <string.h>

#include "model/bound.h"
#include "model/candidates.h"

/* In events and blocks: for native at each size, for bounds of all candidates, for predictions of
 * candidates at each size. Some ten nanoseconds each. */
enum { WORK_NATIVE = 1 << 16, WORK_BOUNDS = 1 << 20, WORK_SIZE = 1 << 19 };
enum { WORK_PAIRS = 1 << 24 };

/* Where nodes are alike a prediction looks at all ranks of so many, and at no more ranks than that
 * in any case (symmetry.c). */
enum { NODES_BUILT = 9, RANKS_BUILT = 256 };

struct figures {
    double time, energy;
    int64_t memory;
};

/* A candidate at a size. */
struct estimate {
    enum { UNKNOWN, KNOWN, UNUSABLE } state;
    struct figures figures;
    double promise; /* its cost in the worst case by its bound, above 1 where it cannot be taken */
};

struct choosing {
    const struct shunt_choose *ask;
    struct shunt_candidates list;
    struct shunt_bound *bounds; /* array of list.count */
    bool *bounded;              /* likewise: whether the bound was made */
    struct estimate *estimates; /* array of list.count per size */
    int64_t size[SHUNT_CHOOSE_SIZES];
    size_t sizes;
    struct figures native[SHUNT_CHOOSE_SIZES];
    size_t best[SHUNT_CHOOSE_SIZES]; /* list.count: native */
    uint64_t ranks_built;            /* whose events a prediction builds at least */
    double sum;                      /* of the weights */
    uint64_t work;
    bool failed; /* memory was short */
};

const char *shunt_objective_name(enum shunt_objective objective)
{
    static const char *const names[SHUNT_OBJECTIVE_COUNT] = {"time", "energy", "memory"};
    return names[objective];
}

static void add_size(struct choosing *c, int64_t size)
{
    size_t at = c->sizes;
    if (size < 1 || size > SHUNT_CHOOSE_LARGEST)
        return;
    while (at > 0 && c->size[at - 1] > size)
        at--;
    if (at > 0 && c->size[at - 1] == size)
        return;
    for (size_t i = c->sizes++; i > at; i--)
        c->size[i] = c->size[i - 1];
    c->size[at] = size;
}

static void list_sizes(struct choosing *c)
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

static uint64_t ranks_built(const struct shunt_layout *layout)
{
    const uint64_t ranks = (uint64_t)layout->ranks,
                   sample = NODES_BUILT * (uint64_t)layout->ppn_max;
    bool alike = layout->ppn_min == layout->ppn_max && layout->ranks > RANKS_BUILT;
    for (int p = 0; p < layout->ranks && alike; p++)
        alike = layout->node_of[p] == p / layout->ppn_max;
    return alike && sample < ranks ? sample : ranks;
}

static struct shunt_event_call call_of(const struct choosing *c,
                                       const struct shunt_algorithm *algorithm,
                                       const struct shunt_params *params, int64_t block)
{
    const struct shunt_choose *ask = c->ask;
    return (struct shunt_event_call){.op = ask->op,
                                     .algorithm = algorithm,
                                     .layout = ask->layout,
                                     .params = params,
                                     .block = block,
                                     .memory = ask->memory < 0 ? 0 : ask->memory};
}

/* As a plain bound: static power alone. */
static struct figures figures_of_bound(const struct choosing *c, double time)
{
    const struct shunt_machine *m = c->ask->machine;
    const double drawn =
        m->power == SHUNT_POWER_CARD ? (double)c->ask->layout->nodes * m->cards : 1;
    return (struct figures){.time = time, .energy = drawn * m->static_power * time};
}

/* What the model says, by a call of which each rank has `work`; UNUSABLE where that takes more than
 * is left of *left. */
static struct estimate predict(struct choosing *c, const struct shunt_event_call *call,
                               uint64_t work, uint64_t *left)
{
    const uint64_t least = work * c->ranks_built;
    if (least > *left)
        return (struct estimate){.state = UNUSABLE};
    /* All ranks', should nodes turn out not to be alike. */
    const uint64_t all = work * (uint64_t)c->ask->layout->ranks;
    const struct shunt_cost_call whole = {
        .machine = c->ask->machine, .call = *call, .most = all < *left ? 2 * all : *left};
    struct shunt_cost cost;
    const enum shunt_cost_result result = shunt_cost_predict(&cost, &whole);
    const bool large = result == SHUNT_COST_LARGE || cost.method == SHUNT_COST_EXACT;
    const uint64_t done = large && all > least ? all : least;
    *left -= done < *left ? done : *left;
    c->work += done;
    c->failed = c->failed || result == SHUNT_COST_MEMORY;
    if (result != SHUNT_COST_OK || !(cost.time > 0))
        return (struct estimate){.state = UNUSABLE};
    return (struct estimate){.state = KNOWN, .figures = {.time = cost.time, .energy = cost.energy}};
}

/* Of native: ranks that outnumber the processors of their node are busy one after the other, and
 * all do the same. They wait for messages all at once. */
static double ranks_per_processor(const struct choosing *c)
{
    const int32_t processors = c->ask->machine->processors, ranks = c->ask->layout->ppn_min;
    return processors > 0 && processors < ranks ? (double)ranks / processors : 1;
}

static void look_at_native(struct choosing *c)
{
    const struct shunt_choose *ask = c->ask;
    const struct shunt_algorithm *counted = NULL;
    struct shunt_bound bound = {0};
    for (size_t i = 0; i < c->sizes && !c->failed; i++) {
        struct shunt_params params;
        const struct shunt_algorithm *row =
            shunt_cost_native(&params, ask->machine, ask->op, ask->layout, c->size[i]);
        const struct shunt_event_call scheduled = call_of(c, row, &params, c->size[i]);
        if (row != counted) {
            c->failed = shunt_bound_make(&bound, &scheduled) != 0;
            c->work += bound.work;
        }
        counted = row;
        const struct shunt_event_call native =
            call_of(c, shunt_registry_row(0), &params, c->size[i]);
        struct estimate estimate = {.state = UNUSABLE};
        uint64_t left = WORK_NATIVE;
        if (!c->failed)
            estimate = predict(c, &native, bound.work, &left);
        const double least =
            shunt_bound_time(&bound, ask->machine, c->size[i], ranks_per_processor(c));
        c->native[i] = estimate.state == KNOWN ? estimate.figures : figures_of_bound(c, least);
    }
}

static struct shunt_event_call candidate_call(const struct choosing *c, size_t k, int64_t block)
{
    const struct shunt_candidate *candidate = &c->list.candidate[k];
    struct shunt_event_call call = call_of(c, candidate->algorithm, &candidate->params, block);
    call.agrees = c->ask->op == SHUNT_OP_ALLTOALLV; /* for the map will have several answers */
    return call;
}

/* Whether candidates of one kind are worth a bound. Schedules of messages between ranks have a
 * block for each rank at least: where that is too much for a prediction they are not even built.
 * Those of nodes need several ranks on one, and memory that is counted by pairs of nodes. */
static bool worth_bounds(const struct choosing *c, bool sharing)
{
    const struct shunt_layout *layout = c->ask->layout;
    const uint64_t nodes = (uint64_t)layout->nodes;
    if (sharing)
        return layout->ppn_max > 1 && nodes * nodes <= WORK_PAIRS;
    return (uint64_t)layout->ranks * c->ranks_built <= WORK_SIZE;
}

static void make_bounds(struct choosing *c, bool sharing)
{
    uint64_t spent = 0;
    if (!worth_bounds(c, sharing))
        return;
    for (size_t k = 0; k < c->list.count && spent <= WORK_BOUNDS && !c->failed; k++) {
        const struct shunt_algorithm *algorithm = c->list.candidate[k].algorithm;
        if (!algorithm->build || shunt_kind_shares(algorithm->kind) != sharing)
            continue;
        const struct shunt_event_call call = candidate_call(c, k, c->size[0]);
        c->failed = shunt_bound_make(&c->bounds[k], &call) != 0;
        c->bounded[k] = !c->failed;
        spent += c->bounds[k].work;
    }
    c->work += spent;
}

static double share(double mine, double native)
{
    return native > 0 ? mine / native : 1;
}

/* What `mine` costs for such blocks where native costs 1; `factor` as unlucky. */
static double score(const struct choosing *c, const struct figures *mine,
                    const struct figures *native, double factor, int64_t block)
{
    const double *weight = c->ask->weight;
    const double data = 2.0 * (double)c->ask->layout->ranks * (double)block;
    return (weight[SHUNT_OBJECTIVE_TIME] * factor * share(mine->time, native->time) +
            weight[SHUNT_OBJECTIVE_ENERGY] * factor * share(mine->energy, native->energy) +
            weight[SHUNT_OBJECTIVE_MEMORY] * (data + (double)mine->memory) / data) /
           c->sum;
}

static double worst(const struct choosing *c, const struct figures *mine,
                    const struct figures *native, int64_t block)
{
    return score(c, mine, native, SHUNT_CHOOSE_BOX * SHUNT_CHOOSE_BOX, block);
}

static bool keeps_margin(const struct choosing *c, double score)
{
    return score * c->ask->margin <= 1; /* false for no number as well */
}

static int64_t memory_of(const struct choosing *c, size_t k, int64_t block)
{
    const struct shunt_candidate *candidate = &c->list.candidate[k];
    return candidate->algorithm->memory
               ? candidate->algorithm->memory(c->ask->layout, &candidate->params, block)
               : 0;
}

static bool fits(const struct choosing *c, int64_t memory)
{
    return memory < INT64_MAX && (c->ask->memory < 0 || memory <= c->ask->memory);
}

/* Candidate k at size i, predicted unless it already is. *left: work that may still be done. */
static const struct estimate *look_at(struct choosing *c, size_t k, size_t i, uint64_t *left)
{
    struct estimate *estimate = &c->estimates[i * c->list.count + k];
    if (estimate->state != UNKNOWN)
        return estimate;
    *estimate = (struct estimate){.state = UNUSABLE};
    const int64_t memory = memory_of(c, k, c->size[i]);
    if (!fits(c, memory) || c->failed)
        return estimate;
    const struct shunt_event_call call = candidate_call(c, k, c->size[i]);
    *estimate = predict(c, &call, c->bounds[k].work, left);
    estimate->figures.memory = memory;
    return estimate;
}

/* What the bounds promise at size i. */
static void list_promises(struct choosing *c, size_t i)
{
    const int64_t block = c->size[i];
    for (size_t k = 0; k < c->list.count; k++) {
        struct estimate *estimate = &c->estimates[i * c->list.count + k];
        estimate->promise = 2;
        if (!c->bounded[k])
            continue;
        struct figures least =
            figures_of_bound(c, shunt_bound_time(&c->bounds[k], c->ask->machine, block, 1));
        if (!keeps_margin(c, worst(c, &least, &c->native[i], block)))
            continue; /* without asking for memory, which takes longer */
        least.memory = memory_of(c, k, block);
        if (fits(c, least.memory))
            estimate->promise = worst(c, &least, &c->native[i], block);
    }
}

/* The most promising candidate at size i that was not looked at yet and that may cost less than
 * `least`; list.count: none. */
static size_t next_at(const struct choosing *c, size_t i, double least)
{
    size_t next = c->list.count;
    for (size_t k = 0; k < c->list.count; k++) {
        const struct estimate *estimate = &c->estimates[i * c->list.count + k];
        if (estimate->state == UNKNOWN && keeps_margin(c, estimate->promise) &&
            estimate->promise < least) {
            least = estimate->promise;
            next = k;
        }
    }
    return next;
}

/* The candidate with the least cost in the worst case among those that keep the margin. The most
 * promising are predicted first: with a lower margin the same ones, and then others. */
static size_t best_at(struct choosing *c, size_t i)
{
    const size_t none = c->list.count;
    uint64_t left = WORK_SIZE;
    size_t best = none, next;
    double least = 1;
    list_promises(c, i);
    while ((next = next_at(c, i, least)) != none) {
        const struct estimate *estimate = look_at(c, next, i, &left);
        if (estimate->state != KNOWN)
            continue;
        const double cost = worst(c, &estimate->figures, &c->native[i], c->size[i]);
        if (keeps_margin(c, cost) && (best == none || cost < least)) {
            best = next;
            least = cost;
        }
    }
    return best;
}

/* Whether candidate k can have the sizes between i and i + 1. */
static bool bridges(struct choosing *c, size_t k, size_t i)
{
    uint64_t left = UINT64_C(2) * WORK_SIZE;
    if (k == c->list.count)
        return false;
    const struct estimate *low = look_at(c, k, i, &left), *high = look_at(c, k, i + 1, &left);
    return low->state == KNOWN && high->state == KNOWN &&
           keeps_margin(c, worst(c, &low->figures, &c->native[i], c->size[i])) &&
           keeps_margin(c, worst(c, &high->figures, &c->native[i + 1], c->size[i + 1])) &&
           worst(c, &high->figures, &c->native[i], c->size[i]) <= 1;
}

static size_t between(struct choosing *c, size_t i)
{
    if (bridges(c, c->best[i], i))
        return c->best[i];
    return bridges(c, c->best[i + 1], i) ? c->best[i + 1] : c->list.count;
}

/* What is predicted for candidate k at size i, which it was predicted for. A cost may be 0, of
 * energy where messages take none, and no prediction is worth much more than the most. */
static double gain_at(const struct choosing *c, size_t k, size_t i)
{
    const struct figures *mine = &c->estimates[i * c->list.count + k].figures;
    const double cost = score(c, mine, &c->native[i], 1, c->size[i]);
    return cost * SHUNT_CHOOSE_GAIN_MOST > 1 ? 1 / cost : SHUNT_CHOOSE_GAIN_MOST;
}

/* From `from` bytes on candidate k; the same as before goes on, with the lesser gain. */
static void append(struct shunt_choices *choices, const struct choosing *c, int64_t from, size_t k,
                   double gain)
{
    struct shunt_choice *last = &choices->choice[choices->count - 1];
    const struct shunt_choice next =
        k == c->list.count ? (struct shunt_choice){.from = from, .algorithm = shunt_registry_row(0)}
                           : (struct shunt_choice){.from = from,
                                                   .algorithm = c->list.candidate[k].algorithm,
                                                   .params = c->list.candidate[k].params,
                                                   .gain = gain};
    if (last->algorithm == next.algorithm &&
        memcmp(&last->params, &next.params, sizeof next.params) == 0)
        last->gain = next.gain < last->gain ? next.gain : last->gain;
    else if (last->from == from)
        *last = next;
    else
        choices->choice[choices->count++] = next;
}

/* From what is best at the sizes to ranges. Blocks of no bytes go with the smallest. */
static void list_ranges(struct shunt_choices *choices, struct choosing *c)
{
    const size_t none = c->list.count;
    for (size_t i = 0; i < c->sizes; i++) {
        const size_t k = c->best[i];
        append(choices, c, i == 0 ? 0 : c->size[i], k, k == none ? 0 : gain_at(c, k, i));
        if (i + 1 == c->sizes || c->size[i + 1] == c->size[i] + 1)
            continue;
        const size_t middle = between(c, i);
        double gain = 0;
        if (middle != none) {
            const double low = gain_at(c, middle, i), high = gain_at(c, middle, i + 1);
            gain = low < high ? low : high;
        }
        append(choices, c, c->size[i] + 1, middle, gain);
    }
    append(choices, c, SHUNT_CHOOSE_LARGEST + 1, none, 0);
}

static void choose(struct shunt_choices *choices, struct choosing *c)
{
    look_at_native(c);
    make_bounds(c, true);
    make_bounds(c, false);
    for (size_t i = 0; i < c->sizes && !c->failed; i++)
        c->best[i] = best_at(c, i);
    if (!c->failed)
        list_ranges(choices, c);
}

static void all_native(struct shunt_choices *choices)
{
    choices->count = 1;
    choices->choice[0] = (struct shunt_choice){.algorithm = shunt_registry_row(0)};
}

/*
 * Whether numbers are as IEEE 754 has them where nobody asked for something else. A program may
 * have asked, in one of its ranks alone: for another rounding, or for no numbers near 0. Seen in
 * what comes out, because to ask (fenv.h) would take the mathematical library.
 */
static bool rounds_as_usual(void)
{
    volatile const double one = 1, little = 1e-30, least = 1e-310;
    volatile const double up = one + little, down = one - little, below = -one - little,
                          half = least / 2;
    return up <= one && down >= one && below >= -one && half > 0;
}

int shunt_choose(struct shunt_choices *choices, const struct shunt_choose *ask)
{
    const char *key;
    struct choosing c = {.ask = ask};
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
    list_sizes(&c);
    c.ranks_built = ranks_built(ask->layout);
    /* Memory is asked for where it matters: for bundles it takes time by the square of the nodes.
     */
    c.failed = shunt_candidates_make(&c.list, ask->op, ask->layout, c.size[0], -1) != 0;
    c.bounds = calloc(c.list.count + 1, sizeof *c.bounds);
    c.bounded = calloc(c.list.count + 1, sizeof *c.bounded);
    c.estimates = calloc(c.sizes * c.list.count + 1, sizeof *c.estimates);
    if (!c.failed && c.bounds && c.bounded && c.estimates)
        choose(choices, &c);
    c.failed = c.failed || !c.bounds || !c.bounded || !c.estimates;
    if (c.failed)
        all_native(choices);
    choices->work = c.work;
    free(c.estimates);
    free(c.bounded);
    free(c.bounds);
    shunt_candidates_clear(&c.list);
    return c.failed ? -1 : 0;
}
