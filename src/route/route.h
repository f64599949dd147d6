/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * route.h: from a table and a layout to a decision.
 *
 * For a communicator everything but the block size is fixed, so its decisions are computed once, as
 * a map from block size to rule.
 */
#ifndef SHUNT_ROUTE_ROUTE_H
#define SHUNT_ROUTE_ROUTE_H

#include "route/table.h"

/* What to do for one range of block sizes. */
struct shunt_decision {
    const struct shunt_algorithm *algorithm; /* never NULL; native when no rule fits */
    const struct shunt_table *table;         /* the table of `rule`, NULL without rule; not owned */
    const struct shunt_rule *rule;           /* NULL: no rule matched */
    uint32_t rule_index; /* within its operation's list; UINT32_MAX without rule */
    struct shunt_params params;
    /* No rule, but the model's choice (policy.no_match): native is predicted to cost so many times
     * as much, at the least of the sizes that were looked at; 0 where that is native, or where the
     * model was not asked. */
    double gain;
    bool modelled; /* it was asked */
};

/*
 * Decisions of one operation on one communicator, by block size. Sorted; entry i covers from[i] ..
 * from[i+1]-1; from[0] = 0. Where rules test the density there is such a list for each range of it:
 * this one is that of the densest calls, and all there is for an MPI_Alltoall.
 */
struct shunt_map {
    size_t count; /* >= 1 after shunt_map_build */
    int64_t *from;
    struct shunt_decision *decisions;
    /* Sizes were left to the model, which could not be asked here: they are native, and no rank may
     * go on with that unless all others do the same. */
    bool unmodelled;
    bool limited; /* the model was asked, and work that may be done was used up */
    int density;  /* it is for calls of this density and more (percent, see shunt_density) */
    struct shunt_map *sparser; /* for those of less; NULL: there are none. Owned */
};

/*
 * First match wins; where none does, native, or what the model chooses, if the table asks for that
 * and describes the machine. A rule whose algorithm is infeasible for the layout, cannot serve the
 * operation, or needs more memory than its own cap or the common one (`memory_cap`; negative: the
 * policy's) is passed over. A pure function of its arguments (so all ranks agree). Neighbouring
 * entries with the same decision are merged. Cost O(rules log rules) for each range of the density,
 * once per communicator, and, where sizes are left to the model, that of shunt_choose. table may be
 * NULL (all native). Returns 0, or -1 when memory is short; where only shunt_choose fails, 0 and
 * the map is `unmodelled`. The table must outlive the map.
 */
int shunt_map_build(struct shunt_map *map, const struct shunt_table *table, enum shunt_op op,
                    const struct shunt_layout *layout, int64_t memory_cap);
/* A copy of its own. The same returns. */
int shunt_map_copy(struct shunt_map *map, const struct shunt_map *from);
void shunt_map_clear(struct shunt_map *map);

/* What the model chose as a number of at most SHUNT_MODELLED_BITS bits: of maps that differ in it
 * two almost never have the same; 0: nothing was left to the model. */
enum { SHUNT_MODELLED_BITS = 38 };
uint64_t shunt_map_modelled(const struct shunt_map *map);
/* Leaves rules alone, as a map that is `unmodelled` has them: what no rule takes is native. */
void shunt_map_forget_model(struct shunt_map *map);

/* Decision for blocks of `block` bytes (>= 0): binary search. Of a call of density 100. */
const struct shunt_decision *shunt_map_find(const struct shunt_map *map, int64_t block);

/* The part of the map for calls of this density, in percent. */
static inline const struct shunt_map *shunt_map_part(const struct shunt_map *map, int density)
{
    while (density < map->density && map->sparser)
        map = map->sparser;
    return map;
}

/* Whether every entry answers native: then a communicator needs nothing. */
bool shunt_map_all_native(const struct shunt_map *map);

/*
 * Why a rule does not take a call, for people: writes a short text ("ranks 8 not in 64-4095",
 * "block 9216 not in 513-8192", "density 3 not in 51-100", "needs 3.2 MiB, cap is 1 MiB") to
 * `reason` and returns false; true (empty text) when it could take it, were no rule before it.
 */
bool shunt_rule_matches(const struct shunt_table *table, const struct shunt_rule *rule,
                        enum shunt_op op, const struct shunt_layout *layout, int64_t memory_cap,
                        int64_t block, int density, char *reason, size_t capacity);

#endif
