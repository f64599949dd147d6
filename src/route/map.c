/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * map.c: all decisions of one operation on one communicator.
 *
 * Once the layout is known a rule is an interval of block sizes. The ends of all intervals cut the
 * sizes into segments in which the winner (the first rule whose interval covers the segment) does
 * not change. What the model chooses comes behind all rules. Conditions on the density cut it into
 * ranges; each of these has a list of its own, unless it would be that of its neighbour.
 */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "route/match.h"
#include "route/route.h"

/* A rule that can win for some block sizes, or what the model chooses for them. */
struct candidate {
    uint32_t index;                    /* of the rule; those of choices follow */
    const struct shunt_choice *choice; /* NULL: a rule */
    struct shunt_range blocks;
    struct shunt_params params;
};

/* Sizes that some rule takes: ranges that do not touch, ascending. */
struct covered {
    size_t count;
    struct shunt_range *at; /* array with room for as many as there are rules */
};

/* The first range that ends at `size` or later. */
static size_t find_covered(const struct covered *covered, int64_t size)
{
    size_t low = 0, high = covered->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (covered->at[middle].high < size)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_covered(const struct covered *covered, struct shunt_range range)
{
    const size_t at = find_covered(covered, range.low);
    return at < covered->count && covered->at[at].low <= range.low &&
           covered->at[at].high >= range.high;
}

static void cover(struct covered *covered, struct shunt_range range)
{
    const size_t first = find_covered(covered, range.low > 0 ? range.low - 1 : 0);
    size_t end = first;
    for (; end < covered->count &&
           (range.high == INT64_MAX || covered->at[end].low <= range.high + 1);
         end++) {
        const struct shunt_range own = covered->at[end];
        range.low = own.low < range.low ? own.low : range.low;
        range.high = own.high > range.high ? own.high : range.high;
    }
    memmove(&covered->at[first + 1], &covered->at[end],
            (covered->count - end) * sizeof *covered->at);
    covered->at[first] = range;
    covered->count += first + 1 - end;
}

static bool all_covered(const struct covered *covered)
{
    return is_covered(covered, (struct shunt_range){0, INT64_MAX});
}

static size_t collect(struct candidate *candidates, struct covered *covered,
                      const struct shunt_table *table, enum shunt_op op,
                      const struct shunt_layout *layout, int64_t memory_cap, int density)
{
    size_t count = 0;
    for (uint32_t i = 0; i < table->rule_count[op]; i++) {
        const struct shunt_rule *rule = &table->rules[table->rule_first[op] + i];
        struct candidate *next = &candidates[count];
        if (rule->density.low > density || rule->density.high < density)
            continue;
        /* It cannot win against earlier rules that take all of its sizes. */
        if (is_covered(covered, rule->block))
            continue;
        if (!shunt_match_layout(rule, op, layout, &next->params, NULL, 0))
            continue;
        if (!shunt_match_blocks(rule, layout, &next->params,
                                shunt_match_cap(table, rule, memory_cap), &next->blocks))
            continue;
        next->index = i;
        next->choice = NULL;
        count++;
        cover(covered, next->blocks);
        if (all_covered(covered))
            break;
    }
    return count;
}

/* Adds the model's choices behind `count` rules, where the table asks for them and these do not
 * take `all` sizes. Returns how many candidates there are then. */
static size_t collect_choices(struct shunt_map *map, struct candidate *candidates, size_t count,
                              struct shunt_choices *choices, const struct shunt_table *table,
                              enum shunt_op op, const struct shunt_layout *layout,
                              int64_t memory_cap, bool all)
{
    const struct shunt_policy *policy = &table->policy;
    if (!shunt_table_chooses(table, op) || all)
        return count;
    struct shunt_choose ask = {.machine = &table->model,
                               .op = op,
                               .layout = layout,
                               .memory = memory_cap >= 0 ? memory_cap : policy->memory,
                               .margin = policy->margin};
    memcpy(ask.weight, policy->objective, sizeof ask.weight);
    map->unmodelled = shunt_choose(choices, &ask) != 0;
    map->limited = choices->limited;
    if (map->unmodelled)
        return count;
    for (size_t i = 0; i < choices->count; i++) {
        const struct shunt_choice *choice = &choices->choice[i];
        const int64_t end = i + 1 < choices->count ? choice[1].from - 1 : INT64_MAX;
        candidates[count++] = (struct candidate){.index = table->rule_count[op] + (uint32_t)i,
                                                 .choice = choice,
                                                 .blocks = {choice->from, end},
                                                 .params = choice->params};
    }
    return count;
}

static int compare(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

/* Where the winner may change: 0, the first size of each interval, the first size after it. Sorted,
 * without repetitions. */
static size_t cut(int64_t *cuts, const struct candidate *candidates, size_t count)
{
    size_t used = 0, kept = 1;
    cuts[used++] = 0;
    for (size_t i = 0; i < count; i++) {
        cuts[used++] = candidates[i].blocks.low;
        if (candidates[i].blocks.high < INT64_MAX)
            cuts[used++] = candidates[i].blocks.high + 1;
    }
    qsort(cuts, used, sizeof *cuts, compare);
    for (size_t i = 1; i < used; i++)
        if (cuts[i] != cuts[kept - 1])
            cuts[kept++] = cuts[i];
    return kept;
}

/* Index of the segment that begins at `cut`, which is one of them. */
static size_t segment_at(const int64_t *cuts, size_t segments, int64_t cut)
{
    size_t low = 0, high = segments;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (cuts[middle] <= cut)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The first segment from `segment` on without a winner; what was passed on the way points there
 * afterwards, so that nothing is passed twice. */
static size_t next_free(size_t *next, size_t segment)
{
    size_t free_one = segment;
    while (next[free_one] != free_one)
        free_one = next[free_one];
    while (next[segment] != free_one && segment != free_one) {
        const size_t following = next[segment];
        next[segment] = free_one;
        segment = following;
    }
    return free_one;
}

/* winners[i]: the first candidate that covers segment i, NULL without one. next: room for segments
 * + 1 entries. */
static void find_winners(const struct candidate **winners, size_t *next, const int64_t *cuts,
                         size_t segments, const struct candidate *candidates, size_t count)
{
    for (size_t i = 0; i <= segments; i++)
        next[i] = i;
    for (size_t i = 0; i < segments; i++)
        winners[i] = NULL;
    for (size_t i = 0; i < count; i++) {
        const struct shunt_range blocks = candidates[i].blocks;
        const size_t end =
            blocks.high < INT64_MAX ? segment_at(cuts, segments, blocks.high + 1) : segments;
        for (size_t at = next_free(next, segment_at(cuts, segments, blocks.low)); at < end;
             at = next_free(next, at)) {
            winners[at] = &candidates[i];
            next[at] = at + 1;
        }
    }
}

static struct shunt_decision no_decision(void)
{
    return (struct shunt_decision){.algorithm = shunt_registry_row(0), .rule_index = UINT32_MAX};
}

/* *last: the index that the last entry came from. */
static void append(struct shunt_map *map, uint32_t *last, int64_t from,
                   const struct shunt_table *table, enum shunt_op op, const struct candidate *won)
{
    const uint32_t index = won ? won->index : UINT32_MAX;
    if (map->count > 0 && *last == index)
        return;
    *last = index;
    struct shunt_decision *decision = &map->decisions[map->count];
    *decision = no_decision();
    if (won && won->choice) {
        decision->algorithm = won->choice->algorithm;
        decision->params = won->choice->params;
        decision->gain = won->choice->gain;
        decision->modelled = true;
    } else if (won) {
        decision->rule_index = index;
        decision->table = table;
        decision->rule = &table->rules[table->rule_first[op] + index];
        decision->algorithm = shunt_registry_row(decision->rule->algorithm);
        decision->params = won->params;
    }
    map->from[map->count++] = from;
}

/* The decisions of all segments. Returns 0, or -1 when memory is short. */
static int fill(struct shunt_map *map, const struct shunt_table *table, enum shunt_op op,
                const int64_t *cuts, size_t segments, const struct candidate *candidates,
                size_t count)
{
    int result = -1;
    uint32_t last = 0;
    const struct candidate **winners = malloc(segments * sizeof *winners);
    size_t *next = malloc((segments + 1) * sizeof *next);
    map->from = calloc(segments, sizeof *map->from);
    map->decisions = calloc(segments, sizeof *map->decisions);
    if (winners && next && map->from && map->decisions) {
        find_winners(winners, next, cuts, segments, candidates, count);
        for (size_t i = 0; i < segments; i++)
            append(map, &last, cuts[i], table, op, winners[i]);
        result = 0;
    }
    free(next);
    free(winners);
    return result;
}

/* The list for calls of this density. Returns 0, or -1 when memory is short. */
static int build_part(struct shunt_map *map, const struct shunt_table *table, enum shunt_op op,
                      const struct shunt_layout *layout, int64_t memory_cap, int density)
{
    const size_t most = (table ? table->rule_count[op] : 0) + (size_t)SHUNT_CHOICES_MOST;
    int result = -1;
    struct shunt_choices choices;
    struct candidate *candidates = malloc(most * sizeof *candidates);
    int64_t *cuts = malloc((2 * most + 1) * sizeof *cuts);
    struct covered covered = {.at = malloc((most + 1) * sizeof *covered.at)};
    *map = (struct shunt_map){0};
    if (candidates && cuts && covered.at) {
        size_t count =
            table ? collect(candidates, &covered, table, op, layout, memory_cap, density) : 0;
        if (table)
            count = collect_choices(map, candidates, count, &choices, table, op, layout, memory_cap,
                                    all_covered(&covered));
        result = fill(map, table, op, cuts, cut(cuts, candidates, count), candidates, count);
    }
    if (result != 0)
        shunt_map_clear(map);
    free(covered.at);
    free(cuts);
    free(candidates);
    return result;
}

/* Whether calls that differ in nothing but the density are decided alike. */
static bool same_part(const struct shunt_map *a, const struct shunt_map *b)
{
    bool same = a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++)
        same = a->from[i] == b->from[i] && a->decisions[i].rule == b->decisions[i].rule &&
               a->decisions[i].modelled == b->decisions[i].modelled;
    return same;
}

/* starts[d]: decisions may be others from density d on than below it. */
static void find_starts(bool *starts, const struct shunt_table *table, enum shunt_op op)
{
    memset(starts, 0, (SHUNT_DENSITY_FULL + 1) * sizeof *starts);
    starts[0] = true;
    for (uint32_t i = 0; table && op == SHUNT_OP_ALLTOALLV && i < table->rule_count[op]; i++) {
        const struct shunt_range range = table->rules[table->rule_first[op] + i].density;
        if (range.low <= SHUNT_DENSITY_FULL)
            starts[range.low] = true;
        if (range.high < SHUNT_DENSITY_FULL)
            starts[range.high + 1] = true;
    }
}

int shunt_map_build(struct shunt_map *map, const struct shunt_table *table, enum shunt_op op,
                    const struct shunt_layout *layout, int64_t memory_cap)
{
    bool starts[SHUNT_DENSITY_FULL + 1];
    struct shunt_map *last = NULL;
    find_starts(starts, table, op);
    *map = (struct shunt_map){0};
    for (int density = SHUNT_DENSITY_FULL; density >= 0; density--) {
        if (!starts[density])
            continue;
        struct shunt_map *next = last ? calloc(1, sizeof *next) : map;
        if (!next || build_part(next, table, op, layout, memory_cap, density)) {
            free(last ? next : NULL);
            shunt_map_clear(map);
            return -1;
        }
        if (last && same_part(last, next)) {
            shunt_map_clear(next);
            free(next);
        } else {
            if (last)
                last->sparser = next;
            last = next;
        }
        last->density = density;
    }
    return 0;
}

/* Whoever asks clears the map, whatever is returned. */
static int copy_part(struct shunt_map *map, const struct shunt_map *from)
{
    *map = (struct shunt_map){.from = malloc(from->count * sizeof *map->from),
                              .decisions = malloc(from->count * sizeof *map->decisions)};
    if (!map->from || !map->decisions)
        return -1;
    map->count = from->count;
    map->unmodelled = from->unmodelled;
    map->limited = from->limited;
    map->density = from->density;
    memcpy(map->from, from->from, from->count * sizeof *map->from);
    memcpy(map->decisions, from->decisions, from->count * sizeof *map->decisions);
    return 0;
}

int shunt_map_copy(struct shunt_map *map, const struct shunt_map *from)
{
    int result = copy_part(map, from);
    struct shunt_map *last = map;
    for (from = from->sparser; from && result == 0; from = from->sparser) {
        struct shunt_map *next = calloc(1, sizeof *next);
        result = next ? copy_part(next, from) : -1;
        last = last->sparser = next;
    }
    if (result != 0)
        shunt_map_clear(map);
    return result;
}

void shunt_map_clear(struct shunt_map *map)
{
    struct shunt_map *sparser = map->sparser;
    free(map->from);
    free(map->decisions);
    *map = (struct shunt_map){0};
    while (sparser) {
        struct shunt_map *next = sparser->sparser;
        free(sparser->from);
        free(sparser->decisions);
        free(sparser);
        sparser = next;
    }
}

static uint64_t hash_decision(uint64_t hash, int64_t from, int64_t to,
                              const struct shunt_decision *decision)
{
    hash = shunt_hash_value(hash, (uint64_t)from);
    hash = shunt_hash_value(hash, (uint64_t)to);
    hash = shunt_hash_value(hash, (uint64_t)shunt_registry_index(decision->algorithm));
    hash = shunt_hash_bytes(hash, (const char *)&decision->params, sizeof decision->params);
    return shunt_hash_bytes(hash, (const char *)&decision->gain, sizeof decision->gain);
}

/* The model chooses for an MPI_Alltoall alone, whose map has one part. */
uint64_t shunt_map_modelled(const struct shunt_map *map)
{
    uint64_t hash = SHUNT_HASH_EMPTY;
    bool any = false;
    for (size_t i = 0; i < map->count; i++) {
        if (!map->decisions[i].modelled)
            continue;
        const int64_t to = i + 1 < map->count ? map->from[i + 1] : INT64_MAX;
        hash = hash_decision(hash, map->from[i], to, &map->decisions[i]);
        any = true;
    }
    return any ? shunt_hash_mix(hash) >> (64 - SHUNT_MODELLED_BITS) | 1 : 0;
}

void shunt_map_forget_model(struct shunt_map *map)
{
    size_t kept = 0;
    for (size_t i = 0; i < map->count; i++) {
        const struct shunt_decision decision =
            map->decisions[i].modelled ? no_decision() : map->decisions[i];
        if (kept > 0 && !decision.rule && !map->decisions[kept - 1].rule)
            continue; /* as append merges them */
        map->from[kept] = map->from[i];
        map->decisions[kept++] = decision;
    }
    map->count = kept;
    map->unmodelled = map->limited = false;
}

const struct shunt_decision *shunt_map_find(const struct shunt_map *map, int64_t block)
{
    size_t low = 0, high = map->count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (map->from[middle] <= block)
            low = middle;
        else
            high = middle;
    }
    return &map->decisions[low];
}

bool shunt_map_all_native(const struct shunt_map *map)
{
    for (; map; map = map->sparser)
        for (size_t i = 0; i < map->count; i++)
            if (map->decisions[i].algorithm->kind != SHUNT_KIND_NATIVE)
                return false;
    return true;
}
