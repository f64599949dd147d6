/* SPDX-License-Identifier: BSD-3-Clause */
/* machine.c: what the figures depend on. */
#include <dlfcn.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tools/bench/bench.h"

static void find_processor(char *text, size_t room)
{
    char line[256];
    snprintf(text, room, "unknown");
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon) {
            snprintf(text, room, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
            break;
        }
    }
    if (file)
        fclose(file);
}

/* "MPICH Version:	4.0.2" in the first line. */
static void find_library(char *text, size_t room)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING + 1];
    int length = 0;
    if (PMPI_Get_library_version(version, &length) != MPI_SUCCESS)
        version[0] = '\0';
    version[strcspn(version, "\n")] = '\0';
    const char *colon = strchr(version, ':');
    if (strncmp(version, "MPICH", 5) == 0 && colon)
        snprintf(text, room, "MPICH %s", colon + 1 + strspn(colon + 1, " \t"));
    else
        snprintf(text, room, "%s", version);
}

/* The helper of tests/preload/yield.c stands before UCX. */
static void find_helper(struct bench_machine *machine)
{
    Dl_info info;
    const void *symbol = dlsym(RTLD_DEFAULT, "ucp_worker_progress");
    if (!symbol || !dladdr(symbol, &info) || !info.dli_fname || strstr(info.dli_fname, "libucp"))
        return;
    const char *slash = strrchr(info.dli_fname, '/');
    snprintf(machine->helper, sizeof machine->helper, "%s", slash ? slash + 1 : info.dli_fname);
    machine->yields = strstr(machine->helper, "yield") != NULL;
}

/* Of the ranks of a node together: each may be bound to one. */
static int count_processors(MPI_Comm node)
{
    enum { WORDS = CPU_SETSIZE / 64 };
    uint64_t usable[WORDS] = {0};
    cpu_set_t set;
    int count = 0;
    CPU_ZERO(&set);
    const bool known = sched_getaffinity(0, sizeof set, &set) == 0;
    for (size_t i = 0; known && i < CPU_SETSIZE; i++)
        if (CPU_ISSET(i, &set))
            usable[i / 64] |= UINT64_C(1) << i % 64;
    bench_must(PMPI_Allreduce(MPI_IN_PLACE, usable, WORDS, MPI_UINT64_T, MPI_BOR, node), "MPI_Allreduce");
    for (int i = 0; i < WORDS; i++)
        count += __builtin_popcountll(usable[i]);
    return count > 0 ? count : (int)sysconf(_SC_NPROCESSORS_ONLN);
}

static void find_nodes(struct bench_machine *machine)
{
    MPI_Comm node = MPI_COMM_NULL;
    int rank = 0, size = 1, reduced[3], sum = 0;
    bench_must(PMPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node), "MPI_Comm_split_type");
    bench_must(PMPI_Comm_rank(node, &rank), "MPI_Comm_rank");
    bench_must(PMPI_Comm_size(node, &size), "MPI_Comm_size");
    machine->processors = count_processors(node);
    bench_must(PMPI_Comm_free(&node), "MPI_Comm_free");
    const int first = rank == 0, crowded = size > machine->processors;
    const int values[] = {size, -size, crowded};
    bench_must(PMPI_Allreduce(values, reduced, 3, MPI_INT, MPI_MAX, MPI_COMM_WORLD), "MPI_Allreduce");
    bench_must(PMPI_Allreduce(&first, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD), "MPI_Allreduce");
    machine->ppn_max = reduced[0];
    machine->ppn_min = -reduced[1];
    machine->oversubscribed = reduced[2] != 0;
    machine->nodes = sum;
}

void bench_machine_find(struct bench_machine *machine)
{
    const time_t now = time(NULL);
    struct tm utc;
    find_processor(machine->processor, sizeof machine->processor);
    find_library(machine->library, sizeof machine->library);
    const char *layout = getenv("SHUNT_TEST_LAYOUT");
    machine->test_layout = layout ? layout : "";
    find_helper(machine);
    find_nodes(machine);
    if (gmtime_r(&now, &utc))
        strftime(machine->date, sizeof machine->date, "%Y-%m-%dT%H:%M:%SZ", &utc);
}
