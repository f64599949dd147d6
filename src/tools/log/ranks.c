/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks.c: sums of each rank, and over all of them. */
#include "tools/common/tool.h"
#include "tools/log/summary.h"

struct shunt_logs_rank *shunt_logs_rank(struct shunt_logs_ranks *ranks, int rank)
{
    struct shunt_logs_rank *one = shunt_logs_pages_hold(&ranks->rank, rank);
    if (one)
        one->seen = true;
    return one;
}

static void add(struct shunt_logs_sums *sums, const struct shunt_logs_sums *more)
{
    sums->calls += more->calls;
    sums->bytes += more->bytes;
    sums->errors += more->errors;
    sums->seconds += more->seconds;
    sums->agreement += more->agreement;
}

void shunt_logs_rank_add(struct shunt_logs_rank *rank, const struct shunt_logs_arrival *arrival)
{
    const struct shunt_logs_sums one = {.calls = 1,
                                        .bytes = arrival->bytes,
                                        .errors = arrival->failed,
                                        .seconds = arrival->seconds,
                                        .agreement = arrival->agreement};
    add(&rank->calls, &one);
    if (arrival->routed)
        add(&rank->calls_routed, &one);
}

void shunt_logs_rank_end(struct shunt_logs_rank *rank, const struct shunt_logs_event *summary)
{
    add(&rank->all, &summary->all);
    /* A summary without this part leaves it to the calls. */
    add(&rank->routed, summary->has_routed ? &summary->routed : &rank->calls_routed);
    rank->elapsed += summary->elapsed > 0 ? summary->elapsed : 0;
    if (summary->has_estimate)
        shunt_log_estimate_add(&rank->estimate, &summary->estimate);
    rank->has_summary = true;
    rank->calls = rank->calls_routed = (struct shunt_logs_sums){0};
}

void shunt_logs_rank_begin(struct shunt_logs_rank *rank)
{
    add(&rank->all, &rank->calls);
    add(&rank->routed, &rank->calls_routed);
    rank->calls = rank->calls_routed = (struct shunt_logs_sums){0};
}

struct shunt_logs_totals shunt_logs_ranks_add_up(struct shunt_logs_ranks *ranks)
{
    struct shunt_logs_totals totals = {.slowest = -1, .quickest = -1};
    for (size_t i = 0; i < ranks->rank.count; i++) {
        struct shunt_logs_rank *rank = shunt_logs_pages_get(&ranks->rank, i);
        if (!rank || !rank->seen)
            continue;
        shunt_logs_rank_begin(rank); /* what no summary has counted */
        totals.ranks++;
        totals.with_summary += rank->has_summary;
        totals.runs = rank->runs > totals.runs ? rank->runs : totals.runs;
        add(&totals.all, &rank->all);
        add(&totals.routed, &rank->routed);
        shunt_log_estimate_add(&totals.estimate, &rank->estimate);
        if (rank->elapsed > 0) {
            totals.elapsed += rank->elapsed;
            totals.elapsed_seconds += rank->all.seconds;
            totals.longest = rank->elapsed > totals.longest ? rank->elapsed : totals.longest;
        }
        if (totals.slowest < 0 || rank->all.seconds > totals.most) {
            totals.slowest = (int)i;
            totals.most = rank->all.seconds;
        }
        if (totals.quickest < 0 || rank->all.seconds < totals.least) {
            totals.quickest = (int)i;
            totals.least = rank->all.seconds;
        }
    }
    return totals;
}

double shunt_logs_imbalance(const struct shunt_logs_totals *totals)
{
    const double mean = totals->all.seconds / (double)totals->ranks;
    return mean > 0 ? totals->most / mean : 1;
}

static void put_share(struct shunt_log_text *text, double part, double whole)
{
    shunt_log_text_fixed(text, whole > 0 ? 100 * part / whole : 0, 1);
    shunt_log_text_string(text, " %");
}

static void put_label(struct shunt_log_text *text, const char *label)
{
    const size_t start = text->used;
    shunt_log_text_string(text, label);
    shunt_log_text_pad(text, start, 12);
}

static void put_source(struct shunt_log_text *text, const struct shunt_logs_totals *totals)
{
    const uint64_t without = totals->ranks - totals->with_summary;
    shunt_log_text_unsigned(text, totals->ranks);
    shunt_log_text_string(text, totals->ranks == 1 ? " rank: " : " ranks: ");
    if (totals->with_summary > 0) {
        shunt_log_text_string(text, "the summaries of ");
        shunt_log_text_unsigned(text, totals->with_summary);
    }
    if (totals->with_summary > 0 && without > 0)
        shunt_log_text_string(text, ", ");
    if (without > 0) {
        shunt_log_text_string(text, "the calls of ");
        shunt_log_text_unsigned(text, without);
        if (totals->with_summary > 0)
            shunt_log_text_string(text, " without one");
    }
    shunt_log_text_put(text, "\n", 1);
}

static void put_times(struct shunt_log_text *text, const struct shunt_logs_totals *totals)
{
    const double mean = totals->all.seconds / (double)totals->ranks;
    put_label(text, "time");
    shunt_log_text_seconds(text, mean);
    shunt_log_text_string(text, " of a rank on average, ");
    put_share(text, totals->routed.seconds, totals->all.seconds);
    shunt_log_text_string(text, " in routed calls");
    if (totals->elapsed > 0) {
        shunt_log_text_string(text, "; ");
        put_share(text, totals->elapsed_seconds, totals->elapsed);
        shunt_log_text_string(text, " of the run");
    }
    shunt_log_text_put(text, "\n", 1);
    put_label(text, "imbalance");
    shunt_log_text_fixed(text, shunt_logs_imbalance(totals), 2);
    shunt_log_text_string(text, " (most / mean): rank ");
    shunt_log_text_unsigned(text, (uint64_t)totals->slowest);
    shunt_log_text_string(text, " the longest with ");
    shunt_log_text_seconds(text, totals->most);
    shunt_log_text_string(text, ", rank ");
    shunt_log_text_unsigned(text, (uint64_t)totals->quickest);
    shunt_log_text_string(text, " the shortest with ");
    shunt_log_text_seconds(text, totals->least);
    shunt_log_text_put(text, "\n", 1);
}

void shunt_logs_ranks_print(struct shunt_logs_ranks *ranks, struct shunt_log_text *text)
{
    const struct shunt_logs_totals totals = shunt_logs_ranks_add_up(ranks);
    if (totals.ranks == 0) {
        shunt_log_text_string(text, "no calls\n");
        return;
    }
    put_label(text, "from");
    put_source(text, &totals);
    if (totals.runs > 1) {
        put_label(text, "runs");
        shunt_log_text_unsigned(text, totals.runs);
        shunt_log_text_string(text, " runs of the program in these logs, added up\n");
    }
    put_label(text, "calls");
    shunt_log_text_unsigned(text, totals.all.calls);
    shunt_log_text_string(text, " of all ranks, ");
    put_share(text, (double)totals.routed.calls, (double)totals.all.calls);
    shunt_log_text_string(text, " routed");
    if (totals.all.errors > 0) {
        shunt_log_text_string(text, ", ");
        shunt_log_text_unsigned(text, totals.all.errors);
        shunt_log_text_string(text, " with an error");
    }
    shunt_log_text_put(text, "\n", 1);
    put_label(text, "bytes");
    shunt_log_text_bytes(text, totals.all.bytes);
    shunt_log_text_string(text, " sent, ");
    put_share(text, (double)totals.routed.bytes, (double)totals.all.bytes);
    shunt_log_text_string(text, " in routed calls\n");
    put_times(text, &totals);
}
