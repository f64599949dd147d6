/* SPDX-License-Identifier: BSD-3-Clause */
/* team.c: see team.h. */
#include "tools/tune/team.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "communicator/lifetime.h"
#include "communicator/wait.h"
#include "tools/bench/candidates.h"
#include "tools/bench/cases.h"
#include "tools/bench/fail.h"
#include "tools/bench/random.h"
#include "tools/tune/halving.h"

/* However much longer than native a first call takes, up to so much it is no reason to give up. */
static const double SLACK = 5e-3;
enum { NAP_NANOSECONDS = 500000, LOOKS = 3 };

/* From rank 0 to all. */
struct order {
    int end, op, stage, count, first, repetitions; /* first: those before it are known */
    double seconds;                                /* as in a batch */
    int64_t block;
    char texts[TUNE_BATCH_MOST][TUNE_TEXT_ROOM];
};

/* What a rank that is not needed does: it leaves its processor to others. */
static void rest(MPI_Comm world)
{
    const struct timespec nap = {.tv_nsec = NAP_NANOSECONDS};
    MPI_Request request;
    int done = 0;
    bench_must(PMPI_Ibarrier(world, &request), "MPI_Ibarrier");
    bench_must(PMPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    while (!done) {
        nanosleep(&nap, NULL);
        bench_must(PMPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    }
}

bool tune_team_open(struct tune_team *team, const struct tune_options *options,
                    const struct tune_allocation *allocation, const struct tune_place *place)
{
    int rank = 0;
    memset(team, 0, sizeof *team);
    team->place = *place;
    team->bench.options = options->cells;
    bench_must(PMPI_Comm_rank(MPI_COMM_WORLD, &rank), "MPI_Comm_rank");
    const bool takes = tune_allocation_takes(allocation, place, rank);
    bench_must(PMPI_Comm_split(MPI_COMM_WORLD, takes ? 0 : MPI_UNDEFINED, rank, &team->bench.world),
               "MPI_Comm_split");
    if (!takes)
        return false;
    bench_must(PMPI_Comm_set_errhandler(team->bench.world, MPI_ERRORS_RETURN),
               "MPI_Comm_set_errhandler");
    bench_must(PMPI_Comm_rank(team->bench.world, &team->bench.rank), "MPI_Comm_rank");
    bench_must(PMPI_Comm_size(team->bench.world, &team->bench.size), "MPI_Comm_size");
    return true;
}

static void close_cases(struct tune_team *team)
{
    for (int c = 0; c < team->case_count; c++)
        bench_case_close(&team->cases[c]);
    team->case_count = 0;
}

static void open_cases(struct tune_team *team, enum shunt_op op, int64_t block)
{
    static const struct bench_distribution constant = {.shape = BENCH_CONSTANT};
    const struct bench_options *o = &team->bench.options;
    const int count = op == SHUNT_OP_ALLTOALL ? 1 : o->distribution_count;
    if (team->case_count > 0 && team->cases[0].op == op && team->cases[0].block == block)
        return;
    close_cases(team);
    for (int c = 0; c < count; c++) {
        const struct bench_distribution *d =
            op == SHUNT_OP_ALLTOALL ? &constant : &o->distributions[c];
        bench_distribution_print(d, team->names[c], sizeof team->names[c]);
        bench_case_open(&team->bench, &team->cases[c], op, d, block);
    }
    team->case_count = count;
}

static int64_t largest_of(const struct tune_team *team)
{
    int64_t largest = 0;
    for (int c = 0; c < team->case_count; c++)
        largest = team->cases[c].largest > largest ? team->cases[c].largest : largest;
    return largest;
}

static void close_member(struct tune_member *member)
{
    shunt_comm_close(member->candidate.comm);
    free(member->selection.force);
    free(member);
}

/*
 * A table with one rule, and that for some sizes, as those are that will be written: so ranks have
 * to agree about the sizes of MPI_Alltoallv. Those of TUNE_NATIVE_AGREED are none of the rule's.
 */
static struct shunt_table *table_of(const struct tune_team *team, enum shunt_op op,
                                    const char *text)
{
    const bool none = strcmp(text, TUNE_NATIVE_AGREED) == 0;
    char forced[BENCH_SELECTION_ROOM + 32];
    struct shunt_diagnostics diagnostics = {0};
    snprintf(forced, sizeof forced, "%s=%s", shunt_op_name(op), none ? "spread-out" : text);
    struct shunt_table *table = shunt_table_from_force(forced, &diagnostics);
    shunt_diagnostics_clear(&diagnostics);
    if (table)
        table->rules[table->rule_first[op]].block =
            (struct shunt_range){none ? largest_of(team) + 1 : 0, INT32_MAX};
    return table;
}

static struct tune_member *open_member(struct tune_team *team, enum shunt_op op, const char *text)
{
    struct tune_member *member = bench_need(calloc(1, sizeof *member));
    struct bench_selection *selection = &member->selection;
    snprintf(selection->text, sizeof selection->text, "%s", text);
    member->fresh = true;
    if (strcmp(text, "native") == 0)
        return member;
    selection->force = table_of(team, op, text);
    member->native = strcmp(text, TUNE_NATIVE_AGREED) == 0;
    if (!selection->force) {
        member->failed = true;
        return member;
    }
    bench_candidate_open(&member->candidate, selection, team->bench.world);
    const struct shunt_comm *comm = member->candidate.comm;
    for (int c = 0; c < team->case_count; c++)
        member->failed |=
            comm->state != SHUNT_STATE_ROUTED ||
            member->native ==
                (shunt_map_find(&comm->map[op], team->cases[c].largest)->rule != NULL);
    return member;
}

static struct tune_member *take_member(struct tune_team *team, const char *text)
{
    for (int i = 0; i < team->member_count; i++) {
        struct tune_member *member = team->members[i];
        if (member && strcmp(member->selection.text, text) == 0) {
            team->members[i] = NULL;
            return member;
        }
    }
    return NULL;
}

/* Those of the order, and no others: what is given up gives its memory back. What is held out is
 * set up anew, for some of its speed is the luck of where its memory lies. */
static void set_members(struct tune_team *team, const struct order *order)
{
    const int64_t block = team->case_count > 0 ? team->cases[0].block : -1;
    const bool same = block == order->block && team->cases[0].op == (enum shunt_op)order->op &&
                      order->stage != TUNE_STAGE_HELD_OUT;
    struct tune_member *members[TUNE_BATCH_MOST] = {NULL};
    for (int k = 0; same && k < order->count; k++)
        members[k] = take_member(team, order->texts[k]);
    for (int i = 0; i < team->member_count; i++)
        if (team->members[i])
            close_member(team->members[i]);
    open_cases(team, (enum shunt_op)order->op, order->block);
    for (int k = 0; k < order->count; k++)
        team->members[k] =
            members[k] ? members[k] : open_member(team, (enum shunt_op)order->op, order->texts[k]);
    team->member_count = order->count;
}

/* Seconds of calls back to back, after a barrier: of all together. */
static double call(struct tune_team *team, const struct tune_member *member, int c, int calls)
{
    bench_must(PMPI_Barrier(team->bench.world), "MPI_Barrier");
    const double begin = shunt_clock();
    for (int i = 0; i < calls; i++)
        bench_candidate_call(&member->candidate, &team->cases[c]);
    return shunt_clock() - begin;
}

/* The first call makes plans, connects ranks and touches pages; every byte of it is looked at. */
static bool call_first(struct tune_team *team, struct tune_member *member, int c)
{
    struct bench_result result = {.candidate = &member->candidate};
    bench_case_poison(&team->cases[c]);
    (void)call(team, member, c, 1);
    int good[] = {bench_case_right(&team->bench, &team->cases[c]),
                  member->native || bench_candidate_runs(&team->cases[c], &result)};
    bench_must(PMPI_Allreduce(MPI_IN_PLACE, good, 2, MPI_INT, MPI_MIN, team->bench.world),
               "MPI_Allreduce");
    if (!good[0] && team->bench.rank == 0)
        fprintf(stderr, "shunt tune: %s delivers wrong bytes here and is left out: report this\n",
                member->selection.text);
    team->wrong |= !good[0];
    return good[0] && good[1];
}

/* Seconds, the most of any rank; on all ranks alike. */
struct look {
    double calls; /* one in each case */
    double all;   /* with the barriers before them */
};

/* A second call in all cases. */
static struct look warm_up(struct tune_team *team, struct tune_member *member)
{
    double seconds[2] = {0};
    struct look look;
    for (int c = 0; c < team->case_count && member->fresh && !member->failed; c++)
        member->failed = !call_first(team, member, c);
    member->fresh = false;
    const double begin = shunt_clock();
    for (int c = 0; c < team->case_count && !member->failed; c++)
        seconds[0] += call(team, member, c, 1);
    seconds[1] = shunt_clock() - begin;
    bench_must(PMPI_Allreduce(MPI_IN_PLACE, seconds, 2, MPI_DOUBLE, MPI_MAX, team->bench.world),
               "MPI_Allreduce");
    look.calls = seconds[0];
    look.all = seconds[1];
    return look;
}

/* A call that takes too long may be an accident, but not each time. */
static bool is_hopeless(struct tune_team *team, struct tune_member *member, double limit)
{
    for (int i = 0; i < LOOKS; i++)
        if (warm_up(team, member).calls <= limit)
            return false;
    return true;
}

/* Tells how many calls make a sample, by mode. A single call of a new candidate is a noisy measure,
 * so hopeless means twice as much here. A table that is measured again is measured however it is.
 */
static void warm_up_all(struct tune_team *team, int stage, int *calls)
{
    const double hopeless = stage < TUNE_STAGE_VALIDATE ? 2 * TUNE_HOPELESS : INFINITY;
    struct look native = {INFINITY, INFINITY};
    for (int i = 0; i < LOOKS; i++) { /* or one accident makes all samples of this batch short */
        const struct look look = warm_up(team, team->members[0]);
        native = (struct look){fmin(native.calls, look.calls), fmin(native.all, look.all)};
    }
    for (int k = 1; k < team->member_count; k++)
        if (team->members[k]->fresh &&
            is_hopeless(team, team->members[k], hopeless * native.calls + SLACK))
            team->members[k]->failed = true;
    calls[TUNE_MODE_ROW] = tune_mode_calls(TUNE_MODE_ROW, native.calls / team->case_count);
    calls[TUNE_MODE_SINGLE] = tune_mode_calls(TUNE_MODE_SINGLE, native.all / team->case_count);
}

/* The same order on all ranks, another one each time. */
static void shuffle(const struct tune_team *team, const struct order *order, int repetition,
                    int *who)
{
    struct bench_random random = bench_random_begin(
        team->bench.options.seed ^ (uint64_t)order->block << 8 ^ (uint64_t)order->op,
        (uint64_t)order->stage << 32 | (uint32_t)repetition);
    for (int k = 0; k < order->count; k++)
        who[k] = k;
    bench_random_shuffle(&random, who, order->count);
}

/* The times of a member in one distribution: of the row, and of each single call. */
static void time_member(struct tune_team *team, const struct tune_member *member, int c,
                        const int *calls, double *times)
{
    times[0] = member->failed ? INFINITY : call(team, member, c, calls[TUNE_MODE_ROW]);
    for (int i = 1; i <= calls[TUNE_MODE_SINGLE]; i++)
        times[i] = member->failed ? INFINITY : call(team, member, c, 1);
}

/* Seconds of a call, in each mode. */
static void add_up(const double *times, const int *calls, double *seconds)
{
    double singles = 0;
    for (int i = 1; i <= calls[TUNE_MODE_SINGLE]; i++)
        singles += times[i];
    seconds[TUNE_MODE_ROW] = times[0] / calls[TUNE_MODE_ROW];
    seconds[TUNE_MODE_SINGLE] = singles / calls[TUNE_MODE_SINGLE];
}

/* seconds: array by member, distribution and mode, set on rank 0; times: room for all of one rank.
 */
static void measure_once(struct tune_team *team, const int *who, const int *calls, double *times,
                         double *seconds)
{
    const int each = 1 + calls[TUNE_MODE_SINGLE], all = team->member_count * team->case_count;
    for (int k = 0; k < team->member_count; k++)
        for (int c = 0; c < team->case_count; c++)
            time_member(team, team->members[who[k]], c, calls,
                        times + (ptrdiff_t)each * (who[k] * team->case_count + c));
    bench_must(PMPI_Reduce(team->bench.rank == 0 ? MPI_IN_PLACE : times, times, each * all,
                           MPI_DOUBLE, MPI_MAX, 0, team->bench.world),
               "MPI_Reduce");
    for (int i = 0; i < all; i++)
        add_up(times + (ptrdiff_t)each * i, calls, seconds + (ptrdiff_t)TUNE_MODE_COUNT * i);
}

static struct tune_key key_of(const struct tune_team *team, const struct order *order)
{
    return (struct tune_key){(enum shunt_op)order->op, team->place, order->block, order->stage};
}

/* Rank 0: a repetition into memory and into the file. */
static void keep(struct tune_team *team, const struct order *order, const struct tune_batch *batch,
                 int repetition, const double *seconds, struct tune_samples *samples)
{
    const char *names[BENCH_LIST_MOST];
    const struct tune_key key = key_of(team, order);
    for (int c = 0; c < team->case_count; c++)
        names[c] = team->names[c];
    for (int k = 0; k < samples->count; k++)
        for (int c = 0; c < samples->cases; c++)
            tune_samples_of(samples, k, c)[repetition] = seconds[k * samples->cases + c];
    if (team->store)
        tune_store_add(team->store, &key, batch, names, samples->cases, samples->largest,
                       repetition, samples->calls, seconds);
}

/* Whether there is time for another repetition, the same on all ranks. */
static bool goes_on(const struct tune_team *team, const struct order *order, int repetition,
                    double begin)
{
    int enough = shunt_clock() - begin < order->seconds;
    if (repetition >= order->repetitions || repetition < BENCH_VALUES_LEAST ||
        !(order->seconds > 0))
        return repetition < order->repetitions;
    bench_must(PMPI_Bcast(&enough, 1, MPI_INT, 0, team->bench.world), "MPI_Bcast");
    return enough;
}

/* Collective. batch, samples: rank 0's. */
static void carry_out(struct tune_team *team, const struct order *order,
                      const struct tune_batch *batch, struct tune_samples *samples)
{
    int who[TUNE_BATCH_MOST], calls[TUNE_MODE_COUNT];
    set_members(team, order);
    warm_up_all(team, order->stage, calls);
    const size_t values = (size_t)order->count * (size_t)team->case_count,
                 each = 1 + (size_t)calls[TUNE_MODE_SINGLE];
    double *times = bench_need(calloc(values * each, sizeof *times)),
           *seconds = bench_need(calloc(values * TUNE_MODE_COUNT, sizeof *seconds));
    if (samples) {
        memcpy(samples->calls, calls, sizeof calls);
        samples->largest = largest_of(team);
    }
    const double begin = shunt_clock();
    int done = order->first;
    for (; goes_on(team, order, done, begin); done++) {
        shuffle(team, order, done, who);
        measure_once(team, who, calls, times, seconds);
        if (samples)
            keep(team, order, batch, done, seconds, samples);
    }
    if (samples && done > order->first)
        samples->each = (shunt_clock() - begin) / (done - order->first);
    if (samples)
        tune_samples_cut(samples, done);
    free(times);
    free(seconds);
}

static void tell(struct tune_team *team, struct order *order)
{
    bench_must(PMPI_Bcast(order, (int)sizeof *order, MPI_BYTE, 0, team->bench.world), "MPI_Bcast");
}

void tune_team_obey(struct tune_team *team)
{
    struct order order;
    for (tell(team, &order); !order.end; tell(team, &order))
        carry_out(team, &order, NULL, NULL);
}

/* The names that the cases of an operation have in the file, whether they are open or not. */
static int name_cases(struct tune_team *team, enum shunt_op op, const char **names)
{
    const struct bench_options *o = &team->bench.options;
    const int count = op == SHUNT_OP_ALLTOALL ? 1 : o->distribution_count;
    const struct bench_distribution constant = {.shape = BENCH_CONSTANT};
    for (int c = 0; c < count; c++) {
        bench_distribution_print(op == SHUNT_OP_ALLTOALL ? &constant : &o->distributions[c],
                                 team->names[c], sizeof team->names[c]);
        names[c] = team->names[c];
    }
    return count;
}

static bool run(void *context, const struct tune_batch *asked, struct tune_samples *samples)
{
    struct tune_team *team = context;
    const char *names[BENCH_LIST_MOST];
    struct tune_batch batch = *asked;
    struct order order = {.seconds = batch.seconds,
                          .op = (int)batch.op,
                          .stage = batch.stage,
                          .count = batch.count,
                          .block = batch.block};
    const struct tune_key key = key_of(team, &order);
    const int planned = team->store ? tune_store_planned(team->store, &key) : 0,
              distributions = name_cases(team, batch.op, names);
    order.repetitions = batch.repetitions = planned > 0 ? planned : batch.repetitions;
    if (!tune_samples_make(samples, batch.count, distributions * TUNE_MODE_COUNT,
                           batch.repetitions))
        return false;
    if (planned > 0)
        order.first = tune_store_find(team->store, &key, &batch, names, samples);
    if (team->before)
        team->before(team->context);
    if (order.first == order.repetitions)
        return true;
    for (int k = 0; k < batch.count; k++)
        snprintf(order.texts[k], sizeof order.texts[k], "%s", batch.candidates[k]);
    tell(team, &order);
    carry_out(team, &order, &batch, samples);
    return true;
}

static double left(void *context)
{
    const struct tune_team *team = context;
    return team->deadline - shunt_clock();
}

struct tune_lab tune_team_lab(struct tune_team *team)
{
    return (struct tune_lab){team, run, left};
}

void tune_team_end(struct tune_team *team)
{
    struct order order = {.end = 1};
    tell(team, &order);
}

void tune_team_close(struct tune_team *team)
{
    for (int i = 0; i < team->member_count; i++)
        close_member(team->members[i]);
    close_cases(team);
    if (team->bench.world != MPI_COMM_NULL)
        bench_must(PMPI_Comm_free(&team->bench.world), "MPI_Comm_free");
    rest(MPI_COMM_WORLD);
}
