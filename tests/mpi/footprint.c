/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * footprint: exchanges, then what the rank that has most of it has of the machine: prints address
 * space, and what it holds in memory once all of that is locked, in KiB.
 */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "exchange.h"

static long of_status(const char *name)
{
    FILE *file = fopen("/proc/self/status", "re");
    char line[256];
    long kibibytes = 0;

    EXCHANGE_REQUIRE(file, "/proc/self/status cannot be read");
    while (fgets(line, sizeof line, file))
        if (strncmp(line, name, strlen(name)) == 0)
            EXCHANGE_REQUIRE(sscanf(line + strlen(name), ": %ld", &kibibytes) == 1, "no number");
    fclose(file);
    return kibibytes;
}

int main(int argc, char **argv)
{
    long used[2] = {0};
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    exchange_both(MPI_COMM_WORLD, 4, 1);
    exchange_both(MPI_COMM_WORLD, 1000, 2);
    used[0] = of_status("VmSize");
    if (mlockall(MCL_CURRENT) == 0) {
        used[1] = of_status("VmRSS");
        munlockall();
    }
    MPI_Allreduce(MPI_IN_PLACE, used, 2, MPI_LONG, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%ld %ld\n", used[0], used[1]);
    MPI_Finalize();
    return 0;
}
