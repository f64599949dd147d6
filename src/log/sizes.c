/* SPDX-License-Identifier: BSD-3-Clause */
/* sizes.c: calls counted by size, and a sample of their times. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "log/sizes.h"

int shunt_log_class(int64_t bytes)
{
    if (bytes < 0)
        return SHUNT_LOG_CLASS_UNKNOWN;
    return bytes == 0 ? 0 : 64 - __builtin_clzll((unsigned long long)bytes);
}

int64_t shunt_log_class_from(int class)
{
    return class <= 0 ? class : class > 63 ? INT64_MAX : INT64_C(1) << (class - 1);
}

int64_t shunt_log_class_to(int class)
{
    const int64_t from = shunt_log_class_from(class);
    return class <= 0 ? from : class > 62 ? INT64_MAX : from - 1 + from;
}

/* The hash stands for a random number: the same run has the same summary. */
void shunt_log_sample_add(struct shunt_log_sample *sample, double seconds, bool told)
{
    const uint64_t number = sample->offered++;
    uint64_t at = number;
    sample->events += !told;
    if (number >= SHUNT_LOG_SAMPLES)
        at = (shunt_hash_mix(number) >> 32) * (number + 1) >> 32;
    if (at < SHUNT_LOG_SAMPLES)
        sample->seconds[at] = (float)seconds;
}

int shunt_log_sample_kept(const struct shunt_log_sample *sample)
{
    return sample->offered < SHUNT_LOG_SAMPLES ? (int)sample->offered : SHUNT_LOG_SAMPLES;
}

static uint64_t key_hash(const struct shunt_log_cell_key *key)
{
    const uint64_t classes =
        (uint64_t)(key->size + 1) << 16 | (uint64_t)(key->sent + 1) << 8 | (uint64_t)key->kind;
    return shunt_hash_mix((uint64_t)(uintptr_t)key->entry ^
                          shunt_hash_mix(classes << 32 | (uint32_t)key->ranks));
}

static bool same(const struct shunt_log_cell_key *a, const struct shunt_log_cell_key *b)
{
    return a->entry == b->entry && a->ranks == b->ranks && a->size == b->size &&
           a->sent == b->sent && a->kind == b->kind;
}

/* The slot of that key: its cell, or free. There is always a free one. */
static struct shunt_log_cell **find(const struct shunt_log_sizes *sizes,
                                    const struct shunt_log_cell_key *key)
{
    for (size_t i = (size_t)key_hash(key);; i++) {
        struct shunt_log_cell **slot = &sizes->slots[i & (sizes->capacity - 1)];
        if (!*slot || same(&(*slot)->key, key))
            return slot;
    }
}

static bool grow(struct shunt_log_sizes *sizes)
{
    struct shunt_log_sizes larger = {.capacity = sizes->capacity > 0 ? 2 * sizes->capacity : 32};
    larger.slots = calloc(larger.capacity, sizeof *larger.slots);
    if (!larger.slots)
        return false;
    for (size_t i = 0; i < sizes->capacity; i++)
        if (sizes->slots[i])
            *find(&larger, &sizes->slots[i]->key) = sizes->slots[i];
    free(sizes->slots);
    sizes->slots = larger.slots;
    sizes->capacity = larger.capacity;
    return true;
}

/* The cell of that key, made when missing; that of the rest when there is no room. */
static struct shunt_log_cell *get(struct shunt_log_sizes *sizes,
                                  const struct shunt_log_cell_key *key)
{
    if (sizes->capacity > 0) {
        struct shunt_log_cell *cell = *find(sizes, key);
        if (cell)
            return cell;
    }
    if (sizes->count >= SHUNT_LOG_CELLS_MAX ||
        (2 * sizes->count >= sizes->capacity && !grow(sizes)))
        return &sizes->other;
    struct shunt_log_cell *cell = calloc(1, sizeof *cell);
    if (!cell)
        return &sizes->other;
    cell->key = *key;
    *find(sizes, key) = cell;
    sizes->count++;
    return cell;
}

enum shunt_log_kind shunt_log_kind(const struct shunt_record *record)
{
    if (record->warmup)
        return SHUNT_LOG_WARM_UP;
    if (shunt_record_is_routed(record))
        return SHUNT_LOG_ROUTED;
    if (!shunt_record_is_in_turn(record))
        return SHUNT_LOG_NATIVE;
    return record->settled ? SHUNT_LOG_TURN : SHUNT_LOG_EARLY;
}

void shunt_log_sizes_add(struct shunt_log_sizes *sizes, const struct shunt_log_entry *entry,
                         const struct shunt_record *record)
{
    const int64_t size = record->max >= 0 ? record->max : record->largest_sent;
    const struct shunt_log_cell_key key = {.entry = entry,
                                           .ranks = record->ranks,
                                           .size = (short)shunt_log_class(size),
                                           .sent = (short)shunt_log_class(record->largest_sent),
                                           .kind = (short)shunt_log_kind(record)};
    struct shunt_log_cell *cell = get(sizes, &key);
    cell->calls++;
    cell->bytes += record->bytes;
    cell->seconds += record->seconds;
    if (record->call <= 1 || record->error != 0)
        return;
    shunt_log_sample_add(&cell->took, record->seconds - record->aside, false);
    cell->verified = cell->verified || record->native > 0;
}

void shunt_log_sizes_sort(struct shunt_log_sizes *sizes, int (*compare)(const void *, const void *))
{
    size_t count = 0;
    for (size_t i = 0; i < sizes->capacity; i++)
        if (sizes->slots[i])
            sizes->slots[count++] = sizes->slots[i];
    for (size_t i = count; i < sizes->capacity; i++)
        sizes->slots[i] = NULL;
    if (count > 1)
        qsort(sizes->slots, count, sizeof *sizes->slots, compare);
}

void shunt_log_sizes_clear(struct shunt_log_sizes *sizes)
{
    for (size_t i = 0; i < sizes->capacity; i++)
        free(sizes->slots[i]);
    free(sizes->slots);
    *sizes = (struct shunt_log_sizes){0};
}

void shunt_log_class_put(struct shunt_log_text *text, int class)
{
    if (class == SHUNT_LOG_CLASS_UNKNOWN) {
        shunt_log_text_string(text, "not known");
        return;
    }
    shunt_log_text_bytes(text, (uint64_t)shunt_log_class_from(class));
    if (class < 2)
        return;
    shunt_log_text_string(text, " - ");
    shunt_log_text_bytes(text, (uint64_t)shunt_log_class_to(class) + 1);
}
