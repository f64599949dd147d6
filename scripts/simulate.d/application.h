/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * application.h: read before anything else, behind smpi.h, where a program of tests/apps is
 * compiled for the simulation: its exchanges go by the algorithm that was asked for.
 */
#ifndef SHUNT_SIMULATE_APPLICATION_H
#define SHUNT_SIMULATE_APPLICATION_H

#include <mpi.h>

#undef MPI_Init
#undef MPI_Finalize
#undef MPI_Alltoall
#undef MPI_Alltoallv
#define MPI_Init simulate_application_init
#define MPI_Finalize simulate_application_finalize
#define MPI_Alltoall simulate_application_alltoall
#define MPI_Alltoallv simulate_application_alltoallv

int simulate_application_init(int *argc, char ***argv);
int simulate_application_finalize(void);
int simulate_application_alltoall(const void *send, int send_count, MPI_Datatype send_type,
                                  void *recv, int recv_count, MPI_Datatype recv_type,
                                  MPI_Comm comm);
int simulate_application_alltoallv(const void *send, const int *send_counts, const int *send_displs,
                                   MPI_Datatype send_type, void *recv, const int *recv_counts,
                                   const int *recv_displs, MPI_Datatype recv_type, MPI_Comm comm);

#endif
