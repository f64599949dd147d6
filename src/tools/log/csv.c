/* SPDX-License-Identifier: BSD-3-Clause */
/* csv.c: calls as comma-separated values, with the names of the JSON form. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "tools/common/sheet.h"
#include "tools/log/view.h"

static const struct shunt_column columns[] = {
    {.key = SHUNT_KEY_TIME},
    {.key = SHUNT_KEY_RANK},
    {.key = SHUNT_KEY_COMMUNICATOR},
    {.key = SHUNT_KEY_COMMUNICATOR_ID},
    {.key = SHUNT_KEY_CALL},
    {.key = SHUNT_KEY_OPERATION},
    {.key = SHUNT_KEY_RANKS},
    {.key = SHUNT_KEY_NODES},
    {.key = SHUNT_KEY_PPN_MAX},
    {.key = SHUNT_KEY_LARGEST},
    {.key = SHUNT_KEY_MEAN},
    {.key = SHUNT_KEY_FILLED, .digits = 3},
    {.key = SHUNT_KEY_DENSITY},
    {.key = SHUNT_KEY_BYTES},
    {.key = SHUNT_KEY_ALGORITHM},
    {.key = SHUNT_KEY_PARAMETERS},
    {.key = SHUNT_KEY_FILE},
    {.key = SHUNT_KEY_LINE},
    {.key = SHUNT_KEY_ID},
    {.key = SHUNT_KEY_REASON},
    {.key = SHUNT_KEY_PREDICTED_GAIN, .digits = 2},
    {.key = SHUNT_KEY_NATIVE},
    {.key = SHUNT_KEY_SECONDS},
    {.key = SHUNT_KEY_AGREEMENT},
    {.key = SHUNT_KEY_MEMORY},
    {.key = SHUNT_KEY_ERROR},
};

void shunt_logs_csv_names(struct shunt_log_text *text)
{
    shunt_sheet_line(text, columns, SHUNT_COUNT_OF(columns), NULL);
}

/* Seconds since 1970 have more digits than a number that is multiplied by 10^9 keeps. */
static void print_time(double value, char *text, size_t capacity)
{
    const double whole = floor(value);
    uint64_t nanoseconds = (uint64_t)((value - whole) * 1e9 + 0.5);
    nanoseconds = nanoseconds > 999999999 ? 999999999 : nanoseconds;
    snprintf(text, capacity, "%" PRIu64 ".%09" PRIu64, (uint64_t)whole, nanoseconds);
}

void shunt_logs_csv_call(struct shunt_log_text *text, const struct shunt_logs_event *event)
{
    const struct shunt_record *r = &event->record;
    char time[48];
    print_time(event->time, time, sizeof time);
    const struct shunt_field row[] = {
        shunt_field_text(event->timed ? time : NULL),
        shunt_field_count(event->rank),
        shunt_field_text(r->communicator),
        shunt_field_text(event->id),
        shunt_field_unsigned(r->call),
        shunt_field_text(r->operation),
        shunt_field_some(r->ranks),
        shunt_field_some(r->nodes),
        shunt_field_some(r->ppn),
        shunt_field_count(r->max),
        shunt_field_real(r->mean),
        shunt_field_real(r->filled),
        shunt_field_count(r->density),
        shunt_field_unsigned(r->bytes),
        shunt_field_text(r->algorithm),
        shunt_field_text(r->params),
        shunt_field_text(r->rule_file),
        shunt_field_some(r->rule_line),
        shunt_field_text(r->rule_id),
        shunt_field_text(r->reason),
        shunt_field_positive(r->gain),
        shunt_field_positive(r->native),
        shunt_field_real(r->seconds),
        shunt_field_real(r->agreement),
        shunt_field_count(r->memory),
        shunt_field_count(r->error > 0 ? r->error : 0),
    };
    shunt_sheet_line(text, columns, SHUNT_COUNT_OF(columns), row);
}
