/* SPDX-License-Identifier: BSD-3-Clause */
/* fail.h: what ends a measuring program. */
#ifndef SHUNT_BENCH_FAIL_H
#define SHUNT_BENCH_FAIL_H

#include <mpi.h>
#include <stddef.h>

/* The subcommand that messages come from, "bench" unless a program says otherwise. */
extern const char *bench_subcommand;

/* Ends the job with exit code 5. */
_Noreturn void bench_fail(int code, const char *what);

/* The same unless `code` is MPI_SUCCESS. */
static inline void bench_must(int code, const char *what)
{
    if (code != MPI_SUCCESS)
        bench_fail(code, what);
}

/* The same unless there is memory. */
static inline void *bench_need(void *memory)
{
    if (!memory)
        bench_fail(MPI_ERR_NO_MEM, "allocating memory");
    return memory;
}

#endif
