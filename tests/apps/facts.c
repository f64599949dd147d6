/* SPDX-License-Identifier: BSD-3-Clause */
/* facts.c: reads and writes the facts of a program, and analyses them serially. */
#include "facts.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[FACT_KINDS] = FACT_NAMES;

static int list_push(struct list *list, pair_t pair)
{
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? 2 * list->capacity : 1024;
        pair_t *pairs = realloc(list->pairs, capacity * sizeof *pairs);
        if (!pairs)
            return -1;
        list->pairs = pairs;
        list->capacity = capacity;
    }
    list->pairs[list->count++] = pair;
    return 0;
}

int facts_add(struct facts *facts, enum fact_kind kind, uint32_t p, uint32_t q)
{
    uint64_t most = p > q ? p : q;
    if (facts->variables <= most)
        facts->variables = most + 1;
    return list_push(&facts->of[kind], pair_make(p, q));
}

static int compare_pairs(const void *a, const void *b)
{
    pair_t x = *(const pair_t *)a, y = *(const pair_t *)b;
    return (x > y) - (x < y);
}

void facts_sort(struct facts *facts)
{
    for (int kind = 0; kind < FACT_KINDS; kind++) {
        struct list *list = &facts->of[kind];
        if (list->count == 0)
            continue;
        qsort(list->pairs, list->count, sizeof *list->pairs, compare_pairs);
        size_t kept = 1;
        for (size_t i = 1; i < list->count; i++)
            if (list->pairs[i] != list->pairs[kept - 1])
                list->pairs[kept++] = list->pairs[i];
        list->count = kept;
    }
}

void facts_clear(struct facts *facts)
{
    for (int kind = 0; kind < FACT_KINDS; kind++)
        free(facts->of[kind].pairs);
    *facts = (struct facts){0};
}

static int wrong(char *error, size_t capacity, const char *path, unsigned long line,
                 const char *text)
{
    snprintf(error, capacity,
             "%s:%lu: \"%.40s\" is no fact; write \"address p q\", \"copy p q\", \"load p q\" or "
             "\"store p q\" with numbers of variables within 0 .. %" PRIu32,
             path, line, text, VARIABLE_MAX);
    return -1;
}

/* Adds what a line says; 1 where it says something else. */
static int read_fact(struct facts *facts, const char *text)
{
    char name[16];
    uint64_t numbers[2];
    int end = 0, kind = 0;
    if (sscanf(text, "%15s %10" SCNu64 " %10" SCNu64 " %n", name, &numbers[0], &numbers[1], &end) !=
            3 ||
        text[end] != '\0' || strchr(text, '-') || numbers[0] > VARIABLE_MAX ||
        numbers[1] > VARIABLE_MAX)
        return 1;
    while (kind < FACT_KINDS && strcmp(name, names[kind]) != 0)
        kind++;
    return kind == FACT_KINDS
               ? 1
               : facts_add(facts, (enum fact_kind)kind, (uint32_t)numbers[0], (uint32_t)numbers[1]);
}

static int read_lines(struct facts *facts, FILE *file, const char *path, char *error,
                      size_t capacity)
{
    char text[256];
    for (unsigned long line = 1; fgets(text, sizeof text, file); line++) {
        bool whole = strchr(text, '\n') || feof(file);
        text[strcspn(text, "#\r\n")] = '\0';
        if (!whole)
            return wrong(error, capacity, path, line, text);
        if (text[strspn(text, " \t")] == '\0')
            continue;
        int status = read_fact(facts, text);
        if (status > 0)
            return wrong(error, capacity, path, line, text);
        if (status < 0) {
            snprintf(error, capacity, "%s:%lu: no memory for more facts; use a smaller program",
                     path, line);
            return -1;
        }
    }
    if (!ferror(file))
        return 0;
    snprintf(error, capacity, "%s: cannot be read: %s", path, strerror(errno));
    return -1;
}

int facts_read(struct facts *facts, const char *path, char *error, size_t capacity)
{
    *facts = (struct facts){0};
    FILE *file = fopen(path, "r");
    if (!file) {
        snprintf(error, capacity, "%s: cannot be opened: %s; name a readable file of facts", path,
                 strerror(errno));
        return -1;
    }
    int status = read_lines(facts, file, path, error, capacity);
    fclose(file);
    facts_sort(facts);
    return status;
}

int facts_write(const struct facts *facts, const char *path, char *error, size_t capacity)
{
    FILE *file = fopen(path, "w");
    if (file) {
        for (int kind = 0; kind < FACT_KINDS; kind++)
            for (size_t i = 0; i < facts->of[kind].count; i++)
                fprintf(file, "%s %" PRIu32 " %" PRIu32 "\n", names[kind],
                        pair_from(facts->of[kind].pairs[i]), pair_to(facts->of[kind].pairs[i]));
        bool bad = ferror(file);
        if (fclose(file) == 0 && !bad)
            return 0;
    }
    snprintf(error, capacity, "%s: cannot be written: %s; name a file in a folder with room", path,
             strerror(errno));
    return -1;
}

/* What the serial analysis knows: facts in chains by their first number, which a table of slots
 * finds again. Entry 0 ends a chain. */
struct known {
    struct list facts; /* in the order in which they were found; [0] is not one */
    uint32_t *next;    /* the older fact of the same first number and kind */
    uint32_t *slots;   /* open addressing over facts */
    size_t mask, room;
    uint32_t *points, *edges; /* the newest fact of each variable */
    size_t *loads, *stores;   /* the first statement of each variable, one more than variables */
    struct list load_of;      /* (q, p), ascending */
};

static bool known_grow(struct known *known)
{
    size_t slots = known->room ? 4 * known->room : 1 << 16;
    uint32_t *next = realloc(known->next, slots / 2 * sizeof *next);
    if (next)
        known->next = next;
    free(known->slots);
    known->slots = calloc(slots, sizeof *known->slots);
    if (!next || !known->slots || slots / 2 > UINT32_MAX)
        return false;
    known->room = slots / 2;
    known->mask = slots - 1;
    for (size_t i = 1; i < known->facts.count; i++) {
        size_t at = hash64(known->facts.pairs[i]) & known->mask;
        while (known->slots[at])
            at = (at + 1) & known->mask;
        known->slots[at] = (uint32_t)i;
    }
    return true;
}

/* Adds a fact unless it is known; false when memory is short. */
static bool learn(struct known *known, pair_t fact)
{
    if (known->facts.count >= known->room && !known_grow(known))
        return false;
    size_t at = hash64(fact) & known->mask;
    for (; known->slots[at]; at = (at + 1) & known->mask)
        if (known->facts.pairs[known->slots[at]] == fact)
            return true;
    uint32_t *newest =
        (fact & FACT_EDGE ? known->edges : known->points) + pair_from(fact & ~FACT_EDGE);
    uint32_t number = (uint32_t)known->facts.count;
    known->slots[at] = number;
    known->next[number] = *newest;
    *newest = number;
    return list_push(&known->facts, fact) == 0;
}

/* Everything that follows from "p may point to x" with what is known. */
static bool follow_point(struct known *known, const struct facts *facts, uint32_t p, uint32_t x)
{
    bool good = true;
    for (uint32_t i = known->edges[p]; i && good; i = known->next[i])
        good = learn(known, pair_make(pair_to(known->facts.pairs[i]), x));
    for (size_t i = known->loads[p]; i < known->loads[p + 1] && good; i++)
        good = learn(known, pair_make(x, pair_to(known->load_of.pairs[i])) | FACT_EDGE);
    const pair_t *stores = facts->of[FACT_STORE].pairs;
    for (size_t i = known->stores[p]; i < known->stores[p + 1] && good; i++)
        good = learn(known, pair_make(pair_to(stores[i]), x) | FACT_EDGE);
    return good;
}

static bool follow_edge(struct known *known, uint32_t from, uint32_t to)
{
    bool good = true;
    for (uint32_t i = known->points[from]; i && good; i = known->next[i])
        good = learn(known, pair_make(to, pair_to(known->facts.pairs[i])));
    return good;
}

/* first[v] becomes the number of the first pair that begins with v or more; zeroed before. */
static void index_pairs(const struct list *list, size_t *first, uint64_t variables)
{
    for (size_t i = 0; i < list->count; i++)
        first[pair_from(list->pairs[i]) + 1]++;
    for (uint64_t v = 0; v < variables; v++)
        first[v + 1] += first[v];
}

static bool known_make(struct known *known, const struct facts *facts)
{
    size_t variables = (size_t)facts->variables;
    known->points = calloc(variables + 1, sizeof *known->points);
    known->edges = calloc(variables + 1, sizeof *known->edges);
    known->loads = calloc(variables + 1, sizeof *known->loads);
    known->stores = calloc(variables + 1, sizeof *known->stores);
    if (!known->points || !known->edges || !known->loads || !known->stores ||
        list_push(&known->facts, 0) != 0)
        return false;
    const struct list *loads = &facts->of[FACT_LOAD];
    for (size_t i = 0; i < loads->count; i++)
        if (list_push(&known->load_of,
                      pair_make(pair_to(loads->pairs[i]), pair_from(loads->pairs[i]))) != 0)
            return false;
    if (loads->count > 0)
        qsort(known->load_of.pairs, loads->count, sizeof(pair_t), compare_pairs);
    index_pairs(&known->load_of, known->loads, facts->variables);
    index_pairs(&facts->of[FACT_STORE], known->stores, facts->variables);
    return true;
}

static bool solve(struct known *known, const struct facts *facts)
{
    const struct list *address = &facts->of[FACT_ADDRESS], *copy = &facts->of[FACT_COPY];
    bool good = true;
    for (size_t i = 0; i < copy->count && good; i++)
        good =
            learn(known, pair_make(pair_to(copy->pairs[i]), pair_from(copy->pairs[i])) | FACT_EDGE);
    for (size_t i = 0; i < address->count && good; i++)
        good = learn(known, address->pairs[i]);
    /* Facts that came later are looked at later, each with all that are known then. */
    for (size_t i = 1; i < known->facts.count && good; i++) {
        pair_t fact = known->facts.pairs[i] & ~FACT_EDGE;
        good = known->facts.pairs[i] & FACT_EDGE
                   ? follow_edge(known, pair_from(fact), pair_to(fact))
                   : follow_point(known, facts, pair_from(fact), pair_to(fact));
    }
    return good;
}

int facts_solve(const struct facts *facts, struct answer *answer)
{
    struct known known = {0};
    bool good = known_make(&known, facts) && solve(&known, facts);
    *answer = (struct answer){0};
    for (size_t i = 1; i < known.facts.count && good; i++) {
        bool edge = known.facts.pairs[i] & FACT_EDGE;
        answer->edges += edge;
        answer->points += !edge;
        answer->checksum += hash64(known.facts.pairs[i]);
    }
    free(known.facts.pairs);
    free(known.next);
    free(known.slots);
    free(known.points);
    free(known.edges);
    free(known.loads);
    free(known.stores);
    free(known.load_of.pairs);
    return good ? 0 : -1;
}
