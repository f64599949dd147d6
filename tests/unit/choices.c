/* SPDX-License-Identifier: BSD-3-Clause */
/* choices.c: choices that are asked for, and the costs that they are held against. */
#include "choices.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "algorithms/registry.h"

void not_under_valgrind(void)
{
    if (getenv("SHUNT_TEST_THIN")) {
        print_message("skipped: takes minutes under valgrind\n");
        skip();
    }
}

struct shunt_machine cluster(void)
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

struct shunt_choose ask_of(const struct shunt_machine *machine, enum shunt_op op,
                           const struct shunt_layout *layout)
{
    return (struct shunt_choose){.machine = machine,
                                 .op = op,
                                 .layout = layout,
                                 .memory = INT64_C(256) << 20,
                                 .margin = 3,
                                 .weight = {1, 0, 0}};
}

void blocks(struct shunt_layout *layout, int ranks, int nodes)
{
    assert_int_equal(shunt_layout_blocks(layout, ranks, nodes), 0);
}

void unequal(struct shunt_layout *layout)
{
    static const int keys[] = {0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3};
    assert_int_equal(shunt_layout_from_keys(layout, sizeof keys / sizeof keys[0], keys), 0);
}

struct shunt_choices choose(const struct shunt_choose *ask)
{
    struct shunt_choices choices;
    assert_int_equal(shunt_choose(&choices, ask), 0);
    assert_true(choices.count >= 1 && choices.count <= SHUNT_CHOICES_MOST);
    assert_int_equal(choices.choice[0].from, 0);
    return choices;
}

const struct shunt_choice *choice_at(const struct shunt_choices *choices, int64_t block)
{
    size_t at = 0;
    while (at + 1 < choices->count && choices->choice[at + 1].from <= block)
        at++;
    return &choices->choice[at];
}

bool is_native(const struct shunt_choice *choice)
{
    return choice->algorithm == shunt_registry_row(0);
}

bool all_native(const struct shunt_choices *choices)
{
    return choices->count == 1 && is_native(&choices->choice[0]);
}

struct shunt_cost cost_of(const struct shunt_choose *ask, const struct shunt_machine *machine,
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

double gain_of(const struct shunt_choose *ask, const struct shunt_choice *choice,
               const struct shunt_machine *for_native, const struct shunt_machine *for_candidate,
               int64_t block)
{
    const struct shunt_params none = {0};
    return cost_of(ask, for_native, shunt_registry_row(0), &none, block).time /
           cost_of(ask, for_candidate, choice->algorithm, &choice->params, block).time;
}

double *field(struct shunt_machine *m, int index)
{
    struct shunt_link *link = &m->link[index / LINK % 2];
    double *const of_link[LINK] = {&link->latency, &link->overhead,       &link->overhead_byte,
                                   &link->gap,     &link->message_energy, &link->byte_energy,
                                   &link->byte,    &link->rendezvous};
    double *const others[] = {
        &m->copy_block,   &m->copy_byte, &m->read_block,   &m->read_byte,       &m->barrier_start,
        &m->barrier_rank, &m->turn,      &m->card_message, &m->card_byte,       &m->type_message,
        &m->type_block,   &m->type_byte, &m->match,        &m->network_latency, &m->network_byte};
    return index < 2 * LINK ? of_link[index % LINK] : others[index - 2 * LINK];
}

struct shunt_machine scaled(const struct shunt_machine *machine, double factor)
{
    struct shunt_machine result = *machine;
    for (int i = 0; i < FIELDS; i++)
        *field(&result, i) *= factor;
    return result;
}
