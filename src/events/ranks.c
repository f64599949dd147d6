/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks.c: events of exchanges by messages from rank to rank: direct.c, fused.c, forward.c
 * and datatype.c of src/execute. */
#include "algorithms/lengths.h"
#include "events/build.h"
#include "events/family.h"

/* How messages come about. */
enum manner {
    MANNER_DIRECT,  /* each is a block where it lies */
    MANNER_FUSED,   /* lengths go along, what arrives stays where it arrived */
    MANNER_SLOTS,   /* lengths go before, blocks wait in slots */
    MANNER_DATATYPE /* each is a datatype over its blocks */
};

struct exchange {
    struct shunt_events_build *build;
    const struct shunt_schedule *schedule;
    const struct shunt_events_pieces *pieces; /* FUSED: which blocks lie side by side */
    enum manner manner;
    bool uniform; /* no message says lengths: all blocks have one, or are padded to it */
    bool padded;
};

/* Bits and lengths of forwarded blocks, in as many bytes as the largest needs. */
static int64_t lengths_along(const struct exchange *e, uint32_t forwarded)
{
    const int width = shunt_length_width(e->build->call->block);
    return e->manner == MANNER_FUSED && !e->uniform && forwarded > 0
               ? (int64_t)shunt_length_bits(forwarded) + (int64_t)forwarded * width
               : 0;
}

/* A message of `blocks` blocks, of which `home` arrive with it. */
static void add_message(const struct exchange *e, enum shunt_event_kind kind, int peer,
                        uint32_t blocks, uint32_t home)
{
    const int64_t bytes = shunt_events_bytes(e->build, blocks);
    if (blocks > 0)
        shunt_events_add(e->build, kind, peer, blocks,
                         bytes < 0 ? bytes : bytes + lengths_along(e, blocks - home));
}

/* A message of lengths alone. */
static void add_lengths(const struct exchange *e, enum shunt_event_kind kind, int peer,
                        uint32_t blocks, bool final)
{
    if (blocks > 0 && !final)
        shunt_events_add(e->build, kind, peer, 0,
                         (int64_t)blocks * shunt_length_bytes(e->build->call->block));
}

/* The rank that is a peer of the step. */
static int peer_of(const struct exchange *e, int peer)
{
    const int ranks = e->build->layout->ranks, moved = peer + e->build->moved;
    return moved < ranks ? moved : moved - ranks;
}

static bool is_whole(const struct exchange *e, const struct shunt_events_piece *piece,
                     uint32_t count)
{
    return shunt_events_piece_whole(piece, count, e->build->moved_places,
                                    e->build->layout->ranks) &&
           (e->uniform || piece->kind == SHUNT_PIECES_SLOTS || count == 1);
}

/* fused.c: whether what a step sends lies in one piece already. Blocks of an Alltoall lie side by
 * side, those of an Alltoallv need not. */
static bool sent_in_place(const struct exchange *e, uint32_t i)
{
    const struct shunt_step *step = &e->schedule->steps[i];
    const bool told = !e->uniform && step->send_home < step->send_count;
    return !told && is_whole(e, &e->pieces->out[i], step->send_count);
}

/* fused.c: whether what a step receives lies in one piece where it belongs. */
static bool received_in_place(const struct exchange *e, uint32_t i)
{
    return is_whole(e, &e->pieces->in[i], e->schedule->steps[i].recv_count);
}

/* datatype.c: whether a block leaves the place where the same round receives another one. */
static bool sends_where_it_receives(const struct shunt_schedule *s, const struct shunt_step *step)
{
    for (uint32_t k = 0; k < step->send_count && k < step->recv_count; k++)
        if (s->refs[step->send_first + k] == s->refs[step->recv_first + k])
            return true;
    return false;
}

/* Blocks that are copied into the message of a step. */
static uint32_t packed(const struct exchange *e, uint32_t i)
{
    const struct shunt_step *step = &e->schedule->steps[i];
    bool lies = e->manner == MANNER_DIRECT;
    if (e->manner == MANNER_FUSED)
        lies = sent_in_place(e, i);
    else if (e->manner == MANNER_DATATYPE)
        lies = !sends_where_it_receives(e->schedule, step);
    else if (e->manner == MANNER_SLOTS && step->send_count == 1)
        lies = shunt_ref_is_slot(e->schedule->refs[step->send_first]) || !e->padded;
    return lies ? 0 : step->send_count;
}

/* And out of it: all of them into slots, otherwise those for this rank. */
static uint32_t unpacked(const struct exchange *e, uint32_t i)
{
    const struct shunt_step *step = &e->schedule->steps[i];
    if (e->manner == MANNER_FUSED)
        return received_in_place(e, i) ? 0 : step->recv_home;
    if (e->manner != MANNER_SLOTS)
        return 0;
    const bool lone = step->recv_count == 1 && !e->padded &&
                      !shunt_ref_is_slot(e->schedule->refs[step->recv_first]);
    return lone ? 0 : step->recv_count;
}

static void add_round(const struct exchange *e, uint32_t first, uint32_t last)
{
    const struct shunt_step *steps = e->schedule->steps;
    const bool told = e->manner == MANNER_SLOTS && !e->uniform;
    uint64_t arrived = 0;
    for (uint32_t i = first; told && i < last; i++)
        add_lengths(e, SHUNT_EVENT_LENGTHS_RECEIVE, peer_of(e, steps[i].recv_from),
                    steps[i].recv_count, steps[i].recv_final);
    for (uint32_t i = first; told && i < last; i++)
        add_lengths(e, SHUNT_EVENT_LENGTHS, peer_of(e, steps[i].send_to), steps[i].send_count,
                    steps[i].send_final);
    /* What leaves the places where blocks arrive is packed before these can be received. */
    for (uint32_t i = first; e->manner == MANNER_DATATYPE && i < last; i++)
        shunt_events_add_copy(e->build, SHUNT_EVENT_COPY, packed(e, i));
    for (uint32_t i = first; i < last; i++)
        add_message(e, SHUNT_EVENT_RECEIVE, peer_of(e, steps[i].recv_from), steps[i].recv_count,
                    steps[i].recv_home);
    for (uint32_t i = first; i < last; i++) {
        if (e->manner != MANNER_DATATYPE)
            shunt_events_add_copy(e->build, SHUNT_EVENT_COPY, packed(e, i));
        add_message(e, SHUNT_EVENT_SEND, peer_of(e, steps[i].send_to), steps[i].send_count,
                    steps[i].send_home);
        arrived += unpacked(e, i);
    }
    shunt_events_add_copy(e->build, SHUNT_EVENT_COPY, arrived);
}

static enum manner manner_of(const struct shunt_event_call *call)
{
    switch (call->algorithm->kind) {
    case SHUNT_KIND_DATATYPE:
        return MANNER_DATATYPE;
    case SHUNT_KIND_PADDED:
        return MANNER_SLOTS;
    case SHUNT_KIND_FORWARD:
        return call->block > shunt_algorithm_kept(call->algorithm, call->layout, call->params,
                                                  call->memory > 0 ? call->memory : INT64_MAX)
                   ? MANNER_SLOTS
                   : MANNER_FUSED;
    default:
        return MANNER_DIRECT;
    }
}

bool shunt_events_fused(const struct shunt_event_call *call)
{
    return manner_of(call) == MANNER_FUSED;
}

bool shunt_events_in_slots(const struct shunt_event_call *call)
{
    return manner_of(call) == MANNER_SLOTS;
}

bool shunt_events_typed(const struct shunt_event_call *call)
{
    return call->algorithm->kind == SHUNT_KIND_DATATYPE;
}

void shunt_events_between_ranks(struct shunt_events_build *b)
{
    const struct shunt_schedule *s = b->schedule;
    struct shunt_events_pieces pieces = {0};
    struct exchange e = {
        .build = b, .schedule = s, .pieces = b->pieces, .manner = manner_of(b->call)};
    e.padded = b->call->algorithm->kind == SHUNT_KIND_PADDED && b->call->op == SHUNT_OP_ALLTOALLV;
    e.uniform = e.padded || b->call->op == SHUNT_OP_ALLTOALL;
    if (e.manner == MANNER_FUSED && !e.pieces) {
        b->events->failed = shunt_events_pieces_make(&pieces, s) != 0;
        e.pieces = &pieces;
    }
    /* And the own block. */
    shunt_events_add_copy(b, SHUNT_EVENT_COPY, (uint64_t)s->before_count + 1);
    for (uint32_t k = 0; !b->events->failed && k < s->round_count; k++) {
        b->round = k;
        add_round(&e, s->round_first[k], s->round_first[k + 1]);
    }
    shunt_events_add_copy(b, SHUNT_EVENT_COPY, s->after_count);
    shunt_events_pieces_clear(&pieces);
}
