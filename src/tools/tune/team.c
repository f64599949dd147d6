/* SPDX-License-Identifier: BSD-3-Clause */
/* team.c: see team.h. */
#include "tools/tune/team.h"

#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "comm/wait.h"
#include "tools/bench/fail.h"
#include "tools/tune/members.h"
#include "tools/tune/order.h"

enum { NAP_NANOSECONDS = 500000 };

/* What a rank that is not needed does: it leaves its processor to others. */
static void rest(MPI_Comm world)
{
    const struct timespec nap = {.tv_nsec = NAP_NANOSECONDS};
    MPI_Request request;
    int done = 0;
    bench_must(PMPI_Ibarrier(world, &request), "MPI_Ibarrier");
    bench_must(PMPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    while (!done) {
        nanosleep(&nap, NULL);
        bench_must(PMPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    }
}

bool tune_team_open(struct tune_team *team, const struct tune_options *options,
                    const struct tune_allocation *allocation, const struct tune_place *place)
{
    int rank = 0;
    memset(team, 0, sizeof *team);
    team->place = *place;
    team->bench.options = options->cells;
    bench_must(PMPI_Comm_rank(MPI_COMM_WORLD, &rank), "MPI_Comm_rank");
    const bool takes = tune_allocation_takes(allocation, place, rank);
    bench_must(PMPI_Comm_split(MPI_COMM_WORLD, takes ? 0 : MPI_UNDEFINED, rank, &team->bench.world),
               "MPI_Comm_split");
    if (!takes)
        return false;
    bench_must(PMPI_Comm_set_errhandler(team->bench.world, MPI_ERRORS_RETURN),
               "MPI_Comm_set_errhandler");
    bench_must(PMPI_Comm_rank(team->bench.world, &team->bench.rank), "MPI_Comm_rank");
    bench_must(PMPI_Comm_size(team->bench.world, &team->bench.size), "MPI_Comm_size");
    return true;
}

static void tell(struct tune_team *team, struct tune_order *order)
{
    bench_must(PMPI_Bcast(order, (int)sizeof *order, MPI_BYTE, 0, team->bench.world), "MPI_Bcast");
}

void tune_team_obey(struct tune_team *team)
{
    struct tune_order order;
    for (tell(team, &order); !order.end; tell(team, &order))
        tune_order_carry_out(team, &order, NULL, NULL);
}

/* The names that the cases of an operation have in the file, whether they are open or not. */
static int name_cases(struct tune_team *team, enum shunt_op op, const char **names)
{
    const struct bench_options *o = &team->bench.options;
    const int count = op == SHUNT_OP_ALLTOALL ? 1 : o->distribution_count;
    const struct bench_distribution constant = {.shape = BENCH_CONSTANT};
    for (int c = 0; c < count; c++) {
        bench_distribution_print(op == SHUNT_OP_ALLTOALL ? &constant : &o->distributions[c],
                                 team->names[c], sizeof team->names[c]);
        names[c] = team->names[c];
    }
    return count;
}

static bool run(void *context, const struct tune_batch *asked, struct tune_samples *samples)
{
    struct tune_team *team = context;
    const char *names[BENCH_LIST_MOST];
    struct tune_batch batch = *asked;
    struct tune_order order = {.seconds = batch.seconds,
                               .op = (int)batch.op,
                               .stage = batch.stage,
                               .count = batch.count,
                               .block = batch.block};
    const struct tune_key key = tune_order_key(team, &order);
    const int planned = team->store ? tune_store_planned(team->store, &key) : 0,
              distributions = name_cases(team, batch.op, names);
    order.repetitions = batch.repetitions = planned > 0 ? planned : batch.repetitions;
    if (!tune_samples_make(samples, batch.count, distributions * TUNE_MODE_COUNT,
                           batch.repetitions))
        return false;
    if (planned > 0)
        order.first = tune_store_find(team->store, &key, &batch, names, samples);
    if (team->before)
        team->before(team->context);
    if (order.first < order.repetitions) {
        for (int k = 0; k < batch.count; k++)
            snprintf(order.texts[k], sizeof order.texts[k], "%s", batch.candidates[k]);
        tell(team, &order);
        tune_order_carry_out(team, &order, &batch, samples);
    }
    if (team->after)
        team->after(team->context, &batch, samples);
    return true;
}

static double left(void *context)
{
    const struct tune_team *team = context;
    return team->deadline - shunt_clock();
}

struct tune_lab tune_team_lab(struct tune_team *team)
{
    return (struct tune_lab){team, run, left};
}

void tune_team_end(struct tune_team *team)
{
    struct tune_order order = {.end = 1};
    tell(team, &order);
}

void tune_team_close(struct tune_team *team)
{
    tune_members_close(team);
    if (team->bench.world != MPI_COMM_NULL)
        bench_must(PMPI_Comm_free(&team->bench.world), "MPI_Comm_free");
    rest(MPI_COMM_WORLD);
}
