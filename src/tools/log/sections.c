/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sections.c: one communicator and operation at a time: how far apart ranks come to the same call,
 * and who comes last.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/log/show.h"
#include "tools/log/summary.h"

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

static void put_column(struct shunt_log_text *text, const struct shunt_log_text *cell, size_t width)
{
    if (cell->used < width)
        shunt_log_text_pad(text, text->used, width - cell->used);
    shunt_log_text_put(text, cell->bytes, cell->used);
    shunt_log_text_string(text, "  ");
}

static void put_time(struct shunt_log_text *text, double seconds, bool known)
{
    char bytes[32];
    struct shunt_log_text cell = {.bytes = bytes, .capacity = sizeof bytes};
    if (known)
        shunt_log_text_seconds(&cell, seconds);
    else
        shunt_log_text_string(&cell, "-");
    put_column(text, &cell, 9);
}

static void put_section(struct shunt_log_text *text, const struct shunt_logs_section *section,
                        char *const *names, size_t width)
{
    char id[24] = "", bytes[32];
    const size_t start = text->used;
    struct shunt_log_text cell = {.bytes = bytes, .capacity = sizeof bytes};
    if (section->id != 0)
        snprintf(id, sizeof id, "%016" PRIx64, section->id);
    shunt_logs_show_communicator(text, names[section->name], id);
    shunt_log_text_pad(text, start, width);
    shunt_log_text_string(text, section->alltoallv ? "  alltoallv  " : "  alltoall   ");
    shunt_log_text_unsigned(&cell, section->calls);
    put_column(text, &cell, 8);
    put_time(text, section->seconds / (double)section->arrivals, true);
    put_time(text, section->skew / (double)section->compared, section->compared > 0);
    put_time(text, section->skew_most, section->compared > 0);
    if (section->last >= 0) {
        shunt_log_text_string(text, "rank ");
        shunt_log_text_unsigned(text, (uint64_t)section->last);
        shunt_log_text_string(text, ", in ");
        shunt_log_text_fixed(text, 100 * (double)section->last_calls / (double)section->compared,
                             0);
        shunt_log_text_string(text, " %");
    } else {
        shunt_log_text_put(text, "-", 1);
    }
    shunt_log_text_put(text, "\n", 1);
}

/* Columns that names of communicators take. */
static size_t name_width(const struct shunt_logs_sections *sections, char *const *names)
{
    size_t width = strlen("communicator");
    for (size_t i = 0; i < sections->top_count; i++) {
        const char *name = names[sections->top[i].name];
        const size_t length = (name ? strlen(name) + 1 : 0) + 8;
        width = length > width && length <= 40 ? length : width;
    }
    return width;
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
                               double uncertainty, struct shunt_log_text *text)
{
    if (sections->top_count == 0)
        return;
    const size_t width = name_width(sections, names), start = text->used + 1;
    shunt_log_text_string(text, "\ncommunicator");
    shunt_log_text_pad(text, start, width);
    shunt_log_text_string(
        text, "  operation     calls       mean       skew    at most  comes last most often\n");
    for (size_t i = 0; i < sections->top_count; i++)
        put_section(text, &sections->top[i], names, width);
    put_remarks(sections, uncertainty, text);
}

void shunt_logs_sections_clear(struct shunt_logs_sections *sections)
{
    shunt_logs_pages_clear(&sections->seen);
    free(sections->arrived);
    *sections = (struct shunt_logs_sections){0};
}
