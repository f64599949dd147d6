/* SPDX-License-Identifier: BSD-3-Clause */
/* times.c: see times.h. */
#include "route/times.h"

struct shunt_times shunt_times_sorted(const int64_t *times, uint32_t count)
{
    struct shunt_times s = {.count = count < SHUNT_TIMES_MOST ? (int)count : (int)SHUNT_TIMES_MOST};
    for (int i = 0; i < s.count; i++) {
        int at = i;
        for (; at > 0 && s.time[at - 1] > times[i]; at--)
            s.time[at] = s.time[at - 1];
        s.time[at] = times[i];
    }
    return s;
}

int64_t shunt_times_median(const struct shunt_times *times)
{
    return times->count > 0 ? times->time[times->count / 2] : 0;
}

bool shunt_times_below(const struct shunt_times *fast, const struct shunt_times *slow,
                       int64_t squared)
{
    const int64_t n = fast->count, m = slow->count;
    int64_t lower = 0, higher = 0; /* pairs */
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            lower += fast->time[i] < slow->time[j];
            higher += fast->time[i] > slow->time[j];
        }
    const int64_t excess = lower - higher; /* its variance: n m (n + m + 1) / 3 */
    return excess > 0 && 3 * excess * excess > squared * n * m * (n + m + 1);
}
