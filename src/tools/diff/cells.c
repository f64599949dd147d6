/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cells.c: all calls, cut where a condition of either table begins or ends.
 *
 * The conditions cut ranks, nodes and ranks per node into pieces, and so the calls into cells: in
 * each of them the same rules match, whatever the layout. What may still differ within a cell is
 * whether an algorithm fits the layout and the memory, and which value a formula has; so several
 * layouts of each are compared, with all their sizes, and a difference that not all of them have
 * throughout is told as one of some calls.
 */
#include <stdlib.h>

#include "tools/diff/diff.h"
#include "tools/predict/progress.h"

/* Where a side is cut: piece i is from[i] .. from[i + 1] - 1, the last one ends with the side. */
struct cuts {
    size_t count;
    int64_t *from;
    int64_t high;
};

static int compare(const void *a, const void *b)
{
    const int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

static void cut(struct cuts *cuts, struct shunt_range all, struct shunt_range condition)
{
    if (condition.low > all.low && condition.low <= all.high)
        cuts->from[cuts->count++] = condition.low;
    if (condition.high >= all.low && condition.high < all.high)
        cuts->from[cuts->count++] = condition.high + 1;
}

/* The pieces of one side of the space, by the rules of both tables. */
static bool cuts_make(struct cuts *cuts, const struct shunt_diff *diff, enum shunt_op op, int side)
{
    const struct shunt_range all = diff->space.side[side];
    size_t rules = 0, kept = 1;
    for (int i = 0; i < SHUNT_DIFF_SIDES; i++)
        rules += diff->table[i]->rule_count[op];
    *cuts = (struct cuts){.from = malloc((2 * rules + 1) * sizeof *cuts->from), .high = all.high};
    if (!cuts->from)
        return false;
    cuts->from[cuts->count++] = all.low;
    for (int i = 0; i < SHUNT_DIFF_SIDES; i++) {
        for (uint32_t j = 0; j < diff->table[i]->rule_count[op]; j++) {
            const struct shunt_box box =
                shunt_box_of(&diff->table[i]->rules[diff->table[i]->rule_first[op] + j]);
            cut(cuts, all, box.side[side]);
        }
    }
    qsort(cuts->from, cuts->count, sizeof *cuts->from, compare);
    for (size_t i = 1; i < cuts->count; i++)
        if (cuts->from[i] != cuts->from[kept - 1])
            cuts->from[kept++] = cuts->from[i];
    cuts->count = kept;
    return true;
}

static struct shunt_range piece(const struct cuts *cuts, size_t index)
{
    return (struct shunt_range){cuts->from[index],
                                index + 1 < cuts->count ? cuts->from[index + 1] - 1 : cuts->high};
}

/* One difference of a cell. */
struct place {
    size_t whole; /* layouts in which all of its piece differs so */
    size_t piece; /* index in the heads */
    size_t next;  /* as the heads */
};

/* What is found in one cell: for each piece of the block sizes and of the densities, which rules
 * differ. */
struct cell {
    const struct shunt_diff *diff;
    size_t *head; /* of each piece of sizes and densities: 1 + the first of its places, 0: none */
    const struct cuts *blocks, *densities;
    struct shunt_differences *found;
    enum shunt_op op;
    struct shunt_box box;
    size_t first;               /* of the cell, in the list */
    struct shunt_layout layout; /* that is looked at now */
    struct place *place;        /* of each */
    size_t capacity;
};

/* Room for one more, zeroed; NULL when memory is short. */
static struct shunt_difference *add_place(struct cell *cell, size_t at)
{
    if (at == SHUNT_DIFF_MOST) {
        cell->found->many = true;
        return NULL;
    }
    if (at == cell->capacity) {
        const size_t capacity = 2 * at + 64;
        struct place *grown = realloc(cell->place, capacity * sizeof *grown);
        if (!grown)
            return NULL;
        cell->place = grown;
        cell->capacity = capacity;
    }
    return shunt_differences_add(cell->found);
}

/* The place of this difference in this piece; NULL when memory is short, or there are too many. */
static struct place *place_of(struct cell *cell, const struct shunt_difference *wanted,
                              size_t piece)
{
    for (size_t i = cell->head[piece]; i > 0; i = cell->place[i - 1].next)
        if (shunt_diff_same(&cell->found->at[cell->first + i - 1], wanted))
            return &cell->place[i - 1];
    const size_t at = cell->found->count - cell->first;
    struct shunt_difference *added = add_place(cell, at);
    if (!added)
        return NULL;
    *added = *wanted;
    cell->place[at] = (struct place){.piece = piece, .next = cell->head[piece]};
    cell->head[piece] = at + 1;
    return &cell->place[at];
}

/* The piece that a value is in. */
static size_t find_piece(const struct cuts *cuts, int64_t value)
{
    size_t low = 0, high = cuts->count;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (cuts->from[middle] <= value)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Sizes and a piece of the densities, of which every piece of the sizes gets its share. */
static bool share(struct cell *cell, struct shunt_range block, size_t density_piece,
                  const struct shunt_decision *const *decisions)
{
    const struct shunt_range density = piece(cell->densities, density_piece);
    const struct shunt_layout *layout = &cell->layout;
    struct shunt_difference difference = {.op = cell->op,
                                          .where = cell->box,
                                          .ranks = layout->ranks,
                                          .nodes = layout->nodes,
                                          .ppn_min = layout->ppn_min,
                                          .ppn_max = layout->ppn_max,
                                          .density = (int)density.high};
    difference.where.side[SHUNT_BOX_DENSITY] = density;
    for (int i = 0; i < SHUNT_DIFF_SIDES; i++)
        shunt_diff_answer_make(&difference.answer[i], decisions[i], true);
    for (size_t i = find_piece(cell->blocks, block.low); i < cell->blocks->count; i++) {
        const struct shunt_range own = piece(cell->blocks, i);
        if (own.low > block.high)
            break;
        difference.where.side[SHUNT_BOX_BLOCK] = own;
        difference.block = own.low > block.low ? own.low : block.low;
        struct place *place =
            place_of(cell, &difference, i * cell->densities->count + density_piece);
        if (!place)
            return false;
        place->whole += block.low <= own.low && block.high >= own.high;
    }
    return true;
}

/* No decision changes within a piece of the densities: conditions cut them, and nothing else. */
static bool visit(void *context, const struct shunt_diff_calls *calls,
                  const struct shunt_decision *const *decisions)
{
    struct cell *cell = context;
    for (size_t i = 0; i < cell->densities->count; i++) {
        const struct shunt_range own = piece(cell->densities, i);
        if (own.low >= calls->density.low && own.high <= calls->density.high &&
            !share(cell, calls->block, i, decisions))
            return false;
    }
    return true;
}

/* Conditions that say nothing are left out, so that cells can be joined. */
static void open_box(struct cell *cell)
{
    struct shunt_range *side = cell->box.side;
    /* The fewest ranks of a node bound the most. */
    if (side[SHUNT_BOX_MOST].low == side[SHUNT_BOX_LEAST].low)
        side[SHUNT_BOX_MOST].low = cell->diff->space.side[SHUNT_BOX_MOST].low;
}

/* Joins what can be joined, once so much has come that it is worth it. False: too much is left. */
static bool settle(struct shunt_differences *found)
{
    if (found->count < found->settle_at)
        return true;
    shunt_differences_merge(found, found->first);
    found->settle_at = found->count + found->count / 2 + 4096;
    found->many = found->count > SHUNT_DIFF_MOST;
    return !found->many;
}

static bool look(struct shunt_differences *found, const struct shunt_diff *diff, enum shunt_op op,
                 const struct shunt_box *box, const struct cuts *blocks,
                 const struct cuts *densities, size_t *head)
{
    struct shunt_diff_layout layouts[SHUNT_DIFF_LAYOUTS];
    struct cell cell = {.diff = diff,
                        .head = head,
                        .blocks = blocks,
                        .densities = densities,
                        .found = found,
                        .op = op,
                        .box = *box,
                        .first = found->count};
    if (!shunt_box_possible(box))
        return true;
    const int count = shunt_diff_layouts(box, layouts);
    bool enough = true;
    found->large |= count == 0;
    open_box(&cell);
    for (int i = 0; enough && i < count; i++) {
        enough = shunt_diff_layout_make(&cell.layout, &layouts[i]) == 0;
        if (enough) {
            enough = shunt_diff_compare(diff, op, &cell.layout, visit, &cell);
            shunt_layout_clear(&cell.layout);
        }
    }
    for (size_t i = 0; cell.place && i < found->count - cell.first; i++) {
        found->at[cell.first + i].everywhere = cell.place[i].whole == (size_t)count;
        head[cell.place[i].piece] = 0;
    }
    free(cell.place);
    return enough && settle(found);
}

/* All cells with these ranks and nodes. */
static bool look_at_nodes(struct shunt_differences *found, const struct shunt_diff *diff,
                          enum shunt_op op, struct shunt_box *box, const struct cuts *ppn,
                          const struct cuts *blocks, const struct cuts *densities, size_t *head)
{
    for (size_t i = 0; i < ppn->count; i++) {
        for (size_t j = i; j < ppn->count; j++) {
            box->side[SHUNT_BOX_LEAST] = piece(ppn, i);
            box->side[SHUNT_BOX_MOST] = piece(ppn, j);
            if (!look(found, diff, op, box, blocks, densities, head))
                return false;
        }
    }
    return true;
}

static bool find_of(struct shunt_differences *found, const struct shunt_diff *diff,
                    enum shunt_op op)
{
    struct cuts ranks = {0}, nodes = {0}, ppn = {0}, blocks = {0}, densities = {0};
    size_t *head = NULL;
    bool enough = cuts_make(&ranks, diff, op, SHUNT_BOX_RANKS) &&
                  cuts_make(&nodes, diff, op, SHUNT_BOX_NODES) &&
                  cuts_make(&ppn, diff, op, SHUNT_BOX_LEAST) &&
                  cuts_make(&blocks, diff, op, SHUNT_BOX_BLOCK) &&
                  cuts_make(&densities, diff, op, SHUNT_BOX_DENSITY);
    struct shunt_box box = diff->space;
    found->first = found->count;
    found->settle_at = found->first + 4096;
    if (enough)
        head = calloc(blocks.count * densities.count, sizeof *head);
    enough = head != NULL;
    for (size_t i = 0; enough && i < ranks.count; i++) {
        for (size_t j = 0; enough && j < nodes.count; j++) {
            box.side[SHUNT_BOX_RANKS] = piece(&ranks, i);
            box.side[SHUNT_BOX_NODES] = piece(&nodes, j);
            shunt_progress_show("groups of calls", i * nodes.count + j, ranks.count * nodes.count);
            enough = look_at_nodes(found, diff, op, &box, &ppn, &blocks, &densities, head);
        }
    }
    shunt_progress_clear();
    shunt_differences_merge(found, found->first);
    free(head);
    free(ranks.from);
    free(nodes.from);
    free(ppn.from);
    free(blocks.from);
    free(densities.from);
    return enough;
}

bool shunt_diff_find(struct shunt_differences *found, const struct shunt_diff *diff)
{
    bool enough = true;
    *found = (struct shunt_differences){0};
    for (int op = 0; enough && op < SHUNT_OP_COUNT; op++)
        if (diff->op[op])
            enough = find_of(found, diff, (enum shunt_op)op);
    return enough;
}
