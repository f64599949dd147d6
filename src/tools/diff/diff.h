/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * diff.h: what the parts of `shunt diff` share: the calls that are looked at, and where two tables
 * decide differently. Sizes are in bytes.
 */
#ifndef SHUNT_DIFF_DIFF_H
#define SHUNT_DIFF_DIFF_H

#include "route/cover.h"
#include "route/route.h"
#include "tools/common/tool.h"

enum { SHUNT_DIFF_SIDES = 2, SHUNT_DIFF_NAME = 160 };

/* More ranks take more memory than a comparison is worth. */
#define SHUNT_DIFF_RANKS_MOST (1 << 20)
/* Nobody reads more places where two tables differ; those of one cell likewise. */
#define SHUNT_DIFF_MOST 50000

struct shunt_diff {
    const char *file[SHUNT_DIFF_SIDES]; /* a path, "built-in", or NULL: what `host` finds */
    const char *host;                   /* NULL: this one */
    int asked_op;                       /* SHUNT_OP_COUNT: both */
    bool op[SHUNT_OP_COUNT];            /* those that are asked about */
    struct shunt_box space;             /* calls that are looked at */
    const char *layout;                 /* sizes of the nodes, for one layout alone, or NULL */
    int64_t memory;                     /* cap in bytes, -1: the tables' */
    bool csv, json, wide;
    struct shunt_table *table[SHUNT_DIFF_SIDES]; /* owned */
};

/* One answer of one table. */
struct shunt_diff_answer {
    const struct shunt_algorithm *algorithm;
    const struct shunt_rule *rule; /* in its table; NULL: none took the call */
    bool modelled;                 /* then the model chose */
    char name[SHUNT_DIFF_NAME];    /* "node-pair:leaders=4", with values; of a rule about several
                                      layouts as the rule spells them */
};

/* Calls about which two tables differ. */
struct shunt_difference {
    enum shunt_op op;
    struct shunt_box where;
    bool everywhere; /* all calls of the box that were looked at; false: some */
    /* one of the calls that were looked at */
    int ranks, nodes, ppn_min, ppn_max;
    int64_t block;
    int density;
    struct shunt_diff_answer answer[SHUNT_DIFF_SIDES];
};

struct shunt_differences {
    size_t count, capacity;
    struct shunt_difference *at; /* array of count, owned */
    size_t first;                /* of those that may be joined */
    size_t settle_at;            /* the count at which they are */
    bool many;                   /* it ended at SHUNT_DIFF_MOST */
    bool large;                  /* calls of more than SHUNT_DIFF_RANKS_MOST ranks were left out */
};

/* diff/layouts.c: layouts within a box (its block sizes aside), the ends of it, powers of two and
 * nodes of different size among them: at most SHUNT_DIFF_LAYOUTS. */
enum { SHUNT_DIFF_LAYOUTS = 16 };
struct shunt_diff_layout {
    int ranks, nodes, ppn_min, ppn_max;
};
/* How many there are; none where the box has no layout of SHUNT_DIFF_RANKS_MOST ranks or fewer. */
int shunt_diff_layouts(const struct shunt_box *box, struct shunt_diff_layout *layouts);
/* One with these numbers. Returns 0, or -1 when memory is short. Release with shunt_layout_clear.
 */
int shunt_diff_layout_make(struct shunt_layout *layout, const struct shunt_diff_layout *numbers);

/* Calls of one layout. */
struct shunt_diff_calls {
    struct shunt_range block, density;
};

/* diff/compare.c: told of sizes with which the two tables differ. Returns false to end. */
typedef bool (*shunt_diff_visit)(void *context, const struct shunt_diff_calls *calls,
                                 const struct shunt_decision *const *decisions);
/* Tells of all differences about one operation and layout, in the order of densities and sizes.
 * False when memory is short, or `visit` ended it. */
bool shunt_diff_compare(const struct shunt_diff *diff, enum shunt_op op,
                        const struct shunt_layout *layout, shunt_diff_visit visit, void *context);
/* With the values that the parameters have; `spelt`: as the rule has them, where one decided. */
void shunt_diff_answer_make(struct shunt_diff_answer *answer, const struct shunt_decision *decision,
                            bool spelt);
/* Whether these are the same decisions of the same rules. */
bool shunt_diff_same(const struct shunt_difference *a, const struct shunt_difference *b);

/* diff/list.c: room for one more, zeroed; NULL when memory is short. */
struct shunt_difference *shunt_differences_add(struct shunt_differences *found);
/* Boxes that are one box together, for the same difference, become one from `first` on. */
void shunt_differences_merge(struct shunt_differences *found, size_t first);
void shunt_differences_clear(struct shunt_differences *found);

/* diff/cells.c: all within the space. False when memory is short. Clear in any case. */
bool shunt_diff_find(struct shunt_differences *found, const struct shunt_diff *diff);
/* diff/one.c: those of one layout, exactly. */
bool shunt_diff_find_layout(struct shunt_differences *found, const struct shunt_diff *diff,
                            const struct shunt_layout *layout);

/* The forms. diff/text.c, diff/data.c: an exit code. */
int shunt_diff_text(const struct shunt_diff *diff, const struct shunt_differences *found);
int shunt_diff_csv(const struct shunt_diff *diff, const struct shunt_differences *found);
int shunt_diff_json(const struct shunt_diff *diff, const struct shunt_differences *found);

#endif
