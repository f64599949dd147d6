/* SPDX-License-Identifier: BSD-3-Clause */
/* main.c: `shunt report`: reads all logs once, then writes what is asked for. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/tool.h"
#include "tools/log/view.h"
#include "tools/report/report.h"
#include "tools/view/view.h"

/* NULL stays NULL; so does what there is no memory for. */
static char *copy_of(const char *text)
{
    return text ? strdup(text) : NULL;
}

static void keep_header(struct shunt_report *report, const struct shunt_logs_event *header)
{
    report->version = copy_of(header->version);
    report->job = copy_of(header->job);
    report->library = copy_of(header->library);
    report->machine_name = copy_of(header->machine);
    report->command = copy_of(header->command);
    report->ranks = header->ranks;
}

/* Which table the job had: rank 0 tells in its header, others when communicators are set up. */
static void keep_table(struct shunt_report *report, const struct shunt_logs_event *event)
{
    if (report->source || !event->table)
        return;
    report->source = copy_of(event->table);
    report->fingerprint = copy_of(event->fingerprint);
    if (!report->machine_name)
        report->machine_name = copy_of(event->machine);
}

static int take_event(void *context, const struct shunt_logs_event *event, const char *line,
                      size_t length)
{
    struct shunt_report *report = context;
    const bool headed = report->summary.headed;
    bool good = true;
    const int code = shunt_logs_summary_event(&report->summary, event, line, length);
    if (code != SHUNT_EXIT_OK)
        return code;
    if (event->kind == SHUNT_LOGS_HEADER && !headed)
        keep_header(report, event);
    if (event->kind == SHUNT_LOGS_HEADER)
        shunt_report_facts_header(&report->facts, event,
                                  shunt_logs_rank(&report->summary.ranks, event->rank));
    if (event->kind == SHUNT_LOGS_HEADER || event->kind == SHUNT_LOGS_COMMUNICATOR)
        keep_table(report, event);
    if (event->kind == SHUNT_LOGS_COMMUNICATOR)
        good = shunt_report_calls_communicator(&report->calls, event);
    if (event->kind == SHUNT_LOGS_SUMMARY)
        shunt_report_tables_event(report, event);
    if (event->kind == SHUNT_LOGS_CALL) {
        good = shunt_report_calls_add(&report->calls, event) &&
               (!report->options->html || shunt_whole_add(&report->whole, event));
        shunt_report_facts_call(&report->facts, &event->record);
        shunt_report_timeline_add(&report->timeline, event, shunt_log_kind(&event->record));
    }
    return good ? SHUNT_EXIT_OK : shunt_logs_sort_failed(ENOMEM);
}

/* All that follows from the calls. */
static int work_out(struct shunt_report *report)
{
    report->summary.sections.met = shunt_report_arrivals_met;
    report->summary.sections.context = &report->arrivals;
    const int code = shunt_logs_summary_finish(&report->summary);
    if (code != SHUNT_EXIT_OK)
        return code;
    report->totals = shunt_logs_ranks_add_up(&report->summary.ranks);
    shunt_report_facts_finish(&report->facts);
    shunt_report_tables_find(report);
    if (report->arrivals.short_of_memory || !shunt_report_calls_finish(&report->calls) ||
        !shunt_report_tables_map(report))
        return shunt_logs_sort_failed(ENOMEM);
    shunt_report_tables_learned(report);
    shunt_report_predict(report);
    return shunt_report_gains(report) && shunt_report_what_if(report)
               ? SHUNT_EXIT_OK
               : shunt_logs_sort_failed(ENOMEM);
}

static int write_forms(struct shunt_report *report)
{
    const struct shunt_report_options *options = report->options;
    int code = options->html ? shunt_report_html(report, options->html) : SHUNT_EXIT_OK;
    if (code != SHUNT_EXIT_OK || shunt_view_alone(options->html))
        return code;
    struct shunt_logs_out *out = calloc(1, sizeof *out);
    if (!out)
        return shunt_logs_sort_failed(ENOMEM);
    code = options->json  ? shunt_report_json(report, out)
           : options->csv ? shunt_report_csv(report, out)
                          : shunt_report_text(report, out);
    free(out);
    return code;
}

static int make(struct shunt_report *report, struct shunt_logs_reader *reader,
                struct shunt_logs_file *files)
{
    const struct shunt_logs_options *log = &report->options->log;
    int code = shunt_logs_summary_open(&report->summary, log);
    if (code == SHUNT_EXIT_OK &&
        !(shunt_report_calls_open(&report->calls) && shunt_logs_reader_open(reader)))
        code = shunt_logs_sort_failed(ENOMEM);
    if (code == SHUNT_EXIT_OK)
        code = shunt_report_tables_open(report);
    if (code == SHUNT_EXIT_OK)
        code = shunt_logs_read_all(reader, files, log->files, log->file_count);
    if (code == SHUNT_EXIT_OK)
        code = work_out(report);
    if (code == SHUNT_EXIT_OK)
        code = write_forms(report);
    code = shunt_logs_judge_all(reader, files, log->file_count, code);
    shunt_logs_reader_close(reader);
    return code;
}

static void clear(struct shunt_report *report)
{
    char *const texts[] = {report->version, report->job,          report->library,
                           report->source,  report->machine_name, report->fingerprint,
                           report->command};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        free(texts[i]);
    shunt_logs_summary_clear(&report->summary);
    shunt_report_calls_clear(&report->calls);
    shunt_log_set_clear(&report->unused);
    shunt_report_facts_clear(&report->facts);
    shunt_whole_clear(&report->whole);
    shunt_logs_pages_clear(&report->arrivals.rank);
    free(report->used);
    free(report->other);
    free(report);
}

int shunt_report_run(const struct shunt_report_options *options)
{
    const int count = options->log.file_count;
    struct shunt_logs_file *files = calloc((size_t)count, sizeof *files);
    struct shunt_report *report = calloc(1, sizeof *report);
    if (!files || !report) {
        free(files);
        free(report);
        return shunt_logs_sort_failed(ENOMEM);
    }
    for (int i = 0; i < count; i++)
        files[i].path = options->log.files[i];
    report->options = options;
    struct shunt_logs_reader reader = {
        .event = take_event, .context = report, .progress = &report->summary.progress};
    /* Whoever reads our output may leave when he has enough. */
    signal(SIGPIPE, SIG_IGN);
    const int code = make(report, &reader, files);
    clear(report);
    free(files);
    return code;
}
