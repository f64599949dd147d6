/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cards.c: rank i of the first node sends to rank i of the second one, all at once. What each
 * further message, or byte, of every pair adds to the time of all, divided by the pairs, is the
 * node's time for one: an upper bound of what its cards need, for the ranks may be what limits, and
 * exact where the cards do.
 */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "tools/machine/run.h"

enum { TAG = 2, TRIALS = 3, SIZES = 5, ROW_MOST = MACHINE_REQUESTS_MOST, LARGEST = 1 << 20 };
static const int64_t rows[SIZES] = {16, 32, 64, 128, ROW_MOST},
                     bytes[SIZES] = {65536, 131072, 262144, 524288, LARGEST};

struct cards {
    struct machine_run *run;
    MPI_Comm streams; /* senders, then receivers; MPI_COMM_NULL on ranks without a part */
    int pairs, rank;  /* of them; in `streams` */
    char *buffer;     /* LARGEST bytes */
};

int machine_cards_steps(const struct machine_run *run)
{
    return run->nodes > 1 ? 2 : 0;
}

static int count_pairs(const struct machine_run *run)
{
    const int other = run->first[2] - run->first[1], home = machine_run_home(run);
    return home < other ? home : other;
}

/* So many messages of so many bytes from every sender; they end with an answer. */
static void exchange(const struct cards *cards, int messages, int64_t size)
{
    MPI_Request requests[ROW_MOST], answer;
    const bool sends = cards->rank < cards->pairs;
    const int peer = sends ? cards->rank + cards->pairs : cards->rank - cards->pairs;
    for (int i = 0; i < messages; i++) {
        const int code = sends ? PMPI_Isend(cards->buffer, (int)size, MPI_BYTE, peer, TAG,
                                            cards->streams, &requests[i])
                               : PMPI_Irecv(cards->buffer, (int)size, MPI_BYTE, peer, TAG,
                                            cards->streams, &requests[i]);
        measure_must(code, sends ? "MPI_Isend" : "MPI_Irecv");
    }
    machine_wait(cards->run, messages, requests);
    measure_must(sends ? PMPI_Irecv(NULL, 0, MPI_BYTE, peer, TAG + 1, cards->streams, &answer)
                       : PMPI_Isend(NULL, 0, MPI_BYTE, peer, TAG + 1, cards->streams, &answer),
                 "an answer");
    machine_wait(cards->run, 1, &answer);
}

/* From a barrier to the end of all. */
static double time_once(const struct cards *cards, int messages, int64_t size)
{
    machine_meet(cards->run, cards->streams);
    const double begin = shunt_clock();
    exchange(cards, messages, size);
    machine_meet(cards->run, cards->streams);
    return shunt_clock() - begin;
}

static struct measure_point measure_size(const struct cards *cards, int messages, int64_t size,
                                         double x, double share, int *count)
{
    struct measure_samples samples = {0};
    time_once(cards, messages, size); /* connects */
    for (int i = 0; i < TRIALS; i++)
        measure_samples_add(&samples, time_once(cards, messages, size));
    struct machine_plan plan = machine_plan_make(size, measure_samples_least(&samples), share);
    samples.count = 0;
    machine_tell(cards->run, cards->streams, &plan, (int)sizeof plan);
    for (int i = 0; i < plan.count; i++)
        measure_samples_add(&samples, time_once(cards, messages, size));
    *count += samples.count;
    return (struct measure_point){x, measure_samples_typical(&samples)};
}

/* The key gets the time of the node for one more of what is on the x axis. */
static void measure_line(const struct cards *cards, bool of_bytes, const char *key, double *value)
{
    struct measure_point points[SIZES];
    struct machine_run *run = cards->run;
    char note[MACHINE_NOTE_ROOM];
    int count = 0;
    const double share = run->rank == 0 ? machine_share(run, SIZES) : 0;
    for (int i = 0; i < SIZES; i++)
        points[i] = of_bytes ? measure_size(cards, 1, bytes[i], (double)bytes[i], share, &count)
                             : measure_size(cards, (int)rows[i], 0, (double)rows[i], share, &count);
    const struct measure_line line = measure_line_fit(points, SIZES);
    *value = line.slope / cards->pairs;
    snprintf(note, sizeof note, "%d rank%s of a node at once", cards->pairs,
             cards->pairs == 1 ? "" : "s");
    if (run->rank == 0)
        machine_row_add(&run->results, key, measure_line_residual(&line, points, SIZES), count,
                        note);
}

void machine_cards_measure(struct machine_run *run)
{
    struct cards cards = {.run = run};
    if (run->nodes < 2)
        return;
    cards.pairs = count_pairs(run);
    const bool takes_part = run->index < 2 && run->local < cards.pairs;
    measure_must(
        PMPI_Comm_split(run->all, takes_part ? 0 : MPI_UNDEFINED, run->rank, &cards.streams),
        "MPI_Comm_split");
    if (takes_part) {
        measure_must(PMPI_Comm_rank(cards.streams, &cards.rank), "MPI_Comm_rank");
        cards.buffer = measure_need(malloc(LARGEST));
        memset(cards.buffer, 1, LARGEST);
    }
    struct shunt_machine *machine = &run->results.machine;
    machine_step(run, "a node's messages at once");
    if (takes_part)
        measure_line(&cards, false, "card.message_ns", &machine->card_message);
    machine_step(run, "a node's bytes at once");
    if (takes_part) {
        measure_line(&cards, true, "card.byte_ns", &machine->card_byte);
        measure_must(PMPI_Comm_free(&cards.streams), "MPI_Comm_free");
    }
    free(cards.buffer);
}
