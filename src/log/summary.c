/* SPDX-License-Identifier: BSD-3-Clause */
/* summary.c: the figures of the summary: adding, merging, sorting. */
#include <stdlib.h>
#include <string.h>

#include "log/summary.h"

/* A rule without a name is "" everywhere, no rule is NULL. */
static const char *id_of(const char *file, const char *id)
{
    return file && !id ? "" : id;
}

static void add_part(struct shunt_log_part *part, const struct shunt_record *record)
{
    part->calls++;
    part->bytes += record->bytes;
    part->seconds += record->seconds;
}

void shunt_log_summary_add(struct shunt_log_summary *summary, const struct shunt_record *record)
{
    const struct shunt_log_key key = {
        .field = {record->operation, record->algorithm, record->params, record->rule_file,
                  id_of(record->rule_file, record->rule_id), record->reason},
        .line = record->rule_line};
    struct shunt_log_entry *entry = shunt_log_set_get(&summary->done, &key);
    if (!entry) {
        entry = &summary->other;
        entry->key.field[SHUNT_LOG_REASON] =
            "further kinds of calls, more than the log tells apart";
    }
    entry->calls++;
    entry->bytes += record->bytes;
    entry->rest = record->rest && entry != &summary->other;
    entry->errors += record->error != 0;
    entry->seconds += record->seconds;
    if (record->agreement > 0)
        entry->agreement += record->agreement;
    if (record->warmup)
        add_part(&summary->warm_up, record);
    else if (shunt_record_is_routed(record))
        add_part(&summary->routed, record);
    summary->set_up += record->set_up;
    summary->cost += shunt_record_cost(record);
    summary->aside += record->aside;
    shunt_log_sizes_add(&summary->sizes, entry, record);
}

void shunt_log_summary_rule(struct shunt_log_summary *summary, const char *file, int line,
                            const char *id, const char *operation)
{
    const struct shunt_log_key key = {.field = {[SHUNT_LOG_OPERATION] = operation,
                                                [SHUNT_LOG_FILE] = file,
                                                [SHUNT_LOG_ID] = id_of(file, id)},
                                      .line = line};
    (void)shunt_log_set_get(&summary->rules,
                            &key); /* too many: the list of unused rules is then shorter */
}

static bool same_table(const struct shunt_log_table *a, const struct shunt_log_table *b)
{
    return a->fingerprint == b->fingerprint && strcmp(a->source, b->source) == 0;
}

/* Further ones are left out: that takes communicators whose ranks 0 have different tables. */
void shunt_log_summary_table(struct shunt_log_summary *summary, const struct shunt_log_table *table,
                             bool used)
{
    int at = 0;
    while (at < summary->table_count && !same_table(&summary->tables[at].table, table))
        at++;
    if (at == SHUNT_LOG_TABLES)
        return;
    if (at == summary->table_count)
        summary->tables[summary->table_count++].table = *table;
    summary->tables[at].used = summary->tables[at].used || used;
}

const struct shunt_log_known_table *
shunt_log_summary_main_table(const struct shunt_log_summary *summary)
{
    const struct shunt_log_known_table *best = NULL;
    int most = -1;
    for (int i = 0; i < summary->table_count; i++) {
        const struct shunt_log_known_table *table = &summary->tables[i];
        const int worth = 2 * table->used + (strcmp(table->table.source, "SHUNT_FORCE") != 0);
        if (worth > most)
            best = table;
        most = worth > most ? worth : most;
    }
    return best;
}

uint64_t shunt_log_summary_no_rule(const struct shunt_log_summary *summary)
{
    uint64_t calls = 0;
    for (size_t i = 0; i < summary->done.count; i++) {
        const struct shunt_log_entry *entry = summary->done.slots[i];
        /* What the model routes, or was learned, has none, and is no call to write one for. */
        if (!entry->key.field[SHUNT_LOG_FILE] &&
            strcmp(shunt_log_entry_field(entry, SHUNT_LOG_REASON), SHUNT_LOG_MODEL) != 0 &&
            strcmp(shunt_log_entry_field(entry, SHUNT_LOG_REASON), SHUNT_LOG_LEARNED) != 0)
            calls += entry->calls;
    }
    /* Those of the warm-up have none either. */
    return calls > summary->warm_up.calls ? calls - summary->warm_up.calls : 0;
}

/* Whether calls are native because no rule was written for them. */
static bool is_gap(const struct shunt_log_entry *entry)
{
    static const char prefix[] = "no rule ";
    return entry->rest ||
           (!entry->key.field[SHUNT_LOG_FILE] &&
            strncmp(shunt_log_entry_field(entry, SHUNT_LOG_REASON), prefix, strlen(prefix)) == 0);
}

static const struct shunt_log_cell *find_gap(const struct shunt_log_summary *summary)
{
    const struct shunt_log_cell *gap = NULL;
    for (size_t i = 0; i < summary->sizes.capacity; i++) {
        const struct shunt_log_cell *cell = summary->sizes.slots[i];
        const struct shunt_log_entry *entry = cell ? cell->key.entry : NULL;
        if (cell && cell->calls >= SHUNT_LOG_MANY && is_gap(entry) &&
            (!gap || cell->seconds > gap->seconds))
            gap = cell;
    }
    return gap;
}

bool shunt_log_summary_gap(const struct shunt_log_summary *summary, struct shunt_log_gap *gap)
{
    const struct shunt_log_cell *cell = summary->suggests ? find_gap(summary) : NULL;
    if (!cell)
        return false;
    *gap = (struct shunt_log_gap){.operation =
                                      shunt_log_entry_field(cell->key.entry, SHUNT_LOG_OPERATION),
                                  .ranks = cell->key.ranks,
                                  .size = cell->key.size,
                                  .from = shunt_log_class_from(cell->key.size),
                                  .to = shunt_log_class_to(cell->key.size),
                                  .calls = cell->calls,
                                  .seconds = cell->seconds};
    return true;
}

void shunt_log_summary_clear(struct shunt_log_summary *summary)
{
    shunt_log_set_clear(&summary->done);
    shunt_log_set_clear(&summary->rules);
    shunt_log_sizes_clear(&summary->sizes);
    shunt_log_rows_clear(&summary->by_size);
    shunt_log_rows_clear(&summary->by_reason);
    memset(summary, 0, sizeof *summary);
}

/* Moves the entries to the front of the slots (no longer a hash table then), in the order of
 * `compare`. */
static void sort(struct shunt_log_set *set, int (*compare)(const void *, const void *))
{
    size_t count = 0;
    for (size_t i = 0; i < set->capacity; i++)
        if (set->slots[i])
            set->slots[count++] = set->slots[i];
    for (size_t i = count; i < set->capacity; i++)
        set->slots[i] = NULL;
    if (count > 1)
        qsort(set->slots, count, sizeof *set->slots, compare);
}

static int by_time(const void *a, const void *b)
{
    const struct shunt_log_entry *x = *(struct shunt_log_entry *const *)a,
                                 *y = *(struct shunt_log_entry *const *)b;
    if (x->seconds != y->seconds)
        return x->seconds > y->seconds ? -1 : 1;
    return x->hash < y->hash ? -1 : 1;
}

static int by_line(const void *a, const void *b)
{
    const struct shunt_log_entry *x = *(struct shunt_log_entry *const *)a,
                                 *y = *(struct shunt_log_entry *const *)b;
    const int order =
        strcmp(shunt_log_entry_field(x, SHUNT_LOG_FILE), shunt_log_entry_field(y, SHUNT_LOG_FILE));
    if (order != 0)
        return order;
    return x->key.line != y->key.line ? x->key.line - y->key.line
                                      : strcmp(shunt_log_entry_field(x, SHUNT_LOG_ID),
                                               shunt_log_entry_field(y, SHUNT_LOG_ID));
}

/* Drops the rules that some call used. */
static void drop_used(struct shunt_log_summary *summary)
{
    for (size_t i = 0; i < summary->rules.capacity; i++) {
        struct shunt_log_entry **rule = &summary->rules.slots[i];
        for (size_t j = 0; *rule && j < summary->done.capacity; j++) {
            if (!summary->done.slots[j])
                continue;
            struct shunt_log_key used = summary->done.slots[j]->key;
            used.field[SHUNT_LOG_ALGORITHM] = used.field[SHUNT_LOG_PARAMS] =
                used.field[SHUNT_LOG_REASON] = NULL;
            if (shunt_log_key_equal(&used, &(*rule)->key)) {
                free(*rule);
                *rule = NULL;
                summary->rules.count--;
            }
        }
    }
}

struct shunt_log_entry shunt_log_summary_finish(struct shunt_log_summary *summary)
{
    struct shunt_log_entry total = summary->other;
    drop_used(summary);
    sort(&summary->done, by_time);
    sort(&summary->rules, by_line);
    for (size_t i = 0; i < summary->done.count; i++) {
        const struct shunt_log_entry *entry = summary->done.slots[i];
        if (!entry)
            continue;
        total.calls += entry->calls;
        total.bytes += entry->bytes;
        total.errors += entry->errors;
        total.seconds += entry->seconds;
        total.agreement += entry->agreement;
    }
    summary->estimate = shunt_log_estimate(&summary->sizes, summary->cost);
    summary->estimate.spent = total.seconds;
    summary->estimate.crowded = summary->oversubscribed;
    summary->by_reason = shunt_log_rows_by_reason(&summary->done);
    summary->by_size = shunt_log_rows_by_size(&summary->sizes); /* last: it keeps their order */
    return total;
}
