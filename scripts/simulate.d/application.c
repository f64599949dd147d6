/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * application.c: the exchanges of a program on simulated ranks, and what they took: in place of
 * main.c beside a program of tests/apps, which has no globals that change (all ranks are in one
 * process).
 *
 * SIMULATION_OPTIONS has the options, as main.c takes them, a line each. Exchanges on
 * MPI_COMM_WORLD go by the algorithm from the first call on, set-up apart; others are the library's
 * own. Work between calls takes no time, so what passes is what messages and our copies take.
 */
#include "application.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/environment.h"
#include "call.h"
#include "comm/lifetime.h"
#include "intercept/intercept.h"
#include "ranks.h"
#include "tools/common/tool.h"

enum { WORDS_MOST = 16 };

static struct simulate_asked asked;

/* What each rank has, by its number. */
static struct simulated {
    struct shunt_comm *comm; /* NULL: native */
    double begin;            /* simulated seconds: of the program, and of all its exchanges */
    double exchanging;
    long calls;
} * simulated;

static void read_options(int ranks)
{
    static char text[1024];
    char *words[WORDS_MOST] = {"simulate"}, *rest = text;
    int count = 1;
    const char *given = shunt_environment_value("SIMULATION_OPTIONS");
    snprintf(text, sizeof text, "%s", given ? given : "");
    for (char *word; count < WORDS_MOST && (word = strsep(&rest, "\n"));)
        if (*word != '\0')
            words[count++] = word;
    asked.options.op[SHUNT_OP_ALLTOALL] = true; /* besides the one that is named */
    asked.code = simulate_read(&asked, count, words, ranks);
    simulated = calloc((size_t)ranks, sizeof *simulated);
}

static void fail(void)
{
    PMPI_Abort(MPI_COMM_WORLD, SHUNT_EXIT_MPI);
}

int simulate_application_init(int *argc, char ***argv)
{
    int rank, ranks, error = MPI_SUCCESS;
    const int status = PMPI_Init(argc, argv);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (!asked.read)
        read_options(ranks);
    if (asked.code != SHUNT_EXIT_OK || !simulated)
        exit(asked.code);
    simulate_ranks_begin(&asked.machine, rank, ranks, asked.ppn);
    shunt_pmpi_resolve(NULL);
    if (asked.selection) {
        simulated[rank].comm = shunt_comm_open(MPI_COMM_WORLD, asked.selection->force, &error);
        if (!simulated[rank].comm)
            fail();
    }
    simulate_meet();
    simulated[rank].begin = simulate_now();
    return status;
}

/* What all exchanges took on the rank that spent most in them, as a line of figures. */
int simulate_application_finalize(void)
{
    const int rank = simulate_rank();
    simulate_meet();
    if (rank == 0) {
        double most = 0;
        for (int r = 0; r < asked.ranks; r++)
            most = simulated[r].exchanging > most ? simulated[r].exchanging : most;
        printf("%s,%d,%d,%d,%s,%ld,%.9g,%.9g\n", asked.machine.name, asked.ranks,
               asked.ranks / asked.ppn, asked.ppn, asked.algorithm, simulated[0].calls,
               simulate_now() - simulated[0].begin, most);
        fflush(stdout);
    }
    simulate_meet();
    simulate_ranks_end();
    return PMPI_Finalize();
}

/* One exchange; `native` where it is not on MPI_COMM_WORLD, or nothing else was asked for. */
static int exchange(struct shunt_exchange *x, MPI_Comm comm)
{
    struct simulated *mine = &simulated[simulate_rank()];
    const double begin = simulate_now();
    int status;
    x->comm = comm == MPI_COMM_WORLD ? mine->comm : NULL;
    if (x->comm)
        status = shunt_dispatch(x);
    else if (x->op == SHUNT_OP_ALLTOALL)
        status = PMPI_Alltoall(x->send.buffer, (int)x->send.count, x->send.type, x->recv.buffer,
                               (int)x->recv.count, x->recv.type, comm);
    else
        status = PMPI_Alltoallv(x->send.buffer, x->send.counts, x->send.displs, x->send.type,
                                x->recv.buffer, x->recv.counts, x->recv.displs, x->recv.type, comm);
    simulate_pass();
    mine->exchanging += simulate_now() - begin;
    mine->calls++;
    return status;
}

int simulate_application_alltoall(const void *send, int send_count, MPI_Datatype send_type,
                                  void *recv, int recv_count, MPI_Datatype recv_type, MPI_Comm comm)
{
    struct shunt_exchange x = {.op = SHUNT_OP_ALLTOALL};
    x.send = (struct shunt_side){.buffer = (void *)send, .count = send_count, .type = send_type};
    x.recv = (struct shunt_side){.buffer = recv, .count = recv_count, .type = recv_type};
    return exchange(&x, comm);
}

int simulate_application_alltoallv(const void *send, const int *send_counts, const int *send_displs,
                                   MPI_Datatype send_type, void *recv, const int *recv_counts,
                                   const int *recv_displs, MPI_Datatype recv_type, MPI_Comm comm)
{
    struct shunt_exchange x = {.op = SHUNT_OP_ALLTOALLV};
    x.send = (struct shunt_side){.buffer = (void *)send, .type = send_type};
    x.recv = (struct shunt_side){.buffer = recv, .type = recv_type};
    x.send.counts = send_counts;
    x.send.displs = send_displs;
    x.recv.counts = recv_counts;
    x.recv.displs = recv_displs;
    return exchange(&x, comm);
}
