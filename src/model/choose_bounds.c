/* SPDX-License-Identifier: BSD-3-Clause */
/* choose_bounds.c: what each candidate takes at least. */
#include <string.h>

#include "model/choosing.h"

/* The share of the work that is left which bounds may take. */
enum { SHARE_BOUNDS = 4 };

/* Its bound, from those of before where it only posts its messages in other portions. */
static bool copy_bound(struct shunt_choosing *c, size_t k)
{
    const struct shunt_candidate *mine = &c->list.candidate[k];
    struct shunt_params params = mine->params;
    for (size_t i = k; i > 0 && c->list.candidate[i - 1].algorithm == mine->algorithm; i--) {
        const struct shunt_candidate *other = &c->list.candidate[i - 1];
        params.value[SHUNT_PARAM_BATCH_SIZE] = other->params.value[SHUNT_PARAM_BATCH_SIZE];
        params.value[SHUNT_PARAM_FRAGMENT] = other->params.value[SHUNT_PARAM_FRAGMENT];
        if (!c->bounded[i - 1] || memcmp(&params, &other->params, sizeof params) != 0)
            continue;
        c->bound[k] = c->bound[i - 1];
        return true;
    }
    return false;
}

/* Whether candidates of that kind can be predicted at all: schedules of messages between ranks have
 * a block for each rank at least. Those of nodes need several ranks on one. */
static bool is_worth_a_bound(struct shunt_choosing *c, const struct shunt_algorithm *algorithm)
{
    const struct shunt_layout *layout = c->ask->layout;
    if (shunt_kind_shares(algorithm->kind))
        return layout->ppn_max > 1;
    if (2 * (uint64_t)layout->ranks * c->ranks_built <= c->left / 2)
        return true;
    c->limited = true;
    return false;
}

static void make_bound(struct shunt_choosing *c, size_t k, uint64_t *allowed)
{
    const struct shunt_algorithm *algorithm = c->list.candidate[k].algorithm;
    const struct shunt_event_call call = shunt_choosing_call(c, k, c->spot[0].size);
    if (c->failed || !algorithm->build || !is_worth_a_bound(c, algorithm))
        return;
    c->bounded[k] = shunt_bound_formula(&c->bound[k], &call) || copy_bound(c, k);
    if (c->bounded[k])
        return;
    if (*allowed == 0) {
        c->limited = true;
        return;
    }
    c->failed = shunt_bound_make(&c->bound[k], &call) != 0;
    c->bounded[k] = !c->failed;
    const uint64_t work = c->bound[k].work + (uint64_t)c->ask->layout->ranks;
    *allowed -= work < *allowed ? work : *allowed;
    shunt_choosing_spend(c, work);
}

/* Of all rows the first settings before the second ones: no row is left out before others have had
 * many. */
void shunt_choosing_bounds(struct shunt_choosing *c)
{
    uint64_t allowed = c->left / SHARE_BOUNDS;
    bool any = true;
    for (size_t turn = 0; any; turn++) {
        any = false;
        for (size_t k = 0, number = 0; k < c->list.count; k++) {
            const bool first =
                k == 0 || c->list.candidate[k].algorithm != c->list.candidate[k - 1].algorithm;
            number = first ? 0 : number + 1;
            if (number != turn)
                continue;
            any = true;
            make_bound(c, k, &allowed);
        }
    }
}
