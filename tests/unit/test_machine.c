/* SPDX-License-Identifier: BSD-3-Clause */
/* test_machine.c: machine descriptions as files: right, wrong (every message word by word), written
 * and read back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "decision_files.h"
#include "descriptions.h"
#include "route/decimal.h"
#include "route/machine.h"
#include "route/machine_keys.h"

static void decimals_keep_their_digits(void **state)
{
    (void)state;
    static const struct {
        double file, model;
        int power;
        const char *text;
    } cases[] = {
        {6, 6e-6, -6, "6"},
        {4.7, 4.7e-6, -6, "4.7"},
        {0.73, 0.73e-9, -9, "0.73"},
        {16.5, 16.5e-12, -12, "16.5"},
        {8.1, 8.1e-9, -9, "8.1"},
        {0.1, 1e-7, -6, "0.1"},
        {0.0001, 1e-10, -6, "0.0001"},
        {1e-7, 1e-16, -9, "1e-7"},
        {1.25e-7, 1.25e-16, -9, "1.25e-7"},
        {123456789, 123456789e-9, -9, "123456789"},
        {1e9, 1, -9, "1e9"},
        {1234567890.5, 1234567890.5e-12, -12, "1.2345678905e9"},
        {0.123456789012345, 0.123456789012345e-6, -6, "0.123456789012345"},
        {0, 0, -6, "0"},
        {0.5, 0.5, 0, "0.5"},
        {100, 100, 0, "100"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[64];
        const double model = shunt_decimal_scale(cases[i].file, cases[i].power);
        assert_memory_equal(&model, &cases[i].model, sizeof model);
        shunt_decimal_print(model, -cases[i].power, text, sizeof text);
        assert_string_equal(text, cases[i].text);
    }
    const double zero = 0, negative = shunt_decimal_scale(-zero, -6);
    assert_memory_equal(&negative, &zero, sizeof zero);
}

static void every_key_is_read(void **state)
{
    (void)state;
    const struct shunt_machine machine = read_good(
        HEAD
        "model = { name = \"a\"; library = \"MPICH 4.0\"; source = \"measured\";\n"
        "inside = { latency_us = 1; overhead_us = 2.5; gap_us = 3; byte_ns = 4; eager = "
        "\"16K\"; overhead_byte_ns = 0.2; message_pj = 5; byte_nj = 6; rendezvous_us = 7; };\n"
        "between = { latency_us = 11; overhead_us = 12.5; gap_us = 13; byte_ns = 14; eager = "
        "100; overhead_byte_ns = 12; message_pj = 15; byte_nj = 16; rendezvous_us = 17; };\n"
        "copy = { block_ns = 21; byte_ns = 22; }; read = { block_ns = 23; byte_ns = 24; };\n"
        "match_ns = 40; network = { latency_us = 43; byte_ns = 41; nodes = 42; };\n"
        "type = { message_ns = 37; block_ns = 38; byte_ns = 39; long = \"4K\"; };\n"
        "barrier = { start_us = 25; rank_us = 26; }; processors = 27; turn_us = 28; sharing = 36;\n"
        "fitted = true; card = { count = 29; message_ns = 30; byte_ns = 31; offload = true; };\n"
        "native = { short = 512; medium = \"64K\"; ranks = 32; throttle = 33; alltoallv = "
        "\"linear\"; };\n"
        "energy = { static_w = 34; per = \"job\"; }; descriptor = 35; };");
    struct shunt_machine expected;
    memset(&expected, 0, sizeof expected);
    strcpy(expected.name, "a");
    strcpy(expected.library, "MPICH 4.0");
    expected.link[SHUNT_LEVEL_INSIDE] =
        (struct shunt_link){1e-6, 2.5e-6, 2e-10, 3e-6, 4e-9, 16384, 5e-12, 6e-9, 7e-6};
    expected.link[SHUNT_LEVEL_BETWEEN] =
        (struct shunt_link){11e-6, 12.5e-6, 12e-9, 13e-6, 14e-9, 100, 15e-12, 16e-9, 17e-6};
    expected.copy_block = 21e-9;
    expected.copy_byte = 22e-9;
    expected.read_block = 23e-9;
    expected.read_byte = 24e-9;
    expected.match = 40e-9;
    expected.network_latency = 43e-6;
    expected.network_byte = 41e-9;
    expected.network_nodes = 42;
    expected.type_message = 37e-9;
    expected.type_block = 38e-9;
    expected.type_byte = 39e-9;
    expected.type_long = 4096;
    expected.barrier_start = 25e-6;
    expected.barrier_rank = 26e-6;
    expected.processors = 27;
    expected.sharing = 36;
    expected.turn = 28e-6;
    expected.cards = 29;
    expected.card_message = 30e-9;
    expected.card_byte = 31e-9;
    expected.offload = true;
    expected.fitted = true;
    expected.native_short = 512;
    expected.native_medium = 65536;
    expected.native_ranks = 32;
    expected.native_throttle = 33;
    expected.native_alltoallv = SHUNT_NATIVE_LINEAR;
    expected.power = SHUNT_POWER_JOB;
    expected.static_power = 34;
    expected.descriptor = 35;
    assert_same(&machine, &expected);
}

static void what_is_left_out_has_its_default(void **state)
{
    (void)state;
    const struct shunt_machine machine = read_good(MODEL(""));
    struct shunt_machine expected;
    const struct shunt_link link = {1e-6, 0.5e-6, 0, 0, 0.1e-9, INT64_MAX, 0, 0, 0};
    memset(&expected, 0, sizeof expected);
    strcpy(expected.name, "t");
    expected.link[SHUNT_LEVEL_INSIDE] = expected.link[SHUNT_LEVEL_BETWEEN] = link;
    expected.copy_block = expected.read_block = 20e-9;
    expected.copy_byte = expected.read_byte = 0.1e-9;
    expected.type_long = INT64_MAX;
    expected.barrier_start = 1e-6;
    expected.barrier_rank = 0.5e-6;
    expected.cards = 1;
    expected.native_short = 256;
    expected.native_medium = 32768;
    expected.native_ranks = 8;
    expected.native_throttle = 32;
    expected.power = SHUNT_POWER_CARD;
    expected.descriptor = 32;
    assert_same(&machine, &expected);
}

static void mistakes_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *diagnostics[BAD_MAX];
    } cases[] = {
        {"",
         {"t.cfg:1: no \"schema\": add the line \"schema = 1;\"",
          "t.cfg:1: no \"model\": this is no machine description (\"shunt machine\" makes "
          "one)"}},
        {HEAD "machine = { };",
         {"t.cfg:2: unknown key \"machine\"",
          "t.cfg:1: no \"model\": this is no machine description (\"shunt machine\" makes one)"}},
        {HEAD "model = 3;", {"t.cfg:2: model: expected a group { }, found a number"}},
        {HEAD "model = { inside = " LINK " };",
         {"t.cfg:2: model: no \"between\" (\"shunt machine\" measures it)",
          "t.cfg:2: model: no \"copy\" (\"shunt machine\" measures it)"}},
        {HEAD "model = { inside = " LINK "\nbetween = { latency_us = 1; };\n" COPY " };",
         {"t.cfg:3: model.between: no \"overhead_us\" (\"shunt machine\" measures it)",
          "t.cfg:3: model.between: no \"byte_ns\" (\"shunt machine\" measures it)"}},
        {HEAD "model = { inside = " LINK " between = 3;\n" COPY " };",
         {"t.cfg:2: model: between: expected a group { }, found a number"}},
        {MODEL("barriers = { };"),
         {IN_MODEL "unknown key \"barriers\" (did you mean \"barrier\"?)"}},
        {MODEL("barrier = { start_ns = 1; };"),
         {"t.cfg:4: model.barrier: unknown key \"start_ns\" (did you mean \"start_us\"?)"}},
        {MODEL("processor = 3;"),
         {IN_MODEL "unknown key \"processor\" (did you mean \"processors\"?)"}},
        {MODEL("processors = 3.5;"),
         {IN_MODEL "processors: expected a number, found a floating-point number"}},
        {MODEL("processors = -1;"),
         {IN_MODEL "processors: -1 is negative (large numbers need quotes or an L)"}},
        {MODEL("processors = 3000000000L;"),
         {IN_MODEL "processors: 3000000000 is too large, the most is 2147483647"}},
        {MODEL("turn_us = -0.5;"), {IN_MODEL "turn_us: -0.5 is negative"}},
        {MODEL("turn_us = \"1\";"), {IN_MODEL "turn_us: expected a number, found a string"}},
        {MODEL("turn_us = 2000000.0;"),
         {IN_MODEL "turn_us: 2000000 cannot be meant, the most is 1000000: the key says of which "
                   "unit the number is"}},
        {MODEL("barrier = { rank_us = 1e999; };"),
         {"t.cfg:4: model.barrier: rank_us: 1e999 cannot be meant, the most is 1000000: the key "
          "says of which unit the number is"}},
        {MODEL("read = { byte_ns = 1000000001; };"),
         {"t.cfg:4: model.read: byte_ns: 1.000000001e9 cannot be meant, the most is 1e9: the key "
          "says of which unit the number is"}},
        {MODEL("energy = { static_w = 2e6; };"),
         {"t.cfg:4: model.energy: static_w: 2000000 cannot be meant, the most is 1000000: the key "
          "says of which unit the number is"}},
        {MODEL("energy = { per = \"cards\"; };"),
         {"t.cfg:4: model.energy: per: \"cards\" is not \"job\" or \"card\" (did you mean "
          "\"card\"?)"}},
        {MODEL("native = { alltoallv = \"pairs\"; };"),
         {"t.cfg:4: model.native: alltoallv: \"pairs\" is not \"scattered\", \"pairwise\" or "
          "\"linear\""}},
        {MODEL("energy = { per = 1; };"),
         {"t.cfg:4: model.energy: per: expected \"job\" or \"card\", found a number"}},
        {MODEL("type = { messages_ns = 1; };"),
         {"t.cfg:4: model.type: unknown key \"messages_ns\" (did you mean \"message_ns\"?)"}},
        {MODEL("type = { byte_ns = -0.3; };"), {"t.cfg:4: model.type: byte_ns: -0.3 is negative"}},
        {MODEL("native = { medium = \"1.5K\"; };"),
         {"t.cfg:4: model.native: medium: \"1.5K\" is not a size such as 4096 or \"4K\" (did you "
          "mean \"1536\"?)"}},
        {MODEL("card = { offload = 1; };"),
         {"t.cfg:4: model.card: offload: expected true or false, found a number"}},
        {MODEL("name = 3;"), {IN_MODEL "name: expected a string, found a number"}},
        {MODEL("source = 3;"), {IN_MODEL "source: expected a string, found a number"}},
        {MODEL("library = \"0123456789012345678901234567890123456789012345678901234567890123\";"),
         {IN_MODEL "library is longer than 63 bytes"}},
        {MODEL("turn_us = 3us;"),
         {"t.cfg:4: 3us needs quotes: \"3us\"", IN_MODEL "turn_us: expected a number, found a "
                                                         "string"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct shunt_diagnostics diagnostics = {0};
        struct shunt_machine machine;
        assert_false(shunt_machine_read_text(&machine, cases[i].text, "t.cfg", &diagnostics));
        expect(&diagnostics, cases[i].diagnostics, BAD_MAX);
        shunt_diagnostics_clear(&diagnostics);
    }
}

/* What the model finds wrong is told in its words, at the key's line; where it was left out, at the
 * line of its group. */
static void what_the_model_refuses_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *text, *key, *place;
    } cases[] = {
        {HEAD "model = { inside = " LINK
              "\nbetween = { latency_us = 1;\noverhead_us = 0; byte_ns = 1; };\n" COPY " };",
         "between.overhead_us", "t.cfg:4: model.between: overhead_us: "},
        {MODEL("native = {\nmedium = 1; };"), "native.medium", "t.cfg:5: model.native: medium: "},
        {MODEL("native = {\nshort = \"64K\"; };"), "native.medium",
         "t.cfg:4: model.native: medium: "},
        {MODEL("card = {\ncount = 0; };"), "card.count", "t.cfg:5: model.card: count: "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct shunt_diagnostics diagnostics = {0};
        struct shunt_machine machine;
        char expected[256];
        const char *key = "";
        assert_false(shunt_machine_read_text(&machine, cases[i].text, "t.cfg", &diagnostics));
        const char *wrong = shunt_machine_wrong(&machine, &key);
        assert_non_null(wrong);
        assert_string_equal(key, cases[i].key);
        snprintf(expected, sizeof expected, "%s%s", cases[i].place, wrong);
        assert_int_equal(diagnostics.count, 1);
        assert_string_equal(diagnostics.text[0], expected);
        shunt_diagnostics_clear(&diagnostics);
    }
}

static void descriptions_go_round(void **state)
{
    (void)state;
    static const char *const models[] = {
        MODEL(""),
        MODEL("name = \"a \\\"b\\\" \\\\\"; library = \"x\\n\"; turn_us = 0.123456789012345678;"),
        MODEL("turn_us = 1e-9; processors = 2147483647; descriptor = \"8G\"; barrier = { start_us "
              "= 123456.789; rank_us = 999999.999999999; };"),
        MODEL("type = { message_ns = 70.5; byte_ns = 0.3; long = \"16K\"; };"),
        MODEL("card = { count = 8; message_ns = 33.3333333333333333; byte_ns = 0.04; }; native = { "
              "short = 0; medium = \"9223372036854775806\"; };"),
    };
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
        const struct shunt_machine machine = read_good(models[i]);
        goes_round(&machine);
    }
    struct shunt_machine paper, clean;
    shunt_machine_paper(&paper);
    shunt_machine_copy(&clean, &paper);
    goes_round(&clean);
}

/* In a decision file. */
static void mistakes_in_tables_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *diagnostics[BAD_MAX];
    } cases[] = {
        {HEAD "machine = { modell = \"x\"; };",
         {"t.cfg:2: machine: unknown key \"modell\" (did you mean \"model\"?)"}},
        {HEAD "machine = { model = 3; };",
         {"t.cfg:2: machine: model: expected a group { }, or the name of a machine description, "
          "found a number"}},
        {HEAD "machine = { model = \"theta-like\"; };",
         {"t.cfg:2: machine.model: a text without a folder cannot name a machine description"}},
        {HEAD "machine = {\nmodel = { " LEAST " turn_us = -1; }; };",
         {"t.cfg:3: machine.model: turn_us: -1 is negative"}},
        {HEAD "machine = {\nmodel = { inside = " LINK " between = " LINK " }; };",
         {"t.cfg:3: machine.model: no \"copy\" (\"shunt machine\" measures it)"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct shunt_diagnostics diagnostics = {0};
        assert_null(shunt_parse_text(cases[i].text, "t.cfg", &diagnostics));
        expect(&diagnostics, cases[i].diagnostics, BAD_MAX);
        shunt_diagnostics_clear(&diagnostics);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decimals_keep_their_digits),       cmocka_unit_test(every_key_is_read),
        cmocka_unit_test(what_is_left_out_has_its_default), cmocka_unit_test(mistakes_are_named),
        cmocka_unit_test(what_the_model_refuses_is_told),   cmocka_unit_test(descriptions_go_round),
        cmocka_unit_test(mistakes_in_tables_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
