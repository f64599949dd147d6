/* SPDX-License-Identifier: BSD-3-Clause */
/* csv.c: see csv.h. */
#include "tools/log/csv.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/tool.h"

void shunt_logs_csv_names(struct shunt_log_text *text)
{
    shunt_log_text_string(
        text, "time,rank,communicator,communicator_id,call,operation,ranks,nodes,"
              "ppn_max,largest,mean,filled,density,bytes,algorithm,parameters,file,line,"
              "id,reason,predicted_gain,native,seconds,agreement,memory,error\n");
}

/* Every column ends with what comes behind it: a comma, or the newline of the last. */
static void end(struct shunt_log_text *text)
{
    shunt_log_text_put(text, ",", 1);
}

/* What a terminal would obey is spelt, for people look at these lines as well. */
void shunt_logs_csv_text(struct shunt_log_text *text, const char *value)
{
    char *clean = value ? shunt_tool_clean(value) : NULL;
    const char *at = clean ? clean : value ? "?" : "", *quote = strpbrk(at, ",\"") ? "\"" : "";
    shunt_log_text_string(text, quote);
    for (; *at != '\0'; at++)
        shunt_log_text_put(text, *at == '"' ? "\"\"" : at, *at == '"' ? 2 : 1);
    shunt_log_text_string(text, quote);
    free(clean);
    end(text);
}

void shunt_logs_csv_number(struct shunt_log_text *text, int64_t value)
{
    if (value >= 0)
        shunt_log_text_unsigned(text, (uint64_t)value);
    end(text);
}

void shunt_logs_csv_fixed(struct shunt_log_text *text, double value, int digits)
{
    if (value >= 0)
        shunt_log_text_fixed(text, value, digits);
    end(text);
}

/* Seconds since 1970 have more digits than a number that is multiplied by 10^9 keeps. */
static void put_time(struct shunt_log_text *text, double value)
{
    const double whole = floor(value);
    uint64_t nanoseconds = (uint64_t)((value - whole) * 1e9 + 0.5);
    nanoseconds = nanoseconds > 999999999 ? 999999999 : nanoseconds;
    char digits[16];
    snprintf(digits, sizeof digits, ".%09" PRIu64, nanoseconds);
    shunt_log_text_fixed(text, whole, 0);
    shunt_log_text_string(text, digits);
}

static int64_t positive(int value)
{
    return value > 0 ? value : -1;
}

void shunt_logs_csv_call(struct shunt_log_text *text, const struct shunt_logs_event *event)
{
    const struct shunt_record *r = &event->record;
    if (event->timed)
        put_time(text, event->time);
    end(text);
    shunt_logs_csv_number(text, event->rank);
    shunt_logs_csv_text(text, r->communicator);
    shunt_logs_csv_text(text, event->id);
    shunt_logs_csv_number(text, (int64_t)r->call);
    shunt_logs_csv_text(text, r->operation);
    shunt_logs_csv_number(text, positive(r->ranks));
    shunt_logs_csv_number(text, positive(r->nodes));
    shunt_logs_csv_number(text, positive(r->ppn));
    shunt_logs_csv_number(text, r->max);
    shunt_logs_csv_fixed(text, r->mean, 3);
    shunt_logs_csv_fixed(text, r->filled, 3);
    shunt_logs_csv_number(text, r->density);
    shunt_logs_csv_number(text, (int64_t)r->bytes);
    shunt_logs_csv_text(text, r->algorithm);
    shunt_logs_csv_text(text, r->params);
    shunt_logs_csv_text(text, r->rule_file);
    shunt_logs_csv_number(text, positive(r->rule_line));
    shunt_logs_csv_text(text, r->rule_id);
    shunt_logs_csv_text(text, r->reason);
    shunt_logs_csv_fixed(text, r->gain > 0 ? r->gain : -1, 2);
    shunt_logs_csv_fixed(text, r->native > 0 ? r->native : -1, 9);
    shunt_logs_csv_fixed(text, r->seconds, 9);
    shunt_logs_csv_fixed(text, r->agreement, 9);
    shunt_logs_csv_number(text, r->memory);
    shunt_log_text_unsigned(text, (uint64_t)(r->error > 0 ? r->error : 0));
    shunt_log_text_put(text, "\n", 1);
}
