/* SPDX-License-Identifier: BSD-3-Clause */
/* exchange.h: exchanges with known answers, for programs that must not notice Shunt. */
#ifndef SHUNT_TESTS_EXCHANGE_H
#define SHUNT_TESTS_EXCHANGE_H

#include <mpi.h>

typedef int exchange_function(const void *send, const int *send_counts, const int *send_at,
                              MPI_Datatype send_type, void *receive, const int *receive_counts,
                              const int *receive_at, MPI_Datatype receive_type,
                              MPI_Comm communicator);

/*
 * `rounds` exchanges of blocks of different sizes through `exchange` (of the signature of
 * MPI_Alltoallv), each after one MPI_Alltoall that tells the sizes. Returns the number of wrong
 * values received on this rank.
 */
long exchange_rounds(MPI_Comm communicator, int rounds, exchange_function *exchange);

#endif
