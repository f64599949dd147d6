/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fused.c: executes schedules in which ranks pass blocks on, with one message per step and without
 * slots.
 *
 * Idea: what forward.c does as published, without its overheads. Lengths go in front of the
 * data they belong to, and a received message stays where it arrived: a block that is passed on is
 * copied once, from there into the next message (schedule/arena.h). A message is: a bit that says
 * that its sender has failed (then lengths are all that follows); one bit per forwarded block, set
 * if it is not empty; the lengths of those that are not, in as many bytes as the largest block of
 * the call needs; the arriving blocks, whose lengths their receiver knows; the forwarded blocks.
 * Messages of arriving blocks alone, and all messages of Alltoall, need no lengths; if they are in
 * one piece, they are not copied at all, and if they are empty, not sent. Cost: one message per
 * step instead of two; each byte copied once per hop instead of twice; an empty forwarded block
 * costs one bit. Memory: kept messages lie one after the other, as long as they are. The room for
 * the largest case is more than that of tight slots; what is touched of it grows with the data.
 * Use: always, unless the algorithms are to be measured as published, or the largest case could
 * touch more than the memory cap. Source: the schedules are those of the rows; one message instead
 * of two and no slots are ours.
 *
 * Correctness of lengths: as in forward.c. A receive is posted for the largest message that may
 * come; one that may be over SHUNT_MESSAGE_MAX is posted up to there, and when its lengths have
 * arrived, the rest.
 */
#include <string.h>

#include "algorithms/lengths.h"
#include "comm/wait.h"
#include "execute/blocks.h"
#include "execute/forward_state.h"
#include "execute/messages.h"

struct run {
    struct shunt_messages messages;
    const struct shunt_exchange *x;
    const struct shunt_schedule *schedule;
    const struct shunt_arena *arena;
    char **marks;   /* as in schedule/arena.h */
    char **landing; /* array of steps in a round: where each message arrives; NULL: nowhere, or in
                       the user's buffer */
    char *begin;    /* where the messages of a round arrive */
    char *out;      /* where they are put together */
    int64_t block;
    int width; /* bytes of a length */
    bool uniform;
    bool send_plain, recv_plain; /* memory may be copied; uniform: and blocks lie side by side */
    bool cut; /* a receive of the round was posted for the beginning of its message only */
};

/* Blocks are often a few bytes long, for which a call takes longer than the copying. */
static inline void copy(char *to, const char *from, size_t bytes)
{
    if (bytes > 32) {
        memcpy(to, from, bytes);
    } else if (bytes >= 16) {
        memcpy(to, from, 16);
        memcpy(to + bytes - 16, from + bytes - 16, 16);
    } else if (bytes >= 8) {
        memcpy(to, from, 8);
        memcpy(to + bytes - 8, from + bytes - 8, 8);
    } else if (bytes >= 4) {
        memcpy(to, from, 4);
        memcpy(to + bytes - 4, from + bytes - 4, 4);
    } else {
        for (size_t i = 0; i < bytes; i++)
            to[i] = from[i];
    }
}

static inline int64_t bytes_to(const struct run *run, int peer)
{
    return run->uniform ? run->block
                        : shunt_side_count(run->x, &run->x->send, peer) * run->x->send.size;
}

static inline int64_t bytes_from(const struct run *run, int peer)
{
    return run->uniform ? run->block
                        : shunt_side_count(run->x, &run->x->recv, peer) * run->x->recv.size;
}

/* Bits and lengths of the forwarded blocks of a message. */
static char *put_lengths(const struct run *run, const struct shunt_run *r,
                         const struct shunt_run *end, uint32_t blocks, char *out)
{
    uint8_t *bits = (uint8_t *)out;
    char *at = out + shunt_length_bits(blocks);
    unsigned collected = 0, bit = SHUNT_LENGTH_FAILED << 1;
    for (; r < end; r++) {
        const uint32_t index = shunt_ref_index(r->first);
        const bool marked = shunt_ref_is_slot(r->first);
        for (uint32_t k = index; k < index + r->count; k++) {
            const int64_t bytes =
                marked ? run->marks[k + 1] - run->marks[k] : bytes_to(run, (int)k);
            if (bytes > 0) {
                at = shunt_length_put(at, bytes, run->width);
                collected |= bit;
            }
            bit <<= 1;
            if (bit == 256) {
                *bits++ = (uint8_t)collected;
                collected = 0;
                bit = 1;
            }
        }
    }
    if (bit > 1)
        *bits = (uint8_t)collected;
    return at;
}

/* Bytes of bits and lengths. */
static size_t lengths_bytes(const struct run *run, const char *header, uint32_t blocks)
{
    const size_t bytes = shunt_length_bits(blocks);
    size_t filled = 0;
    for (size_t i = 0; i < bytes; i++)
        filled += (size_t)__builtin_popcount(*(const uint8_t *)(header + i));
    filled -= (size_t)(*header & SHUNT_LENGTH_FAILED);
    return bytes + filled * (size_t)run->width;
}

/* Sets the marks of the forwarded blocks of a message, which begin at `at`. Returns their end. */
static char *take_lengths(const struct run *run, const char *header, uint32_t blocks, char **mark,
                          char *at)
{
    const uint8_t *bits = (const uint8_t *)header;
    const char *lengths = header + shunt_length_bits(blocks);
    unsigned left = *bits++;
    for (uint32_t b = 0; b < blocks; b++) {
        left = (b + 1) % 8 == 0 ? *bits++ : left >> 1;
        mark[b] = at;
        if (left & 1) {
            at += shunt_length_take(lengths, run->width);
            lengths += run->width;
        }
    }
    mark[blocks] = at;
    return at;
}

static char *gather_user(struct run *run, uint32_t first, uint32_t count, char *out)
{
    const struct shunt_exchange *x = run->x;
    if (run->uniform && run->send_plain) {
        copy(out, shunt_side_address(x, &x->send, (int)first), (size_t)(count * run->block));
        return out + count * run->block;
    }
    for (uint32_t peer = first; peer < first + count; peer++) {
        const int64_t bytes = bytes_to(run, (int)peer);
        if (run->send_plain)
            copy(out, shunt_side_address(x, &x->send, (int)peer), (size_t)bytes);
        else
            shunt_messages_break(&run->messages, shunt_block_read(x, (int)peer, out));
        out += bytes;
    }
    return out;
}

static char *gather(struct run *run, const struct shunt_run *r, const struct shunt_run *end,
                    char *out)
{
    for (; r < end; r++) {
        const uint32_t index = shunt_ref_index(r->first);
        if (shunt_ref_is_slot(r->first)) {
            const size_t bytes = (size_t)(run->marks[index + r->count] - run->marks[index]);
            copy(out, run->marks[index], bytes);
            out += bytes;
        } else {
            out = gather_user(run, index, r->count, out);
        }
    }
    return out;
}

/* The data of a run, if they are in one piece as they lie. */
static void *in_place(const struct run *run, const struct shunt_run *r, int64_t *bytes)
{
    const uint32_t index = shunt_ref_index(r->first);
    if (shunt_ref_is_slot(r->first)) {
        *bytes = run->marks[index + r->count] - run->marks[index];
        return run->marks[index];
    }
    if (!run->send_plain || (r->count > 1 && !run->uniform))
        return NULL;
    *bytes = r->count * bytes_to(run, (int)index);
    return shunt_side_address(run->x, &run->x->send, (int)index);
}

/* A message with lengths; `data` lie behind them. After a failure the lengths go alone: they tell
 * what can be expected of whom. */
static void send_told(struct run *run, char *start, char *data, char *end, int peer)
{
    if (run->messages.broken) {
        *start |= SHUNT_LENGTH_FAILED;
        end = data;
    }
    shunt_messages_post(&run->messages, false, start, end - start, peer, SHUNT_TAG_DATA);
}

static void send_messages(struct run *run, uint32_t first, uint32_t last)
{
    char *out = run->out;
    for (uint32_t i = first; i < last; i++) {
        const struct shunt_step *step = &run->schedule->steps[i];
        const uint32_t *list = &run->arena->list_first[(size_t)i * SHUNT_RUN_LISTS];
        const struct shunt_run *runs = run->arena->runs, *r = runs + list[SHUNT_RUNS_HOME],
                               *end = runs + list[SHUNT_RUNS_ARRIVING];
        int64_t bytes = 0;
        if (!run->uniform && step->send_home < step->send_count) {
            char *start = out, *data = put_lengths(run, runs + list[SHUNT_RUNS_FORWARD], end,
                                                   step->send_count - step->send_home, out);
            out = gather(run, r, end, data);
            shunt_trace_copy(SHUNT_EVENT_COPY, step->send_count, out - data);
            send_told(run, start, data, out, step->send_to);
            continue;
        }
        void *piece = end - r == 1 ? in_place(run, r, &bytes) : NULL;
        if (!piece) {
            piece = out;
            out = gather(run, r, end, out);
            bytes = out - (char *)piece;
            shunt_trace_copy(SHUNT_EVENT_COPY, step->send_count, bytes);
        }
        shunt_messages_send(&run->messages, piece, bytes, step->send_to);
    }
}

/* Bytes of the arriving blocks of a message. */
static int64_t home_bytes(const struct run *run, const struct shunt_step *step)
{
    if (run->uniform)
        return step->recv_home * run->block;
    int64_t bytes = 0;
    for (uint32_t b = 0; b < step->recv_home; b++)
        bytes += bytes_from(run, (int)shunt_ref_index(run->schedule->refs[step->recv_first + b]));
    return bytes;
}

/* Most bytes of bits, lengths and data of the forwarded blocks of a message. */
static int64_t forward_bytes(const struct run *run, uint32_t blocks)
{
    return blocks * run->block + (run->uniform || blocks == 0 ? 0
                                                              : (int64_t)shunt_length_bits(blocks) +
                                                                    (int64_t)blocks * run->width);
}

/* Whether a message is nothing but data that lie side by side in the user's buffer. */
static bool for_user(const struct run *run, uint32_t i)
{
    const uint32_t *list = &run->arena->list_first[(size_t)i * SHUNT_RUN_LISTS];
    const struct shunt_step *step = &run->schedule->steps[i];
    return run->recv_plain && step->recv_home == step->recv_count &&
           (run->uniform || step->recv_count == 1) &&
           list[SHUNT_RUN_LISTS] - list[SHUNT_RUNS_ARRIVING] == 1;
}

/* What stands where a message with lengths is to arrive, should it not come: a failure, and nothing
 * else. */
static void expect_nothing(char *header, uint32_t blocks)
{
    memset(header, 0, shunt_length_bits(blocks));
    *header = SHUNT_LENGTH_FAILED;
}

static void post_receives(struct run *run, uint32_t first, uint32_t last)
{
    char *at = run->begin;
    for (uint32_t i = first; i < last; i++) {
        const struct shunt_step *step = &run->schedule->steps[i];
        const uint32_t forwarded = step->recv_count - step->recv_home;
        int64_t bytes = home_bytes(run, step) + forward_bytes(run, forwarded);
        run->landing[i - first] = NULL;
        if (bytes == 0)
            continue;
        if (for_user(run, i)) {
            const int peer = (int)shunt_ref_index(run->schedule->refs[step->recv_first]);
            shunt_messages_post(&run->messages, true,
                                shunt_side_address(run->x, &run->x->recv, peer), bytes,
                                step->recv_from, SHUNT_TAG_DATA);
            continue;
        }
        run->landing[i - first] = at;
        at += bytes;
        if (forwarded > 0 && !run->uniform) {
            expect_nothing(run->landing[i - first], forwarded);
            run->cut |= bytes > SHUNT_MESSAGE_MAX;
            bytes = bytes < SHUNT_MESSAGE_MAX ? bytes : SHUNT_MESSAGE_MAX;
        }
        shunt_messages_post(&run->messages, true, run->landing[i - first], bytes, step->recv_from,
                            SHUNT_TAG_DATA);
    }
}

/*
 * The rest of messages whose beginning has arrived, with their lengths (a gigabyte of them is more
 * than there can be ranks). Only receives are waited for before: what is sent may be the rest that
 * another rank waits for.
 */
static void receive_rest(struct run *run, uint32_t first, uint32_t last, int receives)
{
    struct shunt_plan *plan = run->messages.plan;
    shunt_messages_break(&run->messages, shunt_wait_all(run->messages.comm, receives,
                                                        plan->requests, plan->peers, plan->full));
    for (uint32_t i = first; i < last; i++) {
        const struct shunt_step *step = &run->schedule->steps[i];
        const uint32_t forwarded = step->recv_count - step->recv_home;
        char *at = run->landing[i - first];
        if (!at || forwarded == 0 || *at & SHUNT_LENGTH_FAILED || run->messages.comm->broken)
            continue;
        char *data = at + lengths_bytes(run, at, forwarded);
        char *end = take_lengths(run, at, forwarded, run->marks + run->arena->mark_first[i], data) +
                    home_bytes(run, step);
        if (end - at > SHUNT_MESSAGE_MAX)
            shunt_messages_post(&run->messages, true, at + SHUNT_MESSAGE_MAX,
                                end - at - SHUNT_MESSAGE_MAX, step->recv_from, SHUNT_TAG_DATA);
    }
    run->cut = false;
}

/* Stores the arriving blocks of a message. Returns their end. */
static char *store_home(struct run *run, uint32_t i, char *at)
{
    const struct shunt_exchange *x = run->x;
    const uint32_t *list = &run->arena->list_first[(size_t)i * SHUNT_RUN_LISTS];
    const struct shunt_run *r = run->arena->runs + list[SHUNT_RUNS_ARRIVING],
                           *end = run->arena->runs + list[SHUNT_RUN_LISTS];
    for (; r < end; r++) {
        if (run->uniform && run->recv_plain) {
            const int64_t bytes = r->count * run->block;
            shunt_trace_copy(SHUNT_EVENT_COPY, r->count, bytes);
            copy(shunt_side_address(x, &x->recv, (int)r->first), at, (size_t)bytes);
            at += bytes;
            continue;
        }
        for (uint32_t peer = r->first; peer < r->first + r->count; peer++) {
            const int64_t bytes = bytes_from(run, (int)peer);
            shunt_trace_copy(SHUNT_EVENT_COPY, 1, bytes);
            if (run->recv_plain)
                copy(shunt_side_address(x, &x->recv, (int)peer), at, (size_t)bytes);
            else
                shunt_messages_keep(&run->messages, shunt_block_write(x, (int)peer, at, bytes));
            at += bytes;
        }
    }
    return at;
}

/*
 * Looks for a failure in the lengths of a message. If they have not come at all, it is not known
 * what else may come: messages that nobody receives here would be taken for those of a later call.
 */
static void look_for_failure(struct run *run, char *header, uint32_t blocks, bool complete)
{
    if (run->messages.comm->broken)
        expect_nothing(header, blocks);
    if ((*header & SHUNT_LENGTH_FAILED) == 0)
        return;
    shunt_messages_break(&run->messages, MPI_ERR_OTHER);
    if (!complete && lengths_bytes(run, header, blocks) == shunt_length_bits(blocks))
        run->messages.comm->broken = true;
}

/* Takes what arrived: blocks for this rank to the user, the others are marked where they are.
 * complete: all messages have come. */
static void take_messages(struct run *run, uint32_t first, uint32_t last, bool complete)
{
    for (uint32_t i = first; i < last; i++) {
        const struct shunt_step *step = &run->schedule->steps[i];
        const uint32_t forwarded = step->recv_count - step->recv_home;
        char *at = run->landing[i - first], *header = at;
        if (!at)
            continue;
        if (forwarded > 0 && !run->uniform) {
            look_for_failure(run, header, forwarded, complete);
            at += lengths_bytes(run, header, forwarded);
        }
        at = run->messages.broken ? at + home_bytes(run, step) : store_home(run, i, at);
        if (forwarded == 0)
            continue;
        char **mark = run->marks + run->arena->mark_first[i];
        if (run->uniform) {
            for (uint32_t b = 0; b <= forwarded; b++)
                mark[b] = at + b * run->block;
            run->begin = mark[forwarded];
        } else {
            run->begin = take_lengths(run, header, forwarded, mark, at);
        }
    }
}

static void run_round(struct run *run, uint32_t first, uint32_t last)
{
    const struct shunt_comm *comm = run->x->comm;
    if (comm->diag.stopwatch)
        shunt_phase(comm, shunt_messages_gathering(&run->messages, first, last));
    post_receives(run, first, last);
    const int receives = run->messages.requests;
    send_messages(run, first, last);
    if (comm->diag.stopwatch)
        shunt_phase(comm, shunt_messages_phase(&run->messages, first, last));
    if (run->cut)
        receive_rest(run, first, last, receives);
    const bool complete =
        shunt_messages_wait(&run->messages) == MPI_SUCCESS && !run->messages.broken;
    shunt_phase(comm, SHUNT_PHASE_COPY);
    take_messages(run, first, last, complete);
}

static struct run begin(const struct shunt_exchange *x, struct shunt_plan *plan)
{
    const bool uniform = x->op == SHUNT_OP_ALLTOALL;
    const struct shunt_forward_state *state = shunt_forward_state(plan);
    return (struct run){
        .x = x,
        .schedule = &plan->schedule,
        .arena = &state->arena,
        .marks = state->marks,
        .landing = state->landing,
        .begin = x->comm->buffers.scratch,
        .out = (char *)x->comm->buffers.scratch +
               state->arena.blocks * (x->block + SHUNT_LENGTH_FUSED),
        .block = x->block,
        .width = shunt_length_width(x->block),
        .uniform = uniform,
        .send_plain = x->send.plain,
        .recv_plain = x->recv.plain && (!uniform || shunt_recv_bytes(x, 0) == x->block),
    };
}

int shunt_fused_run(struct shunt_exchange *x, struct shunt_plan *plan)
{
    shunt_phase(x->comm, SHUNT_PHASE_PREPARE);
    const int staged = x->in_place ? shunt_stage_in_place(x) : MPI_SUCCESS;
    struct run run = begin(x, plan);
    shunt_messages_begin(&run.messages, x->comm, plan);
    shunt_messages_break(&run.messages, staged);
    shunt_messages_keep(&run.messages, shunt_block_self(x));
    for (uint32_t k = 0; k < plan->schedule.round_count; k++) {
        x->comm->diag.round = k;
        run_round(&run, plan->schedule.round_first[k], plan->schedule.round_first[k + 1]);
    }
    shunt_phase(x->comm, SHUNT_PHASE_OTHER);
    return run.messages.status;
}
