/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * event_lines.h: one form for what a rank does in a call, whether it was promised (promised.c) or
 * seen (trace.c): a line for each event, in order. Copies of one kind with nothing in between are
 * one line with their sums.
 */
#ifndef TESTS_MPI_EVENT_LINES_H
#define TESTS_MPI_EVENT_LINES_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

#include "events/events.h"

struct event_lines {
    FILE *file;
    const char *call; /* begins each line */
    enum shunt_event_kind kind;
    bool copying;          /* the last events were copies of this kind: */
    int64_t blocks, bytes; /* their sums; blocks negative: of some it is not known how many */
};

static inline const char *event_name(enum shunt_event_kind kind)
{
    static const char *const names[] = {
        [SHUNT_EVENT_COPY] = "copies",
        [SHUNT_EVENT_COPY_IN] = "copies in",
        [SHUNT_EVENT_COPY_OUT] = "copies out",
        [SHUNT_EVENT_BARRIER] = "barrier",
        [SHUNT_EVENT_AWAIT] = "awaits",
        [SHUNT_EVENT_READ] = "reads from",
        [SHUNT_EVENT_AGREE] = "agreement to",
        [SHUNT_EVENT_LENGTHS] = "lengths to",
        [SHUNT_EVENT_SEND] = "blocks to",
        [SHUNT_EVENT_RECEIVE] = "blocks from",
        [SHUNT_EVENT_AGREE_RECEIVE] = "agreement from",
        [SHUNT_EVENT_LENGTHS_RECEIVE] = "lengths from",
    };
    return (size_t)kind < sizeof names / sizeof names[0] ? names[kind] : "?";
}

/* To be called behind the last event. */
static inline void event_lines_flush(struct event_lines *lines)
{
    if (!lines->copying)
        return;
    fprintf(lines->file, "%s%s ", lines->call, event_name(lines->kind));
    if (lines->blocks < 0)
        fprintf(lines->file, "? blocks, %" PRId64 " bytes\n", lines->bytes);
    else
        fprintf(lines->file, "%" PRId64 " blocks, %" PRId64 " bytes\n", lines->blocks,
                lines->bytes);
    lines->copying = false;
}

static inline void event_lines_copy(struct event_lines *lines, enum shunt_event_kind kind,
                                    int64_t blocks, int64_t bytes)
{
    if (lines->copying && lines->kind != kind)
        event_lines_flush(lines);
    if (!lines->copying)
        lines->blocks = lines->bytes = 0;
    lines->copying = true;
    lines->kind = kind;
    lines->blocks = lines->blocks < 0 || blocks < 0 ? -1 : lines->blocks + blocks;
    lines->bytes += bytes;
}

/* Messages, reads, barriers, waits for leaders; peer -1: none. */
static inline void event_lines_add(struct event_lines *lines, enum shunt_event_kind kind, int peer,
                                   int64_t bytes)
{
    event_lines_flush(lines);
    fprintf(lines->file, "%s%s", lines->call, event_name(kind));
    if (peer >= 0)
        fprintf(lines->file, " %d", peer);
    if (kind != SHUNT_EVENT_BARRIER && kind != SHUNT_EVENT_AWAIT)
        fprintf(lines->file, ", %" PRId64 " bytes", bytes);
    fputc('\n', lines->file);
}

/* All messages so far are waited for. */
static inline void event_lines_wait(struct event_lines *lines)
{
    event_lines_flush(lines);
    fprintf(lines->file, "%swaits\n", lines->call);
}

#endif
