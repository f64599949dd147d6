/* SPDX-License-Identifier: BSD-3-Clause */
/* test_machine_fit.c: `shunt machine` finds the parameters that made its times, noise or not. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "nearness.h"
#include "tools/machine/loggp.h"
#include "tools/machine/options.h"
#include "tools/machine/results.h"
#include "tools/measure/random.h"

enum { SIZES = 17, SEEDS = 25, PARTS = 1000000 };

/* 0, 1, 4, 16, 64, ... and what lies around the usual thresholds. */
static double size_of(int i)
{
    static const double sizes[SIZES] = {0,     1,     8,      32,     64,     128,
                                        256,   512,   1024,   2048,   4096,   16384,
                                        32768, 65536, 131072, 524288, 1048576};
    return sizes[i];
}

/* -1 to 1. */
static double noise(struct measure_random *random)
{
    return (double)measure_random_below(random, UINT64_C(2) * PARTS) / PARTS - 1;
}

/* What a machine with such a link would show; every time up to `share` too long or too short. */
static void measure(struct machine_link_measured *measured, const struct shunt_link *link,
                    double share, uint64_t seed)
{
    struct measure_random random = measure_random_begin(seed, 7);
    *measured = (struct machine_link_measured){.half_count = SIZES, .eager = link->eager};
    for (int i = 0; i < SIZES; i++) {
        const double bytes = size_of(i), time = 2 * link->overhead + link->latency +
                                                bytes * link->byte +
                                                (bytes > (double)link->eager ? link->latency : 0);
        measured->half[i] = (struct measure_point){bytes, time * (1 + share * noise(&random))};
    }
    for (int messages = 16; messages <= 256; messages *= 2)
        measured->window[measured->window_count++] = (struct measure_point){
            messages, (2e-6 + messages * link->gap) * (1 + share * noise(&random))};
    measured->send = link->overhead * 0.8 * (1 + share * noise(&random));
    measured->receive = link->overhead * 1.2 * (1 + share * noise(&random));
}

static const struct shunt_link links[] = {
    {.latency = 3e-7, .overhead = 1e-7, .gap = 1.2e-7, .byte = 6e-11, .eager = 4096},
    {.latency = 1.5e-6, .overhead = 4e-7, .gap = 5e-7, .byte = 4e-11, .eager = 16384},
    {.latency = 4e-5, .overhead = 3e-6, .gap = 4e-6, .byte = 1e-9, .eager = 65536},
    {.latency = 6e-6, .overhead = 4.7e-6, .gap = 5e-6, .byte = 7.3e-10, .eager = INT64_MAX}};
#define LINKS (sizeof links / sizeof links[0])

static void a_link_without_noise_is_found(void **state)
{
    (void)state;
    for (size_t k = 0; k < LINKS; k++) {
        struct machine_link_measured measured;
        struct machine_link_fit fit;
        struct shunt_link found = {.message_energy = 7};
        measure(&measured, &links[k], 0, 1);
        machine_link_make(&measured, &found, &fit);
        assert_true(near(found.latency, links[k].latency, 1e-6));
        assert_true(near(found.overhead, links[k].overhead, 1e-6));
        assert_true(near(found.gap, links[k].gap, 1e-6));
        assert_true(near(found.byte, links[k].byte, 1e-6));
        assert_int_equal(found.eager, links[k].eager);
        assert_true(found.message_energy == 7);
        assert_true(fit.residual < 1e-6 && fit.start_residual < 1e-6 && fit.gap_residual < 1e-6);
        assert_false(fit.overlapped);
        assert_int_equal(fit.eager_count + fit.rendezvous_count, SIZES);
    }
}

static void a_link_with_noise_is_found(void **state)
{
    (void)state;
    for (size_t k = 0; k < LINKS; k++) {
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            struct machine_link_measured measured;
            struct machine_link_fit fit;
            struct shunt_link found = {0};
            measure(&measured, &links[k], 0.02, seed);
            machine_link_make(&measured, &found, &fit);
            assert_true(near(found.latency + 2 * found.overhead,
                             links[k].latency + 2 * links[k].overhead, 0.03));
            assert_true(near(found.overhead, links[k].overhead, 0.03));
            assert_true(near(found.gap, links[k].gap, 0.05));
            assert_true(near(found.byte, links[k].byte, 0.06));
            assert_true(fit.residual > 0 && fit.residual < 0.04);
        }
    }
}

static double sum_of_deviations(const struct machine_link_measured *measured,
                                const struct shunt_link *link, double byte)
{
    struct shunt_link other = *link;
    double sum = 0;
    other.byte = byte;
    for (int i = 0; i < measured->half_count; i++)
        sum += fabs(machine_link_time(&other, measured->half[i].x) - measured->half[i].y) /
               measured->half[i].y;
    return sum;
}

/* Copies through a ring of buffers below the threshold, one copy above it. */
static void of_two_slopes_that_is_taken_which_fits(void **state)
{
    const struct shunt_link *link = &links[0];
    struct machine_link_measured measured;
    struct machine_link_fit fit;
    struct shunt_link found = {0};
    (void)state;
    measure(&measured, link, 0, 1);
    for (int i = 0; i < SIZES; i++)
        if (size_of(i) > (double)link->eager)
            measured.half[i].y -= size_of(i) * link->byte / 2;
    machine_link_make(&measured, &found, &fit);
    assert_true(near(fit.eager.slope, link->byte, 1e-6));
    assert_true(near(fit.rendezvous.slope, link->byte / 2, 1e-6));
    const double sum = sum_of_deviations(&measured, &found, found.byte);
    assert_true(sum <= sum_of_deviations(&measured, &found, fit.eager.slope));
    assert_true(sum <= sum_of_deviations(&measured, &found, fit.rendezvous.slope));
    assert_true(found.byte < 0.9 * link->byte); /* long messages deviate most otherwise */
}

static void overheads_leave_some_latency(void **state)
{
    struct machine_link_measured measured;
    struct machine_link_fit fit;
    struct shunt_link found = {0};
    const double half = links[1].latency + 2 * links[1].overhead;
    (void)state;
    measure(&measured, &links[1], 0, 1);
    measured.send = measured.receive = half;
    machine_link_make(&measured, &found, &fit);
    assert_true(fit.overlapped && found.latency > 0);
    assert_true(near(found.latency + 2 * found.overhead, half, 1e-6));
}

static void a_link_of_few_sizes_has_what_it_shows(void **state)
{
    struct machine_link_measured measured = {.half = {{0, 4e-6}, {1024, 5e-6}},
                                             .half_count = 2,
                                             .send = 1e-6,
                                             .receive = 1e-6,
                                             .window = {{64, 64e-6}},
                                             .window_count = 1,
                                             .eager = 0};
    struct machine_link_fit fit;
    struct shunt_link found = {0};
    (void)state;
    machine_link_make(&measured, &found, &fit);
    assert_true(near(found.latency, 2e-6, 1e-9) && near(found.overhead, 1e-6, 1e-9));
    assert_true(near(found.gap, 1e-6, 1e-9));
    assert_int_equal(found.eager, 0);
}

static void many_disturbed_measurements_make_a_busy_machine(void **state)
{
    struct machine_results results;
    struct measure_samples quiet = {0}, disturbed = {0};
    (void)state;
    machine_results_begin(&results, "name", "MPICH 4.0");
    for (int i = 0; i < 20; i++) {
        measure_samples_add(&quiet, 1e-6);
        measure_samples_add(&disturbed, i == 0 ? 1e-6 : 2e-6);
    }
    assert_false(machine_results_busy(&results));
    for (int i = 0; i < 3; i++)
        machine_results_judge(&results, &quiet);
    machine_results_judge(&results, &disturbed);
    assert_false(machine_results_busy(&results));
    machine_results_judge(&results, &disturbed);
    assert_true(machine_results_busy(&results));
}

static const struct machine_row *row_of(const struct machine_results *results, const char *key)
{
    const struct machine_row *found = NULL;
    for (int i = 0; i < results->count; i++) {
        if (strcmp(results->rows[i].key, key) != 0)
            continue;
        assert_null(found); /* each once */
        found = &results->rows[i];
    }
    return found;
}

static void what_was_not_measured_is_as_what_is_nearest(void **state)
{
    struct machine_results results;
    (void)state;
    machine_results_begin(&results, "name", "MPICH 4.0");
    results.machine.link[SHUNT_LEVEL_INSIDE] = links[0];
    machine_results_complete(&results, 4, 1);
    assert_memory_equal(&results.machine.link[SHUNT_LEVEL_BETWEEN], &links[0], sizeof links[0]);
    assert_int_equal(row_of(&results, "between.latency_us")->samples, 0);
    assert_non_null(strstr(row_of(&results, "between.byte_ns")->note, "one node"));
    assert_true(results.machine.card_message == 0);
    assert_null(row_of(&results, "inside.latency_us")); /* that is for who measured it */
    machine_results_begin(&results, "name", "MPICH 4.0");
    results.machine.link[SHUNT_LEVEL_BETWEEN] = links[1];
    machine_results_complete(&results, 1, 2);
    assert_memory_equal(&results.machine.link[SHUNT_LEVEL_INSIDE], &links[1], sizeof links[1]);
    assert_non_null(strstr(row_of(&results, "inside.eager")->note, "one rank per node"));
    assert_null(row_of(&results, "card.message_ns"));
    assert_true(results.machine.barrier_rank == links[1].overhead);
}

static void numbers_are_rounded_as_files_write_them(void **state)
{
    struct machine_results results;
    (void)state;
    machine_results_begin(&results, "name", "MPICH 4.0");
    results.machine.link[SHUNT_LEVEL_INSIDE] = links[0];
    results.machine.copy_byte = 1.23456789e-11;
    results.machine.turn = 9.99999e-7;
    machine_results_complete(&results, 2, 1);
    assert_true(results.machine.copy_byte == 1.235e-11);
    assert_true(results.machine.turn == 1e-6);
    assert_true(results.machine.copy_block == 0);
}

static void energies_come_from_a_description(void **state)
{
    struct machine_results results;
    struct shunt_machine paper;
    (void)state;
    shunt_machine_paper(&paper);
    machine_results_begin(&results, "name", "MPICH 4.0");
    machine_results_energy(&results, &paper, "paper");
    for (int level = 0; level < SHUNT_LEVEL_COUNT; level++)
        assert_true(results.machine.link[level].byte_energy == paper.link[level].byte_energy);
    assert_true(results.machine.static_power == paper.static_power);
    assert_true(results.machine.link[SHUNT_LEVEL_BETWEEN].latency == 0);
    assert_string_equal(row_of(&results, "inside.message_pj")->note, "not measured: from paper");
    assert_true(row_of(&results, "descriptor")->value == (double)paper.descriptor);
    assert_string_equal(row_of(&results, "energy.per")->note, "job; not measured: from paper");
}

/* The node draws as much as that of the source, on one card. */
static void all_cards_of_the_source_draw_power(void **state)
{
    struct machine_results results;
    struct shunt_machine source;
    (void)state;
    shunt_machine_paper(&source);
    source.power = SHUNT_POWER_CARD;
    source.cards = 4;
    machine_results_begin(&results, "name", "MPICH 4.0");
    machine_results_energy(&results, &source, "source");
    const struct shunt_machine *found = &results.machine;
    assert_int_equal(found->power, SHUNT_POWER_CARD);
    assert_true(found->static_power * found->cards == 4 * source.static_power);
    assert_true(row_of(&results, "energy.static_w")->value == found->static_power);
    assert_string_equal(row_of(&results, "energy.per")->note, "card; not measured: from source");
}

static void quotas_are_read(void **state)
{
    (void)state;
    assert_true(machine_quota_read("max 100000\n") == 0);
    assert_true(machine_quota_read("150000 100000\n") == 1.5);
    assert_true(machine_quota_read("-1 100000\n") == 0);
    assert_true(machine_quota_read("400000 100000") == 4);
    assert_true(machine_quota_read("") == 0 && machine_quota_read("100000\n") == 0);
}

/* Of a line of words. `text` keeps them. */
static bool read_options(struct machine_options *options, const char *line, char *text,
                         size_t capacity, char *diagnostic)
{
    char *argv[16] = {text}, *rest = NULL;
    int argc = 0;
    snprintf(text, capacity, "%s", line);
    for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        argv[argc++] = word;
    argv[argc] = NULL;
    struct shunt_words words;
    return machine_options_read(options, &words, argc, argv, diagnostic, 200);
}

static void options_are_read(void **state)
{
    struct machine_options options;
    char diagnostic[200], text[200];
    (void)state;
    assert_true(read_options(&options, "machine -o site.cfg --name=a --time-limit=7 --force --json",
                             text, sizeof text, diagnostic));
    assert_string_equal(options.output, "site.cfg");
    assert_string_equal(options.name, "a");
    assert_int_equal(options.time_limit, 7);
    assert_true(options.force && options.json && !options.energy_from);
    assert_false(
        read_options(&options, "machine --time-limit=3601", text, sizeof text, diagnostic));
    assert_non_null(strstr(diagnostic, "--time-limit: \"3601\""));
    assert_false(read_options(&options, "machine 4", text, sizeof text, diagnostic));
    assert_non_null(strstr(diagnostic, "\"4\""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_link_without_noise_is_found),
        cmocka_unit_test(a_link_with_noise_is_found),
        cmocka_unit_test(of_two_slopes_that_is_taken_which_fits),
        cmocka_unit_test(overheads_leave_some_latency),
        cmocka_unit_test(a_link_of_few_sizes_has_what_it_shows),
        cmocka_unit_test(many_disturbed_measurements_make_a_busy_machine),
        cmocka_unit_test(what_was_not_measured_is_as_what_is_nearest),
        cmocka_unit_test(numbers_are_rounded_as_files_write_them),
        cmocka_unit_test(energies_come_from_a_description),
        cmocka_unit_test(all_cards_of_the_source_draw_power),
        cmocka_unit_test(quotas_are_read),
        cmocka_unit_test(options_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
