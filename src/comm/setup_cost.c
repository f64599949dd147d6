/* SPDX-License-Identifier: BSD-3-Clause */
/* setup_cost.c: see setup_cost.h. */
#include "comm/setup_cost.h"

#include "process/identity.h"

/*
 * Seconds. What set-up costs each rank besides collectives of a few bytes (ranks that share a
 * processor do it one after the other).
 */
static const double LOCAL_FIRST = 3.5e-4, LOCAL_LATER = 1e-5, LOCAL_PER_RANK = 2e-7;
/* And where the model is asked about a layout: so much per rank up to a limit, and a little with
 * further ones. As measured: with 24 descriptions each, 4 ranks take 0.6 ms at most, 16 4 ms, 64 to
 * 1,024 9 to 20 ms (1,024 on one node 47 ms), 16,384 12 to 92 ms. */
static const double CHOICE_FEW = 2.5e-4, CHOICE = 0.016, CHOICE_PER_RANK = 5e-6;
/* In collectives of a few bytes; the first two for the first set-up, on one node for sure and on
 * perhaps several. */
static const double STEPS_ALONE = 3, STEPS_FIRST = 10, STEPS_LATER = 2.5;
/* Seconds of such a collective at most, per rank, and per pair of ranks where they share
 * processors: those of several nodes wait for each other's turn more often. */
static const double RANK = 2e-6, PAIR_ALONE = 1e-6, PAIR = 1.6e-6;

/* Whether all processes that this one began with are on its node, as far as it knows by itself. */
static bool is_alone(void)
{
    int initialized = 0, ranks = 0;
    return shunt_pmpi.Initialized(&initialized) == MPI_SUCCESS && initialized &&
           shunt_pmpi.Comm_size(MPI_COMM_WORLD, &ranks) == MPI_SUCCESS &&
           shunt_identity_nodes(ranks) == 1;
}

/* A collective of few bytes takes no longer than the calls so far, nor, however large these are,
 * than this. */
static double small_collective(const struct shunt_comm *comm, double ranks_per_processor,
                               bool alone)
{
    const double ranks = comm->size, done = (double)comm->calls - 1;
    const double pair = alone ? PAIR_ALONE : PAIR,
                 most = ranks_per_processor > 1 ? pair * ranks * ranks : RANK * ranks,
                 mean = done > 0 ? 1e-9 * (double)comm->warm.spent / done : 0;
    return mean > 0 && mean < most ? mean : most;
}

double shunt_setup_cost(const struct shunt_comm *comm, bool first, const struct shunt_table *table)
{
    const double ranks_per_processor = shunt_identity_ranks_per_processor(), ranks = comm->size;
    const double few = CHOICE_FEW * ranks,
                 choice = table && shunt_table_chooses(table, SHUNT_OP_ALLTOALL)
                              ? (few < CHOICE ? few : CHOICE) + CHOICE_PER_RANK * ranks
                              : 0;
    const double local = LOCAL_PER_RANK * comm->size + (first ? LOCAL_FIRST : LOCAL_LATER) + choice;
    const bool alone = is_alone();
    const double steps = !first ? STEPS_LATER : alone ? STEPS_ALONE : STEPS_FIRST;
    return ranks_per_processor * local + steps * small_collective(comm, ranks_per_processor, alone);
}
