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
#include <string.h>

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

/* A difference of a cell: which answers, whatever the calls. */
struct kind {
    struct shunt_diff_answer answer[SHUNT_DIFF_SIDES];
};

/* Calls of one layout that differ so: neighbouring pieces of the block sizes, in one of the
 * densities. */
struct run {
    size_t kind, density;
    size_t from, to;    /* pieces: the first one, and behind the last one */
    size_t whole, open; /* likewise, of those that differ throughout; none where they are equal */
    int64_t block;      /* the first one */
    size_t layout;
};

/* Where something begins, or ends, with runs of one kind and density. */
struct point {
    size_t piece;
    int runs, whole; /* so many more */
};

/* What is found in one cell. */
struct cell {
    const struct shunt_diff *diff;
    const struct cuts *blocks, *densities;
    struct shunt_differences *found;
    enum shunt_op op;
    struct shunt_box box;
    const struct shunt_diff_layout *layouts; /* array of layout_count */
    size_t layout_count, layout;             /* layout: that is looked at now */
    size_t kind, kind_count, kind_room;      /* kind: that was seen last */
    size_t run_count, run_room;
    struct kind *kinds; /* arrays of so many, owned */
    struct run *runs;
};

/* Room for one more in an array; NULL when memory is short. */
static void *grow(void *array, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return array;
    void *grown = realloc(array, (2 * count + 16) * size);
    if (grown)
        *room = 2 * count + 16;
    return grown;
}

/* A rule says all; the model's choice has values of the layout. */
static bool is_answer(const struct shunt_diff_answer *answer, const struct shunt_decision *decision)
{
    struct shunt_diff_answer own;
    if (answer->rule != decision->rule || answer->modelled != decision->modelled)
        return false;
    if (decision->rule)
        return true;
    shunt_diff_answer_make(&own, decision, true);
    return strcmp(answer->name, own.name) == 0;
}

static bool is_kind(const struct kind *kind, const struct shunt_decision *const *decisions)
{
    return is_answer(&kind->answer[0], decisions[0]) && is_answer(&kind->answer[1], decisions[1]);
}

/* The place of a kind, new ones at the end; false when memory is short. Layouts of a cell have them
 * in the same order, mostly. */
static bool find_kind(struct cell *cell, const struct shunt_decision *const *decisions)
{
    if (++cell->kind >= cell->kind_count || !is_kind(&cell->kinds[cell->kind], decisions))
        cell->kind = 0;
    while (cell->kind < cell->kind_count && !is_kind(&cell->kinds[cell->kind], decisions))
        cell->kind++;
    if (cell->kind < cell->kind_count)
        return true;
    struct kind *kinds = grow(cell->kinds, cell->kind_count, &cell->kind_room, sizeof *cell->kinds);
    if (!kinds)
        return false;
    cell->kinds = kinds;
    for (int i = 0; i < SHUNT_DIFF_SIDES; i++)
        shunt_diff_answer_make(&kinds[cell->kind_count].answer[i], decisions[i], true);
    cell->kind_count++;
    return true;
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

/* Sizes in a piece of the densities that differ in one way. */
static bool add_run(struct cell *cell, struct shunt_range block, size_t density)
{
    const size_t first = find_piece(cell->blocks, block.low),
                 last = find_piece(cell->blocks, block.high);
    struct run *runs = grow(cell->runs, cell->run_count, &cell->run_room, sizeof *cell->runs);
    if (!runs)
        return false;
    cell->runs = runs;
    struct run *run = &cell->runs[cell->run_count++];
    *run = (struct run){.kind = cell->kind,
                        .density = density,
                        .from = first,
                        .to = last + 1,
                        .whole = first + (block.low > piece(cell->blocks, first).low),
                        .open = last + (block.high >= piece(cell->blocks, last).high),
                        .block = block.low,
                        .layout = cell->layout};
    if (run->open < run->whole)
        run->open = run->whole;
    return true;
}

/* No decision changes within a piece of the densities: conditions cut them, and nothing else. */
static bool visit(void *context, const struct shunt_diff_calls *calls,
                  const struct shunt_decision *const *decisions)
{
    struct cell *cell = context;
    if (!find_kind(cell, decisions))
        return false;
    for (size_t i = 0; i < cell->densities->count; i++) {
        const struct shunt_range own = piece(cell->densities, i);
        if (own.low >= calls->density.low && own.high <= calls->density.high &&
            !add_run(cell, calls->block, i))
            return false;
    }
    return true;
}

static int compare_runs(const void *left, const void *right)
{
    const struct run *a = left, *b = right;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (a->density != b->density)
        return a->density < b->density ? -1 : 1;
    return (a->layout > b->layout) - (a->layout < b->layout);
}

static int compare_points(const void *left, const void *right)
{
    const struct point *a = left, *b = right;
    return (a->piece > b->piece) - (a->piece < b->piece);
}

/* Tells of the pieces `from` up to but not including `to`, of which the runs of one kind tell; the
 * first layout that has the first of them is the example. */
static bool tell(struct cell *cell, const struct run *runs, size_t from, size_t to, bool everywhere)
{
    const struct run *run = runs;
    struct shunt_difference *added = shunt_differences_add(cell->found);
    if (!added)
        return false;
    while (run->from > from || run->to <= from)
        run++;
    const struct shunt_range first = piece(cell->blocks, from),
                             density = piece(cell->densities, run->density);
    const struct shunt_diff_layout *layout = &cell->layouts[run->layout];
    *added = (struct shunt_difference){.op = cell->op,
                                       .where = cell->box,
                                       .everywhere = everywhere,
                                       .ranks = layout->ranks,
                                       .nodes = layout->nodes,
                                       .ppn_min = layout->ppn_min,
                                       .ppn_max = layout->ppn_max,
                                       .block = first.low > run->block ? first.low : run->block,
                                       .density = (int)density.high};
    memcpy(added->answer, cell->kinds[run->kind].answer, sizeof added->answer);
    added->where.side[SHUNT_BOX_DENSITY] = density;
    added->where.side[SHUNT_BOX_BLOCK] =
        (struct shunt_range){first.low, piece(cell->blocks, to - 1).high};
    return true;
}

/* The runs of one kind and density: what differs so, with all layouts throughout or not. */
static bool tell_runs(struct cell *cell, const struct run *runs, size_t count, struct point *points)
{
    size_t used = 0, from = 0;
    int some = 0, whole = 0;
    for (size_t i = 0; i < count; i++) {
        points[used++] = (struct point){runs[i].from, 1, 0};
        points[used++] = (struct point){runs[i].to, -1, 0};
        points[used++] = (struct point){runs[i].whole, 0, 1};
        points[used++] = (struct point){runs[i].open, 0, -1};
    }
    qsort(points, used, sizeof *points, compare_points);
    for (size_t i = 0, next; i < used; i = next) {
        const bool was = some > 0, everywhere = whole == (int)cell->layout_count;
        for (next = i; next < used && points[next].piece == points[i].piece; next++) {
            some += points[next].runs;
            whole += points[next].whole;
        }
        const bool goes_on = was && some > 0 && (whole == (int)cell->layout_count) == everywhere;
        if (was && !goes_on && !tell(cell, runs, from, points[i].piece, everywhere))
            return false;
        from = goes_on ? from : points[i].piece;
    }
    return true;
}

static bool tell_cell(struct cell *cell)
{
    struct point *points = malloc((4 * cell->run_count + 1) * sizeof *points);
    bool enough = points != NULL;
    if (enough && cell->run_count > 1)
        qsort(cell->runs, cell->run_count, sizeof *cell->runs, compare_runs);
    for (size_t i = 0, next; enough && i < cell->run_count; i = next) {
        for (next = i + 1; next < cell->run_count && cell->runs[next].kind == cell->runs[i].kind &&
                           cell->runs[next].density == cell->runs[i].density;)
            next++;
        enough = tell_runs(cell, &cell->runs[i], next - i, points);
    }
    free(points);
    return enough;
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
                 const struct cuts *densities)
{
    struct shunt_diff_layout layouts[SHUNT_DIFF_LAYOUTS];
    struct cell cell = {.diff = diff,
                        .blocks = blocks,
                        .densities = densities,
                        .found = found,
                        .op = op,
                        .box = *box,
                        .layouts = layouts};
    if (!shunt_box_possible(box))
        return true;
    cell.layout_count = (size_t)shunt_diff_layouts(box, layouts);
    bool enough = true;
    found->large |= cell.layout_count == 0;
    open_box(&cell);
    for (; enough && cell.layout < cell.layout_count; cell.layout++) {
        struct shunt_layout layout;
        enough = shunt_diff_layout_make(&layout, &layouts[cell.layout]) == 0;
        if (enough) {
            enough = shunt_diff_compare(diff, op, &layout, visit, &cell);
            shunt_layout_clear(&layout);
        }
    }
    enough = enough && tell_cell(&cell);
    free(cell.kinds);
    free(cell.runs);
    return enough && settle(found);
}

/* All cells with these ranks and nodes. */
static bool look_at_nodes(struct shunt_differences *found, const struct shunt_diff *diff,
                          enum shunt_op op, struct shunt_box *box, const struct cuts *ppn,
                          const struct cuts *blocks, const struct cuts *densities)
{
    for (size_t i = 0; i < ppn->count; i++) {
        for (size_t j = i; j < ppn->count; j++) {
            box->side[SHUNT_BOX_LEAST] = piece(ppn, i);
            box->side[SHUNT_BOX_MOST] = piece(ppn, j);
            if (!look(found, diff, op, box, blocks, densities))
                return false;
        }
    }
    return true;
}

static bool find_of(struct shunt_differences *found, const struct shunt_diff *diff,
                    enum shunt_op op)
{
    struct cuts ranks = {0}, nodes = {0}, ppn = {0}, blocks = {0}, densities = {0};
    bool enough = cuts_make(&ranks, diff, op, SHUNT_BOX_RANKS) &&
                  cuts_make(&nodes, diff, op, SHUNT_BOX_NODES) &&
                  cuts_make(&ppn, diff, op, SHUNT_BOX_LEAST) &&
                  cuts_make(&blocks, diff, op, SHUNT_BOX_BLOCK) &&
                  cuts_make(&densities, diff, op, SHUNT_BOX_DENSITY);
    struct shunt_box box = diff->space;
    found->first = found->count;
    found->settle_at = found->first + 4096;
    for (size_t i = 0; enough && i < ranks.count; i++) {
        for (size_t j = 0; enough && j < nodes.count; j++) {
            box.side[SHUNT_BOX_RANKS] = piece(&ranks, i);
            box.side[SHUNT_BOX_NODES] = piece(&nodes, j);
            shunt_progress_show("groups of calls", i * nodes.count + j, ranks.count * nodes.count);
            enough = look_at_nodes(found, diff, op, &box, &ppn, &blocks, &densities);
        }
    }
    shunt_progress_clear();
    shunt_differences_merge(found, found->first);
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
