/* SPDX-License-Identifier: BSD-3-Clause */
/* adapt.c: when a stretch of native calls begins, how long it is, and when there is another. */
#include "comm/adapt.h"

void shunt_adapt_begin(struct shunt_adapt *adapt, bool on, uint64_t most)
{
    *adapt = (struct shunt_adapt){.on = on, .most = most, .next_rest = SHUNT_ADAPT_REST};
}

static uint32_t fourfold(uint32_t number, uint32_t most)
{
    return number < most / 4 ? 4 * number : most;
}

/* The calls of the last stretch, if there was one, may have been of another kind. */
static void hear_dense(struct shunt_adapt *adapt)
{
    if (adapt->length > 0) {
        adapt->rest = adapt->next_rest;
        adapt->next_rest = fourfold(adapt->rest, SHUNT_ADAPT_REST_MOST);
    }
    adapt->length = adapt->row = 0;
}

static void hear_sparse(struct shunt_adapt *adapt)
{
    adapt->row++;
    if (adapt->row < SHUNT_ADAPT_NEEDED)
        return;
    adapt->length =
        adapt->length == 0 ? SHUNT_ADAPT_FIRST : fourfold(adapt->length, SHUNT_ADAPT_MOST);
    adapt->left = adapt->length;
    if (adapt->length >= 4 * SHUNT_ADAPT_REST)
        adapt->next_rest = SHUNT_ADAPT_REST; /* it was worth while */
}

void shunt_adapt_learn(struct shunt_adapt *adapt, uint64_t blocks)
{
    if (adapt->rest > 0)
        adapt->rest--;
    else if (blocks <= adapt->most)
        hear_sparse(adapt);
    else
        hear_dense(adapt);
}
