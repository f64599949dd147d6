/* SPDX-License-Identifier: BSD-3-Clause */
/* arena.c: packs the temporary blocks of a schedule so that they lie behind each other in messages.
 */
#include "schedule/arena.h"

#include <stdlib.h>
#include <string.h>

struct builder {
    struct shunt_arena *arena;
    const struct shunt_schedule *schedule;
    uint32_t *mark_of; /* array of slots: mark of the block in each */
    uint32_t run_count;
};

/* Appends a block to a list that began with run `first`. */
static void add_block(struct builder *b, uint32_t first, shunt_ref ref)
{
    struct shunt_run *next = &b->arena->runs[b->run_count];
    if (b->run_count > first && next[-1].first + next[-1].count == ref) {
        next[-1].count++;
        return;
    }
    *next = (struct shunt_run){ref, 1};
    b->run_count++;
}

static void list_sends(struct builder *b, const struct shunt_step *step, uint32_t from, uint32_t to)
{
    const uint32_t first = b->run_count;
    for (uint32_t i = from; i < to; i++) {
        const shunt_ref ref = b->schedule->refs[step->send_first + i];
        add_block(b, first,
                  shunt_ref_is_slot(ref) ? SHUNT_REF_SLOT | b->mark_of[shunt_ref_index(ref)] : ref);
    }
}

static void list_step(struct builder *b, uint32_t i)
{
    const struct shunt_step *step = &b->schedule->steps[i];
    uint32_t *list = &b->arena->list_first[(size_t)i * SHUNT_RUN_LISTS];
    list[SHUNT_RUNS_HOME] = b->run_count;
    list_sends(b, step, 0, step->send_home);
    list[SHUNT_RUNS_FORWARD] = b->run_count;
    list_sends(b, step, step->send_home, step->send_count);
    list[SHUNT_RUNS_ARRIVING] = b->run_count;
    for (uint32_t k = 0; k < step->recv_home; k++)
        add_block(b, list[SHUNT_RUNS_ARRIVING], b->schedule->refs[step->recv_first + k]);
    list[SHUNT_RUN_LISTS] = b->run_count;
}

/* Marks for what arrives in a step, one more than blocks: the end of a block is the beginning of
 * the next. */
static void mark_step(struct builder *b, uint32_t i)
{
    const struct shunt_step *step = &b->schedule->steps[i];
    b->arena->mark_first[i] = b->arena->mark_count;
    if (step->recv_home == step->recv_count)
        return;
    for (uint32_t k = step->recv_home; k < step->recv_count; k++)
        b->mark_of[shunt_ref_index(b->schedule->refs[step->recv_first + k])] =
            b->arena->mark_count++;
    b->arena->mark_count++;
}

/* Room: a round begins behind the last earlier message that has blocks to be passed on. */
static uint32_t count_blocks(const struct shunt_schedule *s)
{
    uint32_t kept = 0, most = 0;
    for (uint32_t k = 0; k < s->round_count; k++) {
        uint32_t here = kept;
        for (uint32_t i = s->round_first[k]; i < s->round_first[k + 1]; i++) {
            here += s->steps[i].recv_count;
            if (s->steps[i].recv_home < s->steps[i].recv_count)
                kept = here;
        }
        most = here > most ? here : most;
    }
    return most;
}

int shunt_arena_build(struct shunt_arena *arena, const struct shunt_schedule *schedule)
{
    struct builder b = {.arena = arena, .schedule = schedule};
    memset(arena, 0, sizeof *arena);
    arena->mark_first = calloc((size_t)schedule->step_count + 1, sizeof *arena->mark_first);
    arena->list_first =
        calloc((size_t)schedule->step_count * SHUNT_RUN_LISTS + 1, sizeof *arena->list_first);
    arena->runs = calloc(schedule->ref_count + 1, sizeof *arena->runs);
    b.mark_of = calloc((size_t)schedule->slots + 1, sizeof *b.mark_of);
    if (!arena->mark_first || !arena->list_first || !arena->runs || !b.mark_of) {
        free(b.mark_of);
        shunt_arena_clear(arena);
        return -1;
    }
    for (uint32_t k = 0; k < schedule->round_count; k++) {
        for (uint32_t i = schedule->round_first[k]; i < schedule->round_first[k + 1]; i++)
            list_step(&b, i);
        for (uint32_t i = schedule->round_first[k]; i < schedule->round_first[k + 1]; i++)
            mark_step(&b, i);
    }
    arena->blocks = count_blocks(schedule);
    free(b.mark_of);
    struct shunt_run *exact = realloc(arena->runs, ((size_t)b.run_count + 1) * sizeof *exact);
    arena->runs = exact ? exact : arena->runs;
    return 0;
}

void shunt_arena_clear(struct shunt_arena *arena)
{
    free(arena->mark_first);
    free(arena->list_first);
    free(arena->runs);
    memset(arena, 0, sizeof *arena);
}
