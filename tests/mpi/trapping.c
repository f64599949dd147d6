/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trapping: a program with a floating-point environment of its own, from its beginning until it
 * ends: it traps exceptions, or looks for flags that it did not raise, or rounds upwards.
 * usage: trapping traps|flags|upward [CALLS]
 */
#include <fenv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exchange.h"

/* What the library itself leaves alone: it rounds when it connects. */
enum { LOUD = FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW | FE_UNDERFLOW };

static int flags, mode;

/* What the program has set is as it was. */
static void look(const char *when)
{
    if (mode == 'f')
        EXCHANGE_REQUIRE(fetestexcept(LOUD) == flags, "flags %#x %s, and not %#x",
                         (unsigned)fetestexcept(LOUD), when, (unsigned)flags);
    if (mode == 'u')
        EXCHANGE_REQUIRE(fegetround() == FE_UPWARD, "another rounding mode %s", when);
    if (mode == 't')
        EXCHANGE_REQUIRE(fegetexcept() == LOUD, "other traps %s", when);
}

static void begin(const char *what)
{
    mode = (unsigned char)what[0];
    if (mode == 't')
        EXCHANGE_REQUIRE(feenableexcept(LOUD) >= 0, "nothing can be trapped");
    else if (mode == 'u')
        EXCHANGE_REQUIRE(fesetround(FE_UPWARD) == 0, "numbers cannot be rounded upwards");
    else
        feclearexcept(FE_ALL_EXCEPT);
}

int main(int argc, char **argv)
{
    int rank, calls = argc > 2 ? atoi(argv[2]) : 40;
    MPI_Comm comm;

    EXCHANGE_REQUIRE(argc > 1, "usage: trapping traps|flags|upward [CALLS]");
    begin(argv[1]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int round = 0; round < 3; round++) {
        exchange_both(MPI_COMM_WORLD, calls, round);
        look("after calls");
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        exchange_both(comm, calls, round);
        exchange_alltoall(comm, 5000, round);
        exchange_alltoallv(comm, 5000, round);
        look("after calls on a duplicate");
        if (mode == 'f' && round == 1) { /* and one that it did raise stays */
            feraiseexcept(FE_OVERFLOW);
            flags = fetestexcept(LOUD);
        }
        MPI_Comm_free(&comm);
        look("after a communicator is freed");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        puts("PASS: the environment is the program's");
    MPI_Finalize();
    look("after MPI_Finalize");
    return 0;
}
