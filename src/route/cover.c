/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cover.c: boxes minus boxes.
 *
 * What one box leaves of another is at most two boxes per side. They wait on a stack, each with the
 * number of the next box to be taken from it; one that reaches the end of the list holds a call
 * that nobody takes. Boxes without a call in them are dropped at once.
 */
#include <stdlib.h>

#include "route/cover.h"

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

struct shunt_box shunt_box_of(const struct shunt_rule *rule)
{
    struct shunt_box box;
    box.side[SHUNT_BOX_BLOCK] = rule->block;
    box.side[SHUNT_BOX_DENSITY] = rule->density;
    box.side[SHUNT_BOX_DENSITY].high = smaller(rule->density.high, SHUNT_DENSITY_FULL);
    box.side[SHUNT_BOX_OVERSUBSCRIBED] = (struct shunt_range){
        rule->oversubscribed == SHUNT_CROWD_YES, rule->oversubscribed != SHUNT_CROWD_NO};
    box.side[SHUNT_BOX_RANKS] = rule->ranks;
    box.side[SHUNT_BOX_NODES] = rule->nodes;
    box.side[SHUNT_BOX_LEAST] = box.side[SHUNT_BOX_MOST] = rule->ppn;
    for (int i = SHUNT_BOX_RANKS; i < SHUNT_BOX_SIDES; i++) {
        box.side[i].low = box.side[i].low > 1 ? box.side[i].low : 1;
        box.side[i].high = box.side[i].high < INT32_MAX ? box.side[i].high : INT32_MAX;
    }
    return box;
}

static bool within(int64_t value, struct shunt_range range)
{
    return value >= range.low && value <= range.high;
}

/*
 * Two nodes and more. With fewest a and most b on a node, n nodes have (n - 1) a + b to a + (n - 1)
 * b ranks, every number between. These intervals touch or overlap as a or b goes up by one, so all
 * a and b of the box give one interval; its ends grow with n, and the fewest nodes that reach the
 * lower end of `ranks` are the ones to try.
 */
static bool possible_on_nodes(const struct shunt_box *box)
{
    const struct shunt_range ranks = box->side[SHUNT_BOX_RANKS], nodes = box->side[SHUNT_BOX_NODES];
    struct shunt_range least = box->side[SHUNT_BOX_LEAST], most = box->side[SHUNT_BOX_MOST];
    least.high = smaller(least.high, most.high);
    most.low = larger(most.low, least.low);
    if (least.low > least.high || most.low > most.high)
        return false;
    int64_t n = larger(2, nodes.low);
    if (ranks.low > least.high)
        n = larger(n, 1 + (ranks.low - least.high + most.high - 1) / most.high);
    return n <= nodes.high && (n - 1) * least.low + most.low <= ranks.high;
}

bool shunt_box_fills(const struct shunt_box *box)
{
    const struct shunt_range block = box->side[SHUNT_BOX_BLOCK],
                             density = box->side[SHUNT_BOX_DENSITY];
    return (within(0, block) && within(0, density)) || (block.high > 0 && density.high > 0);
}

bool shunt_box_possible(const struct shunt_box *box)
{
    for (int i = 0; i < SHUNT_BOX_SIDES; i++)
        if (box->side[i].low > box->side[i].high)
            return false;
    if (!shunt_box_fills(box))
        return false;
    const struct shunt_range ranks = box->side[SHUNT_BOX_RANKS], least = box->side[SHUNT_BOX_LEAST],
                             most = box->side[SHUNT_BOX_MOST];
    const int64_t ranks_low = larger(ranks.low, larger(least.low, most.low));
    if (within(1, box->side[SHUNT_BOX_NODES]) &&
        ranks_low <= smaller(ranks.high, smaller(least.high, most.high)))
        return true;
    return possible_on_nodes(box);
}

bool shunt_box_holds(const struct shunt_box *outer, const struct shunt_box *inner)
{
    for (int i = 0; i < SHUNT_BOX_SIDES; i++)
        if (outer->side[i].low > inner->side[i].low || outer->side[i].high < inner->side[i].high)
            return false;
    return true;
}

static bool apart(const struct shunt_box *a, const struct shunt_box *b)
{
    for (int i = 0; i < SHUNT_BOX_SIDES; i++)
        if (a->side[i].high < b->side[i].low || a->side[i].low > b->side[i].high)
            return true;
    return false;
}

bool shunt_box_common(const struct shunt_box *a, const struct shunt_box *b,
                      struct shunt_box *common)
{
    for (int i = 0; i < SHUNT_BOX_SIDES; i++)
        common->side[i] = (struct shunt_range){larger(a->side[i].low, b->side[i].low),
                                               smaller(a->side[i].high, b->side[i].high)};
    return shunt_box_possible(common);
}

bool shunt_boxes_init(struct shunt_boxes *boxes, size_t most)
{
    *boxes = (struct shunt_boxes){
        .boxes = malloc((most + 1) * sizeof *boxes->boxes),
        .groups = malloc((most / SHUNT_BOXES_GROUP + 1) * sizeof *boxes->groups)};
    return boxes->boxes && boxes->groups;
}

void shunt_boxes_clear(struct shunt_boxes *boxes)
{
    free(boxes->boxes);
    free(boxes->groups);
    *boxes = (struct shunt_boxes){0};
}

void shunt_boxes_add(struct shunt_boxes *boxes, const struct shunt_box *box)
{
    struct shunt_box *group = &boxes->groups[boxes->count / SHUNT_BOXES_GROUP];
    if (boxes->count % SHUNT_BOXES_GROUP == 0)
        *group = *box;
    for (int i = 0; i < SHUNT_BOX_SIDES; i++) {
        group->side[i].low = smaller(group->side[i].low, box->side[i].low);
        group->side[i].high = larger(group->side[i].high, box->side[i].high);
    }
    boxes->boxes[boxes->count++] = *box;
}

size_t shunt_boxes_touching(const struct shunt_boxes *boxes, size_t from,
                            const struct shunt_box *box, int64_t *looks)
{
    size_t at = from;
    while (at < boxes->count) {
        const size_t group = at / SHUNT_BOXES_GROUP, after = (group + 1) * SHUNT_BOXES_GROUP;
        const size_t end = after < boxes->count ? after : boxes->count;
        --*looks;
        if (apart(&boxes->groups[group], box)) {
            at = end;
            continue;
        }
        for (; at < end; at++) {
            --*looks;
            if (!apart(&boxes->boxes[at], box))
                return at;
        }
    }
    return boxes->count;
}

/* What is left of a box, and the first of the others that has not been taken from it. */
struct piece {
    struct shunt_box box;
    size_t next;
};

struct pieces {
    struct piece *stack;
    size_t count, capacity;
};

/* Makes room for what one box can leave of another. */
static bool reserve(struct pieces *pieces)
{
    const size_t most = (size_t)2 * SHUNT_BOX_SIDES;
    if (pieces->count + most <= pieces->capacity)
        return true;
    const size_t capacity = pieces->capacity * 2 + 64;
    struct piece *grown = realloc(pieces->stack, capacity * sizeof *grown);
    if (!grown)
        return false;
    pieces->stack = grown;
    pieces->capacity = capacity;
    return true;
}

static void push(struct pieces *pieces, const struct shunt_box *box, size_t next)
{
    if (shunt_box_possible(box))
        pieces->stack[pieces->count++] = (struct piece){*box, next};
}

/* Pushes what `taken` leaves of `box`. */
static void subtract(struct pieces *pieces, struct shunt_box box, const struct shunt_box *taken,
                     size_t next)
{
    for (int i = 0; i < SHUNT_BOX_SIDES; i++) {
        const struct shunt_range whole = box.side[i];
        if (whole.high > taken->side[i].high) {
            box.side[i] = (struct shunt_range){taken->side[i].high + 1, whole.high};
            push(pieces, &box, next);
        }
        if (whole.low < taken->side[i].low) {
            box.side[i] = (struct shunt_range){whole.low, taken->side[i].low - 1};
            push(pieces, &box, next);
        }
        box.side[i] = (struct shunt_range){larger(whole.low, taken->side[i].low),
                                           smaller(whole.high, taken->side[i].high)};
    }
}

enum shunt_cover shunt_boxes_cover(const struct shunt_boxes *others, const struct shunt_box *box,
                                   bool *used, int64_t *looks)
{
    struct pieces pieces = {0};
    enum shunt_cover answer = SHUNT_COVER_ALL;
    if (!reserve(&pieces))
        return SHUNT_COVER_UNKNOWN;
    push(&pieces, box, 0);
    while (pieces.count > 0 && answer == SHUNT_COVER_ALL) {
        const struct piece piece = pieces.stack[--pieces.count];
        const size_t at = shunt_boxes_touching(others, piece.next, &piece.box, looks);
        if (at == others->count) {
            answer = SHUNT_COVER_LEFT;
        } else if (*looks < 0 || !reserve(&pieces)) {
            answer = SHUNT_COVER_UNKNOWN;
        } else {
            used[at] = true;
            subtract(&pieces, piece.box, &others->boxes[at], at + 1);
        }
    }
    free(pieces.stack);
    return answer;
}

/* The side of `gap` as long as it can be: up to the next of the first `count` of others, or the end
 * of the space. */
static struct shunt_range extend(const struct shunt_boxes *others, size_t count,
                                 const struct shunt_box *gap, int side, struct shunt_range end,
                                 int64_t *looks)
{
    const struct shunt_range own = gap->side[side];
    struct shunt_box open = *gap, both;
    open.side[side] = end;
    for (size_t at = shunt_boxes_touching(others, 0, &open, looks); at < count;
         at = shunt_boxes_touching(others, at + 1, &open, looks)) {
        const struct shunt_range taken = others->boxes[at].side[side];
        if (*looks < 0)
            return own;
        if (!shunt_box_common(&open, &others->boxes[at], &both))
            continue;
        if (taken.high < own.low)
            open.side[side].low = larger(open.side[side].low, taken.high + 1);
        else if (taken.low > own.high)
            open.side[side].high = smaller(open.side[side].high, taken.low - 1);
        else /* their common calls are not those of `gap`, but beside it */
            return own;
    }
    return open.side[side];
}

size_t shunt_boxes_gaps(struct shunt_boxes *others, const struct shunt_box *space,
                        struct shunt_box *gaps, size_t most, bool *complete, int64_t *looks)
{
    const size_t rules = others->count;
    struct pieces pieces = {0};
    size_t count = 0;
    *complete = reserve(&pieces);
    if (*complete)
        push(&pieces, space, 0);
    while (pieces.count > 0 && *complete) {
        struct piece piece = pieces.stack[--pieces.count];
        const size_t at = shunt_boxes_touching(others, piece.next, &piece.box, looks);
        if (*looks < 0 || !reserve(&pieces) || (at == others->count && count == most)) {
            *complete = false;
        } else if (at < others->count) {
            subtract(&pieces, piece.box, &others->boxes[at], at + 1);
        } else {
            for (int i = SHUNT_BOX_SIDES - 1; i >= 0; i--)
                piece.box.side[i] = extend(others, rules, &piece.box, i, space->side[i], looks);
            gaps[count++] = piece.box;
            shunt_boxes_add(others, &piece.box);
        }
    }
    free(pieces.stack);
    return count;
}
