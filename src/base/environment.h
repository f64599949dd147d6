/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * environment.h: the environment of this process. Nothing else in src reads it (scripts/floors
 * checks that), and nothing here changes it: what a program or a child of it finds is as it was.
 *
 * Values point into the environment: they stay until the program changes the variable.
 */
#ifndef SHUNT_BASE_ENVIRONMENT_H
#define SHUNT_BASE_ENVIRONMENT_H

#include <stdbool.h>
#include <stddef.h>

/* All of it as NAME=VALUE, ends with NULL; never NULL itself. */
char *const *shunt_environment(void);
/* From now on what there is at this moment, whatever the program does to its own variables: for
 * shunt_environment, and for what launchers told. Values that are asked for by name alone
 * (shunt_environment_value) are those of the moment all the same. For a library, while it is
 * loaded. */
void shunt_environment_keep(void);
/* The same, kept by another object of this process: what its shunt_environment tells. */
void shunt_environment_keep_as(char *const *kept);

/* The variables whose names begin with `prefix`, copied: what the program changes later has no
 * effect on them. Empty when memory is short. Constant and kept; there is no way to free it. */
char *const *shunt_environment_copy(const char *prefix);

/* Value of a variable in such a list, or NULL. The list may be NULL. */
const char *shunt_environment_find(char *const *environment, const char *name);

/* Value of a variable of this process, or NULL. */
const char *shunt_environment_value(const char *name);

/* What the launcher told this process: its rank in the job, -1 where it told none; the ranks of the
 * job on this host, 0 where it told none. MPI need not be initialized. */
int shunt_environment_rank(void);
int shunt_environment_local_ranks(void);
/* The same where the launcher has counted them itself, and was not merely asked for them; 0
 * otherwise. */
int shunt_environment_counted_ranks(void);
/* Over how many hosts a job of so many ranks is spread, as far as the launcher tells: 0 otherwise.
 */
int shunt_environment_nodes(int ranks);
/* The number of the job in the batch system, or NULL. */
const char *shunt_environment_job(void);
/* The number of the step within the job, where the batch system counts them (Slurm), or NULL. */
const char *shunt_environment_step(void);
/* How often the batch system has begun this job anew; 0 the first time. */
int shunt_environment_restarts(void);
/* What started this process as a rank: "hydra", "slurm", "pmix" and so on, or NULL. */
const char *shunt_environment_launcher(void);

/* A launcher that says it started more than one process, as a process sees it that MPI calls alone.
 */
struct shunt_environment_launcher {
    const char *name; /* for people: "srun"; NULL: none says so */
    int rank, ranks;  /* ranks: 0 where it does not tell how many */
};
struct shunt_environment_launcher shunt_environment_launcher_of_many(void);

/* Whether this process is the one that speaks for the job before MPI can be asked: rank 0, or
 * without a rank. */
bool shunt_environment_first_of_job(void);

#endif
