/* SPDX-License-Identifier: BSD-3-Clause */
/* candidates.c: every algorithm with its presets. */
#include "model/candidates.h"

#include <stdlib.h>

int shunt_candidates_make(struct shunt_candidates *candidates, enum shunt_op op,
                          const struct shunt_layout *layout, int64_t block, int64_t memory)
{
    size_t count;
    const struct shunt_algorithm *const *rows = shunt_registry_rows(&count);
    *candidates =
        (struct shunt_candidates){.candidate = calloc(count, sizeof(struct shunt_candidate))};
    if (!candidates->candidate)
        return -1;
    for (size_t i = 0; i < count; i++) {
        struct shunt_candidate c = {.algorithm = rows[i]};
        c.params = shunt_params_evaluate(rows[i], 0, c.given, layout);
        const bool serves = (rows[i]->ops & (1U << op)) &&
                            (!rows[i]->infeasible || !rows[i]->infeasible(layout, &c.params));
        if (serves &&
            (memory < 0 || !rows[i]->memory || rows[i]->memory(layout, &c.params, block) <= memory))
            candidates->candidate[candidates->count++] = c;
    }
    return 0;
}

void shunt_candidates_clear(struct shunt_candidates *candidates)
{
    free(candidates->candidate);
    *candidates = (struct shunt_candidates){0};
}
