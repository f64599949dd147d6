/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program.h: a measuring program from its start to its end: MPI, the command line, whether it was
 * started as it must be, and an exit code that all ranks agree on.
 *
 * Ranks run the same code and differ only in what they print: rank 0 speaks. Only PMPI functions
 * are called, except where MPI is measured as it is.
 */
#ifndef SHUNT_MEASURE_PROGRAM_H
#define SHUNT_MEASURE_PROGRAM_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

#include "tools/common/options.h"
#include "tools/measure/facts.h"

/* One run of it, as far as all programs have it. */
struct measure_job {
    int rank, size;      /* in MPI_COMM_WORLD */
    const char *command; /* "shunt bench --block=64", for those who read the results */
    bool alone; /* set by `read`: nothing is measured, so one rank without launcher will do */
    bool as_is; /* likewise: under the settings and libraries of the user */
    struct measure_facts facts;
};

struct measure_program {
    const char *name; /* of the subcommand */
    /* Reads the command line; argv[0] is not looked at. False with one line in `diagnostic`. Where
     * words->help is set, nothing else is looked at. */
    bool (*read)(void *run, struct shunt_words *words, int argc, char **argv, char *diagnostic,
                 size_t capacity);
    /* Collective: what is wrong with it for these ranks. An exit code, the same on all of them,
     * with one line in `diagnostic`. */
    int (*check)(void *run, char *diagnostic, size_t capacity);
    /* Collective: everything else. An exit code, the same on all ranks. */
    int (*measure)(void *run);
    /* Releases what `run` has, however far it came. */
    void (*end)(void *run);
};

/* Returns the exit code. `job`: a part of `run`. */
int measure_program_run(const struct measure_program *program, struct measure_job *job, void *run,
                        int argc, char **argv);

/* Rank 0 says the problem, if there is one. Returns the code. */
int measure_refuse(const struct measure_job *job, int code, const char *diagnostic);

/* From rank 0 of the communicator to all. */
int measure_agree(MPI_Comm comm, int code);

/* Ends the job with exit code 5. */
_Noreturn void measure_fail(int code, const char *what);

/* The same unless `code` is MPI_SUCCESS. */
static inline void measure_must(int code, const char *what)
{
    if (code != MPI_SUCCESS)
        measure_fail(code, what);
}

/* The same unless there is memory. */
static inline void *measure_need(void *memory)
{
    if (!memory)
        measure_fail(MPI_ERR_NO_MEM, "allocating memory");
    return memory;
}

#endif
