/* SPDX-License-Identifier: BSD-3-Clause */
/* pieces.c: which messages lie in one piece already where they are sent from, or are to be
 * received in one piece where they belong. */
#include <stdlib.h>

#include "events/build.h"
#include "schedule/arena.h"

/* Blocks of the user, each of the rank behind the one before, modulo the number of ranks. */
static bool follow(const struct shunt_schedule *s, uint32_t first, uint32_t count)
{
    for (uint32_t i = first; i < first + count; i++) {
        if (shunt_ref_is_slot(s->refs[i]) || shunt_ref_is_store(s->refs[i]))
            return false;
        const uint32_t next = s->refs[i] + 1;
        if (i + 1 < first + count && s->refs[i + 1] != (next < (uint32_t)s->ranks ? next : 0))
            return false;
    }
    return count > 0;
}

static struct shunt_events_piece user_piece(const struct shunt_schedule *s, uint32_t first)
{
    return (struct shunt_events_piece){SHUNT_PIECES_USER, s->refs[first]};
}

/* What arrives to stay and what is passed on are listed apart. */
static struct shunt_events_piece piece_out(const struct shunt_schedule *s,
                                           const struct shunt_arena *arena, uint32_t i)
{
    const struct shunt_step *step = &s->steps[i];
    const uint32_t *list = &arena->list_first[(size_t)i * SHUNT_RUN_LISTS];
    const uint32_t run = list[SHUNT_RUNS_HOME], runs = list[SHUNT_RUNS_ARRIVING] - run;
    const bool listed_once = step->send_home == 0 || step->send_home == step->send_count;
    if (listed_once && follow(s, step->send_first, step->send_count))
        return user_piece(s, step->send_first);
    return (struct shunt_events_piece){runs == 1 && shunt_ref_is_slot(arena->runs[run].first)
                                           ? SHUNT_PIECES_SLOTS
                                           : SHUNT_PIECES_SEVERAL,
                                       0};
}

static struct shunt_events_piece piece_in(const struct shunt_schedule *s, uint32_t i)
{
    const struct shunt_step *step = &s->steps[i];
    if (step->recv_home == step->recv_count && follow(s, step->recv_first, step->recv_count))
        return user_piece(s, step->recv_first);
    return (struct shunt_events_piece){SHUNT_PIECES_SEVERAL, 0};
}

int shunt_events_pieces_make(struct shunt_events_pieces *pieces,
                             const struct shunt_schedule *schedule)
{
    const size_t room = (size_t)schedule->step_count + 1;
    struct shunt_arena arena;
    pieces->out = calloc(room, sizeof *pieces->out);
    pieces->in = calloc(room, sizeof *pieces->in);
    if (!pieces->out || !pieces->in || shunt_arena_build(&arena, schedule))
        return -1;
    for (uint32_t i = 0; i < schedule->step_count; i++) {
        pieces->out[i] = piece_out(schedule, &arena, i);
        pieces->in[i] = piece_in(schedule, i);
    }
    shunt_arena_clear(&arena);
    return 0;
}

void shunt_events_pieces_clear(struct shunt_events_pieces *pieces)
{
    free(pieces->out);
    free(pieces->in);
    *pieces = (struct shunt_events_pieces){0};
}

bool shunt_events_piece_whole(const struct shunt_events_piece *piece, uint32_t count, int moved,
                              int ranks)
{
    const uint32_t all = (uint32_t)ranks, sum = piece->first + (uint32_t)moved,
                   first = sum < all ? sum : sum - all;
    return piece->kind == SHUNT_PIECES_SLOTS ||
           (piece->kind == SHUNT_PIECES_USER && count <= all - first);
}
