/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * coverage.h: which calls no rule of a table takes, and which two rules could take. For `shunt
 * check`; the library does not look.
 *
 * Calls are points of boxes, as route/cover.h has them: ranks, nodes, the fewest and the most ranks
 * on a node, the block size and the density. How these are linked (no more nodes than ranks, and so
 * on) is treated exactly: what is told holds some call of some layout. Whether a rule is passed
 * over, for its algorithm does not fit the layout or the memory, is left out: it takes what its
 * conditions say.
 */
#ifndef SHUNT_ROUTE_COVERAGE_H
#define SHUNT_ROUTE_COVERAGE_H

#include "route/cover.h"

struct shunt_overlap {
    uint32_t first, second; /* indices of rules in their list; the first takes the calls */
    struct shunt_box box;   /* these */
};

struct shunt_coverage {
    struct shunt_box
        *gaps; /* array; each as large as it can be, so they may have calls in common */
    size_t gap_count;
    bool gaps_complete; /* false: there are more than asked for, or looking would take too long */
    struct shunt_overlap
        *overlaps; /* array: different decisions, and neither box holds the other */
    size_t overlap_count;
    bool overlaps_complete; /* likewise */
    size_t nested; /* pairs where a later rule takes all that an earlier one does and more: usual */
};

/*
 * Looks at the calls of one operation within `space`. At most `most` gaps and `most` overlaps;
 * none of the latter unless `overlaps`. False when memory is short. Clear in any case.
 */
bool shunt_coverage_find(struct shunt_coverage *coverage, const struct shunt_table *table,
                         enum shunt_op op, const struct shunt_box *space, size_t most,
                         bool overlaps);
void shunt_coverage_clear(struct shunt_coverage *coverage);

#endif
