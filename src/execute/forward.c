/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * forward.c: executes schedules in which messages carry several blocks and ranks pass blocks on, as
 * the papers describe it.
 *
 * Idea: each round gathers the blocks of each step into one message, exchanges and scatters. Where
 * a receiver cannot know the lengths, they go in a message of their own before the data
 * (two-phase), in 4 bytes each where that is enough for the largest block, and a block on its way
 * waits in a slot as large as the largest block. All blocks of Alltoall have one length, and final
 * messages bring blocks to ranks that know theirs, so those need none. A message of one block goes
 * from where it lies to where it belongs, if that is plain memory: with r = P that is the direct
 * exchange. Padded blocks all have the largest length too: their real ones are known at both ends.
 * Copies before the first and after the last round (rotations, scans) are made here as well. Cost:
 * two messages per step with blocks to be passed on; each of their bytes is copied twice per hop.
 * Use: rows marked in_slots, and metadata "separate": to measure the algorithms as published; and
 * where the memory cap leaves no room for fused.c, which is faster. Source: Fan 2022 (two-phase,
 * padded, rotations), Fan 2025 section 3 (titles in rows.c).
 *
 * Correctness of lengths: Alltoallv gets here only after an agreement whose checksum proves that
 * what each rank sends is what its partner expects, and x->block bounds every block, so no message
 * or slot can be larger than its room.
 */
#include <string.h>

#include "comm/wait.h"
#include "execute/blocks.h"
#include "execute/forward_state.h"
#include "execute/messages.h"

struct run {
    struct shunt_messages messages;
    struct shunt_exchange *x;
    struct shunt_plan *plan;
    const struct shunt_schedule *schedule;
    int64_t *slot_bytes;    /* array of slots: length of the block in each */
    char *slots, *out, *in; /* regions of the scratch */
    char *out_lengths, *in_lengths;
    uint32_t width; /* bytes of a length, if any are sent; equal on all ranks */
    bool uniform;   /* all blocks are sent with x->block bytes */
    bool padded;    /* though they may have less */
};

static void layout_scratch(struct run *run)
{
    const struct shunt_schedule *s = run->schedule;
    const int64_t block = run->x->block;
    run->width = run->uniform ? 0 : (uint32_t)shunt_length_bytes(block);
    run->out_lengths = run->x->comm->buffers.scratch;
    run->in_lengths = run->out_lengths + (size_t)s->max_round_send * run->width;
    run->slots = run->in_lengths + (size_t)s->max_round_recv * run->width;
    run->out = run->slots + (int64_t)s->slots * block;
    run->in = run->out + (int64_t)s->max_round_send * block;
}

static void put_length(const struct run *run, char *lengths, uint32_t b, int64_t bytes)
{
    const uint32_t few = (uint32_t)bytes;
    if (run->width == sizeof few)
        memcpy(lengths + b * sizeof few, &few, sizeof few);
    else
        memcpy(lengths + b * sizeof bytes, &bytes, sizeof bytes);
}

static int64_t take_length(const struct run *run, const char *lengths, uint32_t b)
{
    uint32_t few;
    int64_t bytes;
    if (run->width == sizeof few)
        return memcpy(&few, lengths + b * sizeof few, sizeof few), few;
    return memcpy(&bytes, lengths + b * sizeof bytes, sizeof bytes), bytes;
}

/* Bytes of the block at a place that is about to be sent. */
static int64_t source_bytes(const struct run *run, shunt_ref ref)
{
    if (run->uniform)
        return run->x->block;
    return shunt_ref_is_slot(ref) ? run->slot_bytes[shunt_ref_index(ref)]
                                  : shunt_send_bytes(run->x, (int)shunt_ref_index(ref));
}

/* Metadata phase: the lengths of all blocks in messages that are not final. */
static void exchange_lengths(struct run *run, uint32_t first, uint32_t last)
{
    const struct shunt_schedule *s = run->schedule;
    char *in = run->in_lengths, *out = run->out_lengths;
    for (uint32_t i = first; i < last; i++) {
        const struct shunt_step *step = &s->steps[i];
        const int64_t bytes = (int64_t)step->recv_count * run->width;
        if (step->recv_count > 0 && !step->recv_final)
            shunt_messages_post(&run->messages, true, in, bytes, step->recv_from,
                                SHUNT_TAG_LENGTHS);
        in += bytes;
    }
    for (uint32_t i = first; i < last; i++) {
        const struct shunt_step *step = &s->steps[i];
        const int64_t bytes = (int64_t)step->send_count * run->width;
        if (step->send_count > 0 && !step->send_final) {
            for (uint32_t b = 0; b < step->send_count; b++)
                put_length(run, out, b, source_bytes(run, s->refs[step->send_first + b]));
            shunt_messages_post(&run->messages, false, out, bytes, step->send_to,
                                SHUNT_TAG_LENGTHS);
        }
        out += bytes;
    }
    if (shunt_messages_wait(&run->messages) != MPI_SUCCESS || run->x->comm->broken) {
        run->x->comm->broken = true; /* what is sent to this rank now, nobody receives */
        memset(run->in_lengths, 0, (size_t)(in - run->in_lengths) * sizeof *in);
    }
}

/* Bytes of one block of an incoming message. `lengths`: those received for its step. */
static int64_t arriving_bytes(const struct run *run, const struct shunt_step *step, uint32_t b,
                              const char *lengths)
{
    if (run->uniform)
        return run->x->block;
    return step->recv_final
               ? shunt_recv_bytes(run->x,
                                  (int)shunt_ref_index(run->schedule->refs[step->recv_first + b]))
               : take_length(run, lengths, b);
}

static int64_t message_bytes(const struct run *run, const struct shunt_step *step,
                             const char *lengths)
{
    if (run->uniform)
        return (int64_t)step->recv_count * run->x->block;
    int64_t total = 0;
    for (uint32_t b = 0; b < step->recv_count; b++)
        total += arriving_bytes(run, step, b, lengths);
    return total;
}

/* The peer whose block is all that a message brings, if it can be received where it belongs; -1: it
 * cannot. */
static int lone_block(const struct run *run, const struct shunt_step *step)
{
    if (step->recv_count != 1 || run->padded || !run->x->recv.plain || !run->x->matched)
        return -1;
    const shunt_ref ref = run->schedule->refs[step->recv_first];
    return shunt_ref_is_slot(ref) ? -1 : (int)shunt_ref_index(ref);
}

static void post_receives(struct run *run, uint32_t first, uint32_t last)
{
    const char *lengths = run->in_lengths;
    char *in = run->in;
    for (uint32_t i = first; i < last; i++) {
        const struct shunt_step *step = &run->schedule->steps[i];
        if (step->recv_count == 0)
            continue;
        const int64_t bytes = message_bytes(run, step, lengths);
        const int peer = lone_block(run, step);
        char *to = peer < 0 ? in : shunt_side_address(run->x, &run->x->recv, peer);
        shunt_messages_post(&run->messages, true, to, bytes, step->recv_from, SHUNT_TAG_DATA);
        in += peer < 0 ? bytes : 0;
        lengths += (size_t)step->recv_count * run->width;
    }
}

/* Appends the block at `ref` to a message. Padding is written, so that no rank sends what its
 * memory held before. */
static char *gather(struct run *run, shunt_ref ref, char *out)
{
    const int64_t bytes = source_bytes(run, ref);
    const uint32_t index = shunt_ref_index(ref);
    shunt_trace_copy(SHUNT_EVENT_COPY, 1, bytes);
    if (shunt_ref_is_slot(ref)) {
        memcpy(out, run->slots + (int64_t)index * run->x->block, (size_t)bytes);
        return out + bytes;
    }
    shunt_messages_break(&run->messages, shunt_block_read(run->x, (int)index, out));
    if (run->padded) {
        const int64_t real = shunt_send_bytes(run->x, (int)index);
        memset(out + real, 0, (size_t)(bytes - real));
    }
    return out + bytes;
}

/* Whether a message is one block that can be sent as it lies, and where. Slots hold what they have
 * until a round's messages are out. */
static bool lone_message(const struct run *run, const struct shunt_step *step, void **message)
{
    if (step->send_count != 1)
        return false;
    const shunt_ref ref = run->schedule->refs[step->send_first];
    const uint32_t index = shunt_ref_index(ref);
    if (shunt_ref_is_slot(ref))
        *message = run->slots + (int64_t)index * run->x->block;
    else
        *message = shunt_side_address(run->x, &run->x->send, (int)index);
    return shunt_ref_is_slot(ref) || (run->x->send.plain && !run->padded);
}

static void send_messages(struct run *run, uint32_t first, uint32_t last)
{
    const struct shunt_schedule *s = run->schedule;
    char *out = run->out;
    for (uint32_t i = first; i < last; i++) {
        const struct shunt_step *step = &s->steps[i];
        void *message;
        if (lone_message(run, step, &message)) {
            shunt_messages_send(&run->messages, message,
                                source_bytes(run, s->refs[step->send_first]), step->send_to);
            continue;
        }
        char *start = out;
        for (uint32_t b = 0; b < step->send_count; b++)
            out = gather(run, s->refs[step->send_first + b], out);
        shunt_messages_send(&run->messages, start, out - start, step->send_to);
    }
}

/* Stores what arrived: at the user's, or in a slot until it is sent on. */
static void scatter(struct run *run, uint32_t first, uint32_t last)
{
    const struct shunt_schedule *s = run->schedule;
    const char *lengths = run->in_lengths, *in = run->in;
    for (uint32_t i = first; i < last; i++) {
        const struct shunt_step *step = &s->steps[i];
        const bool there = lone_block(run, step) >= 0;
        for (uint32_t b = 0; !there && b < step->recv_count; b++) {
            const shunt_ref ref = s->refs[step->recv_first + b];
            const uint32_t index = shunt_ref_index(ref);
            const int64_t bytes = arriving_bytes(run, step, b, lengths);
            shunt_trace_copy(SHUNT_EVENT_COPY, 1, bytes);
            if (shunt_ref_is_slot(ref)) {
                run->slot_bytes[index] = bytes;
                memcpy(run->slots + (int64_t)index * run->x->block, in, (size_t)bytes);
            } else {
                shunt_messages_keep(
                    &run->messages,
                    shunt_block_write(run->x, (int)index, in,
                                      run->padded ? shunt_recv_bytes(run->x, (int)index) : bytes));
            }
            in += bytes;
        }
        lengths += (size_t)step->recv_count * run->width;
    }
}

/* Rotations and scans: blocks moved within the rank, before the first or after the last round. */
static void copy_blocks(struct run *run, const struct shunt_copy *copies, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct shunt_copy copy = copies[i];
        const uint32_t from = shunt_ref_index(copy.from), to = shunt_ref_index(copy.to);
        const int64_t bytes = source_bytes(run, copy.from);
        shunt_trace_copy(SHUNT_EVENT_COPY, 1, bytes);
        if (shunt_ref_is_slot(copy.from)) {
            shunt_messages_keep(&run->messages,
                                shunt_block_write(run->x, (int)to,
                                                  run->slots + (int64_t)from * run->x->block,
                                                  bytes));
        } else {
            run->slot_bytes[to] = bytes;
            shunt_messages_break(
                &run->messages,
                shunt_block_read(run->x, (int)from, run->slots + (int64_t)to * run->x->block));
        }
    }
}

static void run_round(struct run *run, uint32_t first, uint32_t last)
{
    const struct shunt_comm *comm = run->x->comm;
    if (!run->uniform) {
        shunt_phase(comm, SHUNT_PHASE_METADATA);
        exchange_lengths(run, first, last);
    }
    if (comm->diag.stopwatch)
        shunt_phase(comm, shunt_messages_gathering(&run->messages, first, last));
    post_receives(run, first, last);
    send_messages(run, first, last);
    if (comm->diag.stopwatch)
        shunt_phase(comm, shunt_messages_phase(&run->messages, first, last));
    shunt_messages_wait(&run->messages);
    shunt_phase(comm, SHUNT_PHASE_COPY);
    scatter(run, first, last);
}

int shunt_forward_run(struct shunt_exchange *x, struct shunt_plan *plan)
{
    const bool padded =
        plan->entry.key.algorithm->kind == SHUNT_KIND_PADDED && x->op == SHUNT_OP_ALLTOALLV;
    struct run run = {.x = x,
                      .plan = plan,
                      .schedule = &plan->schedule,
                      .slot_bytes = shunt_forward_state(plan)->slot_bytes,
                      .uniform = padded || x->op == SHUNT_OP_ALLTOALL,
                      .padded = padded};
    shunt_messages_begin(&run.messages, x->comm, plan);
    shunt_phase(x->comm, SHUNT_PHASE_PREPARE);
    if (x->in_place)
        shunt_messages_break(&run.messages, shunt_stage_in_place(x));
    layout_scratch(&run);
    shunt_messages_keep(&run.messages, shunt_block_self(x));
    copy_blocks(&run, plan->schedule.before, plan->schedule.before_count);
    for (uint32_t k = 0; k < plan->schedule.round_count; k++) {
        x->comm->diag.round = k;
        run_round(&run, plan->schedule.round_first[k], plan->schedule.round_first[k + 1]);
    }
    if (plan->schedule.after_count > 0) {
        shunt_phase(x->comm, SHUNT_PHASE_REARRANGE);
        copy_blocks(&run, plan->schedule.after, plan->schedule.after_count);
    }
    shunt_phase(x->comm, SHUNT_PHASE_OTHER);
    return run.messages.status;
}
