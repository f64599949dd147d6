/* SPDX-License-Identifier: BSD-3-Clause */
/* suggest.c: see suggest.h. */
#include "communicator/suggest.h"

#include <pthread.h>
#include <string.h>

#include "communicator/identity.h"
#include "communicator/process.h"
#include "log/log.h"
#include "model/plausible.h"
#include "route/forecast.h"

/* Layouts that are kept: of each number of ranks the first. Programs have few. */
enum { KEPT = 8 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct kept {
    struct shunt_layout layout;
    const struct shunt_table *table; /* never freed */
    int64_t memory;
} kept_layouts[KEPT];
static int count;

static const struct kept *find(int ranks)
{
    for (int i = 0; i < count; i++)
        if (kept_layouts[i].layout.ranks == ranks)
            return &kept_layouts[i];
    return NULL;
}

void shunt_suggest_note(const struct shunt_comm *comm)
{
    if (!shunt_process_first_of_job() || comm->given || comm->size < 2)
        return;
    if (comm->agreed.learn != SHUNT_LEARNING_SUGGEST) {
        shunt_log_expect(NULL);
        return;
    }
    pthread_mutex_lock(&lock);
    if (count < KEPT && !find(comm->size) &&
        shunt_layout_copy(&kept_layouts[count].layout, &comm->layout) == 0) {
        kept_layouts[count].table = comm->table;
        kept_layouts[count++].memory = comm->agreed.memory;
    }
    pthread_mutex_unlock(&lock);
}

static enum shunt_op op_of(const char *name)
{
    return strcmp(name, shunt_op_name(SHUNT_OP_ALLTOALL)) == 0 ? SHUNT_OP_ALLTOALL
                                                               : SHUNT_OP_ALLTOALLV;
}

/* The first one, unless it gains nothing and another may. */
static const struct shunt_forecast_one *most_promising(const struct shunt_forecast *forecast)
{
    const struct shunt_forecast_one *best = forecast->count > 0 ? &forecast->one[0] : NULL;
    for (int i = 1; i < forecast->count && best->high <= 1; i++)
        if (forecast->one[i].high > best->high)
            best = &forecast->one[i];
    return best;
}

static void tell(const struct kept *known, const struct shunt_log_gap *gap)
{
    int first;
    struct shunt_forecast forecast;
    const struct shunt_layout *layout = &known->layout;
    const struct shunt_machine *machine =
        known->table && known->table->modelled ? &known->table->model : NULL;
    const int processors = shunt_identity_processors(&first);
    const struct shunt_forecast_ask ask = {.op = op_of(gap->operation),
                                           .layout = layout,
                                           .block = {gap->from > 0 ? gap->from : 1, gap->to},
                                           .size = gap->from, /* mostly a power of two */
                                           .memory = known->memory,
                                           .machine = machine,
                                           .processors =
                                               processors > 1 ? processors : 0, /* bound to one */
                                           .work = SHUNT_SUGGEST_WORK};
    shunt_forecast(&forecast, &ask);
    const struct shunt_forecast_one *best = most_promising(&forecast);
    const struct shunt_log_expectation expected = {
        .nodes = layout->nodes,
        .ppn_min = layout->ppn_min,
        .ppn_max = layout->ppn_max,
        .low = forecast.low,
        .high = forecast.high,
        .algorithm = best ? shunt_registry_row(best->rule.algorithm)->name : NULL,
        .machine = machine ? machine->name : NULL,
        .machines = SHUNT_PLAUSIBLE_COUNT};
    shunt_log_expect(&expected);
}

void shunt_suggest_tell(void)
{
    struct shunt_log_gap gap;
    if (!shunt_log_gap(&gap))
        return;
    pthread_mutex_lock(&lock);
    const struct kept *known = find(gap.ranks);
    if (known && gap.to > 0)
        tell(known, &gap);
    for (int i = 0; i < count; i++)
        shunt_layout_clear(&kept_layouts[i].layout);
    count = 0;
    pthread_mutex_unlock(&lock);
}
