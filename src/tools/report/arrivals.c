/* SPDX-License-Identifier: BSD-3-Clause */
/* arrivals.c: for each rank, how much later than the first it comes, and how long until the last
 * one does. */
#include <stdlib.h>
#include <string.h>

#include "tools/report/report.h"

/* NULL: memory is short, or the rank is not known. */
static struct shunt_report_rank *get(struct shunt_report_arrivals *arrivals, int rank)
{
    if (rank < 0)
        return NULL;
    if ((size_t)rank >= arrivals->count) {
        const size_t count = (size_t)rank + 1 + arrivals->count / 2;
        struct shunt_report_rank *list = realloc(arrivals->rank, count * sizeof *list);
        if (!list) {
            arrivals->short_of_memory = true;
            return NULL;
        }
        memset(list + arrivals->count, 0, (count - arrivals->count) * sizeof *list);
        arrivals->rank = list;
        arrivals->count = count;
    }
    return &arrivals->rank[rank];
}

void shunt_report_arrivals_met(void *context, const struct shunt_logs_come *come, int count)
{
    struct shunt_report_arrivals *arrivals = context;
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
    return late ? arrivals->rank[rank].late : arrivals->rank[rank].waited;
}

size_t shunt_report_arrivals_worst(const struct shunt_report_arrivals *arrivals, bool late,
                                   int *list, size_t most)
{
    size_t count = 0;
    for (int rank = 0; (size_t)rank < arrivals->count; rank++) {
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
