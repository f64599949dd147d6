/* SPDX-License-Identifier: BSD-3-Clause */
/* summary_json.c: `shunt log --summary --json`, as log-summary.schema.json describes it. */
#include "config.h"
#include "tools/log/summary.h"

void shunt_logs_summary_json_begin(struct shunt_json *json)
{
    shunt_json_object(json);
    shunt_json_put_string(json, SHUNT_KEY_VERSION, PACKAGE_VERSION);
}

void shunt_logs_summary_json_header(struct shunt_json *json, const struct shunt_logs_event *header)
{
    shunt_json_line(json);
    if (!header) {
        shunt_json_key(json, SHUNT_KEY_LOG);
        shunt_json_null(json);
        return;
    }
    shunt_json_put_object(json, SHUNT_KEY_LOG);
    shunt_json_put_string(json, SHUNT_KEY_VERSION, header->version);
    shunt_json_put_known(json, SHUNT_KEY_RANKS, header->ranks > 0 ? header->ranks : -1);
    shunt_json_put_string(json, SHUNT_KEY_JOB, header->job);
    shunt_json_put_string(json, SHUNT_KEY_LIBRARY, header->library);
    shunt_json_put_string(json, SHUNT_KEY_TABLE, header->table);
    shunt_json_put_string(json, SHUNT_KEY_MACHINE, header->machine);
    shunt_json_put_string(json, SHUNT_KEY_COMMAND, header->command);
    shunt_json_close(json);
}

static void put_rank(struct shunt_json *json, enum shunt_key key, int rank, double seconds)
{
    shunt_json_put_object(json, key);
    shunt_json_put_known(json, SHUNT_KEY_RANK, rank);
    shunt_json_put_number(json, SHUNT_KEY_SECONDS, seconds);
    shunt_json_close(json);
}

static void put_ranks(struct shunt_json *json, const struct shunt_logs_totals *totals)
{
    shunt_json_put_known(json, SHUNT_KEY_CALLS, (int64_t)totals->all.calls);
    shunt_json_put_known(json, SHUNT_KEY_ERRORS, (int64_t)totals->all.errors);
    shunt_json_put_unsigned(json, SHUNT_KEY_BYTES, totals->all.bytes);
    shunt_json_put_number(json, SHUNT_KEY_SECONDS, totals->all.seconds);
    shunt_json_put_object(json, SHUNT_KEY_ROUTED);
    shunt_json_put_known(json, SHUNT_KEY_CALLS, (int64_t)totals->routed.calls);
    shunt_json_put_unsigned(json, SHUNT_KEY_BYTES, totals->routed.bytes);
    shunt_json_put_number(json, SHUNT_KEY_SECONDS, totals->routed.seconds);
    shunt_json_close(json);
    if (totals->estimate.ranks > 0 && !totals->estimate.verified) {
        shunt_json_put_number(json, SHUNT_KEY_SAVED, totals->estimate.saved);
        shunt_json_put_number(json, SHUNT_KEY_SAVED_LOW, totals->estimate.saved_low);
        shunt_json_put_number(json, SHUNT_KEY_SAVED_HIGH, totals->estimate.saved_high);
    }
    if (totals->elapsed > 0)
        shunt_json_put_number(json, SHUNT_KEY_OF_RUN, totals->elapsed_seconds / totals->elapsed);
    if (totals->ranks == 0)
        return;
    shunt_json_line(json);
    shunt_json_put_object(json, SHUNT_KEY_IMBALANCE);
    shunt_json_put_fixed(json, SHUNT_KEY_MOST_TO_MEAN, shunt_logs_imbalance(totals), 6);
    put_rank(json, SHUNT_KEY_SLOWEST, totals->slowest, totals->most);
    put_rank(json, SHUNT_KEY_QUICKEST, totals->quickest, totals->least);
    shunt_json_close(json);
}

void shunt_logs_summary_json(struct shunt_json *json, struct shunt_logs_summary *summary)
{
    const struct shunt_logs_totals totals = shunt_logs_ranks_add_up(&summary->ranks);
    shunt_json_line(json);
    shunt_json_put_known(json, SHUNT_KEY_RANKS, (int64_t)totals.ranks);
    shunt_json_put_known(json, SHUNT_KEY_WITH_SUMMARY, (int64_t)totals.with_summary);
    shunt_json_put_known(json, SHUNT_KEY_RUNS, totals.runs > 0 ? (int64_t)totals.runs : -1);
    put_ranks(json, &totals);
    if (summary->uncertainty > 0)
        shunt_json_put_number(json, SHUNT_KEY_UNCERTAINTY, summary->uncertainty);
    shunt_logs_sections_json(&summary->sections, summary->names, json);
    shunt_json_line(json);
    shunt_json_close(json);
    shunt_log_text_put(json->text, "\n", 1);
}
