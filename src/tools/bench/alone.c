/* SPDX-License-Identifier: BSD-3-Clause */
/* alone.c: see alone.h. */
#include "tools/bench/alone.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/environment.h"
#include "tools/bench/fail.h"

/* How many processes the launcher started, by what it told this one; 0: it told nothing. */
static long started(void)
{
    static const char *const names[] = {"PMI_SIZE", "OMPI_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS"};
    long most = 0;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *value = shunt_environment_value(names[i]);
        const long count = value ? strtol(value, NULL, 10) : 0;
        most = count > most ? count : most;
    }
    return most;
}

static bool in_path(const char *program)
{
    const char *path = shunt_environment_value("PATH");
    char file[PATH_MAX];
    while (path && *path) {
        const int length = (int)strcspn(path, ":");
        snprintf(file, sizeof file, "%.*s/%s", length, path, program);
        if (access(file, X_OK) == 0)
            return true;
        path += length + (path[length] == ':');
    }
    return false;
}

/* The launcher to name: the library's own names first, for mpiexec alone may be another's. */
static const char *launcher(const char *library)
{
    enum { NAMES = 4 };
    static const char *const mpich[NAMES] = {"mpiexec.hydra", "mpiexec.mpich", "mpiexec", "srun"};
    static const char *const open_mpi[NAMES] = {"mpiexec.openmpi", "mpirun.openmpi", "mpirun",
                                                "srun"};
    const char *const *names = strncmp(library, "Open MPI", 8) == 0 ? open_mpi : mpich;
    for (size_t i = 0; i < NAMES; i++)
        if (in_path(names[i]))
            return names[i];
    return NULL;
}

bool bench_is_astray(const char *library, char *diagnostic, size_t capacity)
{
    const long count = started();
    const char *name = launcher(library);
    char hint[160];
    if (name)
        snprintf(hint, sizeof hint, "start it as \"%s -n 16 shunt %s ...\"", name,
                 bench_subcommand);
    else
        snprintf(hint, sizeof hint,
                 "start it with the MPI library's launcher; neither mpiexec nor srun is in PATH "
                 "(Debian: package mpich)");
    if (count > 1)
        snprintf(diagnostic, capacity,
                 "the launcher started %ld processes, but each is alone: it belongs to another MPI "
                 "library than %s; %s",
                 count, library, hint);
    else if (count == 0 && shunt_environment_rank() < 0)
        snprintf(diagnostic, capacity,
                 "started without a launcher, so there is one rank and nothing to exchange; %s",
                 hint);
    else
        return false;
    return true;
}
