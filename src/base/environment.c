/* SPDX-License-Identifier: BSD-3-Clause */
/* environment.c: variables of this process, and those that launchers and batch systems set. */
#include "base/environment.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COUNT(list) (sizeof(list) / sizeof *(list))

static char *nothing[] = {NULL};
static char *const *begun; /* NULL: what there is at the moment counts */

char *const *shunt_environment(void)
{
    return begun ? begun : environ ? environ : nothing;
}

void shunt_environment_keep(void)
{
    if (!begun)
        begun = shunt_environment_copy("");
}

void shunt_environment_keep_as(char *const *kept)
{
    begun = kept;
}

static const char *value_of(const char *name)
{
    return shunt_environment_find(shunt_environment(), name);
}

char *const *shunt_environment_copy(const char *prefix)
{
    char *const *all = shunt_environment();
    size_t count = 0, kept = 0;
    while (all[count])
        count++;
    const size_t length = strlen(prefix);
    char **copy = calloc(count + 1, sizeof *copy);
    for (size_t i = 0; copy && i < count; i++) {
        if (strncmp(all[i], prefix, length) != 0)
            continue;
        copy[kept] = strdup(all[i]);
        kept += copy[kept] ? 1 : 0;
    }
    return copy ? copy : nothing;
}

const char *shunt_environment_find(char *const *environment, const char *name)
{
    const size_t length = strlen(name);
    for (; environment && *environment; environment++)
        if (strncmp(*environment, name, length) == 0 && (*environment)[length] == '=')
            return *environment + length + 1;
    return NULL;
}

const char *shunt_environment_value(const char *name)
{
    return getenv(name);
}

/* The variable as a number of digits alone, -1 otherwise. */
static int number(const char *name)
{
    const char *value = name ? value_of(name) : NULL;
    char *end = NULL;
    const long found = value && *value >= '0' && *value <= '9' ? strtol(value, &end, 10) : -1;
    return end && *end == '\0' && found >= 0 && found <= INT_MAX ? (int)found : -1;
}

int shunt_environment_rank(void)
{
    /* Slurm's last: where another launcher starts the ranks inside one of its jobs, they inherit
     * that of the batch script. */
    static const char *const names[] = {"PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_RANK",
                                        "SLURM_PROCID"};
    for (size_t i = 0; i < COUNT(names); i++) {
        const int rank = number(names[i]);
        if (rank >= 0)
            return rank;
    }
    return -1;
}

/* The ranks of a Slurm step on this node, from a list like "4(x2),3"; 0: not told. */
static int step_ranks_here(void)
{
    const char *list = value_of("SLURM_STEP_TASKS_PER_NODE");
    int node = number("SLURM_NODEID");
    while (list && *list >= '0' && *list <= '9') {
        char *end;
        const long ranks = strtol(list, &end, 10);
        const long nodes = strncmp(end, "(x", 2) == 0 ? strtol(end + 2, &end, 10) : 1;
        if (nodes < 1)
            return 0;
        if (node < nodes)
            return ranks > 0 && ranks < 1 << 20 ? (int)ranks : 0;
        node -= (int)nodes;
        list = *end == ')' ? end + 1 : end;
        list += *list == ',';
    }
    return 0;
}

int shunt_environment_local_ranks(void)
{
    const int counted = shunt_environment_counted_ranks(), step = step_ranks_here();
    if (counted > 0 || step > 0)
        return counted > 0 ? counted : step;
    /* What the job was asked to have at most, "4" or "4(x2)". */
    const char *asked = value_of("SLURM_NTASKS_PER_NODE");
    const long ranks = asked ? strtol(asked, NULL, 10) : 0;
    return ranks > 0 && ranks < 1 << 20 ? (int)ranks : 0;
}

int shunt_environment_counted_ranks(void)
{
    static const char *const here[] = {"MPI_LOCALNRANKS", "PALS_LOCAL_SIZE",
                                       "MV2_COMM_WORLD_LOCAL_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE"};
    for (size_t i = 0; i < COUNT(here); i++)
        if (number(here[i]) > 0)
            return number(here[i]);
    return 0;
}

int shunt_environment_nodes(int ranks)
{
    const int here = shunt_environment_counted_ranks();
    if (here > 0)
        return here == ranks ? 1 : 0;
    /* Only of a step with these ranks: in a step of another kind (an interactive one, or one whose
     * tasks start the ranks) another launcher decides. */
    const int nodes = number("SLURM_STEP_NUM_NODES");
    return nodes > 0 && number("SLURM_STEP_NUM_TASKS") == ranks ? nodes : 0;
}

struct shunt_environment_launcher shunt_environment_launcher_of_many(void)
{
    /* The innermost first. SLURM_NTASKS is also set in a batch script, which starts one process. */
    static const struct {
        const char *name, *ranks, *rank;
    } known[] = {{"Open MPI's mpiexec", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
                 {"mpiexec", "PMI_SIZE", "PMI_RANK"},
                 {"srun", "SLURM_STEP_NUM_TASKS", "SLURM_PROCID"},
                 {"a launcher with PMIx", NULL, "PMIX_RANK"}};
    for (size_t i = 0; i < COUNT(known); i++) {
        const int ranks = number(known[i].ranks), rank = number(known[i].rank);
        if (ranks == 1)
            break;
        if (rank >= 0 && (ranks > 1 || (!known[i].ranks && rank > 0)))
            return (struct shunt_environment_launcher){known[i].name, rank, ranks > 1 ? ranks : 0};
    }
    return (struct shunt_environment_launcher){NULL, -1, 0};
}

const char *shunt_environment_job(void)
{
    static const char *const names[] = {"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "JOB_ID"};
    for (size_t i = 0; i < COUNT(names); i++) {
        const char *value = value_of(names[i]);
        if (value && *value != '\0')
            return value;
    }
    return NULL;
}

const char *shunt_environment_step(void)
{
    const char *value = value_of("SLURM_STEP_ID");
    return value && *value != '\0' ? value : NULL;
}

int shunt_environment_restarts(void)
{
    const int restarts = number("SLURM_RESTART_COUNT");
    return restarts > 0 ? restarts : 0;
}

const char *shunt_environment_launcher(void)
{
    /* In the order of certainty: ranks that another launcher starts inside a Slurm job inherit
     * Slurm's variables, and PMI_RANK alone may be anybody's. */
    static const struct {
        const char *variable, *value, *launcher;
    } signs[] = {
        {"PALS_RANKID", "", "pals"},
        {"MV2_COMM_WORLD_RANK", "", "mpirun_rsh"},
        {"HYDI_CONTROL_FD", "", "hydra"},
        {"MPI_LOCALNRANKS", "", "hydra"},
        {"OMPI_COMM_WORLD_RANK", "", "open-mpi"},
        {"PMIX_NAMESPACE", "slurm.", "slurm"},
        {"PMIX_RANK", "", "pmix"},
        {"SLURM_STEP_TASKS_PER_NODE", "", "slurm"},
        {"PMI_RANK", "", "pmi"},
    };
    for (size_t i = 0; i < COUNT(signs); i++) {
        const char *value = value_of(signs[i].variable);
        if (value && strncmp(value, signs[i].value, strlen(signs[i].value)) == 0)
            return signs[i].launcher;
    }
    return NULL;
}

bool shunt_environment_first_of_job(void)
{
    return shunt_environment_rank() <= 0;
}
