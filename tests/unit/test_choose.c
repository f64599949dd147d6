/* SPDX-License-Identifier: BSD-3-Clause */
/* test_choose.c: the choice where no rule matches, held against the model that it asks. */
#include <fenv.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/bound.h"
#include "model/candidates.h"
#include "model/choose.h"

/* Under valgrind some take minutes, and the others run the same code. */
static void not_under_valgrind(void)
{
    if (getenv("SHUNT_TEST_THIN")) {
        print_message("skipped: takes minutes under valgrind\n");
        skip();
    }
}

/* Several ranks on a node, everything costs something, messages cost much. */
static struct shunt_machine cluster(void)
{
    struct shunt_machine machine;
    shunt_machine_paper(&machine);
    machine.offload = false;
    machine.link[SHUNT_LEVEL_INSIDE].latency = 4e-7;
    machine.link[SHUNT_LEVEL_INSIDE].overhead = 2e-7;
    machine.link[SHUNT_LEVEL_INSIDE].byte = 1e-10;
    machine.link[SHUNT_LEVEL_INSIDE].overhead_byte = 2e-11;
    for (int level = 0; level < SHUNT_LEVEL_COUNT; level++) {
        machine.link[level].gap = machine.link[level].overhead / 2;
        machine.link[level].eager = 16384;
    }
    machine.copy_block = 2e-8;
    machine.copy_byte = 1e-10;
    machine.read_block = 5e-7;
    machine.read_byte = 1e-10;
    machine.barrier_start = 1e-6;
    machine.barrier_rank = 1e-7;
    return machine;
}

static struct shunt_choose ask_of(const struct shunt_machine *machine, enum shunt_op op,
                                  const struct shunt_layout *layout)
{
    return (struct shunt_choose){.machine = machine,
                                 .op = op,
                                 .layout = layout,
                                 .memory = INT64_C(256) << 20,
                                 .margin = 3,
                                 .weight = {1, 0, 0}};
}

static void blocks(struct shunt_layout *layout, int ranks, int nodes)
{
    assert_int_equal(shunt_layout_blocks(layout, ranks, nodes), 0);
}

static void unequal(struct shunt_layout *layout)
{
    static const int keys[] = {0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3};
    assert_int_equal(shunt_layout_from_keys(layout, sizeof keys / sizeof keys[0], keys), 0);
}

static struct shunt_choices choose(const struct shunt_choose *ask)
{
    struct shunt_choices choices;
    assert_int_equal(shunt_choose(&choices, ask), 0);
    assert_in_range(choices.count, 1, SHUNT_CHOICES_MOST);
    assert_int_equal(choices.choice[0].from, 0);
    return choices;
}

static const struct shunt_choice *choice_at(const struct shunt_choices *choices, int64_t block)
{
    size_t at = 0;
    while (at + 1 < choices->count && choices->choice[at + 1].from <= block)
        at++;
    return &choices->choice[at];
}

static bool is_native(const struct shunt_choice *choice)
{
    return choice->algorithm == shunt_registry_row(0);
}

static bool all_native(const struct shunt_choices *choices)
{
    return choices->count == 1 && is_native(&choices->choice[0]);
}

static struct shunt_cost cost_of(const struct shunt_choose *ask,
                                 const struct shunt_machine *machine,
                                 const struct shunt_algorithm *algorithm,
                                 const struct shunt_params *params, int64_t block)
{
    const bool native = !algorithm->build;
    const struct shunt_cost_call call = {
        .machine = machine,
        .call = {.op = ask->op,
                 .algorithm = algorithm,
                 .layout = ask->layout,
                 .params = params,
                 .block = block,
                 .memory = ask->memory,
                 .agrees = !native && ask->op == SHUNT_OP_ALLTOALLV}};
    struct shunt_cost cost;
    assert_int_equal(shunt_cost_predict(&cost, &call), SHUNT_COST_OK);
    return cost;
}

static double gain_of(const struct shunt_choose *ask, const struct shunt_choice *choice,
                      const struct shunt_machine *for_native,
                      const struct shunt_machine *for_candidate, int64_t block)
{
    const struct shunt_params none = {0};
    return cost_of(ask, for_native, shunt_registry_row(0), &none, block).time /
           cost_of(ask, for_candidate, choice->algorithm, &choice->params, block).time;
}

/* All that the box holds: times and energies, one after the other. */
enum { LINK = 7, FIELDS = 2 * LINK + 12 };

static double *field(struct shunt_machine *m, int index)
{
    struct shunt_link *link = &m->link[index / LINK % 2];
    double *const of_link[LINK] = {&link->latency, &link->overhead,       &link->overhead_byte,
                                   &link->gap,     &link->message_energy, &link->byte_energy,
                                   &link->byte};
    double *const others[] = {&m->copy_block,    &m->copy_byte,    &m->read_block, &m->read_byte,
                              &m->barrier_start, &m->barrier_rank, &m->turn,       &m->card_message,
                              &m->card_byte,     &m->type_message, &m->type_block, &m->type_byte};
    return index < 2 * LINK ? of_link[index % LINK] : others[index - 2 * LINK];
}

static struct shunt_machine scaled(const struct shunt_machine *machine, double factor)
{
    struct shunt_machine result = *machine;
    for (int i = 0; i < FIELDS; i++)
        *field(&result, i) *= factor;
    return result;
}

/* Each parameter somewhere in the box, by itself. */
static struct shunt_machine astray(const struct shunt_machine *machine, uint32_t *seed)
{
    struct shunt_machine result = *machine;
    for (int i = 0; i < FIELDS; i++) {
        *seed = *seed * 1664525u + 1013904223u;
        const double at = (double)(*seed >> 8) / (1 << 24), box = SHUNT_CHOOSE_BOX;
        *field(&result, i) *= 1 / box + at * (box - 1 / box);
    }
    return result;
}

static void without_a_description_all_is_native(void **state)
{
    (void)state;
    struct shunt_layout layout;
    blocks(&layout, 64, 4);
    const struct shunt_choose ask = ask_of(NULL, SHUNT_OP_ALLTOALLV, &layout);
    const struct shunt_choices choices = choose(&ask);
    assert_true(all_native(&choices));
    assert_int_equal(choices.work, 0);
    shunt_layout_clear(&layout);
}

static void what_cannot_be_meant_is_native(void **state)
{
    (void)state;
    struct shunt_layout layout;
    struct shunt_machine machine = cluster();
    blocks(&layout, 64, 4);
    struct shunt_choose ask = ask_of(&machine, SHUNT_OP_ALLTOALLV, &layout);
    struct shunt_choices choices = choose(&ask);
    assert_false(all_native(&choices));
    ask.margin = 0;
    choices = choose(&ask);
    assert_true(all_native(&choices));
    ask.margin = 3;
    ask.weight[SHUNT_OBJECTIVE_TIME] = 0;
    choices = choose(&ask);
    assert_true(all_native(&choices));
    ask.weight[SHUNT_OBJECTIVE_TIME] = 1;
    machine.link[SHUNT_LEVEL_BETWEEN].overhead = -1;
    choices = choose(&ask);
    assert_true(all_native(&choices));
    shunt_layout_clear(&layout);
}

static void one_rank_is_native(void **state)
{
    (void)state;
    struct shunt_layout layout;
    const struct shunt_machine machine = cluster();
    blocks(&layout, 1, 1);
    for (int op = 0; op < SHUNT_OP_COUNT; op++) {
        const struct shunt_choose ask = ask_of(&machine, (enum shunt_op)op, &layout);
        const struct shunt_choices choices = choose(&ask);
        assert_true(all_native(&choices));
    }
    shunt_layout_clear(&layout);
}

/* At both ends of every range, native's time at the good end of the box against the candidate's at
 * the bad one; and in between, where it must at least be no loss. */
static void check_margin(const struct shunt_choose *ask, const struct shunt_choices *choices)
{
    const struct shunt_machine good = scaled(ask->machine, 1 / SHUNT_CHOOSE_BOX),
                               bad = scaled(ask->machine, SHUNT_CHOOSE_BOX);
    const double nearly = 1 - 1e-9;
    for (size_t i = 0; i < choices->count; i++) {
        const struct shunt_choice *choice = &choices->choice[i];
        if (is_native(choice)) {
            assert_true(choice->gain == 0);
            continue;
        }
        assert_true(i + 1 < choices->count); /* above the largest size all is native */
        int64_t low = choice->from > 0 ? choice->from : 1, high = choices->choice[i + 1].from - 1;
        for (int64_t block = low; block <= high; block += 1 + (high - low) / 7) {
            const double least = gain_of(ask, choice, &good, &bad, block),
                         predicted = gain_of(ask, choice, ask->machine, ask->machine, block);
            assert_true(least >= nearly);
            assert_true(predicted >= nearly * SHUNT_CHOOSE_BOX * SHUNT_CHOOSE_BOX);
        }
        assert_true(choice->gain >= nearly * ask->margin * SHUNT_CHOOSE_BOX * SHUNT_CHOOSE_BOX);
    }
    for (int64_t size = 1; size <= SHUNT_CHOOSE_LARGEST; size *= 4) {
        const struct shunt_choice *choice = choice_at(choices, size);
        if (!is_native(choice))
            assert_true(gain_of(ask, choice, &good, &bad, size) >= nearly * ask->margin);
    }
}

static void the_margin_holds_in_the_worst_case(void **state)
{
    (void)state;
    not_under_valgrind();
    static const int shapes[][2] = {{16, 16}, {64, 4}, {48, 1}, {30, 7}};
    struct shunt_machine machines[2] = {cluster()};
    size_t chosen = 0;
    shunt_machine_paper(&machines[1]);
    for (size_t s = 0; s <= sizeof shapes / sizeof shapes[0]; s++) {
        struct shunt_layout layout;
        if (s < sizeof shapes / sizeof shapes[0])
            blocks(&layout, shapes[s][0], shapes[s][1]);
        else
            unequal(&layout);
        for (int i = 0; i < 4; i++) {
            struct shunt_choose ask = ask_of(&machines[i / 2], (enum shunt_op)(i % 2), &layout);
            for (int margin = 1; margin < 4; margin += 2) {
                ask.margin = margin;
                const struct shunt_choices choices = choose(&ask);
                check_margin(&ask, &choices);
                chosen += !all_native(&choices);
            }
        }
        shunt_layout_clear(&layout);
    }
    assert_true(chosen > 0);
}

/* Descriptions that are wrong in each number by itself, differently for the two sides. */
static void it_holds_anywhere_in_the_box(void **state)
{
    (void)state;
    struct shunt_layout layout;
    const struct shunt_machine machine = cluster();
    uint32_t seed = 7;
    blocks(&layout, 64, 4);
    const struct shunt_choose ask = ask_of(&machine, SHUNT_OP_ALLTOALLV, &layout);
    const struct shunt_choices choices = choose(&ask);
    size_t looked = 0;
    for (int64_t size = 1; size <= SHUNT_CHOOSE_LARGEST; size *= 4) {
        const struct shunt_choice *choice = choice_at(&choices, size);
        for (int i = 0; i < 20 && !is_native(choice); i++) {
            const struct shunt_machine one = astray(&machine, &seed),
                                       other = astray(&machine, &seed);
            assert_true(gain_of(&ask, choice, &one, &other, size) >= (1 - 1e-9) * ask.margin);
            looked++;
        }
    }
    assert_true(looked > 0);
    shunt_layout_clear(&layout);
}

/* What choose.c rests on: times are of degree 1, never less with a number higher, and never less
 * with larger blocks. */
static void check_argument(const struct shunt_choose *ask, const struct shunt_candidate *candidate)
{
    const struct shunt_algorithm *algorithm = candidate->algorithm;
    const struct shunt_params *params = &candidate->params;
    const struct shunt_machine higher = scaled(ask->machine, SHUNT_CHOOSE_BOX);
    for (int64_t size = 1; size <= 4096; size *= 16) {
        const double time = cost_of(ask, ask->machine, algorithm, params, size).time,
                     all = cost_of(ask, &higher, algorithm, params, size).time;
        assert_true(all >= time * SHUNT_CHOOSE_BOX * (1 - 1e-9));
        assert_true(all <= time * SHUNT_CHOOSE_BOX * (1 + 1e-9));
        for (int i = 0; i < FIELDS; i++) {
            struct shunt_machine one = *ask->machine;
            *field(&one, i) *= SHUNT_CHOOSE_BOX;
            const double more = cost_of(ask, &one, algorithm, params, size).time;
            assert_true(more >= time * (1 - 1e-9));
            assert_true(more <= all * (1 + 1e-9));
        }
        assert_true(cost_of(ask, ask->machine, algorithm, params, size + size / 2).time >=
                    time * (1 - 1e-9));
    }
}

static void check_bound(const struct shunt_choose *ask, const struct shunt_candidate *candidate)
{
    const struct shunt_event_call call = {.op = ask->op,
                                          .algorithm = candidate->algorithm,
                                          .layout = ask->layout,
                                          .params = &candidate->params,
                                          .block = 1,
                                          .memory = ask->memory,
                                          .agrees = ask->op == SHUNT_OP_ALLTOALLV};
    struct shunt_bound bound[2];
    assert_int_equal(shunt_bound_make(&bound[0], &call), 0);
    const int bounds = 1 + shunt_bound_formula(&bound[1], &call);
    for (int64_t size = 1; size <= SHUNT_CHOOSE_LARGEST; size *= 4) {
        const double time =
            cost_of(ask, ask->machine, candidate->algorithm, &candidate->params, size).time;
        for (int i = 0; i < bounds; i++)
            if (shunt_bound_time(&bound[i], ask->machine, size) > (1 + 1e-9) * time)
                fail_msg("%s on %d ranks, blocks of %d bytes: less is predicted than the least%s",
                         candidate->algorithm->name, ask->layout->ranks, (int)size,
                         i > 0 ? " by its formula" : "");
    }
}

static double drawn(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (1 << 24);
}

/* Any machine: numbers of all magnitudes, few processors or many, with and without cards. */
static struct shunt_machine any_machine(uint32_t *seed, int ranks)
{
    struct shunt_machine machine = cluster();
    for (int i = 0; i < FIELDS; i++) {
        double factor = 0.01;
        for (int digits = (int)(4 * drawn(seed)); digits > 0; digits--)
            factor *= 10;
        *field(&machine, i) *= factor * (1 + drawn(seed));
    }
    for (int level = 0; level < SHUNT_LEVEL_COUNT; level++)
        machine.link[level].eager = (int64_t)(32768 * drawn(seed));
    machine.processors = (int32_t)((ranks + 1) * drawn(seed));
    machine.turn = drawn(seed) < 0.5 ? 0 : 1e-6 * drawn(seed);
    machine.card_message = drawn(seed) < 0.7 ? 0 : 1e-6 * drawn(seed);
    machine.card_byte = drawn(seed) < 0.7 ? 0 : 1e-9 * drawn(seed);
    machine.sharing = (int32_t)(4 * drawn(seed));
    machine.offload = drawn(seed) < 0.2;
    machine.native_short = (int64_t)(1024 * drawn(seed));
    machine.native_medium = machine.native_short + (int64_t)(16384 * drawn(seed));
    machine.native_ranks = 1 + (int32_t)(16 * drawn(seed));
    machine.native_throttle = 1 + (int32_t)(40 * drawn(seed));
    return machine;
}

static void check_native_bound(const struct shunt_choose *ask, int64_t block)
{
    struct shunt_params params, none = {0};
    struct shunt_bound bound[2];
    const struct shunt_algorithm *row =
        shunt_cost_native(&params, ask->machine, ask->op, ask->layout, block);
    const struct shunt_event_call call = {
        .op = ask->op, .algorithm = row, .layout = ask->layout, .params = &params, .block = block};
    const double time = cost_of(ask, ask->machine, shunt_registry_row(0), &none, block).time;
    assert_int_equal(shunt_bound_make(&bound[0], &call), 0);
    const int bounds =
        row->kind == SHUNT_KIND_DIRECT ? 1 + shunt_bound_formula(&bound[1], &call) : 1;
    for (int i = 0; i < bounds; i++)
        if (shunt_bound_native(&bound[i], ask->machine, ask->layout, block) > (1 + 1e-9) * time)
            fail_msg("native (%s) on %d ranks, %d nodes, %d processors, blocks of %d bytes: less "
                     "is predicted than the least%s",
                     row->name, ask->layout->ranks, ask->layout->nodes, ask->machine->processors,
                     (int)block, i > 0 ? " by its formula" : "");
}

/* The choice takes native for no slower than it is predicted, also where it is not predicted. */
static void native_never_takes_less_than_its_bound(void **state)
{
    (void)state;
    not_under_valgrind();
    static const int shapes[][2] = {{16, 1}, {24, 4}, {30, 7}, {9, 9}, {33, 2}};
    uint32_t seed = 11;
    for (size_t s = 0; s <= sizeof shapes / sizeof shapes[0]; s++) {
        struct shunt_layout layout;
        if (s < sizeof shapes / sizeof shapes[0])
            blocks(&layout, shapes[s][0], shapes[s][1]);
        else
            unequal(&layout);
        for (int i = 0; i < 300; i++) {
            const struct shunt_machine machine = any_machine(&seed, layout.ppn_max);
            const char *key;
            if (shunt_machine_wrong(&machine, &key))
                continue;
            const struct shunt_choose ask = ask_of(&machine, (enum shunt_op)(i % 2), &layout);
            for (int64_t block = 1; block <= SHUNT_CHOOSE_LARGEST;
                 block = 1 + (int64_t)(5.0 * (double)block * (1 + drawn(&seed))))
                check_native_bound(&ask, block);
        }
        shunt_layout_clear(&layout);
    }
}

/* Of more than 256 ranks a few are compared (symmetry.h): it comes to the same as to run all. */
static void nodes_that_are_taken_for_alike_are(void **state)
{
    (void)state;
    not_under_valgrind();
    struct shunt_layout layout;
    const struct shunt_machine machine = cluster();
    blocks(&layout, 264, 12);
    const struct shunt_choose ask = ask_of(&machine, SHUNT_OP_ALLTOALL, &layout);
    struct shunt_candidates list;
    size_t alike = 0;
    assert_int_equal(shunt_candidates_make(&list, ask.op, &layout, 64, ask.memory), 0);
    for (size_t k = 0; k < list.count; k += 5) {
        const struct shunt_candidate *candidate = &list.candidate[k];
        struct shunt_cost_call whole = {.machine = &machine,
                                        .call = {.op = ask.op,
                                                 .algorithm = candidate->algorithm,
                                                 .layout = &layout,
                                                 .params = &candidate->params,
                                                 .block = 64,
                                                 .memory = ask.memory}};
        struct shunt_cost cost, all;
        if (!candidate->algorithm->build)
            continue;
        assert_int_equal(shunt_cost_predict(&cost, &whole), SHUNT_COST_OK);
        whole.exact = true;
        assert_int_equal(shunt_cost_predict(&all, &whole), SHUNT_COST_OK);
        alike += cost.method == SHUNT_COST_SYMMETRIC;
        assert_true(cost.time <= all.time * (1 + 1e-9) && cost.time >= all.time * (1 - 1e-9));
    }
    assert_true(alike > 4);
    shunt_candidates_clear(&list);
    shunt_layout_clear(&layout);
}

static void the_model_is_as_the_choice_takes_it(void **state)
{
    (void)state;
    not_under_valgrind();
    static const int shapes[][2] = {{12, 12}, {24, 4}, {9, 1}};
    struct shunt_machine machines[2] = {cluster()};
    shunt_machine_paper(&machines[1]);
    for (size_t s = 0; s <= sizeof shapes / sizeof shapes[0]; s++) {
        struct shunt_layout layout;
        if (s < sizeof shapes / sizeof shapes[0])
            blocks(&layout, shapes[s][0], shapes[s][1]);
        else
            unequal(&layout);
        for (int op = 0; op < SHUNT_OP_COUNT; op++) {
            /* The paper's machine, which leaves messages to its cards, on one layout. */
            const struct shunt_choose ask = ask_of(&machines[s == 0], (enum shunt_op)op, &layout);
            struct shunt_candidates list;
            assert_int_equal(
                shunt_candidates_make(&list, (enum shunt_op)op, &layout, 1, ask.memory), 0);
            for (size_t k = 0; k < list.count; k++) {
                if (!list.candidate[k].algorithm->build)
                    continue;
                check_argument(&ask, &list.candidate[k]);
                check_bound(&ask, &list.candidate[k]);
            }
            shunt_candidates_clear(&list);
        }
        shunt_layout_clear(&layout);
    }
}

/* With a higher margin never a size more. */
static void a_higher_margin_chooses_less(void **state)
{
    (void)state;
    const struct shunt_machine machine = cluster();
    struct shunt_layout layout;
    blocks(&layout, 64, 4);
    struct shunt_choose ask = ask_of(&machine, SHUNT_OP_ALLTOALLV, &layout);
    struct shunt_choices before;
    ask.margin = 1;
    before = choose(&ask);
    assert_false(all_native(&before));
    ask.margin = 1;
    for (int i = 0; i < 17; i++) {
        ask.margin *= 1.7;
        const struct shunt_choices choices = choose(&ask);
        for (int64_t size = 1; size <= INT64_C(2) * SHUNT_CHOOSE_LARGEST; size += 1 + size / 5)
            if (is_native(choice_at(&before, size)))
                assert_true(is_native(choice_at(&choices, size)));
        before = choices;
    }
    assert_true(all_native(&before));
    shunt_layout_clear(&layout);
}

static bool same(const struct shunt_choices *a, const struct shunt_choices *b)
{
    bool equal = a->count == b->count && a->work == b->work;
    for (size_t i = 0; i < a->count && equal; i++)
        equal = a->choice[i].from == b->choice[i].from &&
                a->choice[i].algorithm == b->choice[i].algorithm &&
                a->choice[i].gain == b->choice[i].gain &&
                memcmp(&a->choice[i].params, &b->choice[i].params, sizeof a->choice[i].params) == 0;
    return equal;
}

/* Ranks compute it each for itself, from copies of what was agreed. */
static void equal_requests_get_equal_answers(void **state)
{
    (void)state;
    const struct shunt_machine machine = cluster(), copy = machine;
    struct shunt_layout layout, other;
    unequal(&layout);
    assert_int_equal(shunt_layout_copy(&other, &layout), 0);
    for (int op = 0; op < SHUNT_OP_COUNT; op++) {
        const struct shunt_choose a = ask_of(&machine, (enum shunt_op)op, &layout),
                                  b = ask_of(&copy, (enum shunt_op)op, &other);
        const struct shunt_choices first = choose(&a), second = choose(&b);
        assert_true(same(&first, &second));
    }
    shunt_layout_clear(&layout);
    shunt_layout_clear(&other);
}

static void memory_is_kept_within_its_cap(void **state)
{
    (void)state;
    const struct shunt_machine machine = cluster();
    struct shunt_layout layout;
    blocks(&layout, 64, 4);
    struct shunt_choose ask = ask_of(&machine, SHUNT_OP_ALLTOALLV, &layout);
    bool all = true;
    for (ask.memory = 0; ask.memory <= 1 << 20; ask.memory = 8 * ask.memory + 4096) {
        const struct shunt_choices choices = choose(&ask);
        all = all && all_native(&choices);
        for (size_t i = 0; i + 1 < choices.count; i++) {
            const struct shunt_choice *choice = &choices.choice[i];
            if (!is_native(choice) && choice->algorithm->memory)
                assert_true(choice->algorithm->memory(&layout, &choice->params,
                                                      choices.choice[i + 1].from - 1) <=
                            ask.memory);
        }
    }
    assert_false(all);
    shunt_layout_clear(&layout);
}

static void what_nodes_cannot_share_is_not_chosen(void **state)
{
    (void)state;
    const struct shunt_machine machine = cluster();
    struct shunt_layout layout;
    blocks(&layout, 64, 4);
    layout.segment_block = -1;
    layout.peer_read = false;
    const struct shunt_choose ask = ask_of(&machine, SHUNT_OP_ALLTOALLV, &layout);
    const struct shunt_choices choices = choose(&ask);
    for (size_t i = 0; i < choices.count; i++)
        assert_false(shunt_kind_shares(choices.choice[i].algorithm->kind) &&
                     choices.choice[i].algorithm->kind != SHUNT_KIND_READ);
    shunt_layout_clear(&layout);
}

/* Of the paper's three costs: energy as time; memory alone never pays, beside time it counts. */
static void each_objective_counts(void **state)
{
    (void)state;
    struct shunt_machine machine = cluster();
    struct shunt_layout layout;
    blocks(&layout, 64, 4);
    struct shunt_choose ask = ask_of(&machine, SHUNT_OP_ALLTOALLV, &layout);
    ask.weight[SHUNT_OBJECTIVE_TIME] = 0;
    ask.weight[SHUNT_OBJECTIVE_MEMORY] = 1;
    ask.margin = 1;
    struct shunt_choices choices = choose(&ask);
    for (size_t i = 0; i < choices.count; i++) /* all that needs no memory is as good as native */
        assert_true(is_native(&choices.choice[i]));
    /* A hundredth: blocks of a byte need many times their size. */
    ask.weight[SHUNT_OBJECTIVE_TIME] = 1;
    ask.weight[SHUNT_OBJECTIVE_MEMORY] = 0.01;
    const struct shunt_choices both = choose(&ask);
    const size_t first = is_native(&both.choice[0]);
    assert_true(first < both.count);
    const int64_t low = both.choice[first].from > 0 ? both.choice[first].from : 1;
    assert_true(both.choice[first].gain <
                gain_of(&ask, &both.choice[first], &machine, &machine, low));
    shunt_layout_clear(&layout);
}

static void energy_is_an_objective(void **state)
{
    (void)state;
    struct shunt_machine machine = cluster();
    struct shunt_layout layout;
    blocks(&layout, 64, 4);
    struct shunt_choose ask = ask_of(&machine, SHUNT_OP_ALLTOALLV, &layout);
    ask.weight[SHUNT_OBJECTIVE_TIME] = 0;
    ask.weight[SHUNT_OBJECTIVE_ENERGY] = 1;
    ask.margin = 1;
    machine.static_power = 1000; /* so that time is nearly all */
    const struct shunt_choices drawn = choose(&ask);
    assert_false(all_native(&drawn));
    machine.static_power = 0;
    for (int level = 0; level < SHUNT_LEVEL_COUNT; level++)
        machine.link[level].message_energy = machine.link[level].byte_energy = 0;
    const struct shunt_choices none = choose(&ask); /* nothing is said of energy */
    assert_true(all_native(&none));
    shunt_layout_clear(&layout);
}

/* Messages inside of nodes take energy, reads take none: nothing is divided by that. */
static void a_gain_is_never_more_than_its_most(void **state)
{
    (void)state;
    struct shunt_machine machine = cluster();
    struct shunt_layout layout;
    blocks(&layout, 8, 1);
    struct shunt_choose ask = ask_of(&machine, SHUNT_OP_ALLTOALL, &layout);
    ask.weight[SHUNT_OBJECTIVE_TIME] = 0;
    ask.weight[SHUNT_OBJECTIVE_ENERGY] = 1;
    machine.static_power = 0;
    machine.link[SHUNT_LEVEL_INSIDE].message_energy = 1e-9;
    const struct shunt_choices choices = choose(&ask);
    assert_false(all_native(&choices));
    for (size_t i = 0; i < choices.count; i++)
        if (!is_native(&choices.choice[i]))
            assert_true(choices.choice[i].gain == SHUNT_CHOOSE_GAIN_MOST);
    shunt_layout_clear(&layout);
}

/* Whatever the size of the job: bounded, and the same bound for any machine. */
static void work_is_bounded(void **state)
{
    (void)state;
    not_under_valgrind();
    static const int shapes[][2] = {{128, 1}, {1024, 1}, {4096, 64}, {16384, 256}, {16384, 16384}};
    const struct shunt_machine machine = cluster();
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        struct shunt_layout layout;
        blocks(&layout, shapes[s][0], shapes[s][1]);
        const struct shunt_choose ask = ask_of(&machine, SHUNT_OP_ALLTOALLV, &layout);
        const struct shunt_choices choices = choose(&ask);
        assert_in_range(choices.work, 1, shunt_choose_limit(shapes[s][0]));
        shunt_layout_clear(&layout);
    }
}

/* Work that is used up leaves what was found, and nothing that was not. */
static void what_is_left_out_for_want_of_work_is_native(void **state)
{
    (void)state;
    not_under_valgrind();
    const struct shunt_machine machine = cluster();
    struct shunt_layout layout;
    blocks(&layout, 128, 2);
    struct shunt_choose ask = ask_of(&machine, SHUNT_OP_ALLTOALL, &layout);
    for (int margin = 1; margin < 4; margin += 2) {
        ask.margin = margin;
        const struct shunt_choices choices = choose(&ask);
        assert_true(choices.limited);
        assert_false(all_native(&choices));
        check_margin(&ask, &choices);
        for (size_t i = 0; i + 1 < choices.count; i++)
            if (!is_native(&choices.choice[i]))
                assert_true(choices.choice[i + 1].from > choices.choice[i].from + 1);
    }
    shunt_layout_clear(&layout);
}

/* Whether numbers follow the rounding mode: under valgrind they do not. */
static bool rounding_can_be_changed(void)
{
    const volatile double one = 1, little = 1e-30;
    assert_int_equal(fesetround(FE_UPWARD), 0);
    const volatile double sum = one + little;
    assert_int_equal(fesetround(FE_TONEAREST), 0);
    return sum > one;
}

/* Ranks whose numbers round differently must not decide alone. */
static void unusual_arithmetic_chooses_nothing(void **unused)
{
    static const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    (void)unused;
    if (!rounding_can_be_changed()) {
        print_message("numbers do not follow the rounding mode here\n");
        skip();
    }
    struct shunt_machine machine = cluster();
    struct shunt_layout layout;
    struct shunt_choices choices;
    assert_int_equal(shunt_layout_blocks(&layout, 16, 4), 0);
    const struct shunt_choose ask = {.machine = &machine,
                                     .op = SHUNT_OP_ALLTOALL,
                                     .layout = &layout,
                                     .memory = -1,
                                     .margin = 1,
                                     .weight = {1, 0, 0}};
    assert_int_equal(shunt_choose(&choices, &ask), 0);
    assert_true(choices.count > 1);
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        assert_int_equal(fesetround(modes[i]), 0);
        const int result = shunt_choose(&choices, &ask);
        assert_int_equal(fesetround(FE_TONEAREST), 0);
        assert_int_equal(result, -1);
        assert_int_equal(choices.count, 1);
    }
    shunt_layout_clear(&layout);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unusual_arithmetic_chooses_nothing),
        cmocka_unit_test(without_a_description_all_is_native),
        cmocka_unit_test(what_cannot_be_meant_is_native),
        cmocka_unit_test(one_rank_is_native),
        cmocka_unit_test(the_margin_holds_in_the_worst_case),
        cmocka_unit_test(it_holds_anywhere_in_the_box),
        cmocka_unit_test(the_model_is_as_the_choice_takes_it),
        cmocka_unit_test(a_higher_margin_chooses_less),
        cmocka_unit_test(equal_requests_get_equal_answers),
        cmocka_unit_test(memory_is_kept_within_its_cap),
        cmocka_unit_test(what_nodes_cannot_share_is_not_chosen),
        cmocka_unit_test(each_objective_counts),
        cmocka_unit_test(energy_is_an_objective),
        cmocka_unit_test(a_gain_is_never_more_than_its_most),
        cmocka_unit_test(work_is_bounded),
        cmocka_unit_test(native_never_takes_less_than_its_bound),
        cmocka_unit_test(nodes_that_are_taken_for_alike_are),
        cmocka_unit_test(what_is_left_out_for_want_of_work_is_native),
    };
    return cmocka_run_group_tests_name("choose", tests, NULL, NULL);
}
