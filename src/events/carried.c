/* SPDX-License-Identifier: BSD-3-Clause */
/* carried.c: runs the schedules of all ranks, blocks being numbers. */
#include "events/carried.h"

#include <stdlib.h>

struct run {
    struct shunt_carried *carried;
    bool collects; /* places to send from are neighbours, see SHUNT_KIND_COLLECT */
};

static int64_t *place_of(struct shunt_carried_member *m, shunt_ref ref)
{
    return &m->place[shunt_ref_index(ref) + (shunt_ref_is_store(ref) ? m->schedule.slots : 0)];
}

static int64_t take(const struct run *run, int member, shunt_ref ref, int to)
{
    struct shunt_carried_member *m = &run->carried->member[member];
    const int64_t P = run->carried->members;
    if (shunt_ref_is_slot(ref) || shunt_ref_is_store(ref))
        return *place_of(m, ref);
    return run->collects ? (int64_t)shunt_ref_index(ref) * P + to
                         : member * P + (int64_t)shunt_ref_index(ref);
}

/* What has arrived needs no place. */
static void put(struct shunt_carried_member *m, shunt_ref ref, int64_t block)
{
    if (shunt_ref_is_slot(ref) || shunt_ref_is_store(ref))
        *place_of(m, ref) = block;
}

static void post_round(const struct run *run, int member)
{
    struct shunt_carried_member *m = &run->carried->member[member];
    const struct shunt_schedule *s = &m->schedule;
    for (; m->posted < s->round_first[m->round + 1]; m->posted++) {
        const struct shunt_step *step = &s->steps[m->posted];
        for (uint32_t b = step->send_first; b < step->send_first + step->send_count; b++)
            m->block[b] = take(run, member, s->refs[b], step->send_to);
    }
}

/* Whether every message of the round is out. */
static bool arrived(const struct run *run, const struct shunt_carried_member *m)
{
    const struct shunt_schedule *s = &m->schedule;
    for (uint32_t i = s->round_first[m->round]; i < s->round_first[m->round + 1]; i++)
        if (s->steps[i].recv_count > 0 &&
            run->carried->member[s->steps[i].recv_from].posted <= m->sender[i])
            return false;
    return true;
}

static void end_round(const struct run *run, struct shunt_carried_member *m)
{
    const struct shunt_schedule *s = &m->schedule;
    for (uint32_t i = s->round_first[m->round]; i < s->round_first[m->round + 1]; i++) {
        const struct shunt_step *step = &s->steps[i];
        if (step->recv_count == 0)
            continue;
        const struct shunt_carried_member *from = &run->carried->member[step->recv_from];
        const int64_t *block = from->block + from->schedule.steps[m->sender[i]].send_first;
        for (uint32_t b = 0; b < step->recv_count; b++)
            put(m, s->refs[step->recv_first + b], block[b]);
    }
    m->round++;
}

static void run_all(const struct run *run)
{
    for (bool progress = true; progress;) {
        progress = false;
        for (int p = 0; p < run->carried->members; p++) {
            struct shunt_carried_member *m = &run->carried->member[p];
            if (m->round >= m->schedule.round_count)
                continue;
            post_round(run, p);
            if (arrived(run, m)) {
                end_round(run, m);
                progress = true;
            }
        }
    }
}

/* The n-th message from a to b is the n-th that b receives from a. */
static int match(struct shunt_carried *carried)
{
    const size_t P = (size_t)carried->members;
    uint32_t *first = calloc(P * P, sizeof *first); /* step + 1; 0: none */
    if (!first)
        return -1;
    for (size_t a = 0; a < P; a++) {
        struct shunt_carried_member *m = &carried->member[a];
        for (uint32_t i = m->schedule.step_count; i-- > 0;) {
            if (m->schedule.steps[i].send_count == 0)
                continue;
            uint32_t *head = &first[a * P + (size_t)m->schedule.steps[i].send_to];
            m->next[i] = *head;
            *head = i + 1;
        }
    }
    for (size_t b = 0; b < P; b++) {
        struct shunt_carried_member *m = &carried->member[b];
        for (uint32_t i = 0; i < m->schedule.step_count; i++) {
            const struct shunt_step *step = &m->schedule.steps[i];
            if (step->recv_count == 0)
                continue;
            uint32_t *head = &first[(size_t)step->recv_from * P + b];
            m->sender[i] = *head - 1;
            *head = carried->member[step->recv_from].next[*head - 1];
        }
    }
    free(first);
    return 0;
}

static int begin_member(struct shunt_carried_member *m, size_t members)
{
    const struct shunt_schedule *s = &m->schedule;
    m->block = calloc(s->ref_count + 1, sizeof *m->block);
    m->sender = calloc((size_t)s->step_count + 1, sizeof *m->sender);
    m->next = calloc((size_t)s->step_count + 1, sizeof *m->next);
    m->place = calloc(s->slots + members, sizeof *m->place);
    return m->block && m->sender && m->next && m->place ? 0 : -1;
}

int shunt_carried_build(struct shunt_carried *carried, const struct shunt_algorithm *algorithm,
                        const struct shunt_layout *layout, const struct shunt_params *params)
{
    const bool nodes = algorithm->kind == SHUNT_KIND_SEGMENT;
    const struct run run = {carried, algorithm->kind == SHUNT_KIND_COLLECT};
    *carried = (struct shunt_carried){.members = nodes ? layout->nodes : layout->ranks};
    carried->member = calloc((size_t)carried->members, sizeof *carried->member);
    if (!carried->member)
        return -1;
    for (int p = 0; p < carried->members; p++) {
        struct shunt_carried_member *m = &carried->member[p];
        const int rank = nodes ? shunt_layout_rank(layout, p, 0) : p;
        if (algorithm->build(&m->schedule, layout, rank, params) ||
            begin_member(m, (size_t)carried->members))
            return -1;
        for (uint32_t i = 0; i < m->schedule.before_count; i++)
            put(m, m->schedule.before[i].to, take(&run, p, m->schedule.before[i].from, 0));
    }
    if (match(carried))
        return -1;
    run_all(&run);
    return 0;
}

void shunt_carried_clear(struct shunt_carried *carried)
{
    for (int p = 0; carried->member && p < carried->members; p++) {
        struct shunt_carried_member *m = &carried->member[p];
        shunt_schedule_clear(&m->schedule);
        free(m->block);
        free(m->sender);
        free(m->next);
        free(m->place);
    }
    free(carried->member);
    *carried = (struct shunt_carried){0};
}
