/* SPDX-License-Identifier: BSD-3-Clause */
/* choices.h: what the tests of the choice share: requests, answers, and what the model says. */
#ifndef SHUNT_TESTS_CHOICES_H
#define SHUNT_TESTS_CHOICES_H

#include <stdbool.h>
#include <stdint.h>

#include "model/choose.h"

/* Under valgrind some take minutes, and the others run the same code. */
void not_under_valgrind(void);

/* Several ranks on a node, everything costs something, messages cost much. */
struct shunt_machine cluster(void);

/* The time alone counts, with a margin of 3 and 256 MiB. */
struct shunt_choose ask_of(const struct shunt_machine *machine, enum shunt_op op,
                           const struct shunt_layout *layout);

/* `ranks` on `nodes`, block by block; and nodes of different numbers of ranks. */
void blocks(struct shunt_layout *layout, int ranks, int nodes);
void unequal(struct shunt_layout *layout);

/* The answer, which there must be, and its entry for a size of blocks. */
struct shunt_choices choose(const struct shunt_choose *ask);
const struct shunt_choice *choice_at(const struct shunt_choices *choices, int64_t block);

/* Whether an entry, or all there is, is native. */
bool is_native(const struct shunt_choice *choice);
bool all_native(const struct shunt_choices *choices);

/* The prediction, which there must be, and native's time as a multiple of a candidate's. */
struct shunt_cost cost_of(const struct shunt_choose *ask, const struct shunt_machine *machine,
                          const struct shunt_algorithm *algorithm,
                          const struct shunt_params *params, int64_t block);
double gain_of(const struct shunt_choose *ask, const struct shunt_choice *choice,
               const struct shunt_machine *for_native, const struct shunt_machine *for_candidate,
               int64_t block);

/* All that the box holds: times and energies, one after the other. */
enum { LINK = 8, FIELDS = 2 * LINK + 15 };
double *field(struct shunt_machine *m, int index);

/* All of them times a factor. */
struct shunt_machine scaled(const struct shunt_machine *machine, double factor);

#endif
