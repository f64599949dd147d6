/* SPDX-License-Identifier: BSD-3-Clause */
/* facts.c: see facts.h. */
#include "tools/measure/facts.h"

#include <dlfcn.h>
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/environment.h"
#include "base/hash.h"
#include "pmpi/version.h"
#include "process/identity.h"
#include "route/host.h"
#include "tools/measure/program.h"

bool measure_line_read(const char *path, char *line, int capacity)
{
    FILE *file = fopen(path, "r");
    const bool good = file && fgets(line, capacity, file);
    if (file)
        fclose(file);
    return good;
}

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
static void find_helper(struct measure_facts *facts)
{
    Dl_info info;
    const void *symbol = dlsym(RTLD_DEFAULT, "ucp_worker_progress");
    facts->yields = library_yields(facts->library);
    facts->remedy = strncmp(facts->library, "Open MPI", 8) == 0
                        ? "set OMPI_MCA_mpi_yield_when_idle=1"
                        : "preload " SHUNT_LIBDIR "/shunt/libshuntyield.so";
    if (!symbol || !dladdr(symbol, &info) || !info.dli_fname || strstr(info.dli_fname, "libucp"))
        return;
    const char *slash = strrchr(info.dli_fname, '/');
    snprintf(facts->helper, sizeof facts->helper, "%s", slash ? slash + 1 : info.dli_fname);
    facts->yields = facts->yields || strstr(facts->helper, "yield");
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
    measure_must(PMPI_Allreduce(MPI_IN_PLACE, usable, WORDS, MPI_UINT64_T, MPI_BOR, node),
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
    if (!measure_line_read("/proc/sys/kernel/sched_autogroup_enabled", line, sizeof line) ||
        line[0] != '1')
        return -1;
    if (!measure_line_read("/proc/self/autogroup", line, sizeof line) ||
        sscanf(line, "/autogroup-%lld", &number) != 1)
        number = -1;
    FILE *file = fopen("/proc/self/cgroup", "r");
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

/* Whether ranks of some node are scheduling groups of their own. */
static bool in_groups(MPI_Comm node)
{
    const long long mine = find_group(), values[] = {mine, -mine};
    long long most[2];
    measure_must(PMPI_Allreduce(values, most, 2, MPI_LONG_LONG, MPI_MAX, node), "MPI_Allreduce");
    int differ = most[0] != -most[1];
    measure_must(PMPI_Allreduce(MPI_IN_PLACE, &differ, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD),
                 "MPI_Allreduce");
    return differ != 0;
}

/* As a communicator's set-up finds it, for rules test that. */
static bool is_oversubscribed(int ranks)
{
    const struct shunt_seat mine = shunt_identity_seat();
    const int bytes = (int)sizeof mine;
    struct shunt_seat *seats = measure_need(calloc((size_t)ranks, sizeof *seats));
    measure_must(PMPI_Allgather(&mine, bytes, MPI_BYTE, seats, bytes, MPI_BYTE, MPI_COMM_WORLD),
                 "MPI_Allgather");
    const bool crowded = shunt_seats_crowded(seats, ranks);
    free(seats);
    return crowded;
}

/* One pattern for all hosts; those of several machines, or none that can be guessed, have none. */
static void find_hosts(struct measure_facts *facts)
{
    char leading[sizeof facts->hosts];
    if (gethostname(facts->host, sizeof facts->host - 1) != 0)
        facts->host[0] = '\0';
    shunt_host_pattern(facts->host, facts->hosts, sizeof facts->hosts);
    memcpy(leading, facts->hosts, sizeof leading);
    measure_must(PMPI_Bcast(leading, (int)sizeof leading, MPI_BYTE, 0, MPI_COMM_WORLD),
                 "MPI_Bcast");
    int same = strcmp(leading, facts->hosts) == 0;
    measure_must(PMPI_Allreduce(MPI_IN_PLACE, &same, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD),
                 "MPI_Allreduce");
    if (!same)
        facts->hosts[0] = '\0';
}

static void make_room(struct measure_nodes *nodes, int ranks)
{
    *nodes = (struct measure_nodes){.ranks = ranks};
    nodes->node_of = measure_need(calloc((size_t)ranks, sizeof *nodes->node_of));
    nodes->local_of = measure_need(calloc((size_t)ranks, sizeof *nodes->local_of));
    nodes->ppn = measure_need(calloc((size_t)ranks, sizeof *nodes->ppn));
}

/* What follows from the node of each rank. */
static void count_nodes(struct measure_nodes *nodes)
{
    for (int rank = 0; rank < nodes->ranks; rank++) {
        const int node = nodes->node_of[rank];
        nodes->count = node >= nodes->count ? node + 1 : nodes->count;
        nodes->local_of[rank] = nodes->ppn[node]++;
    }
    nodes->ppn_min = nodes->ppn_max = nodes->ppn[0];
    for (int node = 0; node < nodes->count; node++) {
        const int ppn = nodes->ppn[node];
        nodes->ppn_min = ppn < nodes->ppn_min ? ppn : nodes->ppn_min;
        nodes->ppn_max = ppn > nodes->ppn_max ? ppn : nodes->ppn_max;
    }
}

void measure_nodes_make(struct measure_nodes *nodes, int count, int ppn)
{
    make_room(nodes, count * ppn);
    for (int rank = 0; rank < nodes->ranks; rank++)
        nodes->node_of[rank] = rank / ppn;
    count_nodes(nodes);
}

void measure_nodes_clear(struct measure_nodes *nodes)
{
    free(nodes->node_of);
    free(nodes->local_of);
    free(nodes->ppn);
    *nodes = (struct measure_nodes){0};
}

static void find_nodes(struct measure_nodes *nodes, MPI_Comm node)
{
    int rank = 0, ranks = 1, first = 0, known = 0;
    measure_must(PMPI_Comm_rank(MPI_COMM_WORLD, &rank), "MPI_Comm_rank");
    measure_must(PMPI_Comm_size(MPI_COMM_WORLD, &ranks), "MPI_Comm_size");
    make_room(nodes, ranks);
    measure_must(PMPI_Allreduce(&rank, &first, 1, MPI_INT, MPI_MIN, node), "MPI_Allreduce");
    measure_must(PMPI_Allgather(&first, 1, MPI_INT, nodes->node_of, 1, MPI_INT, MPI_COMM_WORLD),
                 "MPI_Allgather");
    /* From the first rank of a node to the number of the node: it comes before the others. */
    for (int i = 0; i < ranks; i++)
        nodes->node_of[i] = nodes->node_of[i] == i ? known++ : nodes->node_of[nodes->node_of[i]];
    count_nodes(nodes);
}

int measure_running(void)
{
    char line[128];
    int running = 0;
    if (!measure_line_read("/proc/loadavg", line, sizeof line) ||
        sscanf(line, "%*f %*f %*f %d/", &running) != 1)
        return 0;
    return running > 1 ? running - 1 : 0;
}

void measure_facts_find(struct measure_facts *facts)
{
    const time_t now = time(NULL);
    struct tm utc;
    MPI_Comm node = MPI_COMM_NULL;
    find_processor(facts->processor, sizeof facts->processor);
    find_library(facts->library, sizeof facts->library);
    const char *layout = shunt_environment_value("SHUNT_TEST_LAYOUT");
    facts->test_layout = layout ? layout : "";
    find_helper(facts);
    find_hosts(facts);
    measure_must(
        PMPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node),
        "MPI_Comm_split_type");
    find_nodes(&facts->nodes, node);
    facts->processors = count_processors(node);
    facts->groups = in_groups(node);
    measure_must(PMPI_Comm_free(&node), "MPI_Comm_free");
    facts->oversubscribed = is_oversubscribed(facts->nodes.ranks);
    if (gmtime_r(&now, &utc))
        strftime(facts->date, sizeof facts->date, "%Y-%m-%dT%H:%M:%SZ", &utc);
}

void measure_facts_clear(struct measure_facts *facts)
{
    measure_nodes_clear(&facts->nodes);
}

void measure_facts_json(struct shunt_json *json, const struct measure_facts *facts, int processors,
                        bool test_layout, const char *command)
{
    shunt_json_put_string(json, SHUNT_KEY_PROCESSOR, facts->processor);
    shunt_json_put_known(json, SHUNT_KEY_PROCESSORS, processors);
    shunt_json_put_string(json, SHUNT_KEY_LIBRARY, facts->library);
    shunt_json_put_known(json, SHUNT_KEY_RANKS, facts->nodes.ranks);
    shunt_json_put_known(json, SHUNT_KEY_NODES, facts->nodes.count);
    shunt_json_put_known(json, SHUNT_KEY_PPN_MIN, facts->nodes.ppn_min);
    shunt_json_put_known(json, SHUNT_KEY_PPN_MAX, facts->nodes.ppn_max);
    shunt_json_put_flag(json, SHUNT_KEY_OVERSUBSCRIBED, facts->oversubscribed);
    shunt_json_put_flag(json, SHUNT_KEY_OWN_GROUPS, facts->groups);
    if (test_layout)
        shunt_json_put_string(json, SHUNT_KEY_TEST_LAYOUT, facts->test_layout);
    shunt_json_put_string(json, SHUNT_KEY_HELPER, facts->helper);
    shunt_json_put_flag(json, SHUNT_KEY_YIELDS, facts->yields);
    shunt_json_put_string(json, SHUNT_KEY_DATE, facts->date);
    shunt_json_put_string(json, SHUNT_KEY_COMMAND, command);
}
