/* SPDX-License-Identifier: BSD-3-Clause */
/* counts.c: the sizes of blocks of a call, from a file. */
#include <stdlib.h>

#include "tools/common/matrix.h"
#include "tools/common/tool.h"
#include "tools/schedule/shown.h"

int shunt_counts_read(struct shunt_counts *counts, struct shunt_question *question)
{
    const size_t ranks = (size_t)question->layout.ranks;
    char diagnostic[512];
    *counts = (struct shunt_counts){.bytes = calloc(ranks * ranks, sizeof *counts->bytes)};
    if (!counts->bytes) {
        shunt_tool_say("out of memory");
        return SHUNT_EXIT_IO;
    }
    const int code = shunt_matrix_read(question->counts, question->layout.ranks, counts->bytes,
                                       diagnostic, sizeof diagnostic);
    if (code != SHUNT_EXIT_OK) {
        shunt_tool_say("--counts: %s", diagnostic);
        return code;
    }
    question->block = 0;
    for (size_t i = 0; i < ranks * ranks; i++)
        if (counts->bytes[i] > question->block)
            question->block = counts->bytes[i];
    return SHUNT_EXIT_OK;
}

int shunt_counts_prepare(struct shunt_counts *counts, const struct shunt_shown *call)
{
    const struct shunt_event_call events = shunt_shown_events(call);
    return counts->bytes ? shunt_event_sizes_prepare(&counts->sizes, &events, counts->bytes) : 0;
}

void shunt_counts_clear(struct shunt_counts *counts)
{
    free(counts->bytes);
    shunt_event_sizes_clear(&counts->sizes);
}
