/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trace.c: keeps what a rank does between shunt_trace_begin and shunt_trace_print, which the
 * program calls (traced.c). Part of a library that is libshunt.so otherwise. One thread only.
 */
#ifndef SHUNT_TRACE /* for whoever compiles this file alone, to check it */
#define SHUNT_TRACE 1
#endif

#include <stdlib.h>

#include "comm/comm.h"
#include "event_lines.h"
#include "trace.h"

enum deed_kind { DEED_MESSAGE, DEED_WAIT, DEED_COPY, DEED_OTHER };

struct deed {
    enum deed_kind what;
    enum shunt_event_kind kind;
    int peer;
    int64_t blocks, bytes;
    const MPI_Request *request; /* NULL: done */
};

static struct deed *deeds;
static size_t deed_count, deed_capacity;
static int open_messages;  /* posted and not done */
static bool active, waits; /* there were messages since the last wait */

static void keep(struct deed deed)
{
    if (!active)
        return;
    if (deed_count == deed_capacity) {
        deed_capacity = deed_capacity ? 2 * deed_capacity : 1024;
        deeds = realloc(deeds, deed_capacity * sizeof *deeds);
        if (!deeds)
            abort();
    }
    deeds[deed_count++] = deed;
}

static enum shunt_event_kind message_kind(bool receive, int tag)
{
    if (tag == SHUNT_TAG_AGREE)
        return receive ? SHUNT_EVENT_AGREE_RECEIVE : SHUNT_EVENT_AGREE;
    if (tag == SHUNT_TAG_LENGTHS)
        return receive ? SHUNT_EVENT_LENGTHS_RECEIVE : SHUNT_EVENT_LENGTHS;
    return receive ? SHUNT_EVENT_RECEIVE : SHUNT_EVENT_SEND;
}

void shunt_trace_message(bool receive, int count, MPI_Datatype type, int peer, int tag,
                         MPI_Request *request)
{
    MPI_Count size = 0;
    if (!active)
        return;
    shunt_pmpi.Type_size_x(type, &size);
    keep((struct deed){.what = DEED_MESSAGE,
                       .kind = message_kind(receive, tag),
                       .peer = peer,
                       .bytes = receive ? -1 : count * (int64_t)size,
                       .request = request});
    open_messages++;
    waits = true;
}

/* The latest message with this place for its request; of received ones the length is known now. */
void shunt_trace_done(const MPI_Request *request, const MPI_Status *status)
{
    for (size_t i = deed_count; active && i-- > 0;) {
        struct deed *deed = &deeds[i];
        if (deed->what != DEED_MESSAGE || deed->request != request)
            continue;
        int bytes = -1;
        if (deed->bytes < 0 && shunt_pmpi.Get_count(status, MPI_BYTE, &bytes) == MPI_SUCCESS)
            deed->bytes = bytes;
        deed->request = NULL;
        open_messages--;
        return;
    }
}

/* Some messages may still be under way: then it has not waited for all of the round. */
void shunt_trace_waited(void)
{
    if (active && waits && open_messages == 0) {
        waits = false;
        keep((struct deed){.what = DEED_WAIT});
    }
}

void shunt_trace_copy(enum shunt_event_kind kind, int64_t blocks, int64_t bytes)
{
    if (bytes > 0)
        keep((struct deed){.what = DEED_COPY, .kind = kind, .blocks = blocks, .bytes = bytes});
}

void shunt_trace_event(enum shunt_event_kind kind, int peer, int64_t bytes)
{
    keep((struct deed){.what = DEED_OTHER, .kind = kind, .peer = peer, .bytes = bytes});
}

__attribute__((visibility("default"))) void shunt_trace_begin(void)
{
    deed_count = 0;
    open_messages = 0;
    waits = false;
    active = true;
}

__attribute__((visibility("default"))) void shunt_trace_print(FILE *file, const char *call)
{
    struct event_lines lines = {.file = file, .call = call};
    active = false;
    for (const struct deed *deed = deeds; deed < deeds + deed_count; deed++) {
        if (deed->what == DEED_WAIT)
            event_lines_wait(&lines);
        else if (deed->what == DEED_COPY)
            event_lines_copy(&lines, deed->kind, deed->blocks, deed->bytes);
        else
            event_lines_add(&lines, deed->kind, deed->peer, deed->bytes);
    }
    event_lines_flush(&lines);
}
