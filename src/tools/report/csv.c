/* SPDX-License-Identifier: BSD-3-Clause */
/* csv.c: a line for each kind of calls, the longest time first, with the names of the JSON form. */
#include "tools/log/csv.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "tools/log/view.h"
#include "tools/report/report.h"

static const char *source_of(const struct shunt_report_gain *gain)
{
    return gain->source == SHUNT_REPORT_UNKNOWN ? NULL : shunt_report_source_name(gain->source);
}

static void put_real(struct shunt_log_text *text, double value)
{
    shunt_logs_csv_fixed(text, value > 0 ? value : -1, 6);
}

static void put_gain(struct shunt_log_text *text, const struct shunt_report_gain *gain)
{
    put_real(text, gain->speedup);
    put_real(text, gain->low);
    put_real(text, gain->high);
    shunt_logs_csv_text(text, source_of(gain));
}

static void put_then(struct shunt_log_text *text, const struct shunt_report *report,
                     const struct shunt_report_row *row)
{
    char algorithm[640] = "", rule[640] = "";
    if (report->other)
        shunt_report_then_print(report, &row->then, algorithm, rule, sizeof algorithm);
    shunt_logs_csv_text(text, algorithm);
    shunt_logs_csv_text(text, rule);
    put_gain(text, &row->then.gain);
    shunt_logs_csv_fixed(text, report->other ? row->then.seconds : -1, 9);
    text->used--; /* the last comma */
}

static void put_row(struct shunt_log_text *text, const struct shunt_report *report,
                    const struct shunt_report_row *row)
{
    const struct shunt_log_key *key = &row->cell.key.entry->key;
    const struct shunt_report_communicator *communicator =
        &report->calls.communicators[row->communicator];
    char id[24] = "";
    if (communicator->id != 0)
        snprintf(id, sizeof id, "%016" PRIx64, communicator->id);
    shunt_logs_csv_text(text, shunt_op_name(row->op));
    shunt_logs_csv_number(text, shunt_log_class_from(row->cell.key.size));
    shunt_logs_csv_number(text, shunt_log_class_to(row->cell.key.size));
    shunt_logs_csv_fixed(text, row->ranks > 0 ? shunt_report_mean(row) : -1, 3);
    shunt_logs_csv_text(text, communicator->name);
    shunt_logs_csv_text(text, id);
    shunt_logs_csv_number(text, row->ranks > 0 ? row->ranks : -1);
    shunt_logs_csv_number(text, row->nodes > 0 ? row->nodes : -1);
    shunt_logs_csv_number(text, row->ppn > 0 ? row->ppn : -1);
    for (int field = SHUNT_LOG_ALGORITHM; field <= SHUNT_LOG_FILE; field++)
        shunt_logs_csv_text(text, key->field[field]);
    shunt_logs_csv_number(text, key->line > 0 ? key->line : -1);
    shunt_logs_csv_text(text, key->field[SHUNT_LOG_ID]);
    shunt_logs_csv_text(text, key->field[SHUNT_LOG_REASON]);
    shunt_logs_csv_number(text, (int64_t)row->cell.calls);
    shunt_logs_csv_number(text, (int64_t)row->errors);
    shunt_logs_csv_number(text, (int64_t)row->cell.bytes);
    shunt_logs_csv_fixed(text, row->cell.seconds, 9);
    put_gain(text, &row->gain);
    put_then(text, report, row);
    shunt_log_text_put(text, "\n", 1);
}

int shunt_report_csv(struct shunt_report *report, struct shunt_logs_out *out)
{
    struct shunt_log_text *text = &report->summary.text;
    text->used = 0;
    shunt_log_text_string(text, "operation,from,to,mean,communicator,communicator_id,ranks,nodes,"
                                "ppn_max,algorithm,parameters,file,line,id,reason,calls,errors,"
                                "bytes,seconds,speedup,low,high,basis,then_algorithm,then_rule,"
                                "then_speedup,then_low,then_high,then_basis,then_seconds\n");
    for (uint32_t i = 0; i < report->calls.count; i++)
        put_row(text, report, report->calls.by_time[i]);
    if (text->cut)
        return shunt_logs_sort_failed(ENOMEM);
    shunt_logs_put(out, text->bytes, text->used);
    shunt_logs_flush(out);
    return shunt_logs_out_code(out);
}
