/* SPDX-License-Identifier: BSD-3-Clause */
/* html.c: the report on the page of the viewer, with its tables and calls for the other views. */
#include <errno.h>

#include "tools/common/tool.h"
#include "tools/log/view.h"
#include "tools/report/report.h"
#include "tools/view/view.h"

static int put_embedded(struct shunt_json *json, void *context)
{
    struct shunt_report *report = context;
    shunt_report_embed(json, &report->calls, &report->whole);
    shunt_json_line(json);
    shunt_json_key(json, SHUNT_KEY_REPORT);
    return shunt_report_object(json, report) ? SHUNT_EXIT_OK : shunt_logs_sort_failed(ENOMEM);
}

int shunt_report_html(struct shunt_report *report, const char *path)
{
    struct shunt_view_content content = {.put = put_embedded, .context = report};
    const struct shunt_table *const tables[] = {report->used, report->other};
    for (int i = 0; i < 2; i++)
        if (tables[i])
            content.tables[content.table_count++] = tables[i];
    return shunt_view_write(&content, path);
}
