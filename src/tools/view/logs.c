/* SPDX-License-Identifier: BSD-3-Clause */
/* logs.c: calls of logs for the page, added up by kind as `shunt report` does it. */
#include <errno.h>
#include <stdlib.h>

#include "tools/common/tool.h"
#include "tools/log/view.h"
#include "tools/report/report.h"
#include "tools/view/embed.h"

/* What is read of the logs: calls by kind, and some with all their sizes. */
struct logged {
    struct shunt_report_calls calls;
    struct shunt_whole whole;
};

static int take_event(void *context, const struct shunt_logs_event *event, const char *line,
                      size_t length)
{
    struct logged *logged = context;
    struct shunt_report_calls *calls = &logged->calls;
    bool good = true;
    (void)line;
    (void)length;
    if (event->kind == SHUNT_LOGS_COMMUNICATOR)
        good = shunt_report_calls_communicator(calls, event);
    else if (event->kind == SHUNT_LOGS_CALL)
        good = shunt_report_calls_add(calls, event) && shunt_whole_add(&logged->whole, event);
    return good ? SHUNT_EXIT_OK : shunt_logs_sort_failed(ENOMEM);
}

int shunt_view_logs(struct shunt_json *json, char **logs, int count)
{
    struct logged logged = {.whole = {.count = 0}};
    struct shunt_report_calls *calls = &logged.calls;
    struct shunt_logs_progress progress = {.on = false};
    struct shunt_logs_reader reader = {
        .event = take_event, .context = &logged, .progress = &progress};
    struct shunt_logs_file *files = calloc((size_t)count + 1, sizeof *files);
    int code = SHUNT_EXIT_OK;
    for (int i = 0; files && i < count; i++)
        files[i].path = logs[i];
    if (!files || !shunt_report_calls_open(calls) || !shunt_logs_reader_open(&reader))
        code = shunt_logs_sort_failed(ENOMEM);
    if (code == SHUNT_EXIT_OK && count > 0)
        code = shunt_logs_read_all(&reader, files, logs, count);
    if (code == SHUNT_EXIT_OK && !shunt_report_calls_finish(calls))
        code = shunt_logs_sort_failed(ENOMEM);
    if (code == SHUNT_EXIT_OK)
        shunt_report_embed(json, calls, &logged.whole);
    if (files && count > 0)
        code = shunt_logs_judge_all(&reader, files, count, code);
    shunt_logs_reader_close(&reader);
    shunt_report_calls_clear(calls);
    shunt_whole_clear(&logged.whole);
    free(files);
    return code;
}
