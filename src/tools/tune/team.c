/* SPDX-License-Identifier: BSD-3-Clause */
/* team.c: see team.h. */
#include "tools/tune/team.h"

#include <string.h>

#include "base/clock.h"
#include "tools/measure/loop.h"
#include "tools/measure/program.h"

bool tune_team_open(struct tune_team *team, const struct tune_options *options,
                    const struct measure_facts *facts, const struct tune_place *place)
{
    int rank = 0;
    *team = (struct tune_team){.place = *place, .asked = &options->cells};
    struct measure_world *world = &team->world;
    *world = (struct measure_world){.seed = options->cells.seed, .facts = facts};
    measure_must(PMPI_Comm_rank(MPI_COMM_WORLD, &rank), "MPI_Comm_rank");
    const bool takes = tune_place_takes(&facts->nodes, place, rank);
    measure_must(PMPI_Comm_split(MPI_COMM_WORLD, takes ? 0 : MPI_UNDEFINED, rank, &world->comm),
                 "MPI_Comm_split");
    if (!takes)
        return false;
    measure_must(PMPI_Comm_set_errhandler(world->comm, MPI_ERRORS_RETURN),
                 "MPI_Comm_set_errhandler");
    measure_must(PMPI_Comm_rank(world->comm, &world->rank), "MPI_Comm_rank");
    measure_must(PMPI_Comm_size(world->comm, &world->size), "MPI_Comm_size");
    return true;
}

static void tell(struct tune_team *team, struct tune_order *order)
{
    measure_must(PMPI_Bcast(order, (int)sizeof *order, MPI_BYTE, 0, team->world.comm), "MPI_Bcast");
}

void tune_team_obey(struct tune_team *team)
{
    struct tune_order order;
    for (tell(team, &order); !order.end; tell(team, &order))
        tune_order_carry_out(team, &order, NULL, NULL);
}

/* Returns how many distributions there are for an operation, and has their names ready. */
static int name_distributions(struct tune_team *team, enum shunt_op op)
{
    static const struct measure_distribution constant = {.shape = MEASURE_CONSTANT};
    const bool alike = op == SHUNT_OP_ALLTOALL;
    const int count = alike ? 1 : team->asked->distribution_count;
    for (int d = 0; d < count; d++) {
        measure_distribution_print(alike ? &constant : &team->asked->distributions[d],
                                   team->name_text[d], sizeof team->name_text[d]);
        team->names[d] = team->name_text[d];
    }
    return count;
}

static bool run(void *context, const struct tune_batch *asked, struct tune_samples *samples)
{
    struct tune_team *team = context;
    struct tune_batch batch = *asked;
    struct tune_order order = {.seconds = batch.seconds,
                               .op = (int)batch.op,
                               .stage = batch.stage,
                               .count = batch.count,
                               .block = batch.block};
    const struct tune_key key = tune_order_key(team, &order);
    const int planned = team->store ? tune_store_planned(team->store, &key) : 0,
              distributions = name_distributions(team, batch.op);
    order.repetitions = batch.repetitions = planned > 0 ? planned : batch.repetitions;
    if (!tune_samples_make(samples, batch.count, distributions * TUNE_MODE_COUNT,
                           batch.repetitions))
        return false;
    if (planned > 0)
        order.first = tune_store_find(team->store, &key, &batch, team->names, samples);
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
    if (team->world.comm != MPI_COMM_NULL)
        measure_must(PMPI_Comm_free(&team->world.comm), "MPI_Comm_free");
    measure_rest(MPI_COMM_WORLD);
}
