/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * datatype.c: executes schedules of MPI_Alltoall with one derived datatype per message
 * (bruck-basic-dt, bruck-modified-dt, bruck-zero-copy).
 *
 * Idea: instead of gathering blocks into a message and scattering them out of one, the library is
 * told where they lie. A block that is sent from the place where the same round receives another
 * one is packed first, by its datatype; in bruck-zero-copy there is none such. Cost: as bruck with
 * radix 2, in messages and bytes; the library's own packing replaces our copies. Use: to compare,
 * and with blocks of more than some hundred bytes. Source: Fan 2022, sections 2.1 and 2.2; Traeff
 * et al. 2014.
 *
 * Datatypes are made again only when a buffer or the size of blocks has changed since the last
 * call. Where the user's receive blocks are not plain memory, or shorter than what arrives, room of
 * our own stands for them until the end.
 */
#include <stdlib.h>
#include <string.h>

#include "base/room.h"
#include "comm/wait.h"
#include "execute/blocks.h"
#include "execute/executor.h"
#include "execute/messages.h"

/* Where blocks lie. Displacements of datatypes count from the slots: MPI_Pack of MPICH 4.0.2 takes
 * MPI_BOTTOM for a forgotten buffer. */
struct buffers {
    char *slots;
    char *received; /* receive blocks: the user's, or room of our own */
    int64_t stride; /* from one of them to the next */
    int64_t block;  /* bytes of a block */
};

struct types {
    struct buffers buffers; /* that the datatypes were made for */
    uint32_t steps;
    MPI_Datatype *send, *recv; /* arrays of steps; MPI_DATATYPE_NULL where there is no message */
    MPI_Aint *displacements;   /* room for one message */
};

struct run {
    struct shunt_exchange *x;
    struct shunt_plan *plan;
    struct buffers buffers;
    char *out; /* room for one round of packed messages */
    struct shunt_messages messages;
};

static void forget_types(struct types *types)
{
    for (uint32_t i = 0; i < types->steps; i++) {
        if (types->send[i] != MPI_DATATYPE_NULL)
            shunt_pmpi.Type_free(&types->send[i]);
        if (types->recv[i] != MPI_DATATYPE_NULL)
            shunt_pmpi.Type_free(&types->recv[i]);
        types->send[i] = types->recv[i] = MPI_DATATYPE_NULL;
    }
    types->buffers.block = 0;
}

static struct types *types_of(struct shunt_plan *plan)
{
    return (struct types *)(void *)plan->state;
}

static void release(struct shunt_plan *plan)
{
    struct types *types = types_of(plan);
    if (types->send && types->recv)
        forget_types(types);
    free(types->send);
    free(types->recv);
    free(types->displacements);
    *types = (struct types){0};
}

static bool prepare(const struct shunt_comm *comm, struct shunt_plan *plan)
{
    struct types *types = types_of(plan);
    const struct shunt_schedule *s = &plan->schedule;
    const uint32_t most =
        s->max_round_send > s->max_round_recv ? s->max_round_send : s->max_round_recv;
    (void)comm;
    types->send = malloc(((size_t)s->step_count + 1) * sizeof *types->send);
    types->recv = malloc(((size_t)s->step_count + 1) * sizeof *types->recv);
    types->displacements = malloc(((size_t)most + 1) * sizeof *types->displacements);
    if (!types->send || !types->recv || !types->displacements)
        return false;
    types->steps = s->step_count;
    for (uint32_t i = 0; i < types->steps; i++)
        types->send[i] = types->recv[i] = MPI_DATATYPE_NULL;
    return true;
}

static char *address(const struct buffers *buffers, shunt_ref ref)
{
    const int64_t index = shunt_ref_index(ref);
    return shunt_ref_is_slot(ref) ? buffers->slots + index * buffers->block
                                  : buffers->received + index * buffers->stride;
}

static int make_type(const struct run *run, uint32_t first, uint32_t count, MPI_Datatype *type)
{
    MPI_Aint *displacements = types_of(run->plan)->displacements;
    if (count == 0)
        return MPI_SUCCESS;
    for (uint32_t b = 0; b < count; b++)
        displacements[b] =
            (MPI_Aint)((intptr_t)address(&run->buffers, run->plan->schedule.refs[first + b]) -
                       (intptr_t)run->buffers.slots);
    const int status = shunt_pmpi.Type_create_hindexed_block((int)count, (int)run->buffers.block,
                                                             displacements, MPI_BYTE, type);
    return status == MPI_SUCCESS ? shunt_pmpi.Type_commit(type) : status;
}

/* Those of the last call, if they still tell the truth. */
static void prepare_types(struct run *run)
{
    struct types *types = types_of(run->plan);
    const struct buffers *old = &types->buffers, *now = &run->buffers;
    if (old->slots == now->slots && old->received == now->received && old->stride == now->stride &&
        old->block == now->block)
        return;
    forget_types(types);
    for (uint32_t i = 0; i < types->steps; i++) {
        const struct shunt_step *step = &run->plan->schedule.steps[i];
        shunt_messages_break(&run->messages,
                             make_type(run, step->send_first, step->send_count, &types->send[i]));
        shunt_messages_break(&run->messages,
                             make_type(run, step->recv_first, step->recv_count, &types->recv[i]));
    }
    if (!run->messages.broken)
        types->buffers = *now;
}

/* Both sides of a step list the same offsets in the same order, so a place that is in both is at
 * the same position of each. */
static bool sends_where_it_receives(const struct shunt_schedule *s, const struct shunt_step *step)
{
    for (uint32_t b = 0; b < step->send_count && b < step->recv_count; b++)
        if (s->refs[step->send_first + b] == s->refs[step->recv_first + b])
            return true;
    return false;
}

/* Packs what must leave its place before the round is received there. Returns the bytes of the
 * message, 0: sent from its places. */
static int pack(struct run *run, uint32_t i, char *out)
{
    const struct shunt_step *step = &run->plan->schedule.steps[i];
    const int bytes = (int)((int64_t)step->send_count * run->buffers.block);
    int position = 0;
    if (!sends_where_it_receives(&run->plan->schedule, step))
        return 0;
    shunt_trace_copy(SHUNT_EVENT_COPY, step->send_count, bytes);
    shunt_messages_break(&run->messages,
                         shunt_pmpi.Pack(run->buffers.slots, 1, types_of(run->plan)->send[i], out,
                                         bytes, &position, run->x->comm->private_comm));
    return bytes;
}

static void posted(struct run *run, bool receive, int peer, int status)
{
    struct shunt_messages *messages = &run->messages;
    if (status != MPI_SUCCESS) {
        run->x->comm->broken = true;
        shunt_messages_break(messages, status);
        return;
    }
    run->plan->full[messages->requests] = receive;
    run->plan->peers[messages->requests++] = peer;
}

static MPI_Request *request_of(const struct run *run)
{
    return &run->plan->requests[run->messages.requests];
}

/* From the places of the blocks, or what has been packed from there, to the places. */
static void post_data(struct run *run, uint32_t i, int packed)
{
    const struct shunt_step *step = &run->plan->schedule.steps[i];
    const struct types *types = types_of(run->plan);
    const struct shunt_comm *comm = run->x->comm;
    char *base = run->buffers.slots;
    posted(run, true, step->recv_from,
           shunt_comm_receive(comm, base, 1, types->recv[i], step->recv_from, SHUNT_TAG_DATA,
                              request_of(run)));
    posted(run, false, step->send_to,
           packed > 0 ? shunt_comm_send(comm, run->out, packed, MPI_PACKED, step->send_to,
                                        SHUNT_TAG_DATA, request_of(run))
                      : shunt_comm_send(comm, base, 1, types->send[i], step->send_to,
                                        SHUNT_TAG_DATA, request_of(run)));
}

/* The messages of a rank that has failed, perhaps for lack of a datatype. Nothing is packed any
 * more, so there is room for what comes. */
static void post_nothing(struct run *run, uint32_t i)
{
    const struct shunt_step *step = &run->plan->schedule.steps[i];
    const int bytes = (int)((int64_t)step->recv_count * run->buffers.block);
    shunt_messages_post_one(&run->messages, true, run->out, bytes, step->recv_from, SHUNT_TAG_DATA);
    shunt_messages_post_one(&run->messages, false, NULL, 0, step->send_to, SHUNT_TAG_DATA);
}

/* Schedules of this kind have one step in a round. */
static void run_step(struct run *run, uint32_t i)
{
    const int packed = run->messages.broken ? 0 : pack(run, i, run->out);
    if (run->messages.broken)
        post_nothing(run, i);
    else
        post_data(run, i, packed);
    shunt_phase(run->x->comm,
                run->x->comm->layout.nodes > 1 ? SHUNT_PHASE_REMOTE : SHUNT_PHASE_NODE);
    shunt_messages_wait(&run->messages);
    shunt_phase(run->x->comm, SHUNT_PHASE_COPY);
}

/* Rotations. What is read as a user block is a send block. */
static void copy_blocks(struct run *run, const struct shunt_copy *copies, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const shunt_ref from = copies[i].from;
        char *to = address(&run->buffers, copies[i].to);
        shunt_trace_copy(SHUNT_EVENT_COPY, 1, run->buffers.block);
        if (shunt_ref_is_slot(from) || shunt_ref_is_store(from))
            memcpy(to, address(&run->buffers, from), (size_t)run->buffers.block);
        else
            shunt_messages_break(&run->messages,
                                 shunt_block_read(run->x, (int)shunt_ref_index(from), to));
    }
}

/* Scratch: the slots, room for receive blocks, room for packed messages. Returns whether the user's
 * receive blocks are used themselves. */
static bool lay_out(struct run *run)
{
    const struct shunt_exchange *x = run->x;
    const struct shunt_schedule *s = &run->plan->schedule;
    const bool direct = x->recv.plain && shunt_recv_bytes(x, 0) >= x->block;
    char *slots = x->comm->buffers.scratch, *capacity = slots + (int64_t)s->slots * x->block;
    run->buffers = (struct buffers){.slots = slots,
                                    .received = direct ? x->recv.buffer : capacity,
                                    .stride = direct ? shunt_recv_bytes(x, 0) : x->block,
                                    .block = x->block};
    run->out = capacity + (int64_t)s->ranks * x->block;
    return direct;
}

/* Whatever fails, the rounds go on: others wait for this rank's messages. */
static int run_rounds(struct shunt_exchange *x, struct shunt_plan *plan)
{
    const struct shunt_schedule *s = &plan->schedule;
    struct run run = {.x = x, .plan = plan};
    shunt_messages_begin(&run.messages, x->comm, plan);
    shunt_phase(x->comm, SHUNT_PHASE_PREPARE);
    if (x->in_place)
        shunt_messages_break(&run.messages, shunt_stage_in_place(x));
    const bool direct = lay_out(&run);
    prepare_types(&run);
    shunt_messages_keep(&run.messages, shunt_block_self(x));
    copy_blocks(&run, s->before, s->before_count);
    shunt_phase(x->comm, SHUNT_PHASE_COPY);
    for (uint32_t k = 0; k < s->round_count; k++) {
        x->comm->diag.round = k;
        for (uint32_t i = s->round_first[k]; i < s->round_first[k + 1]; i++)
            run_step(&run, i);
    }
    if (s->after_count > 0) {
        shunt_phase(x->comm, SHUNT_PHASE_REARRANGE);
        copy_blocks(&run, s->after, s->after_count);
    }
    for (int p = 0; !direct && p < s->ranks; p++)
        if (p != s->rank)
            shunt_messages_keep(
                &run.messages,
                shunt_block_write(x, p, address(&run.buffers, (shunt_ref)p), x->block));
    shunt_phase(x->comm, SHUNT_PHASE_OTHER);
    return run.messages.status;
}

struct whole {
    struct shunt_exchange *x;
    struct shunt_plan *plan;
    int status;
};

static void run_whole(void *context)
{
    struct whole *whole = context;
    whole->status = run_rounds(whole->x, whole->plan);
}

/* The library packs derived datatypes on a stack that its own all-to-all does not need. */
static int run_with_room(struct shunt_exchange *x, struct shunt_plan *plan)
{
    struct whole whole = {.x = x, .plan = plan};
    shunt_room_run(run_whole, &whole);
    return whole.status;
}

static int64_t scratch(const struct shunt_comm *comm, const struct shunt_plan *plan, int64_t block)
{
    const struct shunt_schedule *s = &plan->schedule;
    const int64_t bytes = shunt_reserve_bytes(s->slots, block) +
                          shunt_reserve_bytes((uint32_t)s->ranks, block) +
                          shunt_reserve_bytes(s->max_round_send, block);
    (void)comm;
    return bytes >= INT64_MAX >> 2 ? INT64_MAX : bytes;
}

const struct shunt_executor shunt_executor_datatype = {
    .state_bytes = sizeof(struct types),
    .prepare = prepare,
    .scratch = scratch,
    .requests = shunt_executor_requests,
    .run = run_with_room,
    .release = release,
};
