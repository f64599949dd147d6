/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * whole.h: calls of which the log has the bytes from every rank to every other (SHUNT_LOG_COUNTS),
 * for the page to show them with their real sizes. The first ones, as many as there is room for.
 */
#ifndef SHUNT_TOOLS_REPORT_WHOLE_H
#define SHUNT_TOOLS_REPORT_WHOLE_H

#include "log/json.h"
#include "tools/log/event.h"

enum {
    SHUNT_WHOLE_CALLS = 32,  /* in a page */
    SHUNT_WHOLE_RANKS = 128, /* that the page follows; src/viewer/app/src/replay/call.ts */
    SHUNT_WHOLE_TEXT = 24    /* of the number of a communicator */
};

struct shunt_whole_call {
    char id[SHUNT_WHOLE_TEXT]; /* of the communicator */
    uint64_t call;
    char *name, *algorithm, *parameters; /* owned; name of the communicator, or NULL */
    int ranks, heard;
    /* In the order of `heard`: ranks of MPI_COMM_WORLD (array of ranks), and the bytes that each
     * sends (ranks * ranks); owned. */
    int *world;
    int64_t *bytes;
};

struct shunt_whole {
    struct shunt_whole_call call[SHUNT_WHOLE_CALLS];
    int count;
};

/* Takes what one rank says of a call; false: memory is short. */
bool shunt_whole_add(struct shunt_whole *whole, const struct shunt_logs_event *event);
/* Ranks of each node of a communicator, by its number; how many nodes, 0: not known. */
typedef int (*shunt_whole_layout)(const void *context, uint64_t id, const int **sizes);
/* The array of those calls of which all ranks were heard, and which have data. */
void shunt_whole_put(struct shunt_json *json, const struct shunt_whole *whole,
                     shunt_whole_layout layout, const void *context);
void shunt_whole_clear(struct shunt_whole *whole);

#endif
