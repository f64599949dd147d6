/* SPDX-License-Identifier: BSD-3-Clause */
/* test_tune.c: `shunt tune` finds what is best, and where, from times that are made up, and its
 * table can be read. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "route/parse.h"
#include "tools/measure/random.h"
#include "tools/tune/halving.h"
#include "tools/tune/write.h"

/* A machine that is made up: seconds of a candidate are start + bytes * slope, and so many times
 * that in calls back to back, where it is not 0. */
struct curve {
    const char *text;
    double start, slope, row;
};

struct world {
    const struct curve *curves;
    int count;
    double noise;   /* a share of the time, at most */
    double aside;   /* seconds around the calls of a candidate, at each repetition */
    double seconds; /* that were spent */
    double limit;
    int batches, samples; /* samples: of all candidates */
    int64_t most_of;      /* samples of the candidate that has most */
    struct measure_random random;
};

static double time_of(struct world *world, const char *text, int64_t block, enum tune_mode mode)
{
    for (int i = 0; i < world->count; i++) {
        const struct curve *curve = &world->curves[i];
        const double times = mode == TUNE_MODE_ROW && curve->row > 0 ? curve->row : 1;
        if (strcmp(curve->text, text) == 0)
            return times * (curve->start + curve->slope * (double)block);
    }
    return INFINITY;
}

static bool measure(void *context, const struct tune_batch *batch, struct tune_samples *samples)
{
    struct world *world = context;
    if (!tune_samples_make(samples, batch->count, TUNE_MODE_COUNT, batch->repetitions))
        return false;
    assert_string_equal(batch->candidates[0], "native");
    samples->largest = batch->block;
    const double before = world->seconds;
    world->batches++;
    for (int mode = 0; mode < TUNE_MODE_COUNT; mode++)
        samples->calls[mode] = 1;
    for (int i = 0; i < batch->repetitions; i++)
        for (int k = 0; k < batch->count; k++) {
            for (int mode = 0; mode < TUNE_MODE_COUNT; mode++) {
                const double seconds =
                    time_of(world, batch->candidates[k], batch->block, (enum tune_mode)mode) *
                    (1 + world->noise * measure_random_unit(&world->random));
                tune_samples_of(samples, k, mode)[i] = seconds;
                world->seconds += isfinite(seconds) ? seconds : 0;
            }
            world->seconds += world->aside;
            world->samples++;
        }
    samples->each = (world->seconds - before) / batch->repetitions;
    return true;
}

static double left(void *context)
{
    const struct world *world = context;
    return world->limit - world->seconds;
}

static struct tune_lab lab_of(struct world *world)
{
    world->random = measure_random_begin(7, 1);
    return (struct tune_lab){world, measure, left};
}

static struct tune_entries entries_of(const struct curve *curves, int count)
{
    struct tune_entries entries = {.count = count};
    for (int i = 0; i < count; i++) {
        entries.entry[i] = (struct tune_entry){.simplicity = i, .predicted = INFINITY};
        snprintf(entries.entry[i].text, TUNE_TEXT_ROOM, "%s", curves[i].text);
    }
    return entries;
}

static void fill(struct tune_samples *samples, int candidate, double first, double step)
{
    for (int i = 0; i < samples->repetitions; i++)
        tune_samples_of(samples, candidate, 0)[i] = first + step * (i % 3);
}

static void the_better_half_goes_on_and_the_hopeless_never(void **state)
{
    struct tune_samples samples;
    int survivors[6];
    (void)state;
    assert_true(tune_samples_make(&samples, 6, 1, 9));
    fill(&samples, 0, 1.0, 0.01);
    fill(&samples, 1, 3.5, 0.01); /* hopeless */
    fill(&samples, 2, 0.5, 0.01);
    fill(&samples, 3, 2.0, 0.01);
    fill(&samples, 4, 0.4, 0.01);
    fill(&samples, 5, INFINITY, 0); /* cannot run */
    assert_int_equal(tune_halve(&samples, 2, survivors), 2);
    assert_int_equal(survivors[0], 4);
    assert_int_equal(survivors[1], 2);
    assert_int_equal(tune_halve(&samples, 6, survivors), 3);
    assert_int_equal(survivors[2], 3);
    assert_true(tune_gain(&samples, 5).times.median == 0);
    assert_true(isinf(tune_cost(&samples, 5)));
    tune_samples_clear(&samples);
}

static void samples_are_cut_where_time_runs_out(void **state)
{
    struct tune_samples samples;
    (void)state;
    assert_true(tune_samples_make(&samples, 3, 2, 9));
    for (int i = 0; i < 3 * 2 * 9; i++)
        samples.seconds[i] = i;
    tune_samples_cut(&samples, 7);
    assert_int_equal(samples.repetitions, 7);
    for (int k = 0; k < 3; k++)
        for (int c = 0; c < 2; c++)
            for (int i = 0; i < 7; i++)
                assert_true(tune_samples_of(&samples, k, c)[i] == (k * 2 + c) * 9 + i);
    tune_samples_cut(&samples, 8);
    assert_int_equal(samples.repetitions, 7);
    tune_samples_clear(&samples);
}

static void ties_go_to_the_simpler_and_to_native(void **state)
{
    static const int simplicity[] = {0, 30, 10, 20};
    struct tune_samples samples;
    (void)state;
    assert_true(tune_samples_make(&samples, 4, 1, 12));
    fill(&samples, 0, 1.0, 0.001);
    fill(&samples, 1, 0.500, 0.001);
    fill(&samples, 2, 0.505, 0.001); /* 1 % slower, and simpler */
    fill(&samples, 3, 0.550, 0.001); /* 10 % slower */
    /* All of these intervals are far from 1: only what cannot be told apart is a tie. */
    assert_int_equal(tune_pick(&samples, simplicity, -1), 1);
    for (int i = 0; i < samples.repetitions; i++)
        tune_samples_of(&samples, 2, 0)[i] = i % 2 ? 0.49 : 0.51;
    assert_int_equal(tune_pick(&samples, simplicity, -1), 2);
    assert_int_equal(tune_pick(&samples, simplicity, 1), 1);
    /* Nothing is clearly faster than native. */
    for (int k = 1; k < 4; k++)
        for (int i = 0; i < samples.repetitions; i++)
            tune_samples_of(&samples, k, 0)[i] = i % 2 ? 0.9 : 1.1;
    assert_int_equal(tune_pick(&samples, simplicity, 1), 0);
    tune_samples_clear(&samples);
}

static void the_worst_distribution_counts(void **state)
{
    static const int simplicity[] = {0, 1, 2};
    struct tune_samples samples;
    (void)state;
    assert_true(tune_samples_make(&samples, 3, 2, 10));
    for (int i = 0; i < 10; i++)
        for (int c = 0; c < 2; c++) {
            tune_samples_of(&samples, 0, c)[i] = 1 + 0.001 * i;
            tune_samples_of(&samples, 1, c)[i] = c ? 1.2 : 0.2;
            tune_samples_of(&samples, 2, c)[i] = 0.8;
        }
    assert_true(tune_gain(&samples, 1).times.median < 1);
    assert_int_equal(tune_pick(&samples, simplicity, -1), 2);
    tune_samples_clear(&samples);
}

/* What is slower than native back to back, or in single calls, is not taken, whatever it gains in
 * the other ones; and of two gains the smaller one counts. */
static void a_candidate_must_lose_in_no_mode(void **state)
{
    static const struct curve ahead[] = {{"native", 100e-6, 0, 0.5},
                                         {"bruck", 60e-6, 0, 1},
                                         {"node-pair", 80e-6, 0, 0.5}},
                              alone[] = {{"native", 100e-6, 0, 0.5}, {"bruck", 60e-6, 0, 1}};
    (void)state;
    struct world world = {.curves = ahead, .count = 3, .noise = 0.01, .limit = 1e9};
    struct tune_lab lab = lab_of(&world);
    struct tune_entries entries = entries_of(ahead, 3);
    struct tune_outcome outcome;
    assert_true(tune_cell(&lab, SHUNT_OP_ALLTOALLV, 64, &entries, NULL, 10, &outcome));
    assert_string_equal(outcome.text, "node-pair");
    assert_true(outcome.gain.median > 1.2 && outcome.gain.median < 1.3);
    assert_true(outcome.native < 60e-6);
    world = (struct world){.curves = alone, .count = 2, .noise = 0.01, .limit = 1e9};
    lab = lab_of(&world);
    entries = entries_of(alone, 2);
    assert_true(tune_cell(&lab, SHUNT_OP_ALLTOALLV, 64, &entries, "bruck", 10, &outcome));
    assert_string_equal(outcome.text, "native");
    assert_string_equal(tune_outcome_mode(&outcome), "-");
}

/* Two cases of one candidate: surely slower in one of them, but most uncertain in the other. */
static void a_loss_in_one_mode_is_a_loss(void **state)
{
    struct tune_samples samples;
    (void)state;
    assert_true(tune_samples_make(&samples, 2, TUNE_MODE_COUNT, 12));
    for (int i = 0; i < 12; i++) {
        tune_samples_of(&samples, 0, TUNE_MODE_ROW)[i] = 1;
        tune_samples_of(&samples, 0, TUNE_MODE_SINGLE)[i] = 1;
        tune_samples_of(&samples, 1, TUNE_MODE_ROW)[i] = 1.19 + 0.001 * (i % 3);
        tune_samples_of(&samples, 1, TUNE_MODE_SINGLE)[i] = i % 2 ? 0.4 : 2.5;
    }
    assert_int_equal(tune_gain(&samples, 1).mode, TUNE_MODE_SINGLE);
    assert_true(tune_loses(&samples, 1, 0.95));
    assert_false(tune_loses(&samples, 1, 0.8));
    for (int i = 0; i < 12; i++)
        tune_samples_of(&samples, 1, TUNE_MODE_ROW)[i] = 1.01;
    assert_false(tune_loses(&samples, 1, 0.95));
    tune_samples_clear(&samples);
}

/* A row is more than one call however long that takes, and samples of quick ones do not grow. */
static void samples_have_calls_as_time_allows(void **state)
{
    (void)state;
    assert_int_equal(tune_mode_calls(TUNE_MODE_ROW, 1), 4);
    assert_int_equal(tune_mode_calls(TUNE_MODE_ROW, 500e-6), 10);
    assert_int_equal(tune_mode_calls(TUNE_MODE_ROW, 1e-6), 50);
    assert_int_equal(tune_mode_calls(TUNE_MODE_ROW, 0), 50);
    assert_int_equal(tune_mode_calls(TUNE_MODE_SINGLE, 1), 1);
    assert_int_equal(tune_mode_calls(TUNE_MODE_SINGLE, 500e-6), 2);
    assert_int_equal(tune_mode_calls(TUNE_MODE_SINGLE, 1e-6), 5);
}

static const struct curve many[] = {
    {"native", 100e-6, 1e-9, 0},  {"bruck", 50e-6, 20e-9, 0},    {"parlogna", 60e-6, 10e-9, 0},
    {"sloav", 400e-6, 1e-9, 0},   {"node-pair", 90e-6, 2e-9, 0}, {"spread-out", 110e-6, 1e-9, 0},
    {"scattered", 1e-3, 1e-9, 0}, {"pairwise", 105e-6, 1e-9, 0}, {"node-bruck", 95e-6, 5e-9, 0},
    {"padded", 2e-3, 1e-9, 0},
};
enum { MANY = sizeof many / sizeof many[0] };

static void a_cell_finds_the_best_in_noise(void **state)
{
    (void)state;
    struct world world = {.curves = many, .count = MANY, .noise = 0.2, .limit = 1e9};
    const struct tune_lab lab = lab_of(&world);
    const struct tune_entries entries = entries_of(many, MANY);
    struct tune_outcome outcome;
    assert_true(tune_cell(&lab, SHUNT_OP_ALLTOALL, 16, &entries, NULL, 10, &outcome));
    assert_true(outcome.measured);
    assert_string_equal(outcome.text, "bruck");
    assert_true(outcome.gain.low > 1.8 && outcome.gain.high < 2.2);
    assert_true(outcome.pairs >= MEASURE_VALUES_LEAST);
    assert_true(tune_cell(&lab, SHUNT_OP_ALLTOALL, 1 << 20, &entries, NULL, 10, &outcome));
    assert_string_equal(outcome.text, "native");
    /* Halving spends less than giving everything what the last few get. */
    assert_true(world.samples < 2 * MANY * 50);
}

static void a_lack_of_time_makes_fewer_samples(void **state)
{
    (void)state;
    struct world rich = {.curves = many, .count = MANY, .limit = 1e9},
                 poor = {.curves = many, .count = MANY, .limit = 1e9};
    const struct tune_lab rich_lab = lab_of(&rich), poor_lab = lab_of(&poor);
    const struct tune_entries entries = entries_of(many, MANY);
    struct tune_outcome outcome;
    assert_true(tune_cell(&rich_lab, SHUNT_OP_ALLTOALL, 16, &entries, NULL, 10, &outcome));
    assert_true(tune_cell(&poor_lab, SHUNT_OP_ALLTOALL, 16, &entries, NULL, 1e-4, &outcome));
    assert_true(poor.seconds < 0.6 * rich.seconds);
    assert_string_equal(outcome.text, "bruck");
}

/* Barriers take time too, on a busy machine most of it. */
static void what_is_around_calls_counts_as_time(void **state)
{
    (void)state;
    struct world world = {.curves = many, .count = MANY, .limit = 1e9, .aside = 1e-3};
    const struct tune_lab lab = lab_of(&world);
    const struct tune_entries entries = entries_of(many, MANY);
    struct tune_outcome outcome;
    assert_true(tune_cell(&lab, SHUNT_OP_ALLTOALL, 16, &entries, NULL, 0.2, &outcome));
    assert_string_equal(outcome.text, "bruck");
    assert_true(world.seconds < 0.25);
}

static void nothing_that_cannot_run_wins(void **state)
{
    static const struct curve two[] = {{"native", 1e-4, 0, 0}, {"sloav", 2e-4, 0, 0}};
    (void)state;
    struct world world = {.curves = two, .count = 2, .limit = 1e9};
    const struct tune_lab lab = lab_of(&world);
    struct tune_entries entries = entries_of(two, 2);
    struct tune_outcome outcome;
    snprintf(entries.entry[entries.count++].text, TUNE_TEXT_ROOM, "unknown");
    entries.builtin = 2;
    assert_true(tune_cell(&lab, SHUNT_OP_ALLTOALL, 16, &entries, "unknown", 10, &outcome));
    assert_string_equal(outcome.text, "native");
    assert_true(outcome.builtin_gain == 1);
}

/* The winner changes at 4,000 bytes. */
static enum tune_side at_4000(void *context, struct tune_size *size)
{
    (*(int *)context)++;
    size->largest = size->block;
    return size->block < 4000 ? TUNE_SIDE_LOWER : TUNE_SIDE_UPPER;
}

static enum tune_side always_native(void *context, struct tune_size *size)
{
    (*(int *)context)++;
    size->largest = size->block;
    return TUNE_SIDE_NATIVE;
}

static void thresholds_are_found_by_halves(void **state)
{
    (void)state;
    int asked = 0;
    struct tune_gap gap = {.low = {512, 512}, .high = {65536, 65536}};
    tune_threshold(&gap, 20, at_4000, &asked);
    assert_true(gap.low.block < 4000 && gap.high.block >= 4000);
    assert_true((double)gap.high.block <= TUNE_NEAR * (double)gap.low.block);
    assert_true(asked <= 6 && !gap.native);
    asked = 0;
    gap = (struct tune_gap){.low = {512, 512}, .high = {65536, 65536}};
    tune_threshold(&gap, 2, at_4000, &asked);
    assert_int_equal(asked, 2);
    assert_true(gap.low.block < 4000 && gap.high.block >= 4000);
    asked = 0;
    tune_threshold(&gap, 20, always_native, &asked);
    assert_int_equal(asked, 1);
    assert_true(gap.native);
    asked = 0;
    gap = (struct tune_gap){.low = {1, 1}, .high = {2, 2}};
    tune_threshold(&gap, 20, at_4000, &asked);
    assert_int_equal(asked, 0);
}

static const struct curve three[] = {{"native", 100e-6, 10e-9, 0},
                                     {"bruck:radix=sqrt(P)", 50e-6, 30e-9, 1.01},
                                     {"spread-out", 80e-6, 9e-9, 1.01}};

static bool nominate(void *context, const struct tune_sweep *sweep, int64_t block,
                     struct tune_entries *entries)
{
    (void)context;
    (void)sweep;
    (void)block;
    *entries = entries_of(three, 3);
    return true;
}

static void told(void *context, const struct tune_sweep *sweep, int index)
{
    (void)sweep;
    (void)index;
    (*(int *)context)++;
}

static struct tune_sweep sweep_of(struct world *world)
{
    static const int64_t blocks[] = {16, 256, 4096, 65536};
    const struct tune_lab lab = lab_of(world);
    int count = 0;
    struct tune_sweep sweep = {
        .op = SHUNT_OP_ALLTOALL, .place = {16, 2, 8, 8}, .count = 4, .weights = {1, 1, 1, 1}};
    memcpy(sweep.blocks, blocks, sizeof blocks);
    assert_true(tune_sweep_run(&sweep, &lab, world->limit, nominate, told, &count));
    assert_true(count <= 4);
    return sweep;
}

/* bruck beats spread-out below 1,428 bytes; spread-out beats native everywhere.
 */
static void a_sweep_has_a_rule_for_each_winner(void **state)
{
    (void)state;
    struct world world = {.curves = three, .count = 3, .noise = 0.001, .limit = 1e6};
    const struct tune_sweep sweep = sweep_of(&world);
    struct tune_rule rules[4];
    assert_int_equal(tune_sweep_rules(&sweep, rules), 2);
    assert_string_equal(rules[0].text, "bruck:radix=sqrt(P)");
    /* Ends have neighbours: a program's sizes are not quite those that were measured. */
    assert_int_equal(rules[0].block.low, 13);
    assert_true(rules[0].block.high >= 1100 && rules[0].block.high <= 1800);
    assert_string_equal(rules[1].text, "spread-out");
    assert_int_equal(rules[1].block.low, rules[0].block.high + 1);
    assert_int_equal(rules[1].block.high, 81920);
    assert_int_equal(rules[0].sizes + rules[1].sizes, 4);
    assert_true(rules[1].gain.low > 1 && rules[1].most.median >= rules[1].gain.median);
}

static void without_time_nothing_is_ruled(void **state)
{
    (void)state;
    struct world world = {.curves = three, .count = 3, .limit = 0};
    const struct tune_sweep sweep = sweep_of(&world);
    struct tune_rule rules[4];
    assert_int_equal(world.batches, 0);
    assert_int_equal(tune_sweep_rules(&sweep, rules), 0);
}

/* The last comparison decides; a busy machine is told in the same sentence. */
static void a_sentence_says_which_table_to_use(void **state)
{
    (void)state;
    char text[TUNE_ADVICE_ROOM];
    struct tune_evidence e = {.cells = 4, .measured = 4, .gain = 1.66, .builtin_gain = 1.5};
    tune_advise(&e, text, sizeof text);
    assert_string_equal(text, "Use the table: calls are 1.66 times as fast as native with it, and "
                              "1.50 times with the built-in table.");
    e.builtin_gain = 1.96;
    tune_advise(&e, text, sizeof text);
    assert_string_equal(text,
                        "Keep the built-in table: calls are 1.96 times as fast as native with "
                        "it, and 1.66 times with this one, which is no better.");
    e.others = 19.6;
    tune_advise(&e, text, sizeof text);
    assert_non_null(strstr(text,
                           "; but the machine was busy (19.6 other processes ran on average): "
                           "measure again when it is idle."));
    e.others = 0.2;
    e.busy = 2;
    tune_advise(&e, text, sizeof text);
    assert_non_null(strstr(text, "busy (times spread in 2 of 4 cells)"));
    e.simulated = "polaris-like";
    tune_advise(&e, text, sizeof text);
    assert_non_null(strstr(text, "until \"shunt tune --validate=FILE\" has measured"));
}

static void the_table_can_be_read_and_keeps_symbols(void **state)
{
    (void)state;
    struct world world = {.curves = three, .count = 3, .noise = 0.001, .limit = 1e6};
    const struct tune_sweep sweep = sweep_of(&world);
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    struct tune_evidence evidence = {.command = "shunt tune\n-o x",
                                     .date = "2026-01-02T03:04:05Z",
                                     .processor = "some",
                                     .library = "MPICH 4.0.2",
                                     .host = "node7",
                                     .pattern = "node*",
                                     .csv = "x.csv",
                                     .processors = 2,
                                     .oversubscribed = true};
    tune_evidence_add(&evidence, &sweep, 1);
    assert_int_equal(evidence.measured, 4);
    assert_true(evidence.gain > 1.2 && evidence.gain < 2);
    tune_write(stream, &evidence, &sweep, 1);
    fclose(stream);
    struct shunt_diagnostics problems = {0};
    struct shunt_table *table = shunt_parse_text(text, "tuned.cfg", &problems);
    if (problems.count > 0)
        print_error("%s\n%s\n", problems.text[0], text);
    assert_non_null(table);
    assert_int_equal(table->rule_count[SHUNT_OP_ALLTOALL], 3);
    const struct shunt_rule *rule = &table->rules[table->rule_first[SHUNT_OP_ALLTOALL]];
    assert_int_equal(rule->given[SHUNT_PARAM_RADIX].formula, SHUNT_FORMULA_SQRT_P);
    assert_int_equal(rule->nodes.low, 2);
    assert_int_equal(rule->ppn.high, 8);
    assert_int_equal(rule->oversubscribed, SHUNT_CROWD_YES);
    assert_non_null(strstr(text, ", least in back-to-back calls, "));
    assert_non_null(strstr(text, "pairs; 2026-01-02, hosts node*, MPICH 4.0.2, layout 2x8"));
    assert_non_null(strstr(text, "measured = \"MPICH 4.0.2\""));
    free(table);
    free(text);
    /* For programs of another library nothing was measured. */
    stream = open_memstream(&text, &length);
    evidence.logged = "Open MPI 4.1.4";
    tune_write(stream, &evidence, &sweep, 1);
    fclose(stream);
    assert_non_null(
        strstr(text, "# WARNING: the logs are of another MPI library: Open MPI 4.1.4\n"));
    assert_null(strstr(text, "measured ="));
    free(text);
    shunt_diagnostics_clear(&problems);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_better_half_goes_on_and_the_hopeless_never),
        cmocka_unit_test(samples_are_cut_where_time_runs_out),
        cmocka_unit_test(ties_go_to_the_simpler_and_to_native),
        cmocka_unit_test(the_worst_distribution_counts),
        cmocka_unit_test(a_candidate_must_lose_in_no_mode),
        cmocka_unit_test(a_loss_in_one_mode_is_a_loss),
        cmocka_unit_test(samples_have_calls_as_time_allows),
        cmocka_unit_test(a_cell_finds_the_best_in_noise),
        cmocka_unit_test(a_lack_of_time_makes_fewer_samples),
        cmocka_unit_test(what_is_around_calls_counts_as_time),
        cmocka_unit_test(nothing_that_cannot_run_wins),
        cmocka_unit_test(thresholds_are_found_by_halves),
        cmocka_unit_test(a_sweep_has_a_rule_for_each_winner),
        cmocka_unit_test(a_sentence_says_which_table_to_use),
        cmocka_unit_test(without_time_nothing_is_ruled),
        cmocka_unit_test(the_table_can_be_read_and_keeps_symbols),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
