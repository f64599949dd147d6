/* SPDX-License-Identifier: BSD-3-Clause */
/* summary.c: from events to sums. */
#include "tools/log/summary.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "tools/common/tool.h"
#include "tools/log/view.h"

int shunt_logs_summary_open(struct shunt_logs_summary *summary,
                            const struct shunt_logs_options *options)
{
    *summary = (struct shunt_logs_summary){.options = options,
                                           .narrowed = shunt_logs_narrows(&options->filter),
                                           .name_count = 1,
                                           .ranks.rank.size = sizeof(struct shunt_logs_rank),
                                           .sections.seen.size = sizeof(struct shunt_logs_seen),
                                           .text = {.grows = true},
                                           .json = {.text = &summary->text, .whole = true}};
    if (options->form == SHUNT_LOGS_JSON)
        shunt_logs_summary_json_begin(&summary->json);
    summary->sort = shunt_logs_sort_new(options);
    if (!summary->sort)
        return SHUNT_EXIT_IO;
    summary->names = calloc(SHUNT_LOGS_NAMES, sizeof *summary->names);
    summary->places = calloc((size_t)2 * SHUNT_LOGS_NAMES, sizeof *summary->places);
    return summary->names && summary->places ? SHUNT_EXIT_OK : shunt_logs_sort_failed(ENOMEM);
}

void shunt_logs_summary_clear(struct shunt_logs_summary *summary)
{
    shunt_sort_free(summary->sort);
    for (uint32_t i = 0; summary->names && i < summary->name_count; i++)
        free(summary->names[i]);
    free(summary->names);
    free(summary->places);
    shunt_logs_pages_clear(&summary->ranks.rank);
    free(summary->text.bytes);
    shunt_logs_sections_clear(&summary->sections);
}

/* The number of a name; 0 for none, and when there are too many. */
static uint32_t number_of(struct shunt_logs_summary *summary, const char *name)
{
    if (!name || name[0] == '\0')
        return 0;
    size_t at =
        shunt_hash_mix(shunt_hash_text(SHUNT_HASH_EMPTY, name)) % ((size_t)2 * SHUNT_LOGS_NAMES);
    for (; summary->places[at] != 0; at = (at + 1) % ((size_t)2 * SHUNT_LOGS_NAMES))
        if (strcmp(summary->names[summary->places[at]], name) == 0)
            return summary->places[at];
    if (summary->name_count == SHUNT_LOGS_NAMES)
        return 0;
    char *copy = strdup(name);
    if (!copy)
        return 0;
    summary->names[summary->name_count] = copy;
    summary->places[at] = summary->name_count;
    return summary->name_count++;
}

static int add_call(struct shunt_logs_summary *summary, const struct shunt_logs_event *event)
{
    const struct shunt_record *r = &event->record;
    const bool alltoallv = r->operation && strcmp(r->operation, "alltoallv") == 0;
    const struct shunt_sort_key key = {{r->communicator_id,
                                        (r->call & INT64_MAX) | (uint64_t)alltoallv << 63,
                                        shunt_sort_word(event->time)}};
    const struct shunt_logs_arrival arrival = {
        .bytes = r->bytes,
        .seconds = r->seconds,
        .agreement = r->agreement > 0 ? r->agreement : 0,
        .rank = event->rank,
        .ranks = r->ranks,
        .name = number_of(summary, r->communicator),
        .timed = event->timed,
        .routed = r->algorithm && strcmp(r->algorithm, "native") != 0,
        .failed = r->error != 0,
    };
    struct shunt_logs_rank *rank =
        summary->narrowed ? NULL : shunt_logs_rank(&summary->ranks, event->rank);
    if (rank)
        shunt_logs_rank_add(rank, &arrival);
    const int error = shunt_sort_put(summary->sort, &key, &arrival, sizeof arrival);
    return error != 0 ? shunt_logs_sort_failed(error) : SHUNT_EXIT_OK;
}

static void note_header(struct shunt_logs_summary *summary, const struct shunt_logs_event *event)
{
    bool once;
    const bool counts = !summary->narrowed && shunt_logs_matches(&summary->options->filter, event);
    struct shunt_logs_rank *rank = counts ? shunt_logs_rank(&summary->ranks, event->rank) : NULL;
    if (rank) {
        shunt_logs_rank_begin(rank);
        rank->runs++;
    }
    if (summary->headed)
        return;
    summary->headed = true;
    if (summary->options->form == SHUNT_LOGS_JSON)
        shunt_logs_summary_json_header(&summary->json, event);
    else
        shunt_logs_show(&summary->text, SHUNT_LOGS_PEOPLE, event, "", 0, &once);
}

int shunt_logs_summary_event(void *context, const struct shunt_logs_event *event, const char *line,
                             size_t length)
{
    struct shunt_logs_summary *summary = context;
    struct shunt_logs_rank *rank;
    (void)line;
    (void)length;
    if (event->timed && (!summary->started || event->time < summary->start)) {
        summary->started = true;
        summary->start = event->time;
    }
    if (event->kind == SHUNT_LOGS_CLOCK && event->uncertainty > summary->uncertainty)
        summary->uncertainty = event->uncertainty;
    /* The first header says which job it is, whatever is asked for. */
    if (event->kind == SHUNT_LOGS_HEADER)
        note_header(summary, event);
    if (!shunt_logs_matches(&summary->options->filter, event))
        return SHUNT_EXIT_OK;
    if (event->kind == SHUNT_LOGS_CALL)
        return add_call(summary, event);
    if (event->kind != SHUNT_LOGS_SUMMARY || summary->narrowed)
        return SHUNT_EXIT_OK;
    rank = shunt_logs_rank(&summary->ranks, event->rank);
    if (rank)
        shunt_logs_rank_end(rank, event);
    return SHUNT_EXIT_OK;
}

int shunt_logs_summary_finish(struct shunt_logs_summary *summary)
{
    struct shunt_sort_item item;
    struct shunt_logs_arrival arrival;
    const int error = shunt_sort_finish(summary->sort);
    int found = -error;
    while (error == 0 && (found = shunt_sort_next(summary->sort, &item)) > 0) {
        const double since_start = shunt_sort_number(item.key.word[2]) - summary->start;
        memcpy(&arrival, item.bytes, sizeof arrival);
        if (!shunt_logs_matches_time(&summary->options->filter, since_start > 0 ? since_start : 0))
            continue;
        struct shunt_logs_rank *rank =
            summary->narrowed ? shunt_logs_rank(&summary->ranks, arrival.rank) : NULL;
        if (rank)
            shunt_logs_rank_add(rank, &arrival);
        if (!shunt_logs_sections_add(&summary->sections, &item.key, &arrival))
            return shunt_logs_sort_failed(ENOMEM);
    }
    shunt_logs_sections_end(&summary->sections);
    return found < 0 ? shunt_logs_sort_failed(-found) : SHUNT_EXIT_OK;
}

int shunt_logs_summary_print(struct shunt_logs_summary *summary, struct shunt_logs_out *out)
{
    struct shunt_log_text *text = &summary->text;
    const int code = shunt_logs_summary_finish(summary);
    if (code != SHUNT_EXIT_OK)
        return code;
    const bool json = summary->options->form == SHUNT_LOGS_JSON;
    if (json) {
        if (!summary->headed)
            shunt_logs_summary_json_header(&summary->json, NULL);
        shunt_logs_summary_json(&summary->json, summary);
    } else {
        const struct shunt_logs_totals totals = shunt_logs_ranks_add_up(&summary->ranks);
        shunt_logs_ranks_print(&summary->ranks, text);
        shunt_log_verdict_put(text, &totals.estimate, "gain        ", "            ");
        shunt_logs_sections_print(&summary->sections, summary->names, summary->uncertainty,
                                  summary->options->wide, text);
    }
    return shunt_logs_put_lines(out, text, json || summary->options->wide);
}
