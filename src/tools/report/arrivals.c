/* SPDX-License-Identifier: BSD-3-Clause */
/* arrivals.c: for each rank, how much later than the first it comes, and how long until the last
 * one does. */
#include <string.h>

#include "tools/report/report.h"

/* NULL: memory is short, or the rank is not known. */
static struct shunt_report_rank *get(struct shunt_report_arrivals *arrivals, int rank)
{
    struct shunt_report_rank *one = shunt_logs_pages_hold(&arrivals->rank, rank);
    arrivals->short_of_memory |= rank >= 0 && !one;
    return one;
}

const struct shunt_report_rank *shunt_report_rank(const struct shunt_report_arrivals *arrivals,
                                                  size_t rank)
{
    const struct shunt_report_rank *one = shunt_logs_pages_get(&arrivals->rank, rank);
    return one && one->calls > 0 ? one : NULL;
}

void shunt_report_arrivals_met(void *context, const struct shunt_logs_come *come, int count)
{
    struct shunt_report_arrivals *arrivals = context;
    arrivals->rank.size = sizeof(struct shunt_report_rank);
    if (count < 2)
        return;
    const double first = come[0].time, last = come[count - 1].time;
    for (int i = 0; i < count; i++) {
        struct shunt_report_rank *rank = get(arrivals, come[i].rank);
        if (!rank)
            continue;
        rank->calls++;
        rank->late += come[i].time - first;
        rank->waited += last - come[i].time;
        rank->last += i == count - 1 && last > first;
    }
}

static double amount(const struct shunt_report_arrivals *arrivals, int rank, bool late)
{
    const struct shunt_report_rank *one = shunt_report_rank(arrivals, (size_t)rank);
    return !one ? 0 : late ? one->late : one->waited;
}

size_t shunt_report_arrivals_worst(const struct shunt_report_arrivals *arrivals, bool late,
                                   int *list, size_t most)
{
    size_t count = 0;
    for (int rank = 0; (size_t)rank < arrivals->rank.count; rank++) {
        const double value = amount(arrivals, rank, late);
        size_t at = count;
        if (!(value > 0))
            continue;
        while (at > 0 && value > amount(arrivals, list[at - 1], late))
            at--;
        if (at == most)
            continue;
        count += count < most;
        memmove(&list[at + 1], &list[at], (count - at - 1) * sizeof *list);
        list[at] = rank;
    }
    return count;
}
