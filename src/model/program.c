/* SPDX-License-Identifier: BSD-3-Clause */
/* program.c: makes operations of events: messages of one kind become one word, copies become time,
 * and it is said where a rank waits. */
#include "model/program.h"

#include <stdlib.h>
#include <string.h>

/* One rank's events on their way into its program. */
struct compile {
    struct shunt_program *program;
    struct shunt_program_rank *out;
    const struct shunt_program_call *call;
    const struct shunt_event *event;
    size_t count;
    int rank;
    size_t last;    /* the last word that says what; SIZE_MAX: none */
    int64_t bytes;  /* of messages, as said last */
    double unpacks; /* seconds that the messages of the round take once they are here */
    size_t raise;   /* the event behind which the rank raises its signal; SIZE_MAX: none */
    bool failed;
};

/* Messages are waited for together if they are in one round and about the same. */
enum about { ABOUT_AGREEMENT, ABOUT_LENGTHS, ABOUT_BLOCKS, ABOUT_NOTHING };

static enum about about(const struct shunt_event *event)
{
    switch (event->kind) {
    case SHUNT_EVENT_AGREE:
    case SHUNT_EVENT_AGREE_RECEIVE:
        return ABOUT_AGREEMENT;
    case SHUNT_EVENT_LENGTHS:
    case SHUNT_EVENT_LENGTHS_RECEIVE:
        return ABOUT_LENGTHS;
    case SHUNT_EVENT_SEND:
    case SHUNT_EVENT_RECEIVE:
        return ABOUT_BLOCKS;
    default:
        return ABOUT_NOTHING;
    }
}

static bool sends(const struct shunt_event *event)
{
    return event->kind == SHUNT_EVENT_SEND || event->kind == SHUNT_EVENT_AGREE ||
           event->kind == SHUNT_EVENT_LENGTHS;
}

static void put(struct compile *c, uint32_t word)
{
    struct shunt_program_rank *r = c->out;
    if (r->words == r->word_capacity) {
        const size_t capacity = r->word_capacity ? 2 * r->word_capacity : 32;
        uint32_t *larger = realloc(r->word, capacity * sizeof *larger);
        if (!larger) {
            c->failed = true;
            return;
        }
        r->word = larger;
        r->word_capacity = capacity;
    }
    r->word[r->words++] = word;
}

static void put_code(struct compile *c, enum shunt_op_code code, uint32_t value)
{
    c->last = c->out->words;
    put(c, (uint32_t)code << SHUNT_CODE_SHIFT | value);
}

static void put_number(struct compile *c, enum shunt_op_code code, const void *number)
{
    uint32_t half[2];
    memcpy(half, number, sizeof half);
    put_code(c, code, 0);
    put(c, half[0]);
    put(c, half[1]);
}

/* One more of what the last word says, where it says the same. */
static void put_one(struct compile *c, enum shunt_op_code code)
{
    uint32_t *word = c->last == SIZE_MAX || c->failed ? NULL : &c->out->word[c->last];
    if (word && *word >> SHUNT_CODE_SHIFT == (uint32_t)code)
        ++*word;
    else
        put_code(c, code, 1);
}

static void put_seconds(struct compile *c, double seconds)
{
    if (seconds > 0)
        put_number(c, SHUNT_CODE_WORK, &seconds);
}

static void put_work(struct compile *c, const struct shunt_event *event)
{
    const struct shunt_machine *m = c->call->cost->machine;
    const bool read = event->kind == SHUNT_EVENT_READ;
    const double blocks = (double)event->blocks, block = (double)c->call->call.block,
                 bytes = event->bytes >= 0 ? (double)event->bytes : blocks * block;
    put_seconds(c, blocks * (read ? m->read_block : m->copy_block) +
                       bytes * (read ? m->read_byte : m->copy_byte));
}

/* What a message of blocks takes longer, at each of its ends, because it is a datatype over them.
 * One block is no type: it lies in one piece. */
static double through_type(const struct compile *c, const struct shunt_event *event)
{
    const struct shunt_machine *m = c->call->cost->machine;
    const struct shunt_event_call *call = &c->call->call;
    const bool blocks = event->kind == SHUNT_EVENT_SEND || event->kind == SHUNT_EVENT_RECEIVE;
    if (!shunt_events_typed(call) || !blocks || event->blocks < 2 || call->block >= m->type_long)
        return 0;
    return m->type_message +
           (double)event->blocks * (m->type_block + (double)call->block * m->type_byte);
}

static int64_t sum(int64_t a, int64_t b)
{
    int64_t total;
    return __builtin_add_overflow(a, b, &total) ? INT64_MAX : total;
}

/* The peer, and how those of other nodes follow from it. */
static uint32_t peer_of(const struct compile *c, const struct shunt_event *event)
{
    const struct shunt_symmetry *symmetry = c->call->symmetry;
    const enum shunt_motion motion =
        about(event) == ABOUT_AGREEMENT ? symmetry->agreement : symmetry->blocks;
    return (uint32_t)event->peer | (motion == SHUNT_MOTION_ACROSS ? SHUNT_ACROSS : 0);
}

static void put_send(struct compile *c, const struct shunt_event *event, bool inside)
{
    struct shunt_program *p = c->program;
    const enum shunt_level level = inside ? SHUNT_LEVEL_INSIDE : SHUNT_LEVEL_BETWEEN;
    const int64_t bytes = event->bytes < 0 ? INT64_MAX : event->bytes;
    if (bytes != c->bytes)
        put_number(c, SHUNT_CODE_BYTES, &bytes);
    c->bytes = bytes;
    put_one(c, inside ? SHUNT_CODE_SEND_INSIDE : SHUNT_CODE_SEND_BETWEEN);
    c->out->to[c->out->sends++] = peer_of(c, event);
    p->messages[level]++;
    p->bytes[level] = sum(p->bytes[level], bytes);
    p->largest = bytes > p->largest ? bytes : p->largest;
}

static void put_receive(struct compile *c, const struct shunt_event *event, bool inside)
{
    struct shunt_program_rank *r = c->out;
    put_one(c, inside ? SHUNT_CODE_POST_INSIDE : SHUNT_CODE_POST_BETWEEN);
    r->from_inside[r->receives] = inside;
    r->from[r->receives++] = peer_of(c, event);
}

/* Whether message i is the last that is waited for together. */
static bool ends_round(const struct compile *c, size_t i)
{
    size_t next = i + 1;
    while (next < c->count && about(&c->event[next]) == ABOUT_NOTHING)
        next++;
    return next == c->count || about(&c->event[next]) != about(&c->event[i]) ||
           c->event[next].round != c->event[i].round;
}

/* Whether messages up to event i are waited for behind it: behind the last of them, or what is
 * copied in while they are on their way. */
static bool is_waited_for(const struct compile *c, size_t i)
{
    const bool copied_in = c->event[i].kind == SHUNT_EVENT_COPY_IN && i > 0 &&
                           c->event[i].round == c->event[i - 1].round;
    const bool more = i + 1 < c->count && c->event[i + 1].kind == SHUNT_EVENT_COPY_IN &&
                      c->event[i + 1].round == c->event[i].round;
    const size_t last = copied_in ? i - 1 : i;
    return !more && about(&c->event[last]) != ABOUT_NOTHING && ends_round(c, last);
}

/* What a leader does behind barrier i: the messages of one kind, up to the next barrier. */
static size_t last_of_leader(const struct compile *c, size_t i)
{
    size_t last = i;
    for (size_t k = i + 1; k < c->count && c->event[k].kind != SHUNT_EVENT_BARRIER; k++) {
        const enum about what = about(&c->event[k]);
        if (what == ABOUT_NOTHING)
            continue;
        if (last != i && (what == ABOUT_AGREEMENT) != (about(&c->event[last]) == ABOUT_AGREEMENT))
            break;
        last = k;
    }
    return last;
}

/* Then what has come is taken apart. */
static void put_wait(struct compile *c)
{
    put_code(c, SHUNT_CODE_WAIT, 0);
    put_seconds(c, c->unpacks);
    c->unpacks = 0;
}

static void put_event(struct compile *c, size_t i)
{
    const struct shunt_event *event = &c->event[i];
    const int *node_of = c->call->call.layout->node_of;
    if (about(event) != ABOUT_NOTHING) {
        const bool inside = node_of[c->rank] == node_of[event->peer];
        const double longer = through_type(c, event);
        if (sends(event))
            put_seconds(c, longer);
        else
            c->unpacks += longer;
        (sends(event) ? put_send : put_receive)(c, event, inside);
    } else if (event->kind == SHUNT_EVENT_BARRIER) {
        put_code(c, SHUNT_CODE_BARRIER, 0);
        c->raise = last_of_leader(c, i);
    } else if (event->kind == SHUNT_EVENT_AWAIT) {
        put_code(c, SHUNT_CODE_AWAIT, (uint32_t)(event->peer % c->program->period));
    } else {
        put_work(c, event);
    }
    if (is_waited_for(c, i))
        put_wait(c);
    if (c->raise == i)
        put_code(c, SHUNT_CODE_RAISE, 0);
}

/* Of the event that was put last. What it is begun with is a word of its own, also where the event
 * takes no time: messages before and behind it do not share one. */
static uint32_t mark_of(struct compile *c, const struct shunt_event *event)
{
    uint32_t number = (uint32_t)c->out->words;
    enum shunt_mark mark = SHUNT_MARK_BEGUN;
    if (about(event) != ABOUT_NOTHING) {
        mark = sends(event) ? SHUNT_MARK_SENT : SHUNT_MARK_ARRIVED;
        number = (sends(event) ? c->out->sends : c->out->receives) - 1;
    } else {
        c->last = SIZE_MAX;
    }
    c->failed |= number > SHUNT_MARK_MASK;
    return (uint32_t)mark << SHUNT_MARK_SHIFT | number;
}

/* Room for as many messages as there are. */
static bool begin(struct shunt_program_rank *r, const struct shunt_events *events, bool marked)
{
    size_t out = 0, in = 0;
    for (size_t i = 0; i < events->count; i++)
        if (about(&events->event[i]) != ABOUT_NOTHING)
            ++*(sends(&events->event[i]) ? &out : &in);
    r->to = malloc((out + 1) * sizeof *r->to);
    r->from = malloc((in + 1) * sizeof *r->from);
    r->from_inside = malloc(in + 1);
    r->events = events->count;
    r->mark = marked ? malloc((events->count + 1) * sizeof *r->mark) : NULL;
    return r->to && r->from && r->from_inside && (r->mark || !marked);
}

/* Blocks that are copied before the whole, and after it. */
static void put_around(struct compile *c)
{
    const uint64_t blocks = c->call->around;
    int64_t bytes;
    if (__builtin_mul_overflow((int64_t)blocks, c->call->call.block, &bytes))
        bytes = INT64_MAX;
    const struct shunt_event copy = {.kind = SHUNT_EVENT_COPY, .blocks = blocks, .bytes = bytes};
    put_work(c, &copy);
}

static bool compile(struct shunt_program *program, const struct shunt_program_call *call, int rank,
                    const struct shunt_events *events)
{
    struct compile c = {.program = program,
                        .out = &program->rank[rank],
                        .call = call,
                        .event = events->event,
                        .count = events->count,
                        .rank = rank,
                        .last = SIZE_MAX,
                        .raise = SIZE_MAX};
    if (!begin(c.out, events, call->marked))
        return false;
    put_around(&c);
    for (size_t i = 0; i < events->count; i++) {
        put_event(&c, i);
        if (call->marked)
            c.out->mark[i] = mark_of(&c, &events->event[i]);
    }
    put_around(&c);
    program->events += events->count;
    if (events->rounds > program->rounds)
        program->rounds = events->rounds;
    if (c.out->sends > program->most_sends)
        program->most_sends = c.out->sends;
    return !c.failed;
}

int shunt_program_events(struct shunt_events *events, const struct shunt_program_call *call,
                         int rank)
{
    const struct shunt_symmetry *symmetry = call->symmetry;
    if (symmetry && symmetry->family.alike)
        return shunt_events_family_build(events, &symmetry->family, &call->call, rank,
                                         symmetry->places ? symmetry->places[rank] : rank);
    if (shunt_events_build(events, &call->call, rank))
        return -1;
    return call->sizes ? shunt_event_sizes_apply(call->sizes, &call->call, rank, events) : 0;
}

/* Blocks in the messages that a rank sends: what its schedule takes to make. */
static uint64_t carried(const struct shunt_events *events)
{
    uint64_t blocks = 0;
    for (size_t i = 0; i < events->count; i++)
        blocks += events->event[i].kind == SHUNT_EVENT_SEND ? events->event[i].blocks : 0;
    return blocks;
}

/* Ranks by which all are judged before they are made: the first, or, where leaders do more than
 * others, the first node; 0: none. */
static int sample_of(const struct shunt_program_call *call, int period)
{
    const struct shunt_layout *layout = call->call.layout;
    const int sample =
        shunt_kind_shares(call->call.algorithm->kind) ? shunt_layout_ppn(layout, 0) : 1;
    return sample <= period && layout->node_of[sample - 1] == 0 ? sample : 0;
}

/* Ranks need not do the same, so that only what is far too much is refused. */
static bool is_far_too_much(uint64_t events, uint64_t blocks, uint64_t most, double times)
{
    enum { MARGIN = 2, BLOCKS = 16 }; /* a block takes far less than an event */
    return (double)events * times > (double)MARGIN * (double)most ||
           (double)blocks * times > (double)BLOCKS * (double)most;
}

enum shunt_cost_result shunt_program_build(struct shunt_program *program,
                                           const struct shunt_program_call *call)
{
    const uint64_t most = call->cost->most ? call->cost->most : SHUNT_COST_MOST;
    const struct shunt_layout *layout = call->call.layout;
    const int period = call->symmetry->period, sample = sample_of(call, period);
    uint64_t blocks = 0;
    *program = (struct shunt_program){.period = period,
                                      .nodes = period < layout->ranks ? 1 : layout->nodes};
    program->rank = calloc((size_t)period, sizeof *program->rank);
    if (!program->rank)
        return SHUNT_COST_MEMORY;
    for (int p = 0; p < period; p++) {
        struct shunt_events events = {0};
        const bool made =
            shunt_program_events(&events, call, p) == 0 && compile(program, call, p, &events);
        blocks += made ? carried(&events) : 0;
        shunt_events_clear(&events);
        if (!made)
            return SHUNT_COST_MEMORY;
        if (program->events > most ||
            (p + 1 == sample &&
             is_far_too_much(program->events, blocks, most, (double)period / sample)))
            return SHUNT_COST_LARGE;
    }
    return shunt_program_match(program, layout->ranks);
}

void shunt_program_clear(struct shunt_program *program)
{
    for (int p = 0; program->rank && p < program->period; p++) {
        struct shunt_program_rank *r = &program->rank[p];
        free(r->word);
        free(r->to);
        free(r->slot);
        free(r->from);
        free(r->from_inside);
        free(r->mark);
    }
    free(program->rank);
    *program = (struct shunt_program){0};
}
