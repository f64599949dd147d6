/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * identity.c: on which node a process runs, and how oversubscribed it is there, from facts that
 * need no communication.
 *
 * A node is what has one kernel, one host name and one /dev/shm: hosts in containers or namespaces
 * of one machine are nodes of their own, as MPI libraries see them. MPICH can be told to pretend
 * several nodes where there is one; then there are several for us as well.
 */
#include "process/identity.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/environment.h"
#include "base/hash.h"
#include "pmpi/pmpi.h"

/* MPICH reads each of its variables under three prefixes. */
static const char *mpich_variable(const char *name)
{
    static const char *const prefixes[] = {"MPIR_CVAR_", "MPIR_PARAM_", "MPICH_"};
    char text[64];
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
        snprintf(text, sizeof text, "%s%s", prefixes[i], name);
        const char *value = shunt_environment_value(text);
        if (value)
            return value;
    }
    return "";
}

static bool is_true(const char *value)
{
    return strcmp(value, "1") == 0 || strcasecmp(value, "yes") == 0 ||
           strcasecmp(value, "true") == 0 || strcasecmp(value, "on") == 0;
}

/* What variables of MPICH say, asked once: the environments of HPC centres are long. */
static struct {
    int cliques;
    bool no_local, odd_even, by_block;
} asked;

static void ask_environment(void)
{
    asked.cliques = (int)strtol(mpich_variable("NUM_CLIQUES"), NULL, 10);
    asked.no_local = is_true(mpich_variable("NOLOCAL"));
    asked.odd_even = is_true(mpich_variable("ODD_EVEN_CLIQUES"));
    asked.by_block = is_true(mpich_variable("CLIQUES_BY_BLOCK"));
}

static void ensure_asked(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, ask_environment);
}

/* Which of the nodes that MPICH pretends this process is on. */
static int pretended_node(void)
{
    ensure_asked();
    const int cliques = asked.cliques;
    int initialized = 0, rank = 0, size = 1;
    if (shunt_pmpi.Initialized(&initialized) != MPI_SUCCESS || !initialized ||
        shunt_pmpi.Comm_rank(MPI_COMM_WORLD, &rank) != MPI_SUCCESS ||
        shunt_pmpi.Comm_size(MPI_COMM_WORLD, &size) != MPI_SUCCESS)
        return 0;
    if (asked.no_local)
        return rank;
    if (asked.odd_even)
        return rank % 2;
    if (cliques < 2)
        return 0;
    if (!asked.by_block)
        return rank % cliques;
    const int each = size / cliques,
              more = size % cliques; /* the first `more` have one rank more */
    return rank < more * (each + 1) ? rank / (each + 1) : more + (rank - more * (each + 1)) / each;
}

/* How many nodes MPICH pretends where there is one. */
static int pretended_nodes(int ranks)
{
    ensure_asked();
    if (asked.no_local)
        return ranks;
    const int nodes = asked.odd_even ? 2 : asked.cliques;
    return nodes < 1 ? 1 : nodes < ranks ? nodes : ranks;
}

int shunt_identity_nodes(int ranks)
{
    const int pretended = pretended_nodes(ranks), nodes = shunt_environment_nodes(ranks);
    if (pretended == 1 || nodes == 1)
        return nodes * pretended;
    return 0;
}

/* A number of this boot of the system; "" where it does not tell. */
static void read_boot(char *boot, size_t capacity)
{
    const int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    memset(boot, 0, capacity);
    if (fd >= 0 && read(fd, boot, capacity - 1) < 0)
        boot[0] = '\0';
    if (fd >= 0)
        close(fd);
}

uint64_t shunt_identity_node(void)
{
    struct utsname system;
    struct stat memory;
    char boot[64];
    read_boot(boot, sizeof boot);
    uint64_t hash = shunt_hash_text(SHUNT_HASH_EMPTY, boot);
    if (uname(&system) == 0)
        hash = shunt_hash_text(hash, system.nodename);
    if (stat("/dev/shm", &memory) == 0)
        hash = shunt_hash_value(shunt_hash_value(hash, memory.st_dev), memory.st_ino);
    return shunt_hash_value(hash, (uint64_t)pretended_node());
}

/* The same for processes of one running system, and so of its processors, whatever host names and
 * memory they see; of others as good as never. */
static uint64_t find_system(void)
{
    struct utsname system;
    char boot[64];
    read_boot(boot, sizeof boot);
    if (boot[0] == '\0' && uname(&system) == 0)
        return shunt_hash_mix(shunt_hash_text(SHUNT_HASH_EMPTY, system.nodename));
    return shunt_hash_mix(shunt_hash_text(SHUNT_HASH_EMPTY, boot));
}

/* The system reads a file for this; whoever plugs processors in and out gets the first answer. */
static int processors_online(void)
{
    static _Atomic int known;
    if (atomic_load(&known) == 0)
        atomic_store(&known, (int)sysconf(_SC_NPROCESSORS_ONLN));
    return atomic_load(&known);
}

/* What the launcher has told does not change; looking through the environment takes as long as a
 * native call. */
static int local_ranks(void)
{
    static _Atomic int known = -1;
    if (atomic_load(&known) < 0)
        atomic_store(&known, shunt_environment_local_ranks());
    return atomic_load(&known);
}

void shunt_identity_look_ahead(void)
{
    (void)processors_online();
    (void)local_ranks();
    /* All wait for what rank 0 says, which is on the first node whatever the program still sets. */
    if (shunt_environment_rank() == 0)
        ensure_asked();
}

int shunt_identity_processors(int *first)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    *first = 0;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return processors_online();
    while (*first < CPU_SETSIZE - 1 && !CPU_ISSET((size_t)*first, &set))
        ++*first;
    return CPU_COUNT(&set);
}

struct shunt_seat shunt_identity_seat(void)
{
    int processor = 0;
    const int processors = shunt_identity_processors(&processor);
    return (struct shunt_seat){.system = find_system(),
                               .ranks_here = local_ranks(),
                               .online = processors_online(),
                               .processors = (int16_t)processors,
                               .processor = (int16_t)processor};
}

bool shunt_identity_oversubscribed(void)
{
    return processors_online() > 0 && local_ranks() > processors_online();
}

/* All that there are count: a process that is bound to a part of the processors does not know to
 * which ones its neighbours are. */
double shunt_identity_ranks_per_processor(void)
{
    const double ranks = local_ranks(), processors = processors_online();
    return processors > 0 && ranks > processors ? ranks / processors : 1;
}
