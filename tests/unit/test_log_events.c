/* SPDX-License-Identifier: BSD-3-Clause */
/* What the lines of the log look like that are about no call, in both forms. No files here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "config.h"
#include "json.h"
#include "log/event.h"

/* A finished text as a C string in static memory. */
static const char *finish(struct shunt_log_text *text)
{
    static char result[1 << 12];
    assert_false(text->cut);
    assert_true(text->used < sizeof(result));
    memcpy(result, text->bytes, text->used);
    result[text->used] = '\0';
    free(text->bytes);
    return result;
}

static struct shunt_log_header header_with(bool table)
{
    struct shunt_log_header header = {.host = "n1",
                                      .library = "MPICH 4.0.2",
                                      .command = "./fft \"8\"",
                                      .launcher = "hydra",
                                      .process = 4711,
                                      .rank = 3,
                                      .ranks = 64,
                                      .date = 1795334400,
                                      .table_known = table};
    header.table = (struct shunt_log_table){"/etc/shunt/alpha.cfg", "alpha", UINT64_C(0xabc)};
    return header;
}

static const char *header_json(bool table)
{
    struct shunt_log_text text = {.grows = true};
    const struct shunt_log_header header = header_with(table);
    shunt_log_header_json(&text, &header);
    assert_true(json_valid(text.bytes, text.used - 1));
    return finish(&text);
}

static void the_first_line_tells_whose_log_this_is(void **unused)
{
    (void)unused;
    assert_string_equal(
        header_json(true),
        "{\"event\": \"header\", \"schema\": 1, \"version\": \"" PACKAGE_VERSION
        "\", \"host\": \"n1\", \"process\": 4711, \"job\": null, \"launcher\": \"hydra\", "
        "\"library\": \"MPICH 4.0.2\", \"rank\": 3, \"ranks\": 64, "
        "\"table\": \"/etc/shunt/alpha.cfg\", \"machine\": \"alpha\", "
        "\"fingerprint\": \"0000000000000abc\", \"origin\": \"1970-01-01T00:00:00Z\", "
        "\"date\": \"2026-11-22T08:00:00Z\", \"command\": \"./fft \\\"8\\\"\"}\n");
    assert_null(strstr(header_json(false), "table"));
    assert_null(strstr(header_json(false), "fingerprint"));
    struct shunt_log_text text = {.grows = true};
    const struct shunt_log_header header = header_with(true);
    shunt_log_header_human(&text, &header);
    assert_string_equal(
        finish(&text),
        "shunt: log schema 1, shunt " PACKAGE_VERSION ", MPICH 4.0.2, rank 3 of 64, host n1, "
        "process 4711, launcher hydra, table /etc/shunt/alpha.cfg (alpha, 0000000000000abc), "
        "2026-11-22T08:00:00Z, command: ./fft \"8\"\n");
}

static void a_communicator_has_its_layout(void **unused)
{
    (void)unused;
    const int first[] = {0, 8, 16, 24, 27, 35};
    const struct shunt_log_table table = {"built-in", "", 1};
    struct shunt_log_communicator rows = {.name = "rows",
                                          .id = UINT64_MAX,
                                          .ranks = 35,
                                          .nodes = 5,
                                          .ppn_min = 3,
                                          .ppn_max = 8,
                                          .oversubscribed = true,
                                          .node_first = first,
                                          .table = &table};
    struct shunt_log_text text = {.grows = true};
    shunt_log_communicator_json(&text, &rows, 0, INT64_C(1500000000));
    assert_true(json_valid(text.bytes, text.used - 1));
    assert_string_equal(
        finish(&text),
        "{\"event\": \"communicator\", \"rank\": 0, \"time\": 1.500000000, \"communicator\": "
        "\"rows\", \"communicator_id\": \"ffffffffffffffff\", \"ranks\": 35, \"nodes\": 5, "
        "\"ppn_min\": 3, \"ppn_max\": 8, \"oversubscribed\": true, "
        "\"layout\": [8, 8, 8, 3, 8], \"table\": \"built-in\", "
        "\"machine\": null, \"fingerprint\": \"0000000000000001\"}\n");
    text = (struct shunt_log_text){.grows = true};
    shunt_log_communicator_human(&text, &rows);
    assert_string_equal(finish(&text),
                        "shunt: communicator ffffffffffffffff (rows) P=35 N=5 Q=8, layout "
                        "3x8,3,8, oversubscribed, table built-in (0000000000000001)\n");
    rows.name = "";
    rows.table = NULL;
    rows.oversubscribed = false;
    text = (struct shunt_log_text){.grows = true};
    shunt_log_communicator_human(&text, &rows);
    assert_string_equal(finish(&text),
                        "shunt: communicator ffffffffffffffff P=35 N=5 Q=8, layout 3x8,3,8\n");
}

static void an_offset_may_be_negative(void **unused)
{
    (void)unused;
    struct shunt_log_text text = {.grows = true};
    shunt_log_clock_json(&text, 3, -1500000001, 250);
    assert_true(json_valid(text.bytes, text.used - 1));
    assert_string_equal(finish(&text), "{\"event\": \"clock\", \"rank\": 3, \"offset\": "
                                       "-1.500000001, \"uncertainty\": 0.000000250}\n");
    text = (struct shunt_log_text){.grows = true};
    shunt_log_clock_human(&text, -1500000001, 250);
    assert_string_equal(finish(&text),
                        "shunt: clock: date and times are those of rank 0 with -1.500000001 s "
                        "added, right to within 0.000000250 s\n");
    text = (struct shunt_log_text){.grows = true};
    shunt_log_clock_human(&text, 0, 0);
    assert_string_equal(finish(&text), "shunt: clock: date and times are those of rank 0\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_line_tells_whose_log_this_is),
        cmocka_unit_test(a_communicator_has_its_layout),
        cmocka_unit_test(an_offset_may_be_negative),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
