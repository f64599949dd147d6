/* SPDX-License-Identifier: BSD-3-Clause */
/* text.c: schedules for people: rounds as headings, one line per message, columns aligned
 * over one rank. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "route/words.h"
#include "tools/common/tool.h"
#include "tools/schedule/shown.h"

/* Characters of the widest number of each column; bytes 0 where nobody knows any. */
struct widths {
    int rank, node, blocks, bytes, time;
};

struct printer {
    const struct shunt_shown *call;
    const struct shunt_shown_rank *shown;
    struct widths widths;
};

/* The unit in which the time of a call has up to three digits before the point. All its events have
 * the same, so that a column can be read downwards. */
struct clock {
    const char *name;
    double seconds;
};

static struct clock clock_of(double time)
{
    static const struct clock clocks[] = {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}};
    size_t i = 0;
    while (i + 1 < sizeof clocks / sizeof clocks[0] && time >= clocks[i + 1].seconds)
        i++;
    return clocks[i];
}

static int digits(uint64_t number)
{
    int count = 1;
    for (; number >= 10; number /= 10)
        count++;
    return count;
}

static int wider(int width, int other)
{
    return other > width ? other : width;
}

static bool is_copy(enum shunt_event_kind kind)
{
    return kind == SHUNT_EVENT_COPY || kind == SHUNT_EVENT_COPY_IN || kind == SHUNT_EVENT_COPY_OUT;
}

/* Copies of a round are one line. */
static struct shunt_event join(struct shunt_event sum, const struct shunt_event *event)
{
    sum.blocks += event->blocks;
    if (sum.bytes < 0 || event->bytes < 0 ||
        __builtin_add_overflow(sum.bytes, event->bytes, &sum.bytes))
        sum.bytes = -1;
    return sum;
}

static void print_peer(const struct printer *p, int peer)
{
    const struct shunt_layout *layout = &p->call->question->layout;
    const bool nodes = layout->nodes > 1;
    if (peer < 0)
        printf("%*s",
               (int)strlen(" rank ") + p->widths.rank +
                   (nodes ? (int)strlen("  node ") + p->widths.node : 0),
               "");
    else if (nodes)
        printf(" rank %*d  node %*d", p->widths.rank, peer, p->widths.node, layout->node_of[peer]);
    else
        printf(" rank %*d", p->widths.rank, peer);
}

/* When the event at this place of the rank's is done, where a machine says so. */
static void print_done(const struct printer *p, size_t place)
{
    const struct shunt_trace *trace = p->call->trace;
    if (!trace)
        return;
    const struct clock clock = clock_of(trace->time);
    printf("%*.3f %s  ", p->widths.time,
           trace->done[trace->first[p->shown->rank] + place] / clock.seconds, clock.name);
}

static void print_event(const struct printer *p, const struct shunt_event *event, size_t place)
{
    const bool sized = event->kind != SHUNT_EVENT_BARRIER && event->kind != SHUNT_EVENT_AWAIT,
               blocks = sized && event->blocks > 0;
    fputs("    ", stdout);
    print_done(p, place);
    if (event->kind == SHUNT_EVENT_BARRIER) {
        puts("barrier  of the node");
        return;
    }
    printf("%-13s", shunt_shown_phrase(event->kind));
    print_peer(p, event->peer);
    const bool known = sized && event->bytes >= 0;
    if (blocks)
        printf("  %*" PRIu64 " %s", p->widths.blocks, event->blocks,
               event->blocks != 1 ? "blocks"
               : known            ? "block "
                                  : "block");
    else if (known)
        printf("  %*s", p->widths.blocks + (int)strlen(" blocks"), "");
    if (known)
        printf("  %*" PRId64 " bytes", p->widths.bytes, event->bytes);
    puts("");
}

/* Events as they come; copies behind each other are one line, which is done with the last of them.
 */
static void print_events(const struct printer *p, size_t first, size_t last)
{
    const struct shunt_event *event = p->shown->events.event;
    for (size_t i = first; i < last; i++) {
        struct shunt_event sum = event[i];
        while (is_copy(sum.kind) && i + 1 < last && event[i + 1].kind == sum.kind)
            sum = join(sum, &event[++i]);
        print_event(p, &sum, i);
    }
}

static void print_part(const struct printer *p, const char *heading, size_t first, size_t last)
{
    if (first < last)
        printf("  %s\n", heading);
    print_events(p, first, last);
}

/* Messages of a round are in flight together. */
static void print_round(const struct printer *p, size_t first, size_t last)
{
    const struct shunt_events *e = &p->shown->events;
    printf("  round %" PRIu32 " of %" PRIu32 "\n", e->event[first].round + 1, e->rounds);
    print_events(p, first, last);
}

static struct widths measure(const struct shunt_shown *call, const struct shunt_shown_rank *shown)
{
    const struct shunt_layout *layout = &call->question->layout;
    struct widths widths = {.rank = digits((uint64_t)layout->ranks - 1),
                            .node = digits((uint64_t)layout->nodes - 1)};
    struct shunt_event sum = {0};
    if (call->trace)
        widths.time =
            snprintf(NULL, 0, "%.3f", call->trace->time / clock_of(call->trace->time).seconds);
    for (size_t i = 0; i < shown->events.count; i++) {
        const struct shunt_event *event = &shown->events.event[i];
        const bool more = event->kind == SHUNT_EVENT_COPY && i > 0 &&
                          event->round == shown->events.event[i - 1].round;
        sum = is_copy(event->kind) && more ? join(sum, event) : *event;
        widths.blocks = wider(widths.blocks, digits(sum.blocks));
        if (sum.bytes >= 0)
            widths.bytes = wider(widths.bytes, digits((uint64_t)sum.bytes));
    }
    return widths;
}

void shunt_shown_print(const struct shunt_shown *call)
{
    const struct shunt_decision *decision = call->decision;
    char text[512];
    shunt_question_print(call->question);
    shunt_params_print(decision->algorithm, &decision->params, text, sizeof text);
    printf("%-10s %s%s%s%s%s\n", "algorithm", shunt_tool_bold(stdout), decision->algorithm->name,
           text[0] != '\0' ? " " : "", text, shunt_tool_plain(stdout));
    if (call->agrees && shunt_kind_joins(decision->algorithm->kind))
        printf("%-10s goes with the blocks: no messages of its own\n", "agreement");
    if (call->trace) {
        const struct clock clock = clock_of(call->trace->time);
        printf("%-10s ", "machine");
        shunt_tool_put(stdout, call->machine->name);
        printf(": the last rank is done after %.3f %s; events have the time when each is done\n",
               call->trace->time / clock.seconds, clock.name);
    }
}

void shunt_shown_print_rank(const struct shunt_shown *call, const struct shunt_shown_rank *shown)
{
    const struct shunt_layout *layout = &call->question->layout;
    const struct printer p = {call, shown, measure(call, shown)};
    const struct shunt_event *event = shown->events.event;
    printf("\n%srank %d%s (node %d, local rank %d)\n", shunt_tool_bold(stdout), shown->rank,
           shunt_tool_plain(stdout), layout->node_of[shown->rank], layout->local_of[shown->rank]);
    print_part(&p, "agreement about sizes", 0, shown->agreed);
    print_part(&p, "before the rounds", shown->agreed, shown->before);
    if (shown->events.rounds == 0)
        print_part(&p, "reads", shown->before, shown->after);
    for (size_t i = shown->before, next; shown->events.rounds > 0 && i < shown->after; i = next) {
        for (next = i + 1; next < shown->after && event[next].round == event[i].round;)
            next++;
        print_round(&p, i, next);
    }
    print_part(&p, "after the rounds", shown->after, shown->events.count);
    shunt_effort_print(&shown->effort, shown->rank, "total");
}
