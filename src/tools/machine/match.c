/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * match.c: what a message takes longer for each posted receive that it passes: round trips between
 * two ranks, both of which have 1 to 1,000 other receives posted before. These are for other
 * messages, which end each row.
 */
#include <stdlib.h>

#include "base/clock.h"
#include "tools/machine/run.h"
#include "tools/measure/loop.h"

enum { COUNTS = 4, TRIES = 3, TAG_OTHERS = 2 };
static const int64_t counts[COUNTS] = {1, 10, 100, 1000};

struct match {
    struct machine_run *run;
    int partner;
    MPI_Request *posted; /* array of the largest count */
    int samples;
};

static void post(struct match *match, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        measure_must(PMPI_Irecv(NULL, 0, MPI_BYTE, match->partner, TAG_OTHERS, match->run->all,
                                &match->posted[i]),
                     "MPI_Irecv");
}

/* In pieces: no library holds any number of requests. */
static int64_t piece(int64_t count, int64_t done)
{
    return count - done < MACHINE_REQUESTS_MOST ? count - done : MACHINE_REQUESTS_MOST;
}

static void send_others(const struct match *match, int64_t count)
{
    MPI_Request requests[MACHINE_REQUESTS_MOST];
    for (int64_t done = 0; done < count; done += MACHINE_REQUESTS_MOST) {
        const int some = (int)piece(count, done);
        for (int i = 0; i < some; i++)
            measure_must(PMPI_Isend(NULL, 0, MPI_BYTE, match->partner, TAG_OTHERS, match->run->all,
                                    &requests[i]),
                         "MPI_Isend");
        machine_wait(match->run, some, requests);
    }
}

static void wait_others(const struct match *match, int64_t count)
{
    for (int64_t done = 0; done < count; done += MACHINE_REQUESTS_MOST)
        machine_wait(match->run, (int)piece(count, done), match->posted + done);
}

/* Half a round trip, each time, by the leader's clock. */
static void trip(struct match *match, const struct machine_plan *plan,
                 struct measure_samples *samples)
{
    post(match, plan->size);
    for (int i = 0; i < plan->count; i++) {
        const double begin = shunt_clock();
        for (int k = 0; k < plan->inner; k++) {
            machine_send(match->run, NULL, 0, match->partner);
            machine_receive(match->run, NULL, 0, match->partner);
        }
        measure_samples_add(samples, (shunt_clock() - begin) / plan->inner / 2);
    }
    send_others(match, plan->size);
    wait_others(match, plan->size);
    match->samples += plan->count;
}

static void answer(struct match *match, const struct machine_plan *plan)
{
    post(match, plan->size);
    for (int64_t i = 0; i < (int64_t)plan->count * plan->inner; i++) {
        machine_receive(match->run, NULL, 0, match->partner);
        machine_send(match->run, NULL, 0, match->partner);
    }
    wait_others(match, plan->size);
    send_others(match, plan->size);
}

static void lead_plan(struct match *match, struct machine_plan plan,
                      struct measure_samples *samples)
{
    machine_send(match->run, &plan, (int64_t)sizeof plan, match->partner);
    trip(match, &plan, samples);
}

static void tell(struct match *match, const struct measure_point *points)
{
    struct machine_results *results = &match->run->results;
    const struct measure_line line = measure_line_fit(points, COUNTS);
    char note[MACHINE_NOTE_ROOM];
    results->machine.match = line.slope;
    snprintf(note, sizeof note, "half a round trip with 1 posted %.3g us, with 1000 %.3g us",
             1e6 * points[0].y, 1e6 * points[COUNTS - 1].y);
    machine_row_add(results, "match_ns", measure_line_residual(&line, points, COUNTS),
                    match->samples, note);
}

static void lead(struct match *match)
{
    struct measure_point points[COUNTS];
    const double share = machine_share(match->run, COUNTS);
    for (int c = 0; c < COUNTS; c++) {
        struct measure_samples first = {0}, samples = {0};
        lead_plan(match, (struct machine_plan){counts[c], TRIES, 1}, &first);
        lead_plan(match, machine_plan_make(counts[c], 2 * measure_samples_least(&first), share),
                  &samples);
        points[c] = (struct measure_point){(double)counts[c], measure_samples_typical(&samples)};
    }
    tell(match, points);
}

static void follow(struct match *match)
{
    struct machine_plan plan;
    for (int i = 0; i < 2 * COUNTS; i++) {
        machine_receive(match->run, &plan, (int64_t)sizeof plan, match->partner);
        answer(match, &plan);
    }
}

void machine_match_measure(struct machine_run *run)
{
    const int other = run->nodes > 1 ? run->first[1] : 1;
    struct match match = {.run = run, .partner = run->rank == 0 ? other : 0};
    machine_step(run, "receives that are posted");
    if (run->rank == 0 || run->rank == other) {
        match.posted = measure_need(calloc((size_t)counts[COUNTS - 1], sizeof *match.posted));
        if (run->rank == 0)
            lead(&match);
        else
            follow(&match);
        free(match.posted);
    }
    measure_rest(run->all);
}
