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
    uint64_t calls;
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
    for (int i = 0; i < kept; i++)
        side->values[side->count++] =
            (struct value){sample->seconds[i], (double)sample->offered / kept};
}

/* The time that half of the calls stay below; the middle of two where it lies between them. */
static double median(const struct side *side)
{
    const double half = (double)side->calls / 2, little = 1e-9 * half;
    double below = 0;
    size_t i = 0;
    qsort(side->values, side->count, sizeof *side->values, by_seconds);
    while (i + 1 < side->count && (below += side->values[i].calls) < half - little)
        i++;
    const double seconds = (double)side->values[i].seconds;
    return below > half + little || i + 1 >= side->count
               ? seconds
               : (seconds + (double)side->values[i + 1].seconds) / 2;
}

/* What it adds to the sums of the estimate. */
struct sums {
    struct shunt_log_estimate *estimate;
    double native, routed; /* seconds: the routed calls natively, and as they were */
};

/* Compares `count` cells of like calls. */
static void compare(struct sums *sums, struct shunt_log_cell *const *cells, size_t count,
                    struct side *native, struct side *routed)
{
    struct shunt_log_estimate *estimate = sums->estimate;
    native->count = routed->count = 0;
    native->calls = routed->calls = 0;
    for (size_t i = 0; i < count; i++) {
        if (cells[i]->key.kind == SHUNT_LOG_NATIVE)
            continue;
        const bool before = cells[i]->key.kind == SHUNT_LOG_WARM_UP;
        take(before ? native : routed, &cells[i]->took);
        take(native, &cells[i]->native);
    }
    if (native->calls == 0 || routed->calls == 0)
        return;
    if (native->calls < SHUNT_LOG_FEW || routed->calls < SHUNT_LOG_FEW) {
        estimate->too_few += native->calls;
        return;
    }
    estimate->native += native->calls;
    estimate->routed += routed->calls;
    sums->native += (double)routed->calls * median(native);
    sums->routed += (double)routed->calls * median(routed);
}

static bool alike(const struct shunt_log_cell *a, const struct shunt_log_cell *b)
{
    return by_likeness(&a, &b) == 0;
}

struct shunt_log_estimate shunt_log_estimate(struct shunt_log_sizes *sizes)
{
    struct shunt_log_estimate estimate = {0};
    struct sums sums = {.estimate = &estimate};
    struct side native = {0}, routed = {0};
    const size_t room = 2 * SHUNT_LOG_SAMPLES * sizes->count;
    size_t next;
    if (sizes->count == 0)
        return estimate;
    shunt_log_sizes_sort(sizes, by_likeness);
    native.values = calloc(room, sizeof *native.values);
    routed.values = calloc(room, sizeof *routed.values);
    for (size_t i = 0; native.values && routed.values && i < sizes->count; i = next) {
        for (next = i + 1; next < sizes->count && alike(sizes->slots[i], sizes->slots[next]);)
            next++;
        if (sizes->slots[i]->key.sent != SHUNT_LOG_CLASS_UNKNOWN)
            compare(&sums, &sizes->slots[i], next - i, &native, &routed);
    }
    free(native.values);
    free(routed.values);
    if (sums.routed > 0)
        estimate.speedup = sums.native / sums.routed;
    return estimate;
}
