/* SPDX-License-Identifier: BSD-3-Clause */
/* main.c: `shunt log`: reads all files, then prints what is asked for. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/tool.h"
#include "tools/log/summary.h"
#include "tools/log/view.h"

/* Also where nothing was found. */
static int begin_output(struct shunt_logs_view *view)
{
    if (view->options->form != SHUNT_LOGS_CSV)
        return SHUNT_EXIT_OK;
    view->text.used = 0;
    shunt_logs_csv_names(&view->text);
    if (view->text.cut)
        return shunt_tool_no_memory();
    shunt_logs_put(&view->out, view->text.bytes, view->text.used);
    return SHUNT_EXIT_OK;
}

static int view_files(struct shunt_logs_view *view, struct shunt_logs_reader *reader,
                      struct shunt_logs_file *files)
{
    const struct shunt_logs_options *options = view->options;
    int code = begin_output(view);
    if (code == SHUNT_EXIT_OK && options->follow) {
        code = shunt_logs_follow(view, reader, files, options->file_count);
    } else if (code == SHUNT_EXIT_OK) {
        code = shunt_logs_read_all(reader, files, options->files, options->file_count);
        shunt_logs_progress_begin(&view->progress, "written", view->bytes);
        if (code == SHUNT_EXIT_OK)
            code = shunt_logs_view_print(view);
        shunt_logs_progress_end(&view->progress);
    }
    return code;
}

static int run_view(const struct shunt_logs_options *options, struct shunt_logs_file *files)
{
    struct shunt_logs_view *view = calloc(1, sizeof *view);
    if (!view)
        return shunt_tool_no_memory();
    *view = (struct shunt_logs_view){
        .options = options, .text = {.grows = true}, .whole = {.grows = true}};
    struct shunt_logs_reader reader = {.event = shunt_logs_view_event,
                                       .context = view,
                                       .progress = &view->progress,
                                       .follow = options->follow};
    int code;
    if (shunt_logs_reader_open(&reader))
        code = view_files(view, &reader, files);
    else
        code = shunt_tool_no_memory();
    code = shunt_logs_judge_all(&reader, files, options->file_count, code);
    shunt_logs_reader_close(&reader);
    shunt_sort_free(view->sort);
    free(view->text.bytes);
    free(view->whole.bytes);
    free(view);
    return code;
}

static int sum_up(struct shunt_logs_summary *summary, struct shunt_logs_reader *reader,
                  struct shunt_logs_file *files)
{
    int code;
    struct shunt_logs_out *out = calloc(1, sizeof *out);
    if (!out)
        return shunt_tool_no_memory();
    code =
        shunt_logs_read_all(reader, files, summary->options->files, summary->options->file_count);
    if (code == SHUNT_EXIT_OK)
        code = shunt_logs_summary_print(summary, out);
    free(out);
    return code;
}

static int run_summary(const struct shunt_logs_options *options, struct shunt_logs_file *files)
{
    struct shunt_logs_summary summary;
    struct shunt_logs_reader reader = {
        .event = shunt_logs_summary_event, .context = &summary, .progress = &summary.progress};
    int code = shunt_logs_summary_open(&summary, options);
    if (code == SHUNT_EXIT_OK)
        code = shunt_logs_reader_open(&reader) ? sum_up(&summary, &reader, files)
                                               : shunt_tool_no_memory();
    code = shunt_logs_judge_all(&reader, files, options->file_count, code);
    shunt_logs_reader_close(&reader);
    shunt_logs_summary_clear(&summary);
    return code;
}

int shunt_logs_run(const struct shunt_logs_options *options)
{
    struct shunt_logs_file *files = calloc((size_t)options->file_count, sizeof *files);
    if (!files)
        return shunt_tool_no_memory();
    for (int i = 0; i < options->file_count; i++)
        files[i].path = options->files[i];
    /* Whoever reads our output may leave when he has enough. */
    signal(SIGPIPE, SIG_IGN);
    const int code = (options->summary ? run_summary : run_view)(options, files);
    free(files);
    return code;
}
