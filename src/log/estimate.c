/* SPDX-License-Identifier: BSD-3-Clause */
/* estimate.c: medians of like calls, native against routed. */
#include <stdlib.h>
#include <string.h>

#include "log/estimate.h"

/* A sampled time, which stands for several calls. */
struct value {
    float seconds;
    double calls;
};

/* One side of a comparison. `values` is an array with room for all that can come. */
struct side {
    struct value *values;
    size_t count;
    uint64_t calls, events;
};

static int by_likeness(const void *a, const void *b)
{
    const struct shunt_log_cell_key *x = &(*(struct shunt_log_cell *const *)a)->key,
                                    *y = &(*(struct shunt_log_cell *const *)b)->key;
    const int order = strcmp(shunt_log_entry_field(x->entry, SHUNT_LOG_OPERATION),
                             shunt_log_entry_field(y->entry, SHUNT_LOG_OPERATION));
    if (order != 0)
        return order;
    return x->sent != y->sent ? x->sent - y->sent : (x->ranks > y->ranks) - (x->ranks < y->ranks);
}

static int by_seconds(const void *a, const void *b)
{
    const struct value *x = a, *y = b;
    return (x->seconds > y->seconds) - (x->seconds < y->seconds);
}

static void take(struct side *side, const struct shunt_log_sample *sample)
{
    const int kept = shunt_log_sample_kept(sample);
    side->calls += sample->offered;
    side->events += sample->events;
    for (int i = 0; i < kept; i++)
        side->values[side->count++] =
            (struct value){sample->seconds[i], (double)sample->offered / kept};
}

/* The time that this part of the calls stays below; the middle of two where it lies between them.
 * The values are sorted. */
static double quantile(const struct side *side, double part)
{
    const double wanted = part * (double)side->calls, little = 1e-9 * (double)side->calls;
    double below = 0;
    size_t i = 0;
    while (i + 1 < side->count && (below += side->values[i].calls) < wanted - little)
        i++;
    const double seconds = (double)side->values[i].seconds;
    return below > wanted + little || i + 1 >= side->count
               ? seconds
               : (seconds + (double)side->values[i + 1].seconds) / 2;
}

struct spread {
    double median, low, high;
};

/* Values that stand for different numbers of calls say as much as so many of equal weight (Kish
 * 1965); those of several ranks no more than the calls that they made together. */
static double worth(const struct side *side)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < side->count; i++) {
        sum += side->values[i].calls;
        squares += side->values[i].calls * side->values[i].calls;
    }
    const double equal = sum * sum / squares;
    return equal < (double)side->events ? equal : (double)side->events;
}

/* Of n values in order, those 0.98 sqrt(n) places to either side of the middle hold the median
 * between them with 95 % confidence, whatever the distribution. */
static struct spread spread_of(struct side *side)
{
    const double count = worth(side);
    size_t places = 1; /* in whole numbers upwards, which needs no mathematical library */
    while ((double)(places * places) < 0.98 * 0.98 * count)
        places++;
    const double reach = (double)places / count;
    qsort(side->values, side->count, sizeof *side->values, by_seconds);
    const double least = (double)side->values[0].seconds,
                 most = (double)side->values[side->count - 1].seconds;
    return (struct spread){.median = quantile(side, 0.5),
                           .low = reach < 0.5 ? quantile(side, 0.5 - reach) : least,
                           .high = reach < 0.5 ? quantile(side, 0.5 + reach) : most};
}

/* Seconds of the routed calls: natively, and as they were. */
struct sums {
    struct spread native, routed;
};

static void add(struct spread *sum, double calls, const struct spread *seconds)
{
    sum->median += calls * seconds->median;
    sum->low += calls * seconds->low;
    sum->high += calls * seconds->high;
}

/* Compares `count` cells of like calls. */
static void compare(struct shunt_log_estimate *estimate, struct sums *sums,
                    struct shunt_log_cell *const *cells, size_t count, struct side *native,
                    struct side *routed)
{
    uint64_t early = 0;
    native->count = routed->count = 0;
    native->calls = routed->calls = native->events = routed->events = 0;
    for (size_t i = 0; i < count; i++) {
        if (cells[i]->key.kind == SHUNT_LOG_TURN)
            take(native, &cells[i]->took);
        else if (cells[i]->key.kind == SHUNT_LOG_EARLY)
            early += cells[i]->took.events;
        else if (cells[i]->key.kind == SHUNT_LOG_ROUTED)
            take(routed, &cells[i]->took);
    }
    if (routed->calls == 0)
        return;
    if (native->events < SHUNT_LOG_FEW)
        estimate->too_few += native->events + early;
    if (native->events < SHUNT_LOG_FEW || routed->events < SHUNT_LOG_FEW)
        return;
    const struct spread theirs = spread_of(native), ours = spread_of(routed);
    estimate->native += native->calls;
    estimate->routed += routed->calls;
    add(&sums->native, (double)routed->calls, &theirs);
    add(&sums->routed, (double)routed->calls, &ours);
}

static bool alike(const struct shunt_log_cell *a, const struct shunt_log_cell *b)
{
    return by_likeness(&a, &b) == 0;
}

/* Whether anything was routed, and how. */
static void look(struct shunt_log_estimate *estimate, const struct shunt_log_sizes *sizes)
{
    for (size_t i = 0; i < sizes->count; i++) {
        estimate->verified = estimate->verified || sizes->slots[i]->verified;
        if (sizes->slots[i]->key.kind == SHUNT_LOG_ROUTED)
            estimate->asked = 1;
    }
}

struct shunt_log_estimate shunt_log_estimate(struct shunt_log_sizes *sizes, double cost)
{
    struct shunt_log_estimate estimate = {.cost = cost};
    struct sums sums = {.native = {.median = 0}, .routed = {.median = 0}};
    struct side native = {0}, routed = {0};
    const size_t room = (size_t)SHUNT_LOG_SAMPLES * sizes->count;
    size_t next;
    if (sizes->count == 0)
        return estimate;
    shunt_log_sizes_sort(sizes, by_likeness);
    look(&estimate, sizes);
    if (estimate.verified)
        return estimate;
    native.values = calloc(room, sizeof *native.values);
    routed.values = calloc(room, sizeof *routed.values);
    for (size_t i = 0; native.values && routed.values && i < sizes->count; i = next) {
        for (next = i + 1; next < sizes->count && alike(sizes->slots[i], sizes->slots[next]);)
            next++;
        if (sizes->slots[i]->key.sent != SHUNT_LOG_CLASS_UNKNOWN)
            compare(&estimate, &sums, &sizes->slots[i], next - i, &native, &routed);
    }
    free(native.values);
    free(routed.values);
    if (sums.native.low > 0 && sums.routed.low > 0) {
        estimate.ranks = 1;
        estimate.speedup = sums.native.median / sums.routed.median;
        estimate.low = sums.native.low / sums.routed.high;
        estimate.high = sums.native.high / sums.routed.low;
        estimate.saved = sums.native.median - sums.routed.median - cost;
        estimate.saved_low = sums.native.low - sums.routed.high - cost;
        estimate.saved_high = sums.native.high - sums.routed.low - cost;
    }
    return estimate;
}

void shunt_log_estimate_add(struct shunt_log_estimate *sum, const struct shunt_log_estimate *more)
{
    sum->asked += more->asked;
    sum->verified = sum->verified || more->verified;
    sum->crowded = sum->crowded || more->crowded;
    if (more->ranks == 0) {
        sum->too_few = more->too_few > sum->too_few ? more->too_few : sum->too_few;
        return;
    }
    sum->ranks += more->ranks;
    sum->speedup += more->speedup;
    sum->low += more->low;
    sum->high += more->high;
    sum->saved += more->saved;
    sum->saved_low += more->saved_low;
    sum->saved_high += more->saved_high;
    sum->cost += more->cost;
    sum->spent += more->spent;
    sum->native += more->native;
    sum->routed += more->routed;
}
