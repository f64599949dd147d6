/* SPDX-License-Identifier: BSD-3-Clause */
/* learn_candidates.c: see learn_candidates.h. */
#include "learn/learn_candidates.h"

enum { ENOUGH = 8 }; /* times of which ranks say something */
#define LONGEST_REST (INT64_C(1) << 20)

struct shunt_times shunt_learn_times(const struct shunt_learn_candidate *candidate)
{
    return shunt_times_sorted(candidate->times, candidate->count);
}

int64_t shunt_learn_median(const struct shunt_learn *learn, int candidate)
{
    const struct shunt_times s = shunt_learn_times(&learn->candidates[candidate]);
    return shunt_times_median(&s);
}

bool shunt_learn_beats(const struct shunt_learn *learn, int a, int b)
{
    enum { DEVIATIONS_SQUARED = 11, OF_MUCH_SQUARED = 5 };
    const struct shunt_times fast = shunt_learn_times(&learn->candidates[a]),
                             slow = shunt_learn_times(&learn->candidates[b]);
    const int count = fast.count < slow.count ? fast.count : slow.count;
    if (count < SHUNT_LEARN_FEW)
        return false;
    const int64_t mine = shunt_times_median(&fast), other = shunt_times_median(&slow);
    if (count < ENOUGH)
        return (b == 0 && mine < other / 2) ||
               (fast.time[fast.count - 1] < slow.time[0] && mine < other / 3 * 2);
    return mine < other / 20 * 19 &&
           shunt_times_below(&fast, &slow,
                             mine < other / 6 * 5 ? OF_MUCH_SQUARED : DEVIATIONS_SQUARED);
}

bool shunt_learn_usable(const struct shunt_learn *learn, int candidate)
{
    return !learn->candidates[candidate].dropped && !learn->candidates[candidate].lost;
}

void shunt_learn_keep(struct shunt_learn_candidate *candidate, int64_t time)
{
    candidate->times[candidate->count++ % SHUNT_LEARN_KEPT] = time;
}

void shunt_learn_forget(struct shunt_learn *learn)
{
    for (int a = 0; a < learn->candidate_count; a++) {
        learn->candidates[a].count = 0;
        learn->candidates[a].dropped = false;
    }
    learn->contented = false;
}

void shunt_learn_count_calls(struct shunt_learn *learn)
{
    const struct shunt_times s = shunt_learn_times(&learn->candidates[learn->current]);
    int64_t sum = 0;
    for (int i = 0; i < s.count; i++)
        sum += s.time[i]; /* trials cost what they cost, outliers too: so these count as well */
    if (s.count == 0)
        return;
    learn->base += (learn->calls - learn->counted) * (sum / s.count);
    learn->counted = learn->calls;
}

static int64_t allowance(const struct shunt_learn *learn)
{
    return learn->base / SHUNT_LEARN_SHARE + learn->earned - learn->spent;
}

/* What a call of a candidate will cost beyond one of the current candidate, as far as anything is
 * known: one that has no times yet a third as much again, which those that follow from better
 * knowledge pay for, but for one that is promised.
 */
static int64_t expected(const struct shunt_learn *learn, int candidate)
{
    if (learn->candidates[candidate].promised)
        return 0;
    const struct shunt_times times = shunt_learn_times(&learn->candidates[candidate]);
    /* Of two times of a guarded rule's rival the larger one may be the machine's. */
    const int64_t mine = learn->guards && times.count == 2 ? times.time[0]
                                                           : shunt_times_median(&times),
                  now = shunt_learn_median(learn, learn->current);
    return mine == 0 ? now / 3 : mine > now ? mine - now : 0;
}

void shunt_learn_add(struct shunt_learn *learn, int candidate)
{
    if (learn->length < SHUNT_LEARN_WINDOW)
        learn->plan[learn->length++] = candidate;
}

void shunt_learn_afford(struct shunt_learn *learn)
{
    const int64_t median = shunt_learn_median(learn, learn->current);
    int64_t cost = 0;
    for (int i = 0; i < learn->length; i++)
        cost += learn->run * expected(learn, learn->plan[i]);
    const int64_t lacking = cost - allowance(learn);
    if (cost == 0 || lacking <= 0 || median == 0)
        return;
    learn->until = learn->calls + 1 + lacking / (median / SHUNT_LEARN_SHARE + 1);
    learn->length = 0;
}

int64_t shunt_learn_payable(const struct shunt_learn *learn, int candidate, int64_t most)
{
    const int64_t call = expected(learn, candidate), rest = allowance(learn);
    if (call == 0 || rest / call > most)
        return most;
    return rest > 0 ? rest / call : 0;
}

int64_t shunt_learn_gain(const struct shunt_learn *learn)
{
    enum { MOST = 8 };
    const int64_t mine = shunt_learn_median(learn, learn->current),
                  native = shunt_learn_median(learn, 0), times = mine > 0 ? native / mine : 1;
    return times < 1 ? 1 : times < MOST ? times : MOST;
}

void shunt_learn_put_off(struct shunt_learn *learn)
{
    const int64_t calls = learn->interval * (learn->guards ? 1 : shunt_learn_gain(learn));
    learn->until = learn->calls + (calls < LONGEST_REST ? calls : LONGEST_REST);
}

void shunt_learn_rest(struct shunt_learn *learn)
{
    learn->phase = SHUNT_LEARN_REST;
    shunt_learn_put_off(learn);
    if (learn->interval < LONGEST_REST)
        learn->interval *= 2;
}

void shunt_learn_change(struct shunt_learn *learn, int candidate)
{
    shunt_learn_count_calls(learn);
    learn->current = candidate;
    learn->changes++;
}
