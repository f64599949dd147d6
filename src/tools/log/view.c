/* SPDX-License-Identifier: BSD-3-Clause */
/* view.c: see view.h. */
#include "tools/log/view.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/environment.h"
#include "base/hash.h"
#include "base/size.h"
#include "tools/common/fold.h"
#include "tools/common/tool.h"

/* What stands before a kept line: whether people read it once. */
enum { EACH = 'e', ONCE = 'o' };
/* Columns of a time with six digits behind the point; how much further in a line goes on. */
enum { TIME_WIDTH = 12, FURTHER = 2 };

static const char *folder(void)
{
    const char *folder = shunt_environment_value("TMPDIR");
    return folder && folder[0] != '\0' ? folder : "/tmp";
}

struct shunt_sort *shunt_logs_sort_new(const struct shunt_logs_options *options)
{
    struct shunt_sort *sort = shunt_sort_new(options->memory, folder());
    char size[32];
    shunt_bytes_print(options->memory, size, sizeof size);
    if (!sort)
        shunt_tool_say("out of memory: there are no %s for putting lines in order; give it less by "
                       "--memory, and the rest goes to a file in %s",
                       size, folder());
    return sort;
}

int shunt_logs_sort_failed(int error)
{
    if (error == ENOMEM)
        shunt_tool_say("out of memory");
    else
        shunt_tool_say("putting the lines in order needs a file in %s: %s; set TMPDIR to a folder "
                       "with as much room as the logs take, or filter more",
                       folder(), strerror(error));
    return SHUNT_EXIT_IO;
}

int shunt_logs_out_code(const struct shunt_logs_out *out)
{
    if (out->error == 0)
        return SHUNT_EXIT_OK;
    shunt_tool_say("standard output: %s", strerror(out->error));
    return SHUNT_EXIT_IO;
}

int shunt_logs_put_lines(struct shunt_logs_out *out, const struct shunt_log_text *lines, bool wide)
{
    struct shunt_log_text folded = {.grows = true};
    if (!wide)
        shunt_fold(&folded, lines->bytes, lines->used, SHUNT_FOLD_LABEL);
    const struct shunt_log_text *text = wide ? lines : &folded;
    const bool complete = !lines->cut && !folded.cut;
    if (complete)
        shunt_logs_put(out, text->bytes, text->used);
    free(folded.bytes);
    if (!complete)
        return shunt_logs_sort_failed(ENOMEM);
    shunt_logs_flush(out);
    return shunt_logs_out_code(out);
}

static int keep(struct shunt_logs_view *view, const struct shunt_logs_event *event)
{
    const struct shunt_sort_key key = {
        {shunt_sort_word(event->time), (uint64_t)(event->rank + 1), view->sequence++}};
    if (!view->sort)
        view->sort = shunt_logs_sort_new(view->options);
    if (!view->sort)
        return SHUNT_EXIT_IO;
    if (view->text.cut)
        return shunt_logs_sort_failed(ENOMEM);
    const int error = shunt_sort_put(view->sort, &key, view->text.bytes, view->text.used);
    view->bytes += view->text.used;
    return error != 0 ? shunt_logs_sort_failed(error) : SHUNT_EXIT_OK;
}

int shunt_logs_view_event(void *context, const struct shunt_logs_event *event, const char *line,
                          size_t length)
{
    struct shunt_logs_view *view = context;
    bool once;
    if (event->timed && (!view->started || event->time < view->start)) {
        view->started = true;
        view->start = event->time;
    }
    if (!shunt_logs_matches(&view->options->filter, event))
        return SHUNT_EXIT_OK;
    view->text.used = 0;
    shunt_log_text_put(&view->text, "e", 1);
    if (!shunt_logs_show(&view->text, view->options->form, event, line, length, &once))
        return SHUNT_EXIT_OK;
    view->text.bytes[0] = once ? ONCE : EACH;
    return keep(view, event);
}

/* Whether such a line comes for the first time; of more than the table holds, some come twice. */
static bool is_new(struct shunt_logs_view *view, const char *bytes, size_t length)
{
    const uint64_t hash = shunt_hash_mix(shunt_hash_bytes(SHUNT_HASH_EMPTY, bytes, length)) | 1;
    size_t at = hash % SHUNT_LOGS_TOLD;
    if (view->told_count == SHUNT_LOGS_TOLD / 2) {
        memset(view->told, 0, sizeof view->told);
        view->told_count = 0;
    }
    for (; view->told[at] != 0; at = (at + 1) % SHUNT_LOGS_TOLD)
        if (view->told[at] == hash)
            return false;
    view->told[at] = hash;
    view->told_count++;
    return true;
}

/* A line with its time before it. False: nobody reads any more. */
static bool print_timed(struct shunt_logs_view *view, double since_start, const char *line,
                        size_t length)
{
    char number[32];
    struct shunt_log_text digits = {.bytes = number, .capacity = sizeof number},
                          *whole = &view->whole, *text = &view->text;
    shunt_log_text_fixed(&digits, since_start, 6);
    whole->used = text->used = 0;
    if (digits.used < TIME_WIDTH)
        shunt_log_text_pad(whole, 0, TIME_WIDTH - digits.used);
    shunt_log_text_put(whole, number, digits.used);
    shunt_log_text_put(whole, " ", 1);
    shunt_log_text_put(whole, line, length);
    if (view->options->wide)
        return shunt_logs_put(&view->out, whole->bytes, whole->used);
    shunt_fold(text, whole->bytes, whole->used, TIME_WIDTH + 1 + FURTHER);
    return shunt_logs_put(&view->out, text->bytes, text->used);
}

/* Whether there is still somebody who reads. */
static bool print(struct shunt_logs_view *view, const struct shunt_sort_item *item)
{
    const double since_start = shunt_sort_number(item->key.word[0]) - view->start;
    if (!shunt_logs_matches_time(&view->options->filter, since_start > 0 ? since_start : 0))
        return true;
    if (item->bytes[0] == ONCE && !is_new(view, item->bytes + 1, item->length - 1))
        return true;
    if (view->options->form == SHUNT_LOGS_PEOPLE)
        return print_timed(view, since_start, item->bytes + 1, item->length - 1);
    return shunt_logs_put(&view->out, item->bytes + 1, item->length - 1);
}

int shunt_logs_view_print(struct shunt_logs_view *view)
{
    struct shunt_sort_item item;
    int found = 0;
    bool reads = true;
    const int error = view->sort ? shunt_sort_finish(view->sort) : 0;
    while (view->sort && error == 0 && reads && (found = shunt_sort_next(view->sort, &item)) > 0) {
        shunt_logs_progress_add(&view->progress, item.length);
        reads = print(view, &item);
    }
    shunt_logs_flush(&view->out);
    shunt_sort_free(view->sort);
    view->sort = NULL;
    view->bytes = 0;
    if (error != 0 || found < 0)
        return shunt_logs_sort_failed(error != 0 ? error : -found);
    return view->text.cut || view->whole.cut ? shunt_logs_sort_failed(ENOMEM)
                                             : shunt_logs_out_code(&view->out);
}
