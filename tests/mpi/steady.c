/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A well-behaved program for stories about its surroundings: checked calls on MPI_COMM_WORLD, a
 * half of it, and duplicates made one after the other.
 *
 * steady [--rounds N] [--write FILE TEXT] [--remove FILE] [--upward RANK]
 *   --rounds N        communicators used one after the other (default 3)
 *   --write, --remove rank 0 writes or removes that file after the first round, before other
 * communicators exist
 *   --upward RANK     whose numbers are rounded upwards from the beginning
 */
#include <fenv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "exchange.h"

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    EXCHANGE_REQUIRE(file && fputs(text, file) >= 0 && fclose(file) == 0, "cannot write %s", path);
}

static void half(int rank, int salt)
{
    MPI_Comm comm;

    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &comm);
    exchange_both(comm, 4, salt);
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    const char *write_to = NULL, *text = NULL, *remove = NULL;
    int rank, ranks, rounds = 3, upward = -1;

    for (int i = 1; i + 1 < argc; i++) {
        if (strcmp(argv[i], "--rounds") == 0)
            rounds = atoi(argv[++i]);
        else if (strcmp(argv[i], "--upward") == 0)
            upward = atoi(argv[++i]);
        else if (strcmp(argv[i], "--remove") == 0)
            remove = argv[++i];
        else if (strcmp(argv[i], "--write") == 0 && i + 2 < argc) {
            write_to = argv[++i];
            text = argv[++i];
        }
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (rank == upward)
        EXCHANGE_REQUIRE(fesetround(FE_UPWARD) == 0, "numbers cannot be rounded upwards");
    for (int round = 0; round < rounds; round++) {
        MPI_Comm comm;

        exchange_both(MPI_COMM_WORLD, 4, round);
        half(rank, round);
        if (round == 0 && rank == 0 && write_to)
            write_file(write_to, text);
        if (round == 0 && rank == 0 && remove)
            EXCHANGE_REQUIRE(unlink(remove) == 0, "cannot remove %s", remove);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        exchange_both(comm, 4, round);
        MPI_Comm_free(&comm);
    }
    if (rank == 0)
        printf("PASS: %d rounds on %d ranks\n", rounds, ranks);
    MPI_Finalize();
    return 0;
}
