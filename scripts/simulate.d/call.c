/* SPDX-License-Identifier: BSD-3-Clause */
/* call.c: one call: see call.h. */
#include "call.h"

#include <stdlib.h>
#include <string.h>

#include "model/cost.h"

enum { POISON = 0xa5, SIZES_SEED = 1 };

static void *need(void *memory)
{
    if (!memory)
        abort();
    return memory;
}

static void fill_counts(struct simulate_call *c)
{
    static const struct measure_distribution uniform = {.shape = MEASURE_UNIFORM};
    const size_t P = (size_t)c->ranks;
    int64_t *row = need(calloc(P, sizeof *row));
    for (size_t from = 0; from < P; from++) {
        measure_distribution_row(&uniform, SIZES_SEED, c->ranks, (int)from, 2 * c->block, row);
        for (size_t to = 0; to < P; to++) {
            c->sent[from * P + to] = c->received[to * P + from] = (int)row[to];
            c->largest = row[to] > c->largest ? row[to] : c->largest;
        }
    }
    free(row);
}

static size_t side_bytes(const struct simulate_call *c)
{
    return (size_t)c->ranks * (size_t)c->largest + 1;
}

/* Of an Alltoallv. */
static void make_counts(struct simulate_call *call, bool random)
{
    const size_t P = (size_t)call->ranks, cells = random ? P * P : P;
    call->stride = random ? P : 0;
    call->sent = need(malloc(cells * sizeof *call->sent));
    call->received = need(malloc(cells * sizeof *call->received));
    call->displs = need(malloc(P * sizeof *call->displs));
    if (random)
        fill_counts(call);
    for (size_t i = 0; i < cells && !random; i++)
        call->sent[i] = call->received[i] = (int)call->block;
    for (size_t p = 0; p < P; p++)
        call->displs[p] = (int)((int64_t)p * call->largest);
}

void simulate_call_make(struct simulate_call *call, const struct simulate_asked *asked,
                        int64_t block)
{
    *call = (struct simulate_call){.op = asked->op, .ranks = asked->ranks, .block = block};
    call->largest = asked->random ? 0 : block;
    if (call->op == SHUNT_OP_ALLTOALLV)
        make_counts(call, asked->random);
    if (!asked->check)
        call->buffers = need(calloc(2, side_bytes(call)));
}

void simulate_call_clear(struct simulate_call *call)
{
    free(call->sent);
    free(call->received);
    free(call->displs);
    free(call->buffers);
}

static int64_t sent_bytes(const struct simulate_call *c, int from, int to)
{
    return c->sent ? c->sent[(size_t)from * c->stride + (size_t)to] : c->largest;
}

static unsigned char content(int from, int to, int64_t at)
{
    const unsigned i = (unsigned)at;
    return (unsigned char)((unsigned)from * 167 + (unsigned)to * 59 + i * 3 + i / 251);
}

void simulate_buffers(const struct simulate_call *call, int rank, char **send, char **recv)
{
    const size_t bytes = side_bytes(call);
    *send = call->buffers ? call->buffers : need(calloc(2, bytes));
    *recv = *send + bytes;
    if (call->buffers)
        return;
    memset(*recv, POISON, bytes);
    for (int to = 0; to < call->ranks; to++)
        for (int64_t i = 0; i < sent_bytes(call, rank, to); i++)
            (*send)[to * call->largest + i] = (char)content(rank, to, i);
}

bool simulate_right(const struct simulate_call *call, int rank, const char *send, const char *recv)
{
    for (int p = 0; p < call->ranks; p++) {
        const int64_t begin = p * call->largest, bytes = sent_bytes(call, p, rank);
        for (int64_t i = 0; i < call->largest; i++)
            if ((unsigned char)recv[begin + i] != (i < bytes ? content(p, rank, i) : POISON))
                return false;
        for (int64_t i = 0; i < sent_bytes(call, rank, p); i++)
            if ((unsigned char)send[begin + i] != content(rank, p, i))
                return false;
    }
    return (unsigned char)recv[call->ranks * call->largest] == POISON;
}

/* As the model takes sizes; NULL: all alike. */
static int64_t *counts_for_model(const struct simulate_call *c)
{
    const size_t cells = (size_t)c->ranks * (size_t)c->ranks;
    int64_t *counts = need(malloc(cells * sizeof *counts));
    for (size_t i = 0; i < cells; i++)
        counts[i] = c->sent[i];
    return counts;
}

double simulate_predict(const struct simulate_asked *asked, const struct simulate_call *call)
{
    struct shunt_layout layout = {0};
    int *keys = need(malloc((size_t)call->ranks * sizeof *keys));
    for (int p = 0; p < call->ranks; p++)
        keys[p] = p / asked->ppn;
    if (shunt_layout_from_keys(&layout, call->ranks, keys))
        abort();
    const struct shunt_algorithm *row =
        asked->selection ? asked->selection->algorithm : shunt_registry_find("native");
    struct shunt_params params = {0};
    if (asked->selection) {
        const struct shunt_table *table = asked->selection->force;
        const struct shunt_rule *rule = &table->rules[table->rule_first[call->op]];
        params = shunt_params_evaluate(row, rule->present, rule->given, &layout);
    }
    int64_t *counts = asked->random ? counts_for_model(call) : NULL;
    const struct shunt_cost_call question = {
        .machine = &asked->machine,
        .call = {.op = call->op,
                 .algorithm = row,
                 .layout = &layout,
                 .params = &params,
                 .block = call->largest,
                 .agrees = call->op == SHUNT_OP_ALLTOALLV && shunt_kind_agrees(row->kind)},
        .counts = counts};
    struct shunt_cost cost;
    const bool known = shunt_cost_predict(&cost, &question) == SHUNT_COST_OK;
    free(counts);
    free(keys);
    shunt_layout_clear(&layout);
    return known ? cost.time : -1;
}
