/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * candidates.c: every algorithm with the values that are worth asking about.
 *
 * A setting is one choice per parameter, counted up like the digits of a number: choice 0 is what
 * the row presets and a rule need not name, the others follow in the order of these lists. So the
 * presets come first, and of two spellings of one setting the one that holds for more layouts.
 */
#include "model/candidates.h"

#include <stdlib.h>
#include <string.h>

#include "schedule/bundle.h"

#define NUMBER(n)                                                                                  \
    {                                                                                              \
        SHUNT_FORMULA_NUMBER, (n)                                                                  \
    }
#define FORMULA(f)                                                                                 \
    {                                                                                              \
        SHUNT_FORMULA_##f, 0                                                                       \
    }

static const struct shunt_value radices[] = {FORMULA(SQRT_P), FORMULA(P), FORMULA(SQRT_Q),
                                             FORMULA(Q),      FORMULA(N), NUMBER(2),
                                             NUMBER(3),       NUMBER(4),  NUMBER(8)};
/* Radices of digit 0 and of all others, for rows that take a list: the ranks of a node are told
 * apart first, or the nodes. */
static const struct shunt_value mixed[][2] = {{FORMULA(Q), FORMULA(N)}, {FORMULA(N), FORMULA(Q)}};
static const struct shunt_value batches[] = {NUMBER(1), NUMBER(8), NUMBER(32), FORMULA(P)};
static const struct shunt_value leaders[] = {NUMBER(1), NUMBER(2), FORMULA(Q)};
static const struct shunt_value parts[] = {NUMBER(8)};
static const struct shunt_value fragments[] = {NUMBER(16 << 10), NUMBER(64 << 10),
                                               NUMBER(256 << 10)};

#define COUNT(list) ((int)(sizeof(list) / sizeof((list)[0])))

/* The values of a parameter; NULL: the `count` words 0, 1, ... */
static const struct shunt_value *values_of(enum shunt_param param, int *count)
{
    size_t words;
    switch (param) {
    case SHUNT_PARAM_RADIX:
        *count = COUNT(radices);
        return radices;
    case SHUNT_PARAM_BATCH_SIZE:
        *count = COUNT(batches);
        return batches;
    case SHUNT_PARAM_LEADERS:
        *count = COUNT(leaders);
        return leaders;
    case SHUNT_PARAM_FRAGMENT:
        *count = COUNT(fragments);
        return fragments;
    case SHUNT_PARAM_PARTS:
        *count = COUNT(parts);
        return parts;
    default:
        shunt_param_words(param, &words);
        *count = (int)words;
        return NULL;
    }
}

/* Choices for a parameter of a row, the preset among them. */
static int choices_of(const struct shunt_algorithm *row, enum shunt_param param)
{
    int count;
    if (!row->params[param].used)
        return 1;
    (void)values_of(param, &count);
    return 1 + count + (row->params[param].list ? COUNT(mixed) : 0);
}

static void give(struct shunt_candidate *c, int index, struct shunt_value value)
{
    c->present |= 1U << index;
    c->given[index] = value;
}

static void choose(struct shunt_candidate *c, enum shunt_param param, int choice)
{
    int count;
    const struct shunt_value *values = values_of(param, &count);
    if (choice == 0)
        return;
    if (choice <= count) {
        give(c, (int)param,
             values ? values[choice - 1] : (struct shunt_value){SHUNT_FORMULA_NUMBER, choice - 1});
        return;
    }
    for (int digit = 0; digit < 2; digit++)
        give(c, shunt_radix_index(digit), mixed[choice - 1 - count][digit]);
}

/* The setting of that number of a row. */
static struct shunt_candidate setting(const struct shunt_algorithm *row, int number,
                                      const struct shunt_layout *layout)
{
    struct shunt_candidate c = {.algorithm = row};
    for (int param = 0; param < SHUNT_PARAM_COUNT; param++) {
        const int choices = choices_of(row, (enum shunt_param)param);
        choose(&c, (enum shunt_param)param, number % choices);
        number /= choices;
    }
    c.params = shunt_params_evaluate(row, c.present, c.given, layout);
    return c;
}

/* No more parts than rounds. */
static int64_t parts_of(const struct shunt_params *params, const struct shunt_layout *layout)
{
    const int64_t batch = params->value[SHUNT_PARAM_BATCH_SIZE],
                  rounds = (layout->nodes - 1 + batch - 1) / batch;
    return params->value[SHUNT_PARAM_PARTS] < rounds ? params->value[SHUNT_PARAM_PARTS] : rounds;
}

/* What a setting comes to: where a batch is of the messages of one digit, no more than the largest
 * radix has are ever in flight. */
static struct shunt_params effect(const struct shunt_candidate *c,
                                  const struct shunt_layout *layout)
{
    const struct shunt_param_spec *specs = c->algorithm->params;
    struct shunt_params params = c->params;
    const struct shunt_radices digits = shunt_params_radices(&params);
    int64_t most = 1;
    if (specs[SHUNT_PARAM_PARTS].used)
        params.value[SHUNT_PARAM_PARTS] = parts_of(&params, layout);
    if (!specs[SHUNT_PARAM_RADIX].used ||
        specs[SHUNT_PARAM_BATCH_SIZE].max != SHUNT_FORMULA_P_LESS_1)
        return params;
    for (int i = 0; i < digits.count; i++)
        most = digits.radix[i] - 1 > most ? digits.radix[i] - 1 : most;
    if (params.value[SHUNT_PARAM_BATCH_SIZE] > most)
        params.value[SHUNT_PARAM_BATCH_SIZE] = most;
    return params;
}

static bool is_same(const struct shunt_candidate *a, const struct shunt_candidate *b,
                    const struct shunt_layout *layout)
{
    const struct shunt_params left = effect(a, layout), right = effect(b, layout);
    return a->algorithm == b->algorithm && memcmp(&left, &right, sizeof left) == 0;
}

struct request {
    enum shunt_op op;
    const struct shunt_layout *layout;
    int64_t block, memory;
};

/* Fragments longer than any bundle cut nothing. */
static bool cuts_nothing(const struct shunt_candidate *c, const struct request *request)
{
    const int most = request->layout->ppn_max;
    return (c->present & 1U << SHUNT_PARAM_FRAGMENT) != 0 &&
           (request->layout->nodes == 1 ||
            c->params.value[SHUNT_PARAM_FRAGMENT] >=
                shunt_bundle_most(most, most, shunt_capacity_of(request->block)));
}

static bool serves(const struct shunt_candidate *c, const struct request *request)
{
    const struct shunt_algorithm *row = c->algorithm;
    if ((row->ops & SHUNT_OP_BIT(request->op)) == 0 || cuts_nothing(c, request) ||
        (row->infeasible && row->infeasible(request->layout, &c->params)))
        return false;
    const int64_t need = row->memory ? row->memory(request->layout, &c->params, request->block) : 0;
    return need < INT64_MAX && (request->memory < 0 || need <= request->memory);
}

/* -1: no memory. `room` has what there is space for. */
static int add(struct shunt_candidates *candidates, size_t *room, const struct shunt_candidate *c)
{
    if (candidates->count == *room) {
        const size_t more = *room ? 2 * *room : 64;
        struct shunt_candidate *larger =
            realloc(candidates->candidate, more * sizeof *candidates->candidate);
        if (!larger)
            return -1;
        candidates->candidate = larger;
        *room = more;
    }
    candidates->candidate[candidates->count++] = *c;
    return 0;
}

/* The settings of one row. */
static int add_row(struct shunt_candidates *candidates, size_t *room,
                   const struct shunt_algorithm *row, const struct request *request)
{
    const size_t first = candidates->count;
    int settings = 1;
    for (int param = 0; param < SHUNT_PARAM_COUNT; param++)
        settings *= choices_of(row, (enum shunt_param)param);
    for (int number = 0; number < settings; number++) {
        const struct shunt_candidate c = setting(row, number, request->layout);
        bool known = false;
        for (size_t i = first; i < candidates->count && !known; i++)
            known = is_same(&candidates->candidate[i], &c, request->layout);
        if (!known && serves(&c, request) && add(candidates, room, &c) != 0)
            return -1;
    }
    return 0;
}

int shunt_candidates_make(struct shunt_candidates *candidates, enum shunt_op op,
                          const struct shunt_layout *layout, int64_t block, int64_t memory)
{
    const struct request request = {op, layout, block, memory};
    size_t count, room = 0;
    const struct shunt_algorithm *const *rows = shunt_registry_rows(&count);
    *candidates = (struct shunt_candidates){0};
    for (size_t i = 0; i < count; i++)
        if ((rows[i]->build || rows[i]->kind == SHUNT_KIND_NATIVE) &&
            add_row(candidates, &room, rows[i], &request) != 0)
            return -1;
    return 0;
}

int shunt_candidates_add_library(struct shunt_candidates *candidates, enum shunt_op op,
                                 const struct shunt_layout *layout, int64_t block, int64_t memory)
{
    const struct request request = {op, layout, block, memory};
    size_t count, room = candidates->count;
    const struct shunt_algorithm *const *rows = shunt_registry_rows(&count);
    for (size_t i = 0; i < count; i++)
        if (rows[i]->kind == SHUNT_KIND_LIBRARY &&
            add_row(candidates, &room, rows[i], &request) != 0)
            return -1;
    return 0;
}

void shunt_candidates_clear(struct shunt_candidates *candidates)
{
    free(candidates->candidate);
    *candidates = (struct shunt_candidates){0};
}
