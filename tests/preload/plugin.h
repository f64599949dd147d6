/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plugin.h: what the plugin offers to a program that knows no MPI. Handles are ints or pointers,
 * and are passed through.
 */
#ifndef SHUNT_TESTS_PLUGIN_H
#define SHUNT_TESTS_PLUGIN_H

#include <stdint.h>

#define PLUGIN_EXPORT __attribute__((visibility("default")))

/* MPI_Init to MPI_Finalize with exchanges made inside the plugin. Returns 0 unless MPI fails;
 * *wrong is of all ranks. */
typedef int plugin_run_function(int *ranks, long *wrong);

struct plugin_world {
    int rank, ranks;
    intptr_t communicator, int_type;
};
/* Both return 0 unless MPI fails. */
typedef int plugin_start_function(struct plugin_world *world);
typedef int plugin_stop_function(void);

/* MPI_Alltoallv, by a jump: the caller of MPI_Alltoallv seems to be whoever calls this. */
typedef int plugin_exchange_function(const void *send, const int *send_counts, const int *send_at,
                                     intptr_t send_type, void *receive, const int *receive_counts,
                                     const int *receive_at, intptr_t receive_type,
                                     intptr_t communicator);

PLUGIN_EXPORT plugin_run_function plugin_run;
PLUGIN_EXPORT plugin_start_function plugin_start;
PLUGIN_EXPORT plugin_stop_function plugin_stop;
PLUGIN_EXPORT plugin_exchange_function plugin_exchange;

#endif
