/* SPDX-License-Identifier: BSD-3-Clause */
/* uses.c: see uses.h. */
#include "tools/tune/uses.h"

#include <stdlib.h>
#include <string.h>

#include "tools/common/tool.h"
#include "tools/log/source.h"
#include "tools/log/view.h"

/* Sizes of one class: 1, 2-3, 4-7, 8-15, ... */
static bool same_class(int64_t a, int64_t b)
{
    while (a > 1 && b > 1) {
        a >>= 1;
        b >>= 1;
    }
    return a == b;
}

static bool same(const struct tune_use *a, const struct tune_use *b)
{
    return a->op == b->op && a->ranks == b->ranks && a->nodes == b->nodes &&
           a->ppn_max == b->ppn_max && same_class(a->block, b->block);
}

bool tune_uses_add(struct tune_uses *uses, const struct tune_use *call)
{
    for (size_t i = 0; i < uses->count; i++) {
        struct tune_use *use = &uses->use[i];
        if (!same(use, call))
            continue;
        use->block = call->block > use->block ? call->block : use->block;
        use->seconds += call->seconds;
        use->calls++;
        return true;
    }
    struct tune_use *larger = realloc(uses->use, (uses->count + 1) * sizeof *larger);
    if (!larger)
        return false;
    uses->use = larger;
    uses->use[uses->count] = *call;
    uses->use[uses->count++].calls = 1;
    return true;
}

static int take(void *context, const struct shunt_logs_event *event, const char *line,
                size_t length)
{
    struct tune_uses *uses = context;
    const struct shunt_record *record = &event->record;
    (void)line;
    (void)length;
    if (event->kind == SHUNT_LOGS_HEADER && event->library && uses->library[0] == '\0')
        snprintf(uses->library, sizeof uses->library, "%s", event->library);
    if (event->kind != SHUNT_LOGS_CALL || !record->operation || record->ranks < 2)
        return SHUNT_EXIT_OK;
    if (record->max < 1) {
        uses->unsized += record->max < 0;
        return SHUNT_EXIT_OK;
    }
    for (int op = 0; op < SHUNT_OP_COUNT; op++) {
        const struct tune_use call = {.op = (enum shunt_op)op,
                                      .ranks = record->ranks,
                                      .nodes = record->nodes,
                                      .ppn_max = record->ppn,
                                      .block = record->max,
                                      .seconds = record->seconds > 0 ? record->seconds : 0};
        if (strcmp(record->operation, shunt_op_name((enum shunt_op)op)) == 0 &&
            !tune_uses_add(uses, &call)) {
            shunt_tool_say("out of memory");
            return SHUNT_EXIT_IO;
        }
    }
    return SHUNT_EXIT_OK;
}

int tune_uses_read(struct tune_uses *uses, char *const *paths, int count)
{
    struct shunt_logs_progress progress = {0};
    struct shunt_logs_reader reader = {.progress = &progress, .event = take, .context = uses};
    int code = SHUNT_EXIT_OK;
    if (!shunt_logs_reader_open(&reader)) {
        shunt_tool_say("out of memory");
        return SHUNT_EXIT_IO;
    }
    for (int i = 0; i < count && code == SHUNT_EXIT_OK; i++) {
        struct shunt_logs_file file = {.path = paths[i]};
        code = shunt_logs_read(&reader, &file);
        shunt_logs_judge(&reader, &file);
    }
    shunt_logs_judge_cut(&reader);
    code = code > reader.code ? code : reader.code;
    shunt_logs_reader_close(&reader);
    return code;
}

void tune_uses_clear(struct tune_uses *uses)
{
    free(uses->use);
    *uses = (struct tune_uses){0};
}
