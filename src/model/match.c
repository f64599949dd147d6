/* SPDX-License-Identifier: BSD-3-Clause */
/* match.c: which receive every message meets: those of each sender that are for one rank are its
 * messages to that rank, in their order. */
#include <stdlib.h>

#include "model/program.h"

/* A message as its sender knows it: to which rank; the number of its receive, or of the send. */
struct meeting {
    uint32_t to, number;
};

struct match {
    struct shunt_program *program;
    uint32_t ranks;
    size_t *first;           /* array of period + 1: where the meetings of a sender begin */
    struct meeting *meeting; /* receives, by sender */
    /* Of one sender: the first meeting, + 1, with each rank, twice for both motions; and the next
     * one with the same. */
    uint32_t *head, *next;
};

/* To whom the message from `from` to `rank` goes, as the rank of node 0 sends it that stands for
 * `from`, *sender. */
static uint32_t receiver_of(const struct match *m, uint32_t from, uint32_t rank, uint32_t *sender)
{
    const uint32_t period = (uint32_t)m->program->period, across = from & SHUNT_ACROSS;
    *sender = (from ^ across) % period;
    const uint32_t moved = (from ^ across) - *sender;
    return across ? (rank + moved) | across : (rank + m->ranks - moved) % m->ranks;
}

/* Puts the receives of a rank where those of their senders are; *next of each goes on. */
static bool hand_out(const struct match *m, uint32_t rank, size_t *next)
{
    const struct shunt_program_rank *r = &m->program->rank[rank];
    for (uint32_t i = 0; i < r->receives; i++) {
        uint32_t sender;
        const uint32_t to = receiver_of(m, r->from[i], rank, &sender);
        if (next[sender] == m->first[sender + 1])
            return false;
        m->meeting[next[sender]++] = (struct meeting){to, i};
    }
    return true;
}

static uint32_t *head_of(const struct match *m, uint32_t to)
{
    return &m->head[2 * (size_t)(to & ~SHUNT_ACROSS) + (to >> 31)];
}

/* Gives the sends of a rank the receives for the same rank, in their order, which is that of the
 * receives too: one rank has handed them out. Leaves no heads if all is well. */
static bool pair(const struct match *m, uint32_t rank)
{
    struct shunt_program_rank *r = &m->program->rank[rank];
    const struct meeting *received = &m->meeting[m->first[rank]];
    for (uint32_t i = r->sends; i-- > 0;) {
        uint32_t *head = head_of(m, received[i].to);
        m->next[i] = *head;
        *head = i + 1;
    }
    for (uint32_t i = 0; i < r->sends; i++) {
        uint32_t *head = head_of(m, r->to[i]);
        if (*head == 0)
            return false;
        r->slot[i] = received[*head - 1].number;
        r->to[i] = (r->to[i] & ~SHUNT_ACROSS) % (uint32_t)m->program->period;
        *head = m->next[*head - 1];
    }
    return true;
}

static enum shunt_cost_result match(struct match *m)
{
    const uint32_t period = (uint32_t)m->program->period;
    size_t *next = calloc((size_t)period + 1, sizeof *next);
    enum shunt_cost_result result = next ? SHUNT_COST_OK : SHUNT_COST_MEMORY;
    for (uint32_t p = 0; next && p < period; p++)
        next[p] = m->first[p];
    for (uint32_t p = 0; result == SHUNT_COST_OK && p < period; p++)
        if (!hand_out(m, p, next))
            result = SHUNT_COST_STUCK;
    for (uint32_t p = 0; result == SHUNT_COST_OK && p < period; p++)
        if (next[p] != m->first[p + 1] || !pair(m, p))
            result = SHUNT_COST_STUCK;
    free(next);
    return result;
}

/* Memory, and where the meetings of each sender begin. */
static bool prepare(struct match *m)
{
    struct shunt_program *p = m->program;
    m->first = calloc((size_t)p->period + 1, sizeof *m->first);
    if (!m->first)
        return false;
    for (int i = 0; i < p->period; i++) {
        struct shunt_program_rank *r = &p->rank[i];
        m->first[i + 1] = m->first[i] + r->sends;
        r->slot = malloc(((size_t)r->sends + 1) * sizeof *r->slot);
        if (!r->slot)
            return false;
    }
    m->meeting = malloc((m->first[p->period] + 1) * sizeof *m->meeting);
    m->head = calloc(2 * (size_t)m->ranks, sizeof *m->head);
    m->next = malloc(((size_t)p->most_sends + 1) * sizeof *m->next);
    return m->meeting && m->head && m->next;
}

enum shunt_cost_result shunt_program_match(struct shunt_program *program, int ranks)
{
    struct match m = {.program = program, .ranks = (uint32_t)ranks};
    const enum shunt_cost_result result = prepare(&m) ? match(&m) : SHUNT_COST_MEMORY;
    free(m.first);
    free(m.meeting);
    free(m.head);
    free(m.next);
    for (int i = 0; i < program->period; i++) {
        free(program->rank[i].from);
        program->rank[i].from = NULL;
    }
    return result;
}
