/* SPDX-License-Identifier: BSD-3-Clause */
/* Every schedule, by pure simulation: each block arrives once, nothing deadlocks, the formulas of
 * the papers hold. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "simulate.h"

/* SHUNT_TEST_THIN=n: every n-th size only, for slow machines: valgrind, sanitizers. */
static int thin(void)
{
    const char *text = getenv("SHUNT_TEST_THIN");
    const int step = text ? (int)strtol(text, NULL, 10) : 1;
    return step > 1 ? step : 1;
}

/* The most ranks of a sweep; SHUNT_TEST_RANKS lowers it. */
static int most_ranks(int wanted)
{
    const char *text = getenv("SHUNT_TEST_RANKS");
    const int most = text ? (int)strtol(text, NULL, 10) : wanted;
    return most < wanted ? most : wanted;
}

static struct shunt_radices one(int64_t radix)
{
    return (struct shunt_radices){1, {radix}};
}

static struct shunt_params params_of(const struct shunt_algorithm *algorithm,
                                     const struct shunt_layout *layout,
                                     struct shunt_radices radices, int64_t batch,
                                     enum shunt_metadata metadata)
{
    struct shunt_value given[SHUNT_VALUE_COUNT] = {{SHUNT_FORMULA_NUMBER, 0}};
    unsigned present = 1u << SHUNT_PARAM_BATCH_SIZE | 1u << SHUNT_PARAM_METADATA;
    given[SHUNT_PARAM_BATCH_SIZE].number = batch;
    given[SHUNT_PARAM_METADATA].number = metadata;
    for (int i = 0; i < radices.count; i++) {
        given[shunt_radix_index(i)].number = radices.radix[i];
        present |= 1u << shunt_radix_index(i);
    }
    return shunt_params_evaluate(algorithm, present, given, layout);
}

static void run_one(const struct shunt_algorithm *algorithm, const struct shunt_layout *layout,
                    struct shunt_radices radices, int64_t batch, enum shunt_metadata metadata)
{
    const struct shunt_params params = params_of(algorithm, layout, radices, batch, metadata);
    if (algorithm->infeasible && algorithm->infeasible(layout, &params))
        return;
    const char *error = simulate(algorithm, layout, &params);
    char text[128];
    shunt_param_print(&params, SHUNT_PARAM_RADIX, text, sizeof text);
    if (error)
        fail_msg("%s radix=%s batch_size=%lld metadata=%s P=%d N=%d Q=%d..%d: %s", algorithm->name,
                 text, (long long)batch, shunt_param_word(SHUNT_PARAM_METADATA, metadata),
                 layout->ranks, layout->nodes, layout->ppn_min, layout->ppn_max, error);
}

static int in_two_levels(const struct shunt_algorithm *algorithm)
{
    return algorithm->params[SHUNT_PARAM_RADIX].max == SHUNT_FORMULA_Q ||
           algorithm->kind == SHUNT_KIND_SEGMENT;
}

enum rows_wanted { ROWS_ALL, ROWS_IN_TWO_LEVELS };

/* SHUNT_TEST_ALGORITHM=name: sweeps over this row only. */
static bool is_wanted(const struct shunt_algorithm *algorithm)
{
    const char *name = getenv("SHUNT_TEST_ALGORITHM");
    return !name || strcmp(name, algorithm->name) == 0;
}

static void the_wanted_row_is_in_the_registry(void **state)
{
    (void)state;
    const char *name = getenv("SHUNT_TEST_ALGORITHM");
    if (name && !shunt_registry_find(name))
        fail_msg("no algorithm is named %s", name);
}

/* Every row with every radix, several batch sizes and both ways of metadata. */
static void run_all(const struct shunt_layout *layout, enum rows_wanted wanted)
{
    size_t count;
    const struct shunt_algorithm *const *rows = shunt_registry_rows(&count);
    for (size_t i = 0; i < count; i++) {
        if (!rows[i]->build || !is_wanted(rows[i]) ||
            (wanted == ROWS_IN_TWO_LEVELS && !in_two_levels(rows[i])))
            continue;
        const struct shunt_param_spec *radix_spec = &rows[i]->params[SHUNT_PARAM_RADIX];
        const int64_t most_radix =
            radix_spec->used ? shunt_value_eval((struct shunt_value){radix_spec->max, 0}, layout)
                             : 2;
        /* Of many ranks together, batched_substeps_deliver_every_block tells more. */
        const int64_t most_batch =
            rows[i]->params[SHUNT_PARAM_BATCH_SIZE].used && layout->ranks <= 40 ? layout->ranks : 1;
        for (int64_t radix = 2; radix == 2 || radix <= most_radix; radix++)
            for (int64_t batch = 1; batch <= most_batch; batch = batch * 2 + 1)
                for (int m = 0; m <= (rows[i]->params[SHUNT_PARAM_METADATA].used ? 1 : 0); m++)
                    run_one(rows[i], layout, one(radix), batch, (enum shunt_metadata)m);
    }
}

static void flat_layouts_deliver_every_block(void **state)
{
    (void)state;
    for (int P = 1; P <= most_ranks(64); P += thin()) {
        struct shunt_layout layout;
        assert_int_equal(shunt_layout_blocks(&layout, P, 1), 0);
        run_all(&layout, ROWS_ALL);
        shunt_layout_clear(&layout);
    }
}

/* Substeps of a digit in flight together: as many as batch_size says, in all numbers of rounds
 * between one per substep and one per digit.
 */
static void batched_substeps_deliver_every_block(void **state)
{
    (void)state;
    const struct shunt_algorithm *parlogna = shunt_registry_find("parlogna");
    for (int P = 1; P <= most_ranks(64); P += thin()) {
        struct shunt_layout layout;
        assert_int_equal(shunt_layout_blocks(&layout, P, 1), 0);
        for (int64_t radix = 2; radix == 2 || radix <= P; radix++) {
            const int64_t batches[] = {1, 2, 3, 5, radix / 2, radix - 2, radix - 1, P};
            for (size_t b = 0; b < sizeof batches / sizeof batches[0]; b++)
                if (batches[b] >= 1)
                    run_one(parlogna, &layout, one(radix), batches[b],
                            b % 2 == 0 ? SHUNT_METADATA_FUSED : SHUNT_METADATA_SEPARATE);
        }
        shunt_layout_clear(&layout);
    }
}

static uint32_t rounds_of(const char *name, const struct shunt_layout *layout, int64_t radix,
                          int64_t batch, enum shunt_metadata metadata)
{
    const struct shunt_params params = {{[SHUNT_PARAM_RADIX] = radix,
                                         [SHUNT_PARAM_BATCH_SIZE] = batch,
                                         [SHUNT_PARAM_METADATA] = metadata}};
    struct shunt_schedule schedule;
    assert_int_equal(shunt_registry_find(name)->build(&schedule, layout, 3, &params), 0);
    const uint32_t rounds = schedule.round_count;
    shunt_schedule_clear(&schedule);
    return rounds;
}

static void batches_and_digits_make_rounds(void **state)
{
    (void)state;
    struct shunt_layout layout;
    assert_int_equal(shunt_layout_blocks(&layout, 16, 1), 0);
    assert_int_equal(rounds_of("parlogna", &layout, 2, 15, SHUNT_METADATA_FUSED), 4);
    assert_int_equal(rounds_of("parlogna", &layout, 4, 1, SHUNT_METADATA_SEPARATE), 6);
    assert_int_equal(rounds_of("parlogna", &layout, 4, 2, SHUNT_METADATA_FUSED), 4);
    assert_int_equal(rounds_of("parlogna", &layout, 4, 15, SHUNT_METADATA_SEPARATE), 2);
    assert_int_equal(rounds_of("parlogna", &layout, 16, 15, SHUNT_METADATA_FUSED), 1);
    assert_int_equal(rounds_of("bruck", &layout, 4, 0, SHUNT_METADATA_FUSED), 6);
    shunt_layout_clear(&layout);
    assert_int_equal(shunt_layout_blocks(&layout, 48, 3), 0);
    assert_int_equal(rounds_of("parlinna-coalesced", &layout, 4, 2, SHUNT_METADATA_SEPARATE),
                     6 + 1);
    assert_int_equal(rounds_of("parlinna-coalesced", &layout, 4, 2, SHUNT_METADATA_FUSED), 2 + 1);
    shunt_layout_clear(&layout);
}

/* Every list of up to three radices from a few numbers, and "Q, N". */
static const int64_t digits_tried[] = {2, 3, 4, 5, 8, 11};
enum {
    TRIED = sizeof digits_tried / sizeof digits_tried[0],
    LISTS = TRIED + TRIED * TRIED + TRIED * TRIED * TRIED
};

static struct shunt_radices list(int number)
{
    struct shunt_radices radices = {.count = number < TRIED                   ? 1
                                             : number < TRIED + TRIED * TRIED ? 2
                                                                              : 3};
    for (int i = 0; i < radices.count; i++, number /= TRIED)
        radices.radix[i] = digits_tried[number % TRIED];
    return radices;
}

static void mixed_radices_deliver_every_block(void **state)
{
    (void)state;
    size_t count;
    const struct shunt_algorithm *const *rows = shunt_registry_rows(&count);
    for (int P = 1; P <= most_ranks(64); P += (P < 40 ? 1 : 3) * thin()) {
        struct shunt_layout layout;
        assert_int_equal(shunt_layout_blocks(&layout, P, P % 3 + 1), 0);
        for (size_t i = 0; i < count; i++)
            for (int number = P % 5; rows[i]->build && is_wanted(rows[i]) &&
                                     rows[i]->params[SHUNT_PARAM_RADIX].list && number < LISTS;
                 number += 5)
                run_one(rows[i], &layout, list(number), 2,
                        number % 2 ? SHUNT_METADATA_SEPARATE : SHUNT_METADATA_FUSED);
        shunt_layout_clear(&layout);
    }
}

/* Schedules of nodes, with a rank on each. */
static void nodes_exchange_every_bundle(void **state)
{
    (void)state;
    for (int N = 1; N <= most_ranks(40); N += thin()) {
        struct shunt_layout layout;
        assert_int_equal(shunt_layout_blocks(&layout, N, N), 0);
        run_all(&layout, ROWS_IN_TWO_LEVELS);
        shunt_layout_clear(&layout);
    }
}

static void nodes_of_all_sizes_deliver_every_block(void **state)
{
    (void)state;
    for (int N = 1; N <= 6; N++) {
        for (int Q = 1; Q <= 8; Q += thin()) {
            int keys[48], ranks = 0;
            struct shunt_layout blocks, cyclic, unequal;
            assert_int_equal(shunt_layout_blocks(&blocks, N * Q, N), 0);
            for (int p = 0; p < N * Q; p++)
                keys[p] = p % N;
            assert_int_equal(shunt_layout_from_keys(&cyclic, N * Q, keys), 0);
            for (int n = 0; n < N; n++) /* Q ranks on the first node, fewer on others */
                for (int i = n * 5 % Q; i < Q; i++)
                    keys[ranks++] = n;
            assert_int_equal(shunt_layout_from_keys(&unequal, ranks, keys), 0);
            run_all(&blocks, ROWS_IN_TWO_LEVELS);
            run_all(&cyclic, ROWS_IN_TWO_LEVELS);
            run_all(&unequal, ROWS_IN_TWO_LEVELS);
            shunt_layout_clear(&blocks);
            shunt_layout_clear(&cyclic);
            shunt_layout_clear(&unequal);
        }
    }
}

/* Nodes of 1 to 8 ranks; of each size and number of nodes some mixture, in order and scrambled. */
static void scrambled_nodes_deliver_every_block(void **state)
{
    (void)state;
    static const int sizes[][6] = {{3, 5, 8, 1},       {1, 7},
                                   {8, 1, 1},          {2, 3},
                                   {5, 5, 4},          {1, 1, 1, 6},
                                   {4, 2, 7, 3, 1},    {8, 7, 6, 5, 4, 3},
                                   {1, 8, 1, 8, 1, 8}, {2, 2, 2, 2, 2, 3},
                                   {6, 1, 4, 4, 5}};
    srand(7);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i += (size_t)thin()) {
        for (int scramble = 0; scramble < 3; scramble++) {
            int keys[48], P = 0;
            for (int n = 0; n < 6; n++)
                for (int k = 0; k < sizes[i][n]; k++)
                    keys[P++] = 100 - n;
            for (int k = 0; scramble && k < P; k++) {
                const int other = rand() % P, key = keys[k];
                keys[k] = keys[other];
                keys[other] = key;
            }
            struct shunt_layout layout;
            assert_int_equal(shunt_layout_from_keys(&layout, P, keys), 0);
            run_all(&layout, ROWS_IN_TWO_LEVELS);
            shunt_layout_clear(&layout);
        }
    }
}

static int64_t digits(int64_t n, int64_t radix)
{
    int64_t w = 0;
    for (; n > 0; n /= radix)
        w++;
    return w;
}

static int64_t power_of(int64_t radix, int64_t exponent)
{
    int64_t power = 1;
    while (exponent-- > 0)
        power *= radix;
    return power;
}

/* Fan and Kumar, equation 2; the same number as K of Fan 2025, section 3.1. */
static int64_t paper_rounds(int64_t P, int64_t r)
{
    const int64_t w = digits(P - 1, r), top = power_of(r, w - 1);
    const int64_t K = (w - 1) * (r - 1) + (P + top - 1) / top - 1;
    assert_int_equal(K, w * (r - 1) - (power_of(r, w) - P) / top);
    return K;
}

/* Fan and Kumar: numD, the blocks sent in substep z of digit x. */
static int64_t paper_blocks(int64_t P, int64_t r, int64_t x, int64_t z)
{
    const int64_t unit = power_of(r, x), least = P / (unit * r) * unit, rest = P % (unit * r),
                  t = rest - z * unit;
    if (t <= 0)
        return least;
    return t / unit > 0 ? least + unit : least + t % unit;
}

/* Rounds, their blocks and, for SLOAV, their sum, of a schedule that tells P ranks apart by one
 * radix; every block counts `times`. */
static int64_t check_rounds(const struct shunt_schedule *schedule, uint32_t first, int64_t P,
                            int64_t r, int64_t times)
{
    int64_t round = first, total = 0;
    for (int64_t x = 0; power_of(r, x) < P; x++) {
        for (int64_t z = 1; z < r && z * power_of(r, x) < P; z++) {
            assert_in_range(round, 0, schedule->round_count - 1);
            const uint32_t at = schedule->round_first[round++];
            assert_int_equal(schedule->round_first[round], at + 1);
            assert_int_equal(schedule->steps[at].send_count, times * paper_blocks(P, r, x, z));
            assert_int_equal(schedule->steps[at].recv_count, times * paper_blocks(P, r, x, z));
            total += paper_blocks(P, r, x, z);
        }
    }
    assert_int_equal(round - first, P > 1 ? paper_rounds(P, r) : 0);
    return total;
}

/* name, radix (0: any), slots, copies before and after, as functions of P: -1 stands for P - 1, -2
 * for P - K - 1, -3 for all blocks sent.
 */
struct shape {
    const char *name;
    int64_t radix;
    int slots, before, after;
};

static int64_t amount(int code, int64_t P, int64_t r, int64_t sent)
{
    return code == -1   ? P - 1
           : code == -2 ? P - paper_rounds(P, r) - 1
           : code == -3 ? sent
           : code == -4 ? P
                        : code;
}

static void bruck_family_has_the_shape_of_the_papers(void **state)
{
    (void)state;
    static const struct shape shapes[] = {
        {"bruck", 0, -2, 0, 0},
        {"bruck-zero-rotation", 0, -2, 0, 0},
        {"parlogna", 0, -2, 0, 0},
        {"bruck-basic", 0, -1, -1, -1},
        {"bruck-modified", 0, -1, -1, 0},
        {"padded-bruck", 0, -2, 0, 0},
        {"two-phase-bruck", 2, -4, 0, 0},
        {"sloav", 2, -3, 0, -1},
        {"bruck-basic-dt", 2, -1, -1, -1},
        {"bruck-modified-dt", 2, -1, -1, 0},
        {"bruck-zero-copy", 2, -1, -1, 0},
    };
    for (int P = 2; P <= 64; P += thin()) {
        struct shunt_layout layout;
        assert_int_equal(shunt_layout_blocks(&layout, P, 1), 0);
        for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
            const struct shunt_algorithm *algorithm = shunt_registry_find(shapes[i].name);
            assert_non_null(algorithm);
            for (int64_t r = 2; r <= (shapes[i].radix ? shapes[i].radix : P); r++) {
                const struct shunt_params params =
                    params_of(algorithm, &layout, one(r), 1, SHUNT_METADATA_SEPARATE);
                struct shunt_schedule schedule;
                assert_int_equal(algorithm->build(&schedule, &layout, P / 3, &params), 0);
                const int64_t sent = check_rounds(&schedule, 0, P, r, 1);
                assert_int_equal(schedule.round_count, paper_rounds(P, r));
                assert_int_equal(schedule.slots, amount(shapes[i].slots, P, r, sent));
                assert_int_equal(schedule.before_count, amount(shapes[i].before, P, r, sent));
                assert_int_equal(schedule.after_count, amount(shapes[i].after, P, r, sent));
                shunt_schedule_clear(&schedule);
            }
        }
        shunt_layout_clear(&layout);
    }
}

/*
 * What the executor by datatypes relies on: one step in a round, no send block of the user in it,
 * and a place that is sent from and received into in the same positions. In bruck-zero-copy no
 * place is both.
 */
static void datatype_schedules_are_as_their_executor_wants_them(void **state)
{
    (void)state;
    size_t count;
    const struct shunt_algorithm *const *rows = shunt_registry_rows(&count);
    for (size_t i = 0; i < count; i++) {
        for (int P = 2; P <= 40 && rows[i]->kind == SHUNT_KIND_DATATYPE; P += thin()) {
            const int zero_copy = rows[i] == shunt_registry_find("bruck-zero-copy");
            struct shunt_layout layout;
            struct shunt_schedule s;
            assert_int_equal(shunt_layout_blocks(&layout, P, 1), 0);
            assert_int_equal(rows[i]->build(&s, &layout, P - 1, &(struct shunt_params){{0}}), 0);
            for (uint32_t k = 0; k < s.round_count; k++)
                assert_int_equal(s.round_first[k], k);
            for (uint32_t k = 0; k < s.step_count; k++) {
                for (uint32_t a = 0; a < s.steps[k].send_count; a++) {
                    const shunt_ref sends = s.refs[s.steps[k].send_first + a];
                    assert_true(shunt_ref_is_slot(sends) || shunt_ref_is_store(sends));
                    for (uint32_t b = 0; b < s.steps[k].recv_count; b++)
                        assert_false(sends == s.refs[s.steps[k].recv_first + b] &&
                                     (a != b || zero_copy));
                }
            }
            shunt_schedule_clear(&s);
            shunt_layout_clear(&layout);
        }
    }
}

/* Values other than 0 in the mixed-radix notation of an offset; *top is the last of them as a
 * number (digit, value). */
static int values_of(int64_t offset, struct shunt_radices radices, char seen[][256])
{
    int values = 0;
    for (int x = 0; offset > 0; x++) {
        const int64_t r = radices.radix[x < radices.count ? x : radices.count - 1];
        if (offset % r != 0) {
            values++;
            seen[x][offset % r] = 1;
        }
        offset /= r;
    }
    return values;
}

/* Rounds are the pairs (digit, value) that occur, slots belong to the offsets with more than one
 * value, one to one. */
static void mixed_radix_formulas_hold(void **state)
{
    (void)state;
    for (int64_t P = 2; P <= 200; P += thin()) {
        for (int number = 0; number < LISTS; number++) {
            const struct shunt_radices radices = list(number);
            char seen[16][256] = {{0}}, used[256] = {0};
            int64_t rounds = 0, slots = 0;
            for (int64_t o = 1; o < P; o++) {
                if (values_of(o, radices, seen) < 2)
                    continue;
                const int64_t slot = shunt_radix_slot(o, &radices);
                assert_in_range(slot, 0, P - 1);
                assert_int_equal(used[slot], 0);
                used[slot] = 1;
                slots++;
            }
            for (int x = 0; x < 16; x++)
                for (int v = 0; v < 256; v++)
                    rounds += seen[x][v];
            assert_int_equal(shunt_radix_rounds(P, &radices), rounds);
            assert_int_equal(slots, P - rounds - 1);
            for (int64_t i = 0; i < slots; i++)
                assert_int_equal(used[i], 1);
        }
    }
}

/* Fan and Kumar: K = (w-1)(r-1) + ceil(P / r^(w-1)) - 1. Fan 2025, section 3.3: P - K - 1 slots,
 * used one to one. */
static void radix_formulas_hold(void **state)
{
    (void)state;
    for (int64_t P = 2; P <= 200; P += thin()) {
        for (int64_t r = 2; r <= P; r++) {
            const struct shunt_radices radices = one(r);
            const int64_t K = paper_rounds(P, r);
            assert_int_equal(shunt_radix_rounds(P, &radices), K);
            char *used = calloc((size_t)P, 1);
            int64_t count = 0;
            for (int64_t o = 1; o < P; o++) {
                const int64_t high = power_of(r, digits(o, r) - 1);
                if (o % high == 0)
                    continue;
                const int64_t slot = shunt_radix_slot(o, &radices);
                assert_in_range(slot, 0, P - K - 2);
                assert_int_equal(used[slot], 0);
                used[slot] = 1;
                count++;
            }
            assert_int_equal(count, P - K - 1);
            free(used);
        }
    }
}

/*
 * Fan 2025, section 4: the node phase is a radix-r schedule among Q with N blocks in place of one;
 * then N-1 messages of Q blocks, or (N-1)Q of one, `batch` of them per round. Slots: one for each
 * block that is collected for another node, (N-1)(Q-1), and Q-K-1 for those of the own node that
 * are passed on. All memory that is asked for is for them and for the messages of a round.
 */
static void check_parlinna(int N, int Q, int64_t r, int64_t batch, int staggered)
{
    const struct shunt_algorithm *algorithm =
        shunt_registry_find(staggered ? "parlinna-staggered" : "parlinna-coalesced");
    const int64_t messages = staggered ? (int64_t)(N - 1) * Q : N - 1;
    struct shunt_layout layout;
    struct shunt_schedule schedule;
    assert_int_equal(shunt_layout_blocks(&layout, N * Q, N), 0);
    const struct shunt_params params =
        params_of(algorithm, &layout, one(r), batch, SHUNT_METADATA_SEPARATE);
    assert_int_equal(algorithm->build(&schedule, &layout, N * Q / 2, &params), 0);
    const int64_t inside = Q > 1 ? paper_rounds(Q, r) : 0;
    assert_int_equal(schedule.slots, (N - 1) * (Q - 1) + Q - inside - 1);
    assert_int_equal(algorithm->memory(&layout, &params, 100),
                     100 * (int64_t)schedule.slots +
                         104 * ((int64_t)schedule.max_round_send + schedule.max_round_recv));
    check_rounds(&schedule, 0, Q, r, N);
    assert_int_equal(schedule.round_count, inside + (messages + batch - 1) / batch);
    assert_int_equal(schedule.step_count, inside + messages);
    for (uint32_t i = (uint32_t)inside; i < schedule.step_count; i++)
        assert_int_equal(schedule.steps[i].send_count, staggered ? 1 : Q);
    shunt_schedule_clear(&schedule);
    shunt_layout_clear(&layout);
}

static void parlinna_has_the_shape_of_the_paper(void **state)
{
    (void)state;
    for (int N = 1; N <= 6; N++)
        for (int Q = 1; Q <= 8; Q++)
            for (int64_t r = 2; r == 2 || r <= Q; r++)
                for (int batch = 1; batch <= (N - 1) * Q; batch++) {
                    check_parlinna(N, Q, r, batch, 1);
                    if (batch < N)
                        check_parlinna(N, Q, r, batch, 0);
                }
}

static int64_t memory_of(const char *name, int64_t radix, enum shunt_metadata metadata,
                         const struct shunt_layout *layout, int64_t block)
{
    const struct shunt_algorithm *algorithm = shunt_registry_find(name);
    const struct shunt_params params = params_of(algorithm, layout, one(radix), 1, metadata);
    return algorithm->memory(layout, &params, block);
}

/*
 * Radix 2 with 16,384 ranks, 8 KiB: P - K - 1 slots and two messages of P/2 blocks are just below
 * 256 MiB, the default cap. Messages that are kept would be 960 MiB.
 */
static void memory_is_what_a_call_can_touch(void **state)
{
    (void)state;
    const int64_t cap = INT64_C(256) << 20, P = 16384, block = 8192, blocks = 2 * P - 14 - 1;
    struct shunt_layout layout;
    assert_int_equal(shunt_layout_blocks(&layout, (int)P, 1), 0);
    assert_int_equal(memory_of("bruck", 2, SHUNT_METADATA_FUSED, &layout, block), blocks * block);
    assert_int_equal(memory_of("padded-bruck", 2, SHUNT_METADATA_FUSED, &layout, block),
                     blocks * block);
    assert_int_equal(memory_of("parlogna", 2, SHUNT_METADATA_FUSED, &layout, block),
                     blocks * block + P * 4);
    assert_int_equal(memory_of("parlogna", 2, SHUNT_METADATA_SEPARATE, &layout, block),
                     blocks * block + P * 4);
    assert_true(blocks * block + P * 4 <= cap);
    const struct shunt_algorithm *bruck = shunt_registry_find("bruck"),
                                 *parlogna = shunt_registry_find("parlogna");
    const struct shunt_params params =
        params_of(parlogna, &layout, one(2), 1, SHUNT_METADATA_FUSED);
    const struct shunt_params separate =
        params_of(parlogna, &layout, one(2), 1, SHUNT_METADATA_SEPARATE);
    /* Kept: 13 digits of P/2 blocks, and two messages. */
    const int64_t kept = 15 * P / 2;
    assert_int_equal(shunt_algorithm_kept(parlogna, &layout, &params, cap),
                     cap / kept - SHUNT_LENGTH_FUSED);
    assert_int_equal(
        shunt_algorithm_kept(bruck, &layout, &params, kept * (8192 + SHUNT_LENGTH_FUSED)), 8192);
    assert_int_equal(shunt_algorithm_kept(parlogna, &layout, &params, 5), -1);
    assert_int_equal(shunt_algorithm_kept(parlogna, &layout, &separate, cap), -1);
    assert_int_equal(
        shunt_algorithm_kept(shunt_registry_find("two-phase-bruck"), &layout, &separate, cap), -1);
    shunt_layout_clear(&layout);
}

/* Bisection over block sizes and plans that serve smaller blocks rely on it. */
static void memory_never_decreases(void **state)
{
    (void)state;
    static const int64_t blocks[] = {0,
                                     1,
                                     7,
                                     8,
                                     100,
                                     4096,
                                     1 << 20,
                                     UINT32_MAX,
                                     INT64_C(1) + UINT32_MAX,
                                     INT64_C(1) << 40,
                                     INT64_MAX};
    size_t count;
    const struct shunt_algorithm *const *rows = shunt_registry_rows(&count);
    for (int P = 1; P <= 48; P += 1 + P / 8) {
        struct shunt_layout layout;
        assert_int_equal(shunt_layout_blocks(&layout, P, P % 4 + 1 < P ? P % 4 + 1 : 1), 0);
        layout.segment_block = INT64_MAX;
        for (size_t i = 0; i < count; i++) {
            for (int radix = 2; rows[i]->memory && radix < 8; radix++) {
                const struct shunt_params params = params_of(rows[i], &layout, one(radix), radix,
                                                             (enum shunt_metadata)(radix % 2));
                for (size_t b = 1; b < sizeof blocks / sizeof blocks[0]; b++)
                    assert_true(rows[i]->memory(&layout, &params, blocks[b - 1]) <=
                                rows[i]->memory(&layout, &params, blocks[b]));
            }
        }
        shunt_layout_clear(&layout);
    }
}

/* A radix of sqrt(P) tells all ranks apart with two digits, and no smaller radix does. */
static void roots_need_two_digits(void **state)
{
    (void)state;
    for (int n = 2; n <= 70000; n += n < 20000 ? 1 : 97) {
        const struct shunt_layout layout = {.ranks = n, .nodes = 1, .ppn_min = n, .ppn_max = n};
        const int64_t root =
            shunt_value_eval((struct shunt_value){SHUNT_FORMULA_SQRT_P, 0}, &layout);
        assert_int_equal(shunt_value_eval((struct shunt_value){SHUNT_FORMULA_SQRT_Q, 0}, &layout),
                         root);
        assert_in_range(root, 2, n);
        assert_in_range(digits(n - 1, root), 1, 2);
        assert_true(root == 2 || digits(n - 1, root - 1) > 2);
    }
    const struct shunt_layout alone = {.ranks = 1, .nodes = 1, .ppn_min = 1, .ppn_max = 1};
    assert_int_equal(shunt_value_eval((struct shunt_value){SHUNT_FORMULA_SQRT_P, 0}, &alone), 1);
}

static void lists_are_shortened_to_what_is_needed(void **state)
{
    (void)state;
    static const struct {
        struct shunt_radices given;
        int nodes;
        const char *text;
    } cases[] = {
        {{3, {4, 2, 8}}, 1, "4x2x8"}, /* P = 64: all of it */
        {{3, {4, 2, 99}}, 1, "4x2x8"}, {{2, {4, 2}}, 1, "4x2"},  {{4, {8, 8, 2, 2}}, 1, "8x8"},
        {{2, {1, 64}}, 1, "64"},       {{1, {99}}, 1, "64"},     {{2, {99, 3}}, 1, "64"},
        {{2, {1, 1}}, 1, "2"},         {{3, {1, 5, 1}}, 1, "5"},
    };
    const struct shunt_algorithm *bruck = shunt_registry_find("bruck");
    struct shunt_layout layout;
    char text[64];
    assert_int_equal(shunt_layout_blocks(&layout, 64, 1), 0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct shunt_params params =
            params_of(bruck, &layout, cases[i].given, 1, SHUNT_METADATA_FUSED);
        shunt_param_print(&params, SHUNT_PARAM_RADIX, text, sizeof text);
        assert_string_equal(text, cases[i].text);
    }
    assert_int_equal(shunt_param_print(&(struct shunt_params){{12, 7}}, SHUNT_PARAM_RADIX, text, 2),
                     2);
    assert_string_equal(text, "1");
    shunt_layout_clear(&layout);
}

static void layouts_number_nodes_by_lowest_rank(void **state)
{
    (void)state;
    const int keys[] = {9, 4, 9, 1, 4, 4};
    struct shunt_layout layout;
    assert_int_equal(shunt_layout_from_keys(&layout, 6, keys), 0);
    const int nodes[] = {0, 1, 0, 2, 1, 1}, locals[] = {0, 0, 1, 0, 1, 2};
    assert_memory_equal(layout.node_of, nodes, sizeof nodes);
    assert_memory_equal(layout.local_of, locals, sizeof locals);
    assert_int_equal(layout.ppn_min, 1);
    assert_int_equal(layout.ppn_max, 3);
    assert_int_equal(shunt_layout_rank(&layout, 1, 2), 5);
    const int pieces[] = {2, 1};
    assert_int_equal(shunt_layout_subdivide(&layout, pieces, 2, false), 0);
    assert_int_equal(layout.nodes,
                     4); /* {0,2}, {1}, {4,5}, {3}: a piece never spans two real nodes */
    assert_int_equal(layout.node_of[4], layout.node_of[5]);
    assert_int_not_equal(layout.node_of[1], layout.node_of[4]);
    shunt_layout_clear(&layout);
}

static void ranks_can_be_dealt_to_pieces(void **state)
{
    (void)state;
    struct shunt_layout layout;
    const int pieces[] = {3, 1, 2};
    /* 9 ranks: 3, 1, 2 and again 3; the piece of 1 is full after its first. */
    const int nodes[] = {0, 1, 2, 3, 0, 2, 3, 0, 3};
    assert_int_equal(shunt_layout_blocks(&layout, 9, 1), 0);
    assert_int_equal(shunt_layout_subdivide(&layout, pieces, 3, true), 0);
    assert_int_equal(layout.nodes, 4);
    assert_memory_equal(layout.node_of, nodes, sizeof nodes);
    shunt_layout_clear(&layout);
    /* Two real nodes of 4: 3 and 1; then the list goes on: 2, and 2 of 3. */
    const int pairs[] = {0, 1, 0, 0, 2, 3, 2, 3};
    assert_int_equal(shunt_layout_blocks(&layout, 8, 2), 0);
    assert_int_equal(shunt_layout_subdivide(&layout, pieces, 3, true), 0);
    assert_memory_equal(layout.node_of, pairs, sizeof pairs);
    shunt_layout_clear(&layout);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_wanted_row_is_in_the_registry),
        cmocka_unit_test(flat_layouts_deliver_every_block),
        cmocka_unit_test(batched_substeps_deliver_every_block),
        cmocka_unit_test(batches_and_digits_make_rounds),
        cmocka_unit_test(mixed_radices_deliver_every_block),
        cmocka_unit_test(nodes_exchange_every_bundle),
        cmocka_unit_test(nodes_of_all_sizes_deliver_every_block),
        cmocka_unit_test(scrambled_nodes_deliver_every_block),
        cmocka_unit_test(bruck_family_has_the_shape_of_the_papers),
        cmocka_unit_test(datatype_schedules_are_as_their_executor_wants_them),
        cmocka_unit_test(radix_formulas_hold),
        cmocka_unit_test(mixed_radix_formulas_hold),
        cmocka_unit_test(parlinna_has_the_shape_of_the_paper),
        cmocka_unit_test(memory_is_what_a_call_can_touch),
        cmocka_unit_test(memory_never_decreases),
        cmocka_unit_test(roots_need_two_digits),
        cmocka_unit_test(lists_are_shortened_to_what_is_needed),
        cmocka_unit_test(layouts_number_nodes_by_lowest_rank),
        cmocka_unit_test(ranks_can_be_dealt_to_pieces),
    };
    return cmocka_run_group_tests_name("schedule", tests, NULL, NULL);
}
