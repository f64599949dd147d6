/* SPDX-License-Identifier: BSD-3-Clause */
/* summaries.c: a summary and calls for it. */
#include "summaries.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "json.h"

struct shunt_log_summary summary;
char result[1 << 20];

int begin_summary(void **unused)
{
    (void)unused;
    summary = (struct shunt_log_summary){.rank = 0, .ranks = 16};
    return 0;
}

int end_summary(void **unused)
{
    (void)unused;
    shunt_log_summary_clear(&summary);
    return 0;
}

static const struct shunt_log_passed passed[] = {{"MPI_Ialltoallv", 12}, {"MPI_Alltoallw", 3}};

const char *print(bool json)
{
    struct shunt_log_text text = {.grows = true};
    shunt_log_rows_clear(&summary.by_size); /* of an earlier time */
    shunt_log_rows_clear(&summary.by_reason);
    const struct shunt_log_entry total = shunt_log_summary_finish(&summary);
    (json ? shunt_log_summary_json : shunt_log_summary_human)(&text, &summary, &total, passed, 2);
    assert_false(text.cut);
    assert_true(text.used < sizeof(result));
    if (json)
        assert_true(json_valid(text.bytes, text.used - 1));
    memcpy(result, text.bytes, text.used);
    result[text.used] = '\0';
    free(text.bytes);
    return result;
}

void contains(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("lacks:\n%s\nin:\n%s", part, text);
}

void lacks(const char *text, const char *part)
{
    if (strstr(text, part))
        fail_msg("has:\n%s\nin:\n%s", part, text);
}

struct shunt_record routed_call(double seconds)
{
    return (struct shunt_record){.call = 10,
                                 .operation = "alltoall",
                                 .ranks = 16,
                                 .max = 64,
                                 .largest_sent = 64,
                                 .bytes = 1024,
                                 .algorithm = "bruck",
                                 .params = "radix=2",
                                 .rule_file = "site.cfg",
                                 .rule_line = 21,
                                 .rule_id = "small",
                                 .seconds = seconds};
}

struct shunt_record warm_up_call(double seconds)
{
    struct shunt_record record = routed_call(seconds);
    record.call = 2;
    record.max = -1; /* no agreement yet */
    record.algorithm = "native";
    record.params = "";
    record.rule_file = NULL;
    record.rule_line = 0;
    record.rule_id = NULL;
    record.reason = "warm-up";
    record.warmup = true;
    return record;
}

struct shunt_record turn_call(double seconds)
{
    struct shunt_record record = warm_up_call(seconds);
    record.call = 11;
    record.max = 64;
    record.reason = SHUNT_LOG_IN_TURN;
    record.settled = true;
    record.warmup = false;
    return record;
}

void add(struct shunt_record record, int times)
{
    for (int i = 0; i < times; i++)
        shunt_log_summary_add(&summary, &record);
}

struct shunt_log_estimate estimate(void)
{
    (void)print(false);
    return summary.estimate;
}
