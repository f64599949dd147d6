/* SPDX-License-Identifier: BSD-3-Clause */
/* processors.c: how many processors the ranks of a node may use, and who else uses them. */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "tools/machine/run.h"
#include "tools/measure/loop.h"

enum { LOOKS = 25 };
static const double LOOK_EVERY = 0.01;

/* The quota of one group; version 1 has quota and period in two files. */
static double quota_of(const char *root, const char *path, bool old)
{
    char name[700], line[64] = "", period[32] = "";
    snprintf(name, sizeof name, "%s%s/%s", root, path, old ? "cpu.cfs_quota_us" : "cpu.max");
    if (!measure_line_read(name, line, 32))
        return 0;
    if (old) {
        snprintf(name, sizeof name, "%s%s/cpu.cfs_period_us", root, path);
        if (!measure_line_read(name, period, sizeof period))
            return 0;
        line[strcspn(line, "\n")] = ' ';
        strcat(line, period);
    }
    return machine_quota_read(line);
}

/* The least of a group and those around it. */
static double quota_around(const char *root, char *path, bool old)
{
    double least = 0;
    for (;;) {
        const double quota = quota_of(root, path, old);
        if (quota > 0 && (least == 0 || quota < least))
            least = quota;
        char *slash = strrchr(path, '/');
        if (!slash)
            return least;
        *slash = '\0';
    }
}

/* 0: none. */
static double find_quota(void)
{
    char line[512];
    double least = 0;
    FILE *file = fopen("/proc/self/cgroup", "r");
    while (file && fgets(line, sizeof line, file)) { /* HIERARCHY:CONTROLLERS:PATH */
        line[strcspn(line, "\n")] = '\0';
        char *controllers = strchr(line, ':');
        char *path = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!path)
            continue;
        const bool old = path > controllers + 1;
        *path++ = '\0';
        if (old && !strstr(controllers + 1, "cpu"))
            continue;
        const double quota = quota_around(old ? "/sys/fs/cgroup/cpu" : "/sys/fs/cgroup", path, old);
        if (quota > 0 && (least == 0 || quota < least))
            least = quota;
    }
    if (file)
        fclose(file);
    return least;
}

/* While our own ranks sleep; a process that runs for a moment only is none. */
static int look_around(const struct machine_run *run)
{
    struct measure_samples counts = {0};
    if (run->local > 0) {
        measure_pause(LOOKS * LOOK_EVERY);
        return 0;
    }
    for (int i = 0; i < LOOKS; i++) {
        measure_pause(LOOK_EVERY);
        measure_samples_add(&counts, measure_running());
    }
    return (int)measure_samples_median(&counts);
}

/* Bound: each rank may use fewer processors than the node's ranks together, and these are enough
 * for all. A description that took them for all there are would be wrong for more ranks. */
static bool is_bound(const struct machine_run *run)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    int mine = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : CPU_SETSIZE;
    int values[2] = {mine, run->job.facts.processors};
    measure_must(PMPI_Allreduce(MPI_IN_PLACE, &values[0], 1, MPI_INT, MPI_MAX, run->node),
                 "MPI_Allreduce");
    machine_tell(run, run->all, values, (int)sizeof values);
    return values[0] < values[1] && values[1] >= machine_run_home(run);
}

/* Of the running kernel; of none that is known the rank. */
static uint64_t kernel_of(const struct machine_run *run)
{
    char line[64];
    if (!measure_line_read("/proc/sys/kernel/random/boot_id", line, sizeof line))
        return (uint64_t)run->rank;
    return shunt_hash_text(SHUNT_HASH_EMPTY, line);
}

/* Nodes from `first` on that run under one kernel: containers, for example. */
static int same_kernel(const struct machine_run *run, const uint64_t *kernels, int first)
{
    int last = first;
    while (last < run->nodes && kernels[run->first[last]] == kernels[run->first[first]])
        last++;
    return last - first;
}

/* How many nodes in a row share their processors, where it is the same everywhere; else 1. */
static int find_sharing(const struct machine_run *run)
{
    const uint64_t mine = kernel_of(run);
    uint64_t *kernels = measure_need(calloc((size_t)run->size, sizeof *kernels));
    measure_must(PMPI_Allgather(&mine, 1, MPI_UINT64_T, kernels, 1, MPI_UINT64_T, run->all),
                 "MPI_Allgather");
    const int sharing = same_kernel(run, kernels, 0);
    bool regular = true;
    for (int node = 0; node < run->nodes; node += sharing)
        regular = regular && same_kernel(run, kernels, node) == sharing;
    free(kernels);
    return regular ? sharing : 1;
}

void machine_processors_find(struct machine_run *run)
{
    const double quota = find_quota();
    run->processors = run->job.facts.processors;
    if (quota > 0 && quota < run->processors)
        run->processors = quota < 1 ? 1 : (int)quota;
    machine_tell(run, run->all, &run->processors, (int)sizeof run->processors);
    run->bound = is_bound(run);
    run->sharing = find_sharing(run);
    if (run->sharing * machine_run_home(run) > run->processors)
        run->job.facts.oversubscribed = true;
    run->yields = run->processors < 2 || run->job.facts.oversubscribed;
    machine_meet(run, run->all);
    run->running = look_around(run);
    measure_must(PMPI_Allreduce(MPI_IN_PLACE, &run->running, 1, MPI_INT, MPI_MAX, run->all),
                 "MPI_Allreduce");
}
