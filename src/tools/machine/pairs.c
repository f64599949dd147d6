/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pairs.c: the leader and one other rank at a time: near, middle and far ones, whose times are
 * taken together, for the model knows one link inside nodes and one between them.
 *
 *   round trips   half of one is o + L + s * G + o, for sizes up to 1 MiB
 *   bursts        o: of a processor for each of a few empty messages that are sent; and received,
 *                 when they are there already
 *   windows       g: what each further message of a long row takes
 *   late          the eager threshold: whether a send ends before its receiver, which sleeps, is
 *                 there
 *
 * The other rank does what the leader tells it, in messages.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "tools/machine/loggp.h"
#include "tools/machine/run.h"
#include "tools/measure/loop.h"

enum {
    PARTNERS_MOST = 3,
    BURST = 32,
    TAG = 1,
    WINDOWS = 5,
    LATE_TRIES = 3,
    TRIALS = 3,
    SEARCHES = 5
};
enum { LARGEST = 4 << 20 }; /* no longer message is tried */
enum { JUDGED_LARGEST = 1024 };
static const double LATE = 4e-3; /* what a receiver sleeps: far more than any eager send takes */

static const int64_t sizes[] = {0,     1,      8,      32,     64,     128,   256,
                                512,   1024,   2048,   4096,   8192,   16384, 32768,
                                65536, 131072, 262144, 524288, 1048576};
static const int64_t windows[WINDOWS] = {16, 32, 64, 128, 256};
enum { SIZES = sizeof sizes / sizeof sizes[0], WINDOW_MOST = MACHINE_REQUESTS_MOST };

enum kind { KIND_END, KIND_ROUND_TRIP, KIND_BURST, KIND_WINDOW, KIND_LATE };

/* What the leader tells. */
struct command {
    int32_t kind, reserved;
    struct machine_plan plan;
    double pause; /* of the other rank: until all are there, or while a send waits for it */
};

struct pairs {
    struct machine_run *run;
    char *buffer; /* LARGEST bytes, of a rank that has a part */
    int partner;
    struct measure_samples half[SIZES], send, receive, window[WINDOWS];
    double half_empty; /* with this partner: half a round trip without bytes */
    int64_t eager;
    bool confirmed; /* it was found the same again */
    int late_samples;
};

/* Near, middle, far; false where there are not so many. */
static bool find_partner(const struct machine_run *run, enum shunt_level level, int number,
                         int *partner)
{
    const int count = level == SHUNT_LEVEL_INSIDE ? machine_run_home(run) : run->nodes,
              places[PARTNERS_MOST] = {1, count / 2, count - 1};
    if (count < 2 || (number > 0 && places[number] <= places[number - 1]))
        return false;
    *partner = level == SHUNT_LEVEL_INSIDE ? places[number] : run->first[places[number]];
    return true;
}

static int count_partners(const struct machine_run *run, enum shunt_level level)
{
    int count = 0, partner;
    for (int i = 0; i < PARTNERS_MOST; i++)
        count += find_partner(run, level, i, &partner);
    return count;
}

/* Round trips, bursts and windows with each, and the threshold with the first. */
int machine_pairs_steps(const struct machine_run *run, enum shunt_level level)
{
    const int partners = count_partners(run, level);
    return partners > 0 ? 3 * partners + 1 : 0;
}

/* The other rank of the pair. */
static void send(const struct pairs *pairs, const void *bytes, int64_t count)
{
    machine_send(pairs->run, bytes, count, pairs->partner);
}

static void receive(const struct pairs *pairs, void *bytes, int64_t count)
{
    machine_receive(pairs->run, bytes, count, pairs->partner);
}

/* Half a round trip. */
static double lead_round_trip(struct pairs *pairs, const struct command *told)
{
    const double begin = shunt_clock();
    for (int i = 0; i < told->plan.inner; i++) {
        send(pairs, pairs->buffer, told->plan.size);
        receive(pairs, pairs->buffer, told->plan.size);
    }
    return (shunt_clock() - begin) / told->plan.inner / 2;
}

static void follow_round_trip(const struct pairs *pairs, const struct command *told)
{
    for (int i = 0; i < told->plan.inner; i++) {
        receive(pairs, pairs->buffer, told->plan.size);
        send(pairs, pairs->buffer, told->plan.size);
    }
}

/* Seconds until so many empty messages are on their way. */
static double send_row(const struct pairs *pairs, int count)
{
    MPI_Request requests[WINDOW_MOST];
    const double begin = shunt_clock();
    for (int i = 0; i < count; i++)
        measure_must(PMPI_Isend(pairs->buffer, 0, MPI_BYTE, pairs->partner, TAG, pairs->run->all,
                                &requests[i]),
                     "MPI_Isend");
    const double seconds = shunt_clock() - begin;
    machine_wait(pairs->run, count, requests);
    return seconds;
}

/* Of a message that is sent; the other end tells that of one that it received. */
static double lead_burst(struct pairs *pairs, const struct command *told)
{
    double received = 0;
    (void)told;
    const double sent = send_row(pairs, BURST);
    receive(pairs, &received, (int64_t)sizeof received);
    measure_samples_add(&pairs->receive, received / BURST);
    return sent / BURST;
}

static void follow_burst(const struct pairs *pairs, const struct command *told)
{
    measure_pause(told->pause);
    const double begin = shunt_clock();
    for (int k = 0; k < BURST; k++)
        measure_must(PMPI_Recv(pairs->buffer, 0, MPI_BYTE, pairs->partner, TAG, pairs->run->all,
                               MPI_STATUS_IGNORE),
                     "MPI_Recv");
    const double seconds = shunt_clock() - begin;
    send(pairs, &seconds, (int64_t)sizeof seconds);
}

static double lead_window(struct pairs *pairs, const struct command *told)
{
    receive(pairs, pairs->buffer, 0); /* it is ready */
    const double begin = shunt_clock();
    send_row(pairs, (int)told->plan.size);
    receive(pairs, pairs->buffer, 0); /* it has all */
    return shunt_clock() - begin;
}

static void follow_window(const struct pairs *pairs, const struct command *told)
{
    MPI_Request requests[WINDOW_MOST];
    for (int k = 0; k < (int)told->plan.size; k++)
        measure_must(PMPI_Irecv(pairs->buffer, 0, MPI_BYTE, pairs->partner, TAG, pairs->run->all,
                                &requests[k]),
                     "MPI_Irecv");
    send(pairs, pairs->buffer, 0);
    machine_wait(pairs->run, (int)told->plan.size, requests);
    send(pairs, pairs->buffer, 0);
}

/* Until a send ends. */
static double lead_late(struct pairs *pairs, const struct command *told)
{
    receive(pairs, pairs->buffer, 0); /* it falls asleep */
    const double begin = shunt_clock();
    send(pairs, pairs->buffer, told->plan.size);
    return shunt_clock() - begin;
}

static void follow_late(const struct pairs *pairs, const struct command *told)
{
    send(pairs, pairs->buffer, 0);
    measure_pause(told->pause);
    receive(pairs, pairs->buffer, told->plan.size);
}

/* What each end does for a sample. */
static const struct {
    double (*lead)(struct pairs *pairs, const struct command *told);
    void (*follow)(const struct pairs *pairs, const struct command *told);
} parts[] = {
    [KIND_ROUND_TRIP] = {lead_round_trip, follow_round_trip},
    [KIND_BURST] = {lead_burst, follow_burst},
    [KIND_WINDOW] = {lead_window, follow_window},
    [KIND_LATE] = {lead_late, follow_late},
};

static void follow(const struct pairs *pairs)
{
    struct command told;
    for (;;) {
        receive(pairs, &told, (int64_t)sizeof told);
        if (told.kind == KIND_END)
            return;
        for (int i = 0; i < told.plan.count; i++)
            parts[told.kind].follow(pairs, &told);
    }
}

static void take(struct pairs *pairs, enum kind kind, struct machine_plan plan, double pause,
                 struct measure_samples *samples)
{
    const struct command told = {.kind = (int32_t)kind, .plan = plan, .pause = pause};
    send(pairs, &told, (int64_t)sizeof told);
    for (int i = 0; i < plan.count; i++)
        measure_samples_add(samples, parts[kind].lead(pairs, &told));
}

/* As often as `share` seconds allow, by what a few tries took. */
static void take_many(struct pairs *pairs, enum kind kind, int64_t size, int tries, double share,
                      struct measure_samples *samples)
{
    struct measure_samples first = {0};
    const double ways = kind == KIND_ROUND_TRIP ? 2 : 1; /* a sample takes so many times itself */
    take(pairs, kind, (struct machine_plan){size, tries, 1}, 0, &first);
    take(pairs, kind, machine_plan_make(size, ways * measure_samples_least(&first), share), 0,
         samples);
}

static void lead_round_trips(struct pairs *pairs)
{
    const double share = machine_share(pairs->run, SIZES);
    for (int i = 0; i < SIZES; i++) {
        struct measure_samples samples = {0};
        take_many(pairs, KIND_ROUND_TRIP, sizes[i], TRIALS + 1, share, &samples); /* 1: connects */
        if (sizes[i] <= JUDGED_LARGEST)
            machine_results_judge(&pairs->run->results, &samples);
        if (i == 0)
            pairs->half_empty = measure_samples_typical(&samples);
        for (int k = 0; k < samples.count; k++)
            measure_samples_add(&pairs->half[i], samples.values[k]);
    }
}

static void lead_bursts(struct pairs *pairs)
{
    /* While which all are sent, none of which takes longer than half a round trip, and arrive. */
    const double pause = 3e-4 + (BURST + 20) * pairs->half_empty;
    take(pairs, KIND_BURST, machine_plan_make(BURST, pause, machine_share(pairs->run, 1)), pause,
         &pairs->send);
}

static void lead_windows(struct pairs *pairs)
{
    const double share = machine_share(pairs->run, WINDOWS);
    for (int w = 0; w < WINDOWS; w++)
        take_many(pairs, KIND_WINDOW, windows[w], TRIALS, share, &pairs->window[w]);
}

/* Whether most sends of that size end before their receiver comes. */
static bool is_eager(struct pairs *pairs, int64_t bytes)
{
    struct measure_samples seconds = {0};
    int early = 0;
    take(pairs, KIND_LATE, (struct machine_plan){bytes, LATE_TRIES, 1}, LATE, &seconds);
    for (int i = 0; i < seconds.count; i++)
        early += seconds.values[i] < LATE / 2;
    pairs->late_samples += seconds.count;
    return 2 * early > LATE_TRIES;
}

/* The size that is still eager, to the byte; INT64_MAX: all that were tried. */
static int64_t search_eager(struct pairs *pairs)
{
    int64_t eager = 0, above = LARGEST;
    if (is_eager(pairs, LARGEST))
        return INT64_MAX;
    while (above - eager > 1) {
        const int64_t middle = eager + (above - eager) / 2;
        if (is_eager(pairs, middle))
            eager = middle;
        else
            above = middle;
    }
    return eager;
}

/* A rank that the system suspends takes one for the other, and a search never comes back: so what
 * it found is tried again. */
static bool is_confirmed(struct pairs *pairs, int64_t eager)
{
    return eager == INT64_MAX ? is_eager(pairs, LARGEST)
                              : is_eager(pairs, eager) && !is_eager(pairs, eager + 1);
}

/* Without confirmation: the middle of what was found. */
static void lead_threshold(struct pairs *pairs)
{
    struct measure_samples found = {0};
    for (int i = 0; i < SEARCHES && !pairs->confirmed; i++) {
        pairs->eager = search_eager(pairs);
        pairs->confirmed = is_confirmed(pairs, pairs->eager);
        measure_samples_add(&found, pairs->eager == INT64_MAX ? LARGEST : (double)pairs->eager);
    }
    if (!pairs->confirmed)
        pairs->eager = (int64_t)measure_samples_median(&found);
}

/* One step of the leader and a partner; the others rest. */
static void step(struct pairs *pairs, int partner, const char *what, void (*lead)(struct pairs *))
{
    struct machine_run *run = pairs->run;
    char text[80];
    snprintf(text, sizeof text, "ranks 0 and %d, %s", partner, what);
    machine_step(run, text);
    if (run->rank != 0 && run->rank != partner)
        return;
    pairs->partner = run->rank == 0 ? partner : 0;
    if (!pairs->buffer) {
        pairs->buffer = measure_need(malloc(LARGEST));
        memset(pairs->buffer, 1, LARGEST);
    }
    if (run->rank != 0) {
        follow(pairs);
        return;
    }
    const struct command end = {.kind = KIND_END};
    lead(pairs);
    send(pairs, &end, (int64_t)sizeof end);
}

static void fill(struct pairs *pairs, struct machine_link_measured *measured)
{
    *measured = (struct machine_link_measured){.half_count = SIZES,
                                               .window_count = WINDOWS,
                                               .send = measure_samples_typical(&pairs->send),
                                               .receive = measure_samples_typical(&pairs->receive),
                                               .eager = pairs->eager};
    for (int i = 0; i < SIZES; i++)
        measured->half[i] =
            (struct measure_point){(double)sizes[i], measure_samples_typical(&pairs->half[i])};
    for (int w = 0; w < WINDOWS; w++)
        measured->window[w] =
            (struct measure_point){(double)windows[w], measure_samples_typical(&pairs->window[w])};
}

static void row(struct pairs *pairs, enum shunt_level level, const char *name, double residual,
                int samples, const char *note)
{
    char key[MACHINE_KEY_ROOM];
    snprintf(key, sizeof key, "%s.%s", level == SHUNT_LEVEL_INSIDE ? "inside" : "between", name);
    machine_row_add(&pairs->run->results, key, residual, samples, note);
}

static int count_samples(const struct measure_samples *samples, int count)
{
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += samples[i].count;
    return sum;
}

static void tell(struct pairs *pairs, enum shunt_level level)
{
    struct machine_link_measured measured;
    struct machine_link_fit fit;
    struct shunt_link *link = &pairs->run->results.machine.link[level];
    char note[MACHINE_NOTE_ROOM] = "";
    const int halves = count_samples(pairs->half, SIZES);
    fill(pairs, &measured);
    machine_link_make(&measured, link, &fit);
    row(pairs, level, "latency_us", fit.start_residual, halves, NULL);
    const double send = measure_samples_spread(&pairs->send),
                 receive = measure_samples_spread(&pairs->receive);
    snprintf(note, sizeof note, "send %.3f us, receive %.3f us%s", 1e6 * measured.send,
             1e6 * measured.receive, fit.overlapped ? ": cut, they overlap in a round trip" : "");
    row(pairs, level, "overhead_us", send > receive ? send : receive,
        pairs->send.count + pairs->receive.count, note);
    row(pairs, level, "gap_us", fit.gap_residual, count_samples(pairs->window, WINDOWS), NULL);
    note[0] = '\0';
    if (fit.rendezvous_count > 1)
        snprintf(note, sizeof note, "eager alone %.4f ns, above alone %.4f ns",
                 1e9 * fit.eager.slope, 1e9 * fit.rendezvous.slope);
    row(pairs, level, "byte_ns", fit.residual, halves, note);
    row(pairs, level, "eager", -1, pairs->late_samples,
        !pairs->confirmed          ? "not certain: tries differ"
        : link->eager == INT64_MAX ? "no message of up to 4 MiB waits for its receiver"
                                   : NULL);
}

void machine_pairs_measure(struct machine_run *run, enum shunt_level level)
{
    static struct pairs pairs;
    const int partners = count_partners(run, level);
    pairs = (struct pairs){.run = run};
    if (partners == 0)
        return;
    for (int i = 0, done = 0; i < PARTNERS_MOST && done < partners; i++) {
        int partner = 0;
        if (!find_partner(run, level, i, &partner))
            continue;
        step(&pairs, partner, "round trips", lead_round_trips);
        step(&pairs, partner, "bursts", lead_bursts);
        step(&pairs, partner, "windows", lead_windows);
        if (done++ == 0)
            step(&pairs, partner, "late receivers", lead_threshold);
    }
    if (run->rank == 0)
        tell(&pairs, level);
    free(pairs.buffer);
}
