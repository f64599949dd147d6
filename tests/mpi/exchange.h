/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * exchange.h: checked calls for programs whose scenario is about something else. Each makes one
 * call with plain integers, of values that depend on sender, receiver and salt, and ends the job
 * with a message when the call fails or a single integer is wrong, gaps included.
 */
#ifndef SHUNT_TESTS_EXCHANGE_H
#define SHUNT_TESTS_EXCHANGE_H

#include <mpi.h>
#include <stddef.h>

/* MPI_Alltoall of `count` integers per rank. */
void exchange_alltoall(MPI_Comm comm, int count, int salt);

/* MPI_Alltoallv of 0 to `count` integers per rank, with gaps. */
void exchange_alltoallv(MPI_Comm comm, int count, int salt);

/* Both, `calls` times, with block sizes that change. */
void exchange_both(MPI_Comm comm, int calls, int salt);

/* Says what is wrong, with rank, file and line, and ends the job when `condition` does not hold. */
#define EXCHANGE_REQUIRE(condition, ...)                                                           \
    do {                                                                                           \
        if (!(condition))                                                                          \
            exchange_fail(__FILE__, __LINE__, __VA_ARGS__);                                        \
    } while (0)

void exchange_fail(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4), noreturn));

/* malloc or the end of the job. */
void *exchange_need(size_t bytes);

#endif
