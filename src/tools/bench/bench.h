/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bench.h: the measuring program: everything under comparison is run in one job, call by call in turn.
 *
 * Ranks run the same code and differ only in what they print: rank 0 speaks. Only PMPI functions are called, except by --plain.
 */
#ifndef SHUNT_BENCH_BENCH_H
#define SHUNT_BENCH_BENCH_H

#include <stdio.h>

#include "communicator/comm.h"
#include "tools/bench/options.h"
#include "tools/bench/statistics.h"

/* What the figures depend on; printed with them. */
struct bench_machine {
    char processor[128], library[128], date[32], helper[128]; /* helper: what is preloaded under UCX, or "" */
    const char *test_layout;                                  /* SHUNT_TEST_LAYOUT, or "" */
    int processors;                                           /* that the ranks of rank 0's node may use */
    int nodes, ppn_min, ppn_max;
    bool oversubscribed; /* some node has more ranks than processors */
    bool groups;         /* ranks of a node are scheduling groups of their own: yields do little */
    bool yields;         /* the helper gives the processor up while it waits */
};

enum bench_kind { BENCH_NATIVE, BENCH_ROUTED, BENCH_FLOOR, BENCH_AS_IS };

struct bench_contender {
    enum bench_kind kind;
    const struct bench_candidate *candidate; /* BENCH_ROUTED */
    struct shunt_comm *comm;                 /* likewise */
};

/* One operation with one distribution of sizes. */
struct bench_case {
    enum shunt_op op;
    const struct bench_distribution *distribution;
    int64_t block;                                              /* S, as asked for */
    int64_t largest;                                            /* of any rank */
    double mean;                                                /* bytes per block, over all ranks */
    int *send_counts, *send_displs, *recv_counts, *recv_displs; /* arrays of P, bytes; one allocation, at send_counts */
    size_t send_bytes, recv_bytes;
    char *send, *recv; /* recv: with BENCH_GUARD bytes before and after it */
};
#define BENCH_GUARD ((size_t)64)

/* What became of one contender in one case. Figures are rank 0's. */
struct bench_result {
    const struct bench_contender *contender;
    char name[64], params[128];
    char reason[200];                           /* why it was not measured, or "" */
    int64_t wrong;                              /* --check: calls of any rank with a wrong byte */
    double *seconds;                            /* array of repetitions: maximum over ranks of the time of one call */
    struct bench_interval time, speedup, floor; /* speed-up against native; time in units of the floor */
    double phases[SHUNT_PHASE_COUNT];           /* seconds per call, mean over ranks */
};

struct bench {
    struct bench_options options;
    struct bench_machine machine;
    int rank, size;
    const char *command; /* the command line, for the header */
    int contender_count, case_count, case_index;
    struct bench_contender *contenders;
    FILE *csv, *json; /* rank 0 */
    bool table;       /* stdout is for people */
    bool found;       /* --check found something */
    double begin;     /* for the time that is left */
};

/* Ends the job with exit code 5. */
_Noreturn void bench_fail(int code, const char *what);

/* The same unless `code` is MPI_SUCCESS. */
static inline void bench_must(int code, const char *what)
{
    if (code != MPI_SUCCESS)
        bench_fail(code, what);
}

/* The same unless there is memory. */
static inline void *bench_need(void *memory)
{
    if (!memory)
        bench_fail(MPI_ERR_NO_MEM, "allocating memory");
    return memory;
}

/* machine.c. Collective. */
void bench_machine_find(struct bench_machine *machine);

/*
 * cases.c. Collective; rank 0's matrix files count. Every problem is found by bench_cases_check, on all ranks: it returns an exit code,
 * with a message in `problem`.
 */
int bench_cases_check(struct bench *bench, char *problem, size_t room);
void bench_case_open(struct bench *bench, struct bench_case *c, enum shunt_op op, const struct bench_distribution *distribution,
                     int64_t block);
void bench_case_close(struct bench_case *c);
/* --check: before a call, and whether every byte is right after it. */
void bench_case_poison(struct bench_case *c);
bool bench_case_right(const struct bench *bench, const struct bench_case *c);

/* contenders.c. Collective. */
void bench_contenders_open(struct bench *bench);
void bench_contenders_close(struct bench *bench);
/* Name, parameters, and whether it can be measured in this case (else the reason); equal on all ranks. */
bool bench_contender_fits(const struct bench *bench, const struct bench_case *c, const struct bench_contender *contender,
                          struct bench_result *result);
/* Whether it really runs (after a first call), and does not fall back. Likewise. */
bool bench_contender_runs(const struct bench_case *c, struct bench_result *result);
void bench_contender_call(const struct bench_contender *contender, const struct bench_case *c);

/* floor.c: the least an exchange through shared memory has to do: one meeting, each byte copied once in and once out. Collective. */
bool bench_floor_open(const struct bench *bench, const struct bench_case *c);
void bench_floor_close(void);
void bench_floor_call(const struct bench_case *c);

/* measure.c: one case. results: array of contender_count. */
void bench_measure(struct bench *bench, struct bench_case *c, struct bench_result *results);

/* table.c and files.c, rank 0 only. */
void bench_table_header(const struct bench *bench);
void bench_table_case(const struct bench *bench, const struct bench_case *c, const struct bench_result *results);
/* Opens the files; false with a message on stderr. */
bool bench_files_open(struct bench *bench);
void bench_files_case(struct bench *bench, const struct bench_case *c, const struct bench_result *results);
/* False (said on stderr) when something could not be written. */
bool bench_files_close(struct bench *bench);

/* "agreement", ... */
const char *bench_phase_name(int phase);

#endif
