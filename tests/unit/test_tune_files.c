/* SPDX-License-Identifier: BSD-3-Clause */
/* test_tune_files.c: what `shunt tune` reads: samples survive a cut, uses are added up. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tools/tune/options.h"
#include "tools/tune/store.h"
#include "tools/tune/uses.h"

/* A store with a batch of so many repetitions of native and bruck. */
static const struct tune_key key = {SHUNT_OP_ALLTOALLV, {16, 2, 8, 8}, 512, 3};
static const struct tune_batch batch = {.op = SHUNT_OP_ALLTOALLV,
                                        .block = 512,
                                        .stage = 3,
                                        .count = 2,
                                        .candidates = {"native", "parlogna:radix=sqrt(P)"},
                                        .repetitions = 4};
static const char *const distribution = "uniform";
static const int calls[TUNE_MODE_COUNT] = {[TUNE_MODE_ROW] = 7, [TUNE_MODE_SINGLE] = 2};

static void write_store(const char *name)
{
    char diagnostic[400];
    struct tune_store store;
    remove(name);
    assert_true(tune_store_open(&store, name, "these", false, diagnostic, sizeof diagnostic));
    for (int i = 0; i < 3; i++) {
        const double native = 1e-6 * (i + 1), other = i == 2 ? INFINITY : 2e-6 * (i + 1);
        const double seconds[] = {native, native / 8, other, other / 8};
        tune_store_add(&store, &key, &batch, &distribution, TUNE_MODE_COUNT, 509, i, calls,
                       seconds);
    }
    assert_true(tune_store_close(&store));
}

static int find_in(const char *name, struct tune_samples *samples)
{
    char diagnostic[400];
    struct tune_store store;
    assert_true(tune_store_open(&store, name, "these", true, diagnostic, sizeof diagnostic));
    assert_true(tune_samples_make(samples, 2, TUNE_MODE_COUNT, 4));
    const int found = tune_store_find(&store, &key, &batch, &distribution, samples);
    assert_true(tune_store_close(&store));
    return found;
}

static void samples_survive_a_cut(void **state)
{
    char name[] = "/tmp/shunt-tune.XXXXXX", diagnostic[400];
    struct tune_samples samples;
    struct tune_store store;
    (void)state;
    const int file = mkstemp(name);
    assert_true(file >= 0);
    write_store(name);
    assert_int_equal(find_in(name, &samples), 3);
    assert_int_equal(samples.largest, 509);
    assert_int_equal(samples.calls[TUNE_MODE_ROW], 7);
    assert_int_equal(samples.calls[TUNE_MODE_SINGLE], 2);
    assert_true(tune_store_open(&store, name, "these", true, diagnostic, sizeof diagnostic));
    assert_int_equal(tune_store_planned(&store, &key), 4);
    assert_true(tune_store_close(&store));
    assert_true(tune_samples_of(&samples, 1, TUNE_MODE_ROW)[1] == 4e-6);
    assert_true(tune_samples_of(&samples, 1, TUNE_MODE_SINGLE)[1] == 5e-7);
    assert_true(isinf(tune_samples_of(&samples, 1, TUNE_MODE_ROW)[2]));
    tune_samples_clear(&samples);
    /* However much of the end is missing, what is whole is kept, and more can follow. */
    FILE *whole = fopen(name, "r");
    fseek(whole, 0, SEEK_END);
    const long length = ftell(whole);
    fclose(whole);
    for (long cut = 0; cut < length; cut++) {
        write_store(name);
        assert_int_equal(truncate(name, cut), 0);
        const int found = find_in(name, &samples);
        assert_true(found <= 3 && (cut < length - 1 ? found < 3 : true));
        tune_samples_clear(&samples);
        assert_int_equal(find_in(name, &samples), found);
        tune_samples_clear(&samples);
    }
    /* Where there is none yet, there is nothing to go on with. */
    remove(name);
    assert_int_equal(find_in(name, &samples), 0);
    tune_samples_clear(&samples);
    /* Not mixed with others, nor overwritten. */
    write_store(name);
    assert_false(tune_store_open(&store, name, "those", true, diagnostic, sizeof diagnostic));
    assert_non_null(strstr(diagnostic, "another run"));
    tune_store_close(&store);
    assert_false(tune_store_open(&store, name, "these", false, diagnostic, sizeof diagnostic));
    assert_non_null(strstr(diagnostic, "--resume"));
    tune_store_close(&store);
    close(file);
    remove(name);
}

static void what_is_no_sample_is_refused(void **state)
{
    static const char *const bad[] = {
        "alltoall,2,8", "alltoallv,2,8,8,uniform,512,509,3,3,4,native,7,1e-06", /* no mode */
        "alltoallv,2,8,8,uniform,512,509,3,3,4,native,double,7,1e-06", /* none that there is */
    };
    char name[] = "/tmp/shunt-tune.XXXXXX", diagnostic[400];
    struct tune_store store;
    (void)state;
    const int file = mkstemp(name);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        write_store(name);
        FILE *stream = fopen(name, "a");
        fprintf(stream, "%s\n", bad[i]);
        fclose(stream);
        assert_false(tune_store_open(&store, name, "these", true, diagnostic, sizeof diagnostic));
        assert_non_null(strstr(diagnostic, ":15: this is no sample"));
        tune_store_close(&store);
    }
    close(file);
    remove(name);
}

static void uses_are_classes_of_sizes(void **state)
{
    struct tune_uses uses = {0};
    (void)state;
    for (int64_t block = 1; block <= 8; block++) {
        const struct tune_use call = {SHUNT_OP_ALLTOALLV, 16, 2, 8, block, 0.5, 0};
        assert_true(tune_uses_add(&uses, &call));
    }
    assert_int_equal(uses.count, 4);
    assert_int_equal(uses.use[2].block, 7);
    assert_true(uses.use[2].seconds == 2 && uses.use[2].calls == 4);
    tune_uses_clear(&uses);
}

/* Whether the words are good options; their problem is in `diagnostic` otherwise. */
static bool reads(struct tune_options *options, const char *const *words, int count)
{
    static char diagnostic[400], copies[12][64];
    char *argv[13] = {copies[0]};
    assert_true(count < 12);
    for (int i = 0; i < count; i++) {
        snprintf(copies[i + 1], sizeof copies[0], "%s", words[i]);
        argv[i + 1] = copies[i + 1];
    }
    struct shunt_words others;
    return tune_options_read(options, &others, count + 1, argv, diagnostic, sizeof diagnostic);
}

static void options_have_defaults(void **state)
{
    static const char *const plain[] = {"-o", "x.cfg"};
    static const char *const all[] = {"--output=x.cfg", "--block=4K,16,16",
                                      "--op=alltoall",  "--layout=2x8,16x1",
                                      "--csv=y",        "--distribution=normal"};
    struct tune_options options;
    (void)state;
    assert_true(reads(&options, plain, 2));
    assert_string_equal(options.csv, "x.cfg.csv");
    assert_int_equal(options.cells.block_count, 8);
    assert_int_equal(options.cells.distributions[0].shape, MEASURE_UNIFORM);
    assert_true(options.cells.op[SHUNT_OP_ALLTOALL] && options.cells.op[SHUNT_OP_ALLTOALLV]);
    assert_int_equal(options.time_limit, 600);
    tune_options_clear(&options);
    assert_true(reads(&options, all, 6));
    assert_string_equal(options.csv, "y");
    assert_int_equal(options.cells.block_count, 2);
    assert_int_equal(options.cells.blocks[0], 16);
    assert_false(options.cells.op[SHUNT_OP_ALLTOALLV]);
    assert_int_equal(options.layout_count, 2);
    assert_int_equal(options.layouts[1].nodes, 16);
    assert_int_equal(options.layouts[1].ppn, 1);
    tune_options_clear(&options);
}

static void options_that_are_wrong_are_refused(void **state)
{
    static const char *const bad[] = {"--layout=1x1",    "--layout=2x",    "--layout=2x8,",
                                      "--layout=x8",     "--layout=",      "--algorithm=bruck,",
                                      "--candidates=33", "--candidates=0", "--time-limit=1x",
                                      "--machine=",      "--block=-1"};
    struct tune_options options;
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        const char *const words[] = {"-o", "x.cfg", bad[i]};
        assert_false(reads(&options, words, 3));
        tune_options_clear(&options);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_survive_a_cut),
        cmocka_unit_test(what_is_no_sample_is_refused),
        cmocka_unit_test(uses_are_classes_of_sizes),
        cmocka_unit_test(options_have_defaults),
        cmocka_unit_test(options_that_are_wrong_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
