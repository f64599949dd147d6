/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * load.c: a few algorithms that use the machine in different ways, each with blocks of a few sizes,
 * as `shunt bench` measures them: messages between all, in one round and in many; rounds of large
 * messages; memory that a node shares; reads from neighbours; and the library's own. The
 * description is then changed until it predicts them (calibrate.h).
 */
#include <stdlib.h>
#include <string.h>

#include "comm/lifetime.h"
#include "tools/bench/options.h"
#include "tools/machine/calibrate.h"
#include "tools/machine/run.h"
#include "tools/measure/exchange.h"
#include "tools/measure/loop.h"

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

struct load {
    struct machine_run *run;
    struct measure_world world;
    struct bench_options options;
    int candidate_count, count, calls;
    struct measure_candidate candidates[CANDIDATES_MOST];
    struct machine_exchange exchanges[EXCHANGES_MOST]; /* of which the leader has the times */
    const struct shunt_layout *layout;
    struct measure_case c; /* that is measured */
};

/* The options of a measurement by hand. */
static void read_options(struct load *load)
{
    char diagnostic[300], list[200];
    struct shunt_words words;
    snprintf(list, sizeof list, "--algorithm=%s", load->run->nodes > 1 ? several_nodes : one_node);
    char name[] = "machine", op[] = "--op=alltoall", blocks[sizeof sizes + 8];
    snprintf(blocks, sizeof blocks, "--block=%s", sizes);
    char *arguments[] = {name, op, blocks, list, NULL};
    if (!bench_options_read(&load->options, &words, 4, arguments, diagnostic, sizeof diagnostic)) {
        fprintf(stderr, "shunt machine: %s\n", diagnostic);
        measure_must(MPI_ERR_OTHER, "reading the list of exchanges");
    }
}

/* Native, and those of the list. */
static void open_candidates(struct load *load)
{
    const struct bench_options *o = &load->options;
    load->world = (struct measure_world){.comm = MPI_COMM_WORLD,
                                         .rank = load->run->job.rank,
                                         .size = load->run->job.size,
                                         .seed = o->seed,
                                         .facts = &load->run->job.facts};
    load->candidates[load->candidate_count++].kind = MEASURE_NATIVE;
    for (int i = 0; i < o->selection_count && load->candidate_count < CANDIDATES_MOST; i++)
        measure_candidate_open(&load->candidates[load->candidate_count++], &load->world,
                               o->selections[i].text, o->selections[i].force);
}

static void close_candidates(struct load *load)
{
    for (int i = 0; i < load->candidate_count; i++)
        shunt_comm_close(load->candidates[i].comm);
}

static void time_call(void *context, int index, double *seconds)
{
    const struct load *load = context;
    *seconds = measure_candidate_time(&load->candidates[index], &load->c, 1);
}

/* Whether it does not fall back. */
static bool runs(void *context, int index)
{
    const struct load *load = context;
    struct measure_result result = {.candidate = &load->candidates[index]};
    return measure_candidate_runs(&load->c, &result);
}

/* Judges and keeps what was measured of a candidate, as the model has to be asked for it. */
static void keep(struct load *load, const struct measure_candidate *candidate,
                 const double *seconds, int count)
{
    struct measure_samples samples = {0};
    for (int i = 0; i < count; i++)
        measure_samples_add(&samples, seconds[i]);
    if (!load->run->job.facts.oversubscribed) /* times of ranks that take turns always differ */
        machine_results_judge(&load->run->results, &samples);
    if (load->count == EXCHANGES_MOST)
        return;
    struct machine_exchange *next = &load->exchanges[load->count++];
    *next = (struct machine_exchange){.algorithm = shunt_registry_row(0),
                                      .block = load->c.largest,
                                      .seconds = measure_samples_median(&samples)};
    load->calls += count;
    if (candidate->kind != MEASURE_ROUTED)
        return;
    const struct shunt_decision *decision =
        shunt_map_find(&candidate->comm->map[load->c.op], load->c.largest);
    next->algorithm = decision->algorithm;
    next->params = decision->params;
    load->layout = &candidate->comm->layout;
}

/* How often a round of all is called that takes `first` seconds. */
static int count_rounds(double share, double first)
{
    const double wanted = first > 0 ? share / first : COUNT_MOST;
    return wanted < COUNT_LEAST ? COUNT_LEAST : wanted > COUNT_MOST ? COUNT_MOST : (int)wanted;
}

/* One call after the other, each of another algorithm: as in a program that does something else
 * between its calls, what the one before left in the caches is of little use. Times are agreed, so
 * that all ranks repeat as often. */
static void measure_calls(struct load *load, double share)
{
    int order[CANDIDATES_MOST];
    double first[CANDIDATES_MOST] = {0}, sum = 0;
    struct measure_loop loop = {.order = order, .call = time_call, .context = load};
    for (int k = 0; k < load->candidate_count; k++) {
        struct measure_result result = {0};
        if (measure_candidate_fits(&load->c, load->candidates, k, &result))
            order[loop.count++] = k;
    }
    for (int i = 0; i < WARM_UP; i++)
        measure_loop_turn(&loop, first, 1);
    measure_most(load->world.comm, first, CANDIDATES_MOST);
    for (int k = 0; k < loop.count; k++)
        sum += first[order[k]];
    measure_loop_keep(&loop, runs);
    const int count = count_rounds(share, sum);
    const size_t values = (size_t)load->candidate_count * (size_t)count;
    double *seconds = measure_need(calloc(values, sizeof *seconds));
    for (int i = 0; i < count; i++)
        measure_loop_turn(&loop, seconds + i, count);
    measure_most(load->world.comm, seconds, values);
    for (int k = 0; k < loop.count; k++)
        keep(load, &load->candidates[order[k]], seconds + (ptrdiff_t)order[k] * count, count);
    free(seconds);
}

static void measure_cases(struct load *load)
{
    static const struct measure_distribution constant = {.shape = MEASURE_CONSTANT};
    const struct bench_options *o = &load->options;
    double share = machine_share(load->run, SIZES);
    measure_must(PMPI_Bcast(&share, 1, MPI_DOUBLE, 0, load->run->all), "MPI_Bcast");
    for (int b = 0; b < o->block_count; b++) {
        if (o->blocks[b] > BYTES_MOST / load->world.size)
            continue;
        measure_case_open(&load->c, &load->world, SHUNT_OP_ALLTOALL, &constant, o->blocks[b]);
        measure_calls(load, share);
        measure_case_close(&load->c);
    }
}

static void fit(struct load *load)
{
    struct machine_run *run = load->run;
    struct machine_calibration calibration;
    char note[MACHINE_NOTE_ROOM];
    if (load->count == 0 || !load->layout)
        return;
    const double left = machine_share(run, 1);
    machine_calibrate(&calibration, &run->results.machine, load->layout, load->exchanges,
                      load->count, left > FIT_LEAST ? left : FIT_LEAST);
    run->results.machine.fitted = true;
    for (int i = 0; i < calibration.count; i++) {
        snprintf(note, sizeof note, "all ranks at work; before that %.4g", calibration.before[i]);
        machine_row_change(&run->results, calibration.key[i], calibration.residual, load->calls,
                           note);
    }
    machine_row_add_count(&run->results, "exchanges", calibration.exchanges, calibration.residual,
                          load->calls, "of all ranks, that the numbers were fitted to");
}

void machine_load_measure(struct machine_run *run)
{
    static struct load load;
    load = (struct load){.run = run};
    machine_step(run, "exchanges of all ranks");
    read_options(&load);
    open_candidates(&load);
    measure_cases(&load);
    machine_step(run, "fitting the numbers to them");
    if (run->rank == 0)
        fit(&load);
    measure_rest(run->all);
    close_candidates(&load);
    bench_options_clear(&load.options);
}
