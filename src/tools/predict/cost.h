/* SPDX-License-Identifier: BSD-3-Clause */
/* cost.h: what one setting of one algorithm costs in a call. Times are in seconds, energies in
 * joules. */
#ifndef SHUNT_PREDICT_COST_H
#define SHUNT_PREDICT_COST_H

#include "model/candidates.h"
#include "model/cost.h"
#include "tools/predict/case.h"

/* Whether the messages of an algorithm are known: ours, or those of the MPI library as described.
 */
static inline bool shunt_predict_can(const struct shunt_algorithm *row)
{
    return row->build || row->kind == SHUNT_KIND_NATIVE || row->kind == SHUNT_KIND_LIBRARY;
}
/* Says that a schedule is wrong; an exit code. */
int shunt_predict_stuck(const struct shunt_algorithm *row);
/* Whether the description says anything of energy. */
bool shunt_predict_knows_energy(const struct shunt_machine *machine);
/* A setting in a call, as the model asks about it. Of what it is given. */
struct shunt_event_call shunt_predict_event_call(enum shunt_op op, const struct shunt_case *c,
                                                 const struct shunt_candidate *candidate);
/* Energies are NAN where the machine's are not known; false with *result. `most`: events, as in
 * model/cost.h. */
bool shunt_predict_cost(struct shunt_cost *cost, const struct shunt_machine *machine,
                        enum shunt_op op, const struct shunt_case *c,
                        const struct shunt_candidate *candidate, uint64_t most,
                        enum shunt_cost_result *result);
/* An algorithm of --algorithm on a layout. */
struct shunt_candidate shunt_predict_selected(const struct bench_selection *selection,
                                              enum shunt_op op, const struct shunt_layout *layout);
/* How many times as fast as native; negative: it takes no time at all. */
double shunt_predict_gain(const struct shunt_cost *cost, const struct shunt_cost *native);

#endif
