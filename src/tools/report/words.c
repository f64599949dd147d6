/* SPDX-License-Identifier: BSD-3-Clause */
/* words.c: parts of rows as people read them, in every form alike. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "log/line.h"
#include "tools/log/view.h"
#include "tools/report/report.h"

void shunt_report_put_size(struct shunt_log_text *text, const struct shunt_report_row *row)
{
    shunt_log_class_put(text, row->cell.key.size);
}

double shunt_report_mean(const struct shunt_report_row *row)
{
    const double blocks = (double)row->cell.calls * row->ranks;
    return blocks > 0 ? (double)row->cell.bytes / blocks : 0;
}

void shunt_report_put_sizes(struct shunt_log_text *text, const struct shunt_report_row *row)
{
    shunt_report_put_size(text, row);
    if (row->op != SHUNT_OP_ALLTOALLV || row->ranks < 1)
        return;
    shunt_log_text_string(text, ", mean ");
    shunt_log_text_bytes(text, (uint64_t)(shunt_report_mean(row) + 0.5));
}

void shunt_report_put_communicator(struct shunt_log_text *text, const struct shunt_report *report,
                                   const struct shunt_report_row *row)
{
    const struct shunt_report_communicator *communicator =
        &report->calls.communicators[row->communicator];
    char id[24] = "";
    if (row->communicator == 0) {
        shunt_log_text_string(text, "further ones");
        return;
    }
    if (communicator->id != 0)
        snprintf(id, sizeof id, "%016" PRIx64, communicator->id);
    shunt_logs_show_communicator(text, communicator->name, id);
}

void shunt_report_put_algorithm(struct shunt_log_text *text, const struct shunt_report_row *row)
{
    const char *params = shunt_report_row_text(row, SHUNT_LOG_PARAMS);
    shunt_log_text_plain(text, shunt_report_row_text(row, SHUNT_LOG_ALGORITHM));
    if (params && params[0] != '\0') {
        shunt_log_text_put(text, " ", 1);
        shunt_log_text_plain(text, params);
    }
}

void shunt_report_put_rule(struct shunt_log_text *text, const struct shunt_report_row *row)
{
    const char *file = shunt_report_row_text(row, SHUNT_LOG_FILE),
               *reason = shunt_report_row_text(row, SHUNT_LOG_REASON);
    if (file) {
        const char *slash = strrchr(file, '/');
        shunt_log_rule_human(text, slash ? slash + 1 : file, row->cell.key.entry->key.line,
                             shunt_report_row_text(row, SHUNT_LOG_ID));
        if (reason)
            shunt_log_text_string(text, ", but ");
    }
    if (reason && strcmp(reason, SHUNT_LOG_MODEL) == 0)
        shunt_log_text_string(text, "the model's choice");
    else if (reason)
        shunt_log_text_plain(text, reason);
    else if (!file)
        shunt_log_text_string(text, "no rule matches");
}

void shunt_report_put_group(struct shunt_log_text *text, const struct shunt_report *report,
                            enum shunt_report_by by, const struct shunt_report_row *row)
{
    if (by == SHUNT_REPORT_BY_COMMUNICATOR) {
        shunt_report_put_communicator(text, report, row);
        return;
    }
    shunt_log_text_string(text, shunt_op_name(row->op));
    if (by == SHUNT_REPORT_BY_OPERATION)
        return;
    shunt_log_text_string(text, ", ");
    if (by == SHUNT_REPORT_BY_SIZE)
        shunt_report_put_size(text, row);
    else
        shunt_report_put_rule(text, row);
}

/* What the figure of a gain rests on that was not measured in this run. */
static void put_basis(struct shunt_log_text *text, enum shunt_report_source source)
{
    shunt_log_text_string(text, source == SHUNT_REPORT_MODEL ? "by the model" : "when learned");
}

void shunt_report_put_gain(struct shunt_log_text *text, const struct shunt_report_gain *gain)
{
    const bool measured = gain->source == SHUNT_REPORT_MEASURED;
    if (gain->source == SHUNT_REPORT_UNKNOWN) {
        shunt_log_text_string(text, "not measured");
        return;
    }
    if (gain->source == SHUNT_REPORT_SAME) {
        shunt_log_text_string(text, "1 (same)");
        return;
    }
    /* A number in the middle would say more than is known. */
    if (shunt_report_unsure(gain)) {
        shunt_log_text_string(text, "not clear: ");
        shunt_log_times_put(text, gain->low);
        shunt_log_text_string(text, " to ");
        shunt_log_times_put(text, gain->high);
        shunt_log_text_string(text, " (measured)");
        return;
    }
    shunt_log_times_put(text, gain->speedup);
    shunt_log_text_string(text, " (");
    if (measured) {
        shunt_log_times_put(text, gain->low);
        shunt_log_text_string(text, " to ");
        shunt_log_times_put(text, gain->high);
        shunt_log_text_string(text, ", measured");
    } else {
        put_basis(text, gain->source);
    }
    shunt_log_text_string(text, ")");
}

/* As long as a column of a table may be. */
void shunt_report_put_speedup(struct shunt_log_text *text, const struct shunt_report_gain *gain)
{
    const bool measured = gain->source == SHUNT_REPORT_MEASURED;
    if (gain->source == SHUNT_REPORT_UNKNOWN) {
        shunt_log_text_string(text, "not measured");
        return;
    }
    if (!measured || !shunt_report_unsure(gain)) {
        shunt_log_times_put(text, gain->speedup);
        shunt_log_text_string(text, " ");
    }
    if (!measured) {
        put_basis(text, gain->source);
        return;
    }
    shunt_log_text_string(text, "(");
    shunt_log_times_put(text, gain->low);
    shunt_log_text_string(text, "-");
    shunt_log_times_put(text, gain->high);
    shunt_log_text_string(text, ")");
}

void shunt_report_put_verdict(struct shunt_log_text *text, const struct shunt_report *report,
                              const char *first, const char *next)
{
    const struct shunt_report_gain *gain = &report->all.gain;
    const struct shunt_log_estimate *verdict = &report->verdict;
    shunt_log_verdict_put(text, verdict, first, next);
    if (verdict->asked == 0) {
        shunt_log_text_string(text, first);
        shunt_log_text_string(text, "none: no call was routed\n");
    }
    if (verdict->asked == 0 || verdict->ranks > 0 || verdict->verified ||
        (gain->source != SHUNT_REPORT_MODEL && gain->source != SHUNT_REPORT_LEARNED))
        return;
    shunt_log_text_string(text, next);
    shunt_log_text_string(text, "expected, not measured: routed calls ");
    shunt_log_times_put(text, gain->speedup);
    shunt_log_text_string(text, " times as fast as native, ");
    put_basis(text, gain->source);
    shunt_log_text_string(text, "\n");
}
