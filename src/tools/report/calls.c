/* SPDX-License-Identifier: BSD-3-Clause */
/* calls.c: the calls of a log by kind. Memory goes with the number of kinds, which is bounded. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "route/words.h"
#include "tools/report/report.h"

enum { ROW_PLACES = 2 * SHUNT_REPORT_ROWS, PLACES = 2 * SHUNT_REPORT_COMMUNICATORS };

bool shunt_report_calls_open(struct shunt_report_calls *calls)
{
    calls->rows = calloc(SHUNT_REPORT_ROWS, sizeof *calls->rows);
    calls->places = calloc(ROW_PLACES, sizeof *calls->places);
    calls->communicators = calloc(SHUNT_REPORT_COMMUNICATORS, sizeof *calls->communicators);
    calls->communicator_places = calloc(PLACES, sizeof *calls->communicator_places);
    calls->communicator_count = 1;
    return calls->rows && calls->places && calls->communicators && calls->communicator_places;
}

void shunt_report_calls_clear(struct shunt_report_calls *calls)
{
    for (uint32_t i = 0; calls->communicators && i < calls->communicator_count; i++) {
        free(calls->communicators[i].name);
        free(calls->communicators[i].sizes);
    }
    shunt_report_shapes_clear(calls);
    shunt_log_set_clear(&calls->kinds);
    free(calls->rows);
    free(calls->places);
    free(calls->communicators);
    free(calls->communicator_places);
    free(calls->by_time);
    free(calls->by_like);
    *calls = (struct shunt_report_calls){.count = 0};
}

static int by_size(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void split_at(struct shunt_report_calls *calls, int64_t size)
{
    if (size > 0 && size < INT64_MAX && calls->segment_count < SHUNT_REPORT_SEGMENTS)
        calls->segment[calls->segment_count++] = size;
}

void shunt_report_calls_split(struct shunt_report_calls *calls, const struct shunt_table *table)
{
    for (int op = 0; op < SHUNT_OP_COUNT; op++) {
        for (uint32_t i = 0; i < table->rule_count[op]; i++) {
            const struct shunt_range block = table->rules[table->rule_first[op] + i].block;
            split_at(calls, block.low);
            split_at(calls, block.high < INT64_MAX ? block.high + 1 : 0);
        }
    }
    qsort(calls->segment, calls->segment_count, sizeof calls->segment[0], by_size);
}

/* How many segments begin at or below the size. */
static uint32_t segment_of(const struct shunt_report_calls *calls, int64_t size)
{
    size_t low = 0, high = calls->segment_count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (calls->segment[middle] <= size)
            low = middle + 1;
        else
            high = middle;
    }
    return (uint32_t)low;
}

/* The place of a communicator, made when missing; 0, which stands for all further ones, when there
 * is no room or memory is short. */
static uint32_t communicator_of(struct shunt_report_calls *calls, uint64_t id, const char *name)
{
    const char *text = name ? name : "";
    const uint64_t hash = id != 0 ? id : shunt_hash_text(SHUNT_HASH_EMPTY, text);
    size_t at = shunt_hash_mix(hash) % PLACES;
    for (; calls->communicator_places[at] != 0; at = (at + 1) % PLACES) {
        const struct shunt_report_communicator *known =
            &calls->communicators[calls->communicator_places[at]];
        if (known->id == id && (id != 0 || strcmp(known->name, text) == 0))
            return calls->communicator_places[at];
    }
    if (calls->communicator_count == SHUNT_REPORT_COMMUNICATORS)
        return 0;
    char *copy = strdup(text);
    if (!copy)
        return 0;
    calls->communicators[calls->communicator_count] =
        (struct shunt_report_communicator){.id = id, .name = copy};
    calls->communicator_places[at] = calls->communicator_count;
    return calls->communicator_count++;
}

/* The first that tells of it is believed: a communicator stays where it is. */
static void note_shape(struct shunt_report_communicator *communicator,
                       const struct shunt_record *record)
{
    if (communicator->ranks == 0)
        communicator->ranks = record->ranks;
    if (communicator->nodes == 0 && record->nodes > 0) {
        communicator->nodes = record->nodes;
        communicator->ppn = record->ppn;
    }
}

bool shunt_report_calls_communicator(struct shunt_report_calls *calls,
                                     const struct shunt_logs_event *event)
{
    const struct shunt_record *r = &event->record;
    const uint32_t place = communicator_of(calls, r->communicator_id, r->communicator);
    struct shunt_report_communicator *communicator = &calls->communicators[place];
    calls->oversubscribed = calls->oversubscribed || event->oversubscribed;
    if (place == 0)
        return true;
    note_shape(communicator, r);
    if (communicator->sizes || event->layout_count == 0 ||
        event->layout_count != communicator->nodes)
        return true;
    const size_t bytes = (size_t)event->layout_count * sizeof *communicator->sizes;
    communicator->sizes = malloc(bytes);
    if (!communicator->sizes)
        return false;
    memcpy(communicator->sizes, event->layout, bytes);
    return true;
}

/* What this rank sends on average: that of a call is known before and after set-up alike, the
 * largest block of all ranks only after it. */
static int64_t sent_of(const struct shunt_record *r, enum shunt_op op)
{
    if (op == SHUNT_OP_ALLTOALL && r->max >= 0)
        return r->max;
    return r->ranks > 0 ? (int64_t)(r->bytes / (uint64_t)r->ranks) : -1;
}

static bool same_row(const struct shunt_report_row *a, const struct shunt_report_row *b)
{
    const struct shunt_log_cell_key *x = &a->cell.key, *y = &b->cell.key;
    return x->entry == y->entry && x->ranks == y->ranks && x->size == y->size &&
           x->sent == y->sent && x->kind == y->kind && a->communicator == b->communicator &&
           a->segment == b->segment && a->nodes == b->nodes && a->ppn == b->ppn;
}

static uint64_t row_hash(const struct shunt_report_row *row)
{
    const struct shunt_log_cell_key *key = &row->cell.key;
    uint64_t hash = shunt_hash_value(key->entry->hash, (uint64_t)(unsigned)key->ranks);
    hash = shunt_hash_value(hash, (uint64_t)(key->size + 1) << 16 | (uint64_t)(key->sent + 1) << 8 |
                                      (uint64_t)key->kind);
    hash = shunt_hash_value(hash, (uint64_t)row->communicator << 32 | row->segment);
    return shunt_hash_mix(
        shunt_hash_value(hash, (uint64_t)(unsigned)row->nodes << 32 | (unsigned)row->ppn));
}

/* The row of that kind; NULL when there is no room. */
static struct shunt_report_row *get(struct shunt_report_calls *calls,
                                    const struct shunt_report_row *wanted)
{
    size_t at = row_hash(wanted) % ROW_PLACES;
    for (; calls->places[at] != 0; at = (at + 1) % ROW_PLACES)
        if (same_row(&calls->rows[calls->places[at] - 1], wanted))
            return &calls->rows[calls->places[at] - 1];
    if (calls->count == SHUNT_REPORT_ROWS)
        return NULL;
    struct shunt_report_row *row = &calls->rows[calls->count++];
    *row = *wanted;
    row->block_low = row->block_high = -1;
    row->density_low = SHUNT_DENSITY_FULL;
    row->density_high = 0;
    calls->places[at] = calls->count;
    return row;
}

static void add_to(struct shunt_report_row *row, const struct shunt_record *r, int rank)
{
    row->cell.calls++;
    row->cell.bytes += r->bytes;
    row->cell.seconds += r->seconds > 0 ? r->seconds : 0;
    row->errors += r->error != 0;
    if (r->max >= 0) {
        row->block_low = row->block_low < 0 || r->max < row->block_low ? r->max : row->block_low;
        row->block_high = r->max > row->block_high ? r->max : row->block_high;
    }
    const int low = r->density >= 0 ? r->density : 0,
              high = r->density >= 0 ? r->density : SHUNT_DENSITY_FULL;
    row->density_low = low < row->density_low ? low : row->density_low;
    row->density_high = high > row->density_high ? high : row->density_high;
    if (r->mean >= 0) {
        row->mean += r->mean;
        row->mean_calls++;
    }
    if (r->gain > 0)
        row->logged_gain = r->gain;
    /* The first call of a communicator has to connect: as in log/sizes.h. */
    if (r->call <= 1 || r->error != 0)
        return;
    if (row->cell.took.offered == 0)
        row->teller = rank;
    shunt_log_sample_add(&row->cell.took, r->seconds - r->aside, rank != row->teller);
    row->cell.verified = row->cell.verified || r->native > 0;
}

bool shunt_report_calls_add(struct shunt_report_calls *calls, const struct shunt_logs_event *event)
{
    const struct shunt_record *r = &event->record;
    enum shunt_op op;
    /* Of a later version, or damaged: in the sums alone. */
    const bool known = r->operation && shunt_op_parse(r->operation, &op);
    calls->cost += shunt_record_cost(r);
    const struct shunt_log_key key = {.field = {r->operation, r->algorithm, r->params, r->rule_file,
                                                r->rule_file && !r->rule_id ? "" : r->rule_id,
                                                r->reason},
                                      .line = r->rule_line};
    const struct shunt_log_entry *entry =
        known && r->algorithm ? shunt_log_set_get(&calls->kinds, &key) : NULL;
    struct shunt_report_row *row = NULL;
    if (entry) {
        const uint32_t place = communicator_of(calls, r->communicator_id, r->communicator);
        note_shape(&calls->communicators[place], place > 0 ? r : &(struct shunt_record){0});
        const struct shunt_report_row wanted = {
            .cell.key = {.entry = entry,
                         .ranks = r->ranks,
                         .size = (short)shunt_log_class(r->max),
                         .sent = (short)shunt_log_class(sent_of(r, op)),
                         .kind = (short)shunt_log_kind(r)},
            .op = op,
            .communicator = place,
            .segment = segment_of(calls, r->max),
            .ranks = r->ranks,
            .nodes = place == 0 ? r->nodes : 0,
            .ppn = place == 0 ? r->ppn : 0};
        row = get(calls, &wanted);
    }
    if (row) {
        add_to(row, r, event->rank);
    } else {
        calls->beyond.calls++;
        calls->beyond.bytes += r->bytes;
        calls->beyond.seconds += r->seconds > 0 ? r->seconds : 0;
    }
    return true;
}

static int by_time(const void *a, const void *b)
{
    const struct shunt_report_row *x = *(struct shunt_report_row *const *)a,
                                  *y = *(struct shunt_report_row *const *)b;
    if (x->cell.seconds != y->cell.seconds)
        return x->cell.seconds > y->cell.seconds ? -1 : 1;
    return x < y ? -1 : x > y;
}

static int by_like(const void *a, const void *b)
{
    const struct shunt_report_row *x = *(struct shunt_report_row *const *)a,
                                  *y = *(struct shunt_report_row *const *)b;
    const int order = shunt_report_likeness(x, y);
    return order != 0 ? order : x < y ? -1 : x > y;
}

/* All rows in that order; NULL: memory is short. */
static struct shunt_report_row **sorted(struct shunt_report_calls *calls,
                                        int (*compare)(const void *, const void *))
{
    struct shunt_report_row **list = calloc((size_t)calls->count + 1, sizeof *list);
    if (!list)
        return NULL;
    for (uint32_t i = 0; i < calls->count; i++)
        list[i] = &calls->rows[i];
    if (calls->count > 1)
        qsort(list, calls->count, sizeof *list, compare);
    return list;
}

bool shunt_report_calls_finish(struct shunt_report_calls *calls)
{
    if (!shunt_report_shapes_find(calls))
        return false;
    calls->by_time = sorted(calls, by_time);
    calls->by_like = sorted(calls, by_like);
    return calls->by_time && calls->by_like;
}
