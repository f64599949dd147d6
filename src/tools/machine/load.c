/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * load.c: a few algorithms that use the machine in different ways, each with blocks of a few sizes,
 * as `shunt bench` measures them: messages between all, in one round and in many; rounds of large
 * messages; memory that a node shares; reads from neighbours; and the library's own. The
 * description is then changed until it predicts them (calibrate.h).
 */
#include "tools/machine/load.h"

#include <stdlib.h>
#include <string.h>

#include "algorithms/registry.h"
#include "base/clock.h"
#include "comm/wait.h"
#include "route/machine_keys.h"
#include "tools/bench/candidates.h"
#include "tools/bench/cases.h"
#include "tools/bench/fail.h"
#include "tools/machine/calibrate.h"

enum {
    SIZES = 4,
    WARM_UP = 2,
    COUNT_LEAST = 7,
    COUNT_MOST = 1001,
    EXCHANGES_MOST = 64,
    CANDIDATES_MOST = 16
};
enum { BYTES_MOST = 1 << 26 }; /* of a rank's buffer */
/* On one node, and on several: what tells the cost of messages inside nodes from that of messages
 * between them is an algorithm that has more of the one. */
static const char one_node[] = "spread-out,bruck-basic,pairwise,shared-segment,peer-read",
                  several_nodes[] = "spread-out,bruck-basic,pairwise,node-pair,parlinna-shared,"
                                    "parlinna-coalesced";
static const double FIT_LEAST = 20; /* seconds, however much time the measurements took */
static const char sizes[] = "64,512,4K,32K";

/* The leader has results; the rest is everybody's. */
struct load {
    struct machine_run *run;
    struct bench bench;
    int count, calls;
    struct machine_exchange exchanges[EXCHANGES_MOST];
    const struct shunt_layout *layout;
};

/* The options of a measurement by hand. */
static void read_options(struct load *load)
{
    char diagnostic[300], list[200];
    snprintf(list, sizeof list, "--algorithm=%s", load->run->nodes > 1 ? several_nodes : one_node);
    char name[] = "machine", op[] = "--op=alltoall", blocks[sizeof sizes + 8];
    snprintf(blocks, sizeof blocks, "--block=%s", sizes);
    char *arguments[] = {name, op, blocks, list, NULL};
    if (!bench_options_read(&load->bench.options, 4, arguments, diagnostic, sizeof diagnostic)) {
        fprintf(stderr, "shunt machine: %s\n", diagnostic);
        bench_must(MPI_ERR_OTHER, "reading the list of exchanges");
    }
}

/* Seconds of the slowest rank. */
static double call_timed(const struct load *load, const struct bench_case *c, int candidate)
{
    double seconds, most = 0;
    bench_must(PMPI_Barrier(MPI_COMM_WORLD), "MPI_Barrier");
    const double begin = shunt_clock();
    bench_candidate_call(&load->bench.candidates[candidate], c);
    seconds = shunt_clock() - begin;
    bench_must(PMPI_Allreduce(&seconds, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD),
               "MPI_Allreduce");
    return most;
}

/* What was called, as the model has to be asked for it. */
static void keep(struct load *load, const struct bench_case *c,
                 const struct bench_candidate *candidate, struct machine_samples *samples)
{
    if (load->count == EXCHANGES_MOST)
        return;
    struct machine_exchange *next = &load->exchanges[load->count++];
    *next = (struct machine_exchange){.algorithm = shunt_registry_row(0),
                                      .block = c->largest,
                                      .seconds = machine_median(samples)};
    load->calls += samples->count;
    if (candidate->kind != BENCH_ROUTED)
        return;
    const struct shunt_decision *decision =
        shunt_map_find(&candidate->comm->map[c->op], c->largest);
    next->algorithm = decision->algorithm;
    next->params = decision->params;
    load->layout = &candidate->comm->layout;
}

/* What takes part in this case. */
struct round {
    int count;
    int index[CANDIDATES_MOST];
    struct machine_samples samples[CANDIDATES_MOST];
};

/* One call after the other, each of another algorithm: as in a program that does something else
 * between its calls, what the one before left in the caches is of little use. Seconds of all. */
static double call_all(const struct load *load, const struct bench_case *c, struct round *round,
                       bool counts)
{
    double sum = 0;
    for (int i = 0; i < round->count; i++) {
        const double seconds = call_timed(load, c, round->index[i]);
        sum += seconds;
        if (counts)
            machine_add(&round->samples[i], seconds);
    }
    return sum;
}

static void begin_round(const struct load *load, const struct bench_case *c, struct round *round)
{
    const struct bench *bench = &load->bench;
    for (int k = 0; k < bench->candidate_count && round->count < CANDIDATES_MOST; k++) {
        struct bench_result result = {0};
        if (bench_candidate_fits(bench, c, &bench->candidates[k], &result))
            round->index[round->count++] = k;
    }
}

/* Without those that fell back. */
static void keep_round(const struct load *load, const struct bench_case *c, struct round *round)
{
    int kept = 0;
    for (int i = 0; i < round->count; i++) {
        struct bench_result result = {.candidate = &load->bench.candidates[round->index[i]]};
        if (bench_candidate_runs(c, &result))
            round->index[kept++] = round->index[i];
    }
    round->count = kept;
}

/* Times are agreed, so that all ranks repeat as often. */
static void measure_case(struct load *load, const struct bench_case *c, double share)
{
    struct round round = {0};
    double first = 0;
    begin_round(load, c, &round);
    for (int i = 0; i < WARM_UP; i++)
        first = call_all(load, c, &round, false);
    keep_round(load, c, &round);
    const double wanted = first > 0 ? share / first : COUNT_MOST;
    const int count = wanted < COUNT_LEAST  ? COUNT_LEAST
                      : wanted > COUNT_MOST ? COUNT_MOST
                                            : (int)wanted;
    for (int i = 0; i < count; i++)
        call_all(load, c, &round, true);
    for (int i = 0; i < round.count; i++) {
        if (!load->run->facts.oversubscribed) /* times of ranks that take turns always differ */
            machine_results_judge(&load->run->results, &round.samples[i]);
        keep(load, c, &load->bench.candidates[round.index[i]], &round.samples[i]);
        machine_samples_clear(&round.samples[i]);
    }
}

static void measure_cases(struct load *load)
{
    struct bench *bench = &load->bench;
    static const struct bench_distribution constant = {.shape = BENCH_CONSTANT};
    double share = machine_share(load->run, SIZES);
    bench_must(PMPI_Bcast(&share, 1, MPI_DOUBLE, 0, load->run->all), "MPI_Bcast");
    for (int b = 0; b < bench->options.block_count; b++) {
        struct bench_case c;
        if (bench->options.blocks[b] > BYTES_MOST / bench->size)
            continue;
        bench_case_open(bench, &c, SHUNT_OP_ALLTOALL, &constant, bench->options.blocks[b]);
        measure_case(load, &c, share);
        bench_case_close(&c);
    }
}

static double *value_of(struct shunt_machine *machine, const char *key, double *unit)
{
    for (size_t i = 0;; i++) {
        const struct shunt_machine_key *next = shunt_machine_key(i);
        if (!next)
            return NULL;
        if (strcmp(next->name, key) != 0)
            continue;
        *unit = next->power == -6 ? 1e-6 : 1e-9;
        return shunt_machine_value(machine, next);
    }
}

static void tell(struct load *load, const struct machine_calibration *calibration)
{
    struct machine_results *results = &load->run->results;
    char note[MACHINE_NOTE_ROOM];
    for (int i = 0; i < calibration->count; i++) {
        double unit = 1;
        const char *key = calibration->key[i];
        const double *value = value_of(&results->machine, key, &unit);
        if (!value)
            continue;
        snprintf(note, sizeof note, "all ranks at work; before that %.4g", calibration->before[i]);
        machine_row_change(results, key, unit < 1e-8 ? "ns" : "us", *value / unit,
                           calibration->residual, load->calls, note);
    }
    machine_row_add(results, "exchanges", "", calibration->exchanges, calibration->residual,
                    load->calls, "of all ranks, that the numbers were fitted to");
}

static void fit(struct load *load)
{
    struct machine_run *run = load->run;
    struct machine_calibration calibration;
    if (load->count == 0 || !load->layout)
        return;
    const double left = machine_share(run, 1);
    machine_calibrate(&calibration, &run->results.machine, load->layout, load->exchanges,
                      load->count, left > FIT_LEAST ? left : FIT_LEAST);
    run->results.machine.fitted = true;
    tell(load, &calibration);
}

void machine_load_measure(struct machine_run *run)
{
    static struct load load;
    load = (struct load){.run = run};
    load.bench.machine = run->facts;
    load.bench.world = MPI_COMM_WORLD;
    bench_must(PMPI_Comm_rank(MPI_COMM_WORLD, &load.bench.rank), "MPI_Comm_rank");
    bench_must(PMPI_Comm_size(MPI_COMM_WORLD, &load.bench.size), "MPI_Comm_size");
    machine_step(run, "exchanges of all ranks");
    read_options(&load);
    bench_candidates_open(&load.bench);
    measure_cases(&load);
    machine_step(run, "fitting the numbers to them");
    if (run->rank == 0)
        fit(&load);
    machine_rest(run->all);
    bench_candidates_close(&load.bench);
    bench_options_clear(&load.bench.options);
}
