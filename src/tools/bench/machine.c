/* SPDX-License-Identifier: BSD-3-Clause */
/* machine.c: what the figures depend on. */
#include <dlfcn.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/environment.h"
#include "base/hash.h"
#include "pmpi/version.h"
#include "process/identity.h"
#include "tools/bench/fail.h"
#include "tools/bench/machine.h"

static void find_processor(char *text, size_t capacity)
{
    char line[256];
    snprintf(text, capacity, "unknown");
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon) {
            snprintf(text, capacity, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
            break;
        }
    }
    if (file)
        fclose(file);
}

static void find_library(char *text, size_t capacity)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING + 1];
    int length = 0;
    if (PMPI_Get_library_version(version, &length) != MPI_SUCCESS)
        version[0] = '\0';
    shunt_pmpi_version_print(version, text, capacity);
}

/* Whether the library gives the processor up by itself. MPICH does since its version 5. Open MPI
 * does where it is told to, or knows that there are more ranks than processors; its setting is a
 * variable of the tools interface. */
static bool library_yields(const char *library)
{
    char value[64] = ""; /* of a type that is one byte, or an int */
    int version = 0, level, index, count;
    MPI_T_cvar_handle handle;
    if (sscanf(library, "MPICH %d", &version) == 1)
        return version >= 5;
    if (PMPI_T_init_thread(MPI_THREAD_SINGLE, &level) != MPI_SUCCESS)
        return false;
    if (PMPI_T_cvar_get_index("mpi_yield_when_idle", &index) == MPI_SUCCESS &&
        PMPI_T_cvar_handle_alloc(index, NULL, &handle, &count) == MPI_SUCCESS) {
        if (PMPI_T_cvar_read(handle, value) != MPI_SUCCESS)
            value[0] = 0;
        PMPI_T_cvar_handle_free(&handle);
    }
    PMPI_T_finalize();
    return value[0] != 0;
}

/* The helper of yield.c stands before UCX. */
static void find_helper(struct bench_machine *machine)
{
    Dl_info info;
    const void *symbol = dlsym(RTLD_DEFAULT, "ucp_worker_progress");
    machine->yields = library_yields(machine->library);
    machine->remedy = strncmp(machine->library, "Open MPI", 8) == 0
                          ? "set OMPI_MCA_mpi_yield_when_idle=1"
                          : "preload " SHUNT_LIBDIR "/shunt/libshuntyield.so";
    if (!symbol || !dladdr(symbol, &info) || !info.dli_fname || strstr(info.dli_fname, "libucp"))
        return;
    const char *slash = strrchr(info.dli_fname, '/');
    snprintf(machine->helper, sizeof machine->helper, "%s", slash ? slash + 1 : info.dli_fname);
    machine->yields = machine->yields || strstr(machine->helper, "yield");
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
    bench_must(PMPI_Allreduce(MPI_IN_PLACE, usable, WORDS, MPI_UINT64_T, MPI_BOR, node),
               "MPI_Allreduce");
    for (int i = 0; i < WORDS; i++)
        count += __builtin_popcountll(usable[i]);
    return count > 0 ? count : (int)sysconf(_SC_NPROCESSORS_ONLN);
}

/*
 * What tells this rank's scheduling group from others: the control group if it has a share of its
 * own, or the number of the autogroup (Linux: one per session, for processes in no such control
 * group); -1: none. Whether a control group has a share shows in its folder (version 2) or in its
 * path (version 1).
 */
static long long find_group(void)
{
    char line[512], file_name[600];
    long long number = -1;
    FILE *file = fopen("/proc/sys/kernel/sched_autogroup_enabled", "r");
    const bool enabled = file && fgets(line, sizeof line, file) && line[0] == '1';
    if (file)
        fclose(file);
    file = enabled ? fopen("/proc/self/autogroup", "r") : NULL;
    if (file && (!fgets(line, sizeof line, file) || sscanf(line, "/autogroup-%lld", &number) != 1))
        number = -1;
    if (file)
        fclose(file);
    file = enabled ? fopen("/proc/self/cgroup", "r") : NULL;
    while (file && fgets(line, sizeof line, file)) { /* HIERARCHY:CONTROLLERS:PATH */
        line[strcspn(line, "\n")] = '\0';
        const char *controllers = strchr(line, ':'),
                   *path = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!path)
            continue;
        snprintf(file_name, sizeof file_name, "/sys/fs/cgroup%s/cpu.weight",
                 path + 1); /* the real root has none */
        const bool old =
            strncmp(controllers, ":cpu:", 5) == 0 || strncmp(controllers, ":cpu,", 5) == 0;
        if (old ? path[1] == '/' && path[2] != '\0'
                : path == controllers + 1 && access(file_name, F_OK) == 0)
            number = (long long)(shunt_hash_text(SHUNT_HASH_EMPTY, path) >> 1);
    }
    if (file)
        fclose(file);
    return number;
}

/* Whether ranks of a node are scheduling groups of their own. */
static bool in_groups(MPI_Comm node)
{
    const long long mine = find_group(), values[] = {mine, -mine};
    long long most[2];
    bench_must(PMPI_Allreduce(values, most, 2, MPI_LONG_LONG, MPI_MAX, node), "MPI_Allreduce");
    return most[0] != -most[1];
}

/* As a communicator's set-up finds it, for rules test that. */
static bool is_oversubscribed(void)
{
    int ranks = 1;
    const struct shunt_seat mine = shunt_identity_seat();
    const int bytes = (int)sizeof mine;
    bench_must(PMPI_Comm_size(MPI_COMM_WORLD, &ranks), "MPI_Comm_size");
    struct shunt_seat *seats = bench_need(calloc((size_t)ranks, sizeof *seats));
    bench_must(PMPI_Allgather(&mine, bytes, MPI_BYTE, seats, bytes, MPI_BYTE, MPI_COMM_WORLD),
               "MPI_Allgather");
    const bool crowded = shunt_seats_crowded(seats, ranks);
    free(seats);
    return crowded;
}

static void find_nodes(struct bench_machine *machine)
{
    MPI_Comm node = MPI_COMM_NULL;
    int rank = 0, size = 1, reduced[3], sum = 0;
    bench_must(PMPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node),
               "MPI_Comm_split_type");
    bench_must(PMPI_Comm_rank(node, &rank), "MPI_Comm_rank");
    bench_must(PMPI_Comm_size(node, &size), "MPI_Comm_size");
    machine->processors = count_processors(node);
    const bool groups = in_groups(node);
    bench_must(PMPI_Comm_free(&node), "MPI_Comm_free");
    const int first = rank == 0, values[] = {size, -size, groups};
    bench_must(PMPI_Allreduce(values, reduced, 3, MPI_INT, MPI_MAX, MPI_COMM_WORLD),
               "MPI_Allreduce");
    bench_must(PMPI_Allreduce(&first, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD), "MPI_Allreduce");
    machine->ppn_max = reduced[0];
    machine->ppn_min = -reduced[1];
    machine->oversubscribed = is_oversubscribed();
    machine->groups = reduced[2] != 0;
    machine->nodes = sum;
}

void bench_machine_find(struct bench_machine *machine)
{
    const time_t now = time(NULL);
    struct tm utc;
    find_processor(machine->processor, sizeof machine->processor);
    find_library(machine->library, sizeof machine->library);
    const char *layout = shunt_environment_value("SHUNT_TEST_LAYOUT");
    machine->test_layout = layout ? layout : "";
    find_helper(machine);
    find_nodes(machine);
    if (gmtime_r(&now, &utc))
        strftime(machine->date, sizeof machine->date, "%Y-%m-%dT%H:%M:%SZ", &utc);
}
