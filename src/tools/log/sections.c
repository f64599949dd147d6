/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sections.c: one communicator and operation at a time: how far apart ranks come to the same call,
 * and who comes last.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/sheet.h"
#include "tools/log/summary.h"
#include "tools/log/view.h"

/* That rank came last to a call. Of equals the lowest is told. */
static void count_last(struct shunt_logs_sections *sections, int rank)
{
    struct shunt_logs_section *now = &sections->now;
    struct shunt_logs_seen *seen = shunt_logs_pages_get(&sections->seen, (size_t)rank);
    seen->last = seen->section == sections->section ? seen->last + 1 : 1;
    seen->section = sections->section;
    if (seen->last > now->last_calls || (seen->last == now->last_calls && rank < now->last)) {
        now->last_calls = seen->last;
        now->last = rank;
    }
}

static bool keep_arrival(struct shunt_logs_sections *sections, double time, int rank)
{
    const size_t count = (size_t)sections->timed;
    if (!sections->met)
        return true;
    if (count == sections->arrived_room) {
        const size_t room = count == 0 ? 64 : 2 * count;
        struct shunt_logs_come *list = realloc(sections->arrived, room * sizeof *list);
        if (!list)
            return false;
        sections->arrived = list;
        sections->arrived_room = room;
    }
    sections->arrived[count] = (struct shunt_logs_come){.time = time, .rank = rank};
    return true;
}

/* All arrivals at a call have been seen. */
static void end_call(struct shunt_logs_sections *sections)
{
    struct shunt_logs_section *now = &sections->now;
    if (sections->come == 0)
        return;
    now->calls++;
    now->incomplete += now->ranks > 0 && sections->come < now->ranks;
    if (sections->timed > 1) {
        const double skew = sections->latest - sections->first;
        now->compared++;
        now->skew += skew;
        now->skew_most = skew > now->skew_most ? skew : now->skew_most;
        if (sections->latest_rank >= 0 && skew > 0)
            count_last(sections, sections->latest_rank);
    }
    if (sections->met)
        sections->met(sections->context, sections->arrived, sections->timed);
    sections->come = sections->timed = 0;
}

static void begin_call(struct shunt_logs_sections *sections, uint64_t call)
{
    sections->call = call;
    sections->stamp++;
    sections->latest_rank = -1;
}

static void merge(struct shunt_logs_section *into, const struct shunt_logs_section *from)
{
    into->calls += from->calls;
    into->arrivals += from->arrivals;
    into->seconds += from->seconds;
}

/* Keeps those with the longest times, the longest first. */
static void rank_section(struct shunt_logs_sections *sections)
{
    struct shunt_logs_section *top = sections->top;
    size_t at = sections->top_count;
    while (at > 0 && sections->now.seconds > top[at - 1].seconds)
        at--;
    if (sections->top_count == SHUNT_LOGS_SECTIONS) {
        merge(&sections->rest,
              at < SHUNT_LOGS_SECTIONS ? &top[SHUNT_LOGS_SECTIONS - 1] : &sections->now);
        sections->rest_count++;
    } else {
        sections->top_count++;
    }
    if (at == SHUNT_LOGS_SECTIONS)
        return;
    memmove(&top[at + 1], &top[at], (sections->top_count - at - 1) * sizeof *top);
    top[at] = sections->now;
}

void shunt_logs_sections_end(struct shunt_logs_sections *sections)
{
    if (!sections->open)
        return;
    end_call(sections);
    rank_section(sections);
    sections->open = false;
}

bool shunt_logs_sections_add(struct shunt_logs_sections *sections, const struct shunt_sort_key *key,
                             const struct shunt_logs_arrival *arrival)
{
    struct shunt_logs_section *now = &sections->now;
    const bool alltoallv = key->word[1] >> 63;
    const double time = shunt_sort_number(key->word[2]);
    struct shunt_logs_seen *seen = shunt_logs_pages_hold(&sections->seen, arrival->rank);
    if (arrival->rank >= 0 && !seen)
        return false;
    if (!sections->open || now->id != key->word[0] || now->alltoallv != alltoallv) {
        shunt_logs_sections_end(sections);
        *now = (struct shunt_logs_section){.id = key->word[0], .alltoallv = alltoallv, .last = -1};
        sections->section++;
        sections->open = true;
        begin_call(sections, key->word[1]);
    }
    /* The same identifier and number may come again, in a later run that was appended. */
    const bool again = seen && seen->stamp == sections->stamp;
    if (key->word[1] != sections->call || again ||
        (arrival->ranks > 0 && sections->come >= arrival->ranks)) {
        end_call(sections);
        begin_call(sections, key->word[1]);
    }
    if (seen)
        seen->stamp = sections->stamp;
    now->name = arrival->name;
    now->ranks = arrival->ranks;
    now->arrivals++;
    now->seconds += arrival->seconds;
    sections->come++;
    if (!arrival->timed)
        return true;
    if (!keep_arrival(sections, time, arrival->rank))
        return false;
    if (sections->timed++ == 0)
        sections->first = time;
    sections->latest = time;
    sections->latest_rank = arrival->rank;
    return true;
}

/* Columns of names of communicators; longer ones have a line of their own. */
enum { NAME_MOST = 40, FIGURE = 9 };

/* People have one name for a communicator, and words for who comes last. */
static const struct shunt_column columns[] = {
    {.key = SHUNT_KEY_NAME, .title = "communicator", .in = SHUNT_IN_TEXT, .most = NAME_MOST},
    {.key = SHUNT_KEY_COMMUNICATOR},
    {.key = SHUNT_KEY_COMMUNICATOR_ID},
    {.key = SHUNT_KEY_OPERATION, .title = "operation"},
    {.key = SHUNT_KEY_RANKS},
    {.key = SHUNT_KEY_CALLS, .title = "calls", .least = FIGURE - 1},
    {.key = SHUNT_KEY_INCOMPLETE},
    {.key = SHUNT_KEY_SECONDS, .null = true},
    {.key = SHUNT_KEY_MEAN, .digits = 9, .null = true},
    {.key = SHUNT_KEY_SECONDS, .title = "mean", .in = SHUNT_IN_TEXT, .least = FIGURE},
    {.key = SHUNT_KEY_CALLS, .within = {SHUNT_KEY_SKEW}},
    {.key = SHUNT_KEY_MEAN, .within = {SHUNT_KEY_SKEW}, .digits = 9},
    {.key = SHUNT_KEY_MOST, .within = {SHUNT_KEY_SKEW}, .digits = 9},
    {.key = SHUNT_KEY_SECONDS, .title = "skew", .in = SHUNT_IN_TEXT, .least = FIGURE},
    {.key = SHUNT_KEY_SECONDS, .title = "at most", .in = SHUNT_IN_TEXT, .least = FIGURE},
    {.key = SHUNT_KEY_RANK, .within = {SHUNT_KEY_LAST}},
    {.key = SHUNT_KEY_CALLS, .within = {SHUNT_KEY_LAST}},
    {.key = SHUNT_KEY_NAME, .title = "comes last most often", .in = SHUNT_IN_TEXT},
};

static void put_section(struct shunt_sheet *sheet, const struct shunt_logs_section *section,
                        const char *name)
{
    const double arrivals = (double)section->arrivals, compared = (double)section->compared,
                 mean = section->seconds / arrivals;
    const bool skewed = section->compared > 0, last = section->last >= 0 && skewed;
    char id[24] = "", communicator[SHUNT_LOG_STRING_MAX + 64], words[64];
    struct shunt_log_text named = {.bytes = communicator, .capacity = sizeof communicator - 1};
    if (section->id != 0)
        snprintf(id, sizeof id, "%016" PRIx64, section->id);
    shunt_logs_show_communicator(&named, name, id);
    communicator[named.used] = '\0';
    snprintf(words, sizeof words, "rank %d, in %.0f %% of calls", section->last,
             100 * (double)section->last_calls / (skewed ? compared : 1));
    const struct shunt_field row[] = {
        shunt_field_text(communicator),
        shunt_field_text(name ? name : ""),
        shunt_field_text(section->id != 0 ? id : NULL),
        shunt_field_text(section->alltoallv ? "alltoallv" : "alltoall"),
        shunt_field_some(section->ranks),
        shunt_field_unsigned(section->calls),
        shunt_field_unsigned(section->incomplete),
        shunt_field_real(section->seconds),
        shunt_field_real(mean),
        shunt_field_real(mean),
        shunt_field_some((int64_t)section->compared),
        shunt_field_real(skewed ? section->skew / compared : -1),
        shunt_field_real(skewed ? section->skew_most : -1),
        shunt_field_real(skewed ? section->skew / compared : -1),
        shunt_field_real(skewed ? section->skew_most : -1),
        shunt_field_count(last ? section->last : -1),
        shunt_field_count(last ? (int64_t)section->last_calls : -1),
        shunt_field_text(last ? words : NULL),
    };
    shunt_sheet_row(sheet, row);
}

static void put_sections(const struct shunt_logs_sections *sections, char *const *names, bool wide,
                         struct shunt_log_text *text, struct shunt_json *json)
{
    struct shunt_sheet sheet =
        SHUNT_SHEET(columns, .form = json ? SHUNT_SHEET_JSON : SHUNT_SHEET_TEXT, .json = json,
                    .list = SHUNT_KEY_COMMUNICATORS, .text = text, .wide = wide);
    shunt_sheet_begin(&sheet);
    for (size_t i = 0; i < sections->top_count; i++)
        put_section(&sheet, &sections->top[i], names[sections->top[i].name]);
    shunt_sheet_end(&sheet);
}

void shunt_logs_sections_json(const struct shunt_logs_sections *sections, char *const *names,
                              struct shunt_json *json)
{
    shunt_json_line(json);
    put_sections(sections, names, false, NULL, json);
    if (sections->rest_count == 0)
        return;
    shunt_json_line(json);
    shunt_json_put_object(json, SHUNT_KEY_OMITTED);
    shunt_json_put_known(json, SHUNT_KEY_SECTIONS, (int64_t)sections->rest_count);
    shunt_json_put_known(json, SHUNT_KEY_CALLS, (int64_t)sections->rest.calls);
    shunt_json_put_number(json, SHUNT_KEY_SECONDS, sections->rest.seconds);
    shunt_json_close(json);
}

static void put_remarks(const struct shunt_logs_sections *sections, double uncertainty,
                        struct shunt_log_text *text)
{
    uint64_t incomplete = 0;
    for (size_t i = 0; i < sections->top_count; i++)
        incomplete += sections->top[i].incomplete;
    if (sections->rest_count > 0) {
        shunt_log_text_string(text, "and on ");
        shunt_log_text_unsigned(text, sections->rest_count);
        shunt_log_text_string(text, " more communicators and operations: ");
        shunt_log_text_unsigned(text, sections->rest.calls);
        shunt_log_text_string(text, " calls, ");
        shunt_log_text_seconds(text, sections->rest.seconds);
        shunt_log_text_string(text, " of all ranks\n");
    }
    if (incomplete > 0) {
        shunt_log_text_unsigned(text, incomplete);
        shunt_log_text_string(text, " of these calls are not logged by all ranks: their skew is "
                                    "that of those that are there\n");
    }
    if (uncertainty > 0) {
        shunt_log_text_string(text, "clocks of ranks agree within ");
        shunt_log_text_seconds(text, uncertainty);
        shunt_log_text_string(text, ": smaller skews say nothing\n");
    }
}

void shunt_logs_sections_print(const struct shunt_logs_sections *sections, char *const *names,
                               double uncertainty, bool wide, struct shunt_log_text *text)
{
    if (sections->top_count == 0)
        return;
    shunt_log_text_string(text, "\n");
    put_sections(sections, names, wide, text, NULL);
    put_remarks(sections, uncertainty, text);
}

void shunt_logs_sections_clear(struct shunt_logs_sections *sections)
{
    shunt_logs_pages_clear(&sections->seen);
    free(sections->arrived);
    *sections = (struct shunt_logs_sections){0};
}
