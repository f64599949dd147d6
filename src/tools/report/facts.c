/* SPDX-License-Identifier: BSD-3-Clause */
/* facts.c: which run it was, where its ranks were, and where in the program the calls are. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "route/words.h"
#include "tools/report/report.h"

static void count(struct shunt_log_set *set, const struct shunt_log_key *key,
                  struct shunt_log_part *beyond, const struct shunt_record *record)
{
    struct shunt_log_entry *entry = shunt_log_set_get(set, key);
    if (!entry) {
        beyond->calls++;
        beyond->bytes += record->bytes;
        beyond->seconds += record->seconds > 0 ? record->seconds : 0;
        return;
    }
    entry->calls++;
    entry->bytes += record->bytes;
    entry->seconds += record->seconds > 0 ? record->seconds : 0;
}

void shunt_report_facts_header(struct shunt_report_facts *facts,
                               const struct shunt_logs_event *header,
                               const struct shunt_logs_rank *rank)
{
    const struct shunt_log_key key = {.field = {[SHUNT_LOG_ID] = header->host}};
    if (header->timed && (facts->began <= 0 || header->time < facts->began))
        facts->began = header->time;
    /* Later runs may have been elsewhere: those of the first one. */
    if (header->host && rank && rank->runs == 1)
        count(&facts->hosts, &key, &facts->further_hosts, &(struct shunt_record){0});
}

void shunt_report_facts_call(struct shunt_report_facts *facts, const struct shunt_record *record)
{
    const struct shunt_log_key key = {.field = {[SHUNT_LOG_OPERATION] = record->operation,
                                                [SHUNT_LOG_FILE] = record->site,
                                                [SHUNT_LOG_ID] = record->symbol}};
    enum shunt_op op;
    if (!record->operation || !shunt_op_parse(record->operation, &op))
        return; /* of a later version, or damaged */
    facts->sited = facts->sited || record->site;
    count(&facts->sites, &key, &facts->further_sites, record);
}

static int by_time(const void *a, const void *b)
{
    const struct shunt_log_entry *x = *(struct shunt_log_entry *const *)a,
                                 *y = *(struct shunt_log_entry *const *)b;
    if (x->seconds != y->seconds)
        return x->seconds > y->seconds ? -1 : 1;
    return x->hash < y->hash ? -1 : x->hash > y->hash;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(shunt_log_entry_field(*(struct shunt_log_entry *const *)a, SHUNT_LOG_ID),
                  shunt_log_entry_field(*(struct shunt_log_entry *const *)b, SHUNT_LOG_ID));
}

/* Moves the entries to the front of the slots, which are no hash table then. */
static void sort(struct shunt_log_set *set, int (*compare)(const void *, const void *))
{
    size_t kept = 0;
    for (size_t i = 0; i < set->capacity; i++)
        if (set->slots[i])
            set->slots[kept++] = set->slots[i];
    for (size_t i = kept; i < set->capacity; i++)
        set->slots[i] = NULL;
    if (kept > 1)
        qsort(set->slots, kept, sizeof *set->slots, compare);
}

void shunt_report_facts_finish(struct shunt_report_facts *facts)
{
    sort(&facts->hosts, by_name);
    sort(&facts->sites, by_time);
}

void shunt_report_facts_clear(struct shunt_report_facts *facts)
{
    shunt_log_set_clear(&facts->hosts);
    shunt_log_set_clear(&facts->sites);
}

void shunt_report_put_date(struct shunt_log_text *text, const struct shunt_report_facts *facts,
                           bool iso)
{
    const time_t date = (time_t)facts->began;
    char printed[64];
    struct tm parts;
    if (facts->began <= 0 || !gmtime_r(&date, &parts) ||
        strftime(printed, sizeof printed, iso ? "%Y-%m-%dT%H:%M:%SZ" : "%Y-%m-%d %H:%M:%S UTC",
                 &parts) == 0)
        shunt_log_text_string(text, "not known");
    else
        shunt_log_text_string(text, printed);
}

void shunt_report_put_wall_time(struct shunt_log_text *text, const struct shunt_report *report)
{
    const struct shunt_logs_totals *totals = &report->totals;
    if (totals->longest <= 0) {
        shunt_log_text_string(text, "not known: no rank wrote its summary");
        return;
    }
    shunt_log_text_seconds(text, totals->longest);
    if (totals->runs <= 1)
        return;
    shunt_log_text_string(text, " in ");
    shunt_log_text_unsigned(text, totals->runs);
    shunt_log_text_string(text, " runs");
}

/* Hosts that are named; the others are in the numbers. */
enum { HOSTS = 8 };

void shunt_report_put_hosts(struct shunt_log_text *text, const struct shunt_report_facts *facts)
{
    const size_t hosts = facts->hosts.count;
    uint64_t least = UINT64_MAX, most = 0;
    for (size_t i = 0; i < hosts; i++) {
        const uint64_t ranks = facts->hosts.slots[i]->calls;
        least = ranks < least ? ranks : least;
        most = ranks > most ? ranks : most;
    }
    if (hosts == 0) {
        shunt_log_text_string(text, "not told");
        return;
    }
    shunt_log_text_count(text, hosts);
    shunt_log_text_string(text, facts->further_hosts.calls > 0 ? " and more with " : " with ");
    shunt_log_text_count(text, least);
    if (most > least) {
        shunt_log_text_string(text, " to ");
        shunt_log_text_count(text, most);
    }
    shunt_log_text_string(text, most == 1 ? " rank" : " ranks");
    shunt_log_text_string(text, hosts == 1 ? ": " : " each: ");
    for (size_t i = 0; i < hosts && i < HOSTS; i++) {
        shunt_log_text_string(text, i > 0 ? ", " : "");
        shunt_log_text_plain(text, shunt_log_entry_field(facts->hosts.slots[i], SHUNT_LOG_ID));
        if (most == least)
            continue;
        shunt_log_text_string(text, " ");
        shunt_log_text_count(text, facts->hosts.slots[i]->calls);
    }
    if (hosts <= HOSTS)
        return;
    shunt_log_text_string(text, " and ");
    shunt_log_text_count(text, hosts - HOSTS);
    shunt_log_text_string(text, " more");
}

void shunt_report_put_site(struct shunt_log_text *text, const struct shunt_log_entry *site)
{
    const char *address = site->key.field[SHUNT_LOG_FILE], *symbol = site->key.field[SHUNT_LOG_ID];
    const char *slash = address ? strrchr(address, '/') : NULL;
    if (!address) {
        shunt_log_text_string(text, "not known");
        return;
    }
    if (symbol) {
        shunt_log_text_plain(text, symbol);
        shunt_log_text_string(text, ", ");
    }
    shunt_log_text_plain(text, slash ? slash + 1 : address);
}
