/* SPDX-License-Identifier: BSD-3-Clause */
/* cell.c: see cell.h. */
#include "tools/tune/cell.h"

#include <math.h>
#include <string.h>

#include "tools/tune/halving.h"

enum {
    GROUP = 8, /* of candidates that have memory at the same time, before any is given up */
    FEW = 3,   /* no more halving */
    TRIAL_REPETITIONS = 3,
    ROUND_REPETITIONS = 5, /* doubled with each round */
    LAST_LEAST = 10,
    LAST_MOST = 50
};

/* Parts of the budget: of each round, of the last few, and of the winner held out. */
static const double ROUND_SHARE = 0.2, LAST_SHARE = 0.3;
/* No further group is tried once so much of it is spent: the model had the likely ones first. */
static const double TRIAL_SHARE = 0.3;
/* Where calls take so many times longer than they just did, there are fewer. */
static const double PATIENCE = 2;

struct search {
    const struct tune_lab *lab;
    const struct tune_entries *entries;
    enum shunt_op op;
    int64_t block;
    double budget;
    double cost[TUNE_BATCH_MOST]; /* seconds of one sample in all cases; as last measured */
    double aside; /* times that: what a repetition really takes, with barriers; 0: not known */
    struct tune_outcome *outcome;
};

int tune_entries_find(const struct tune_entries *entries, const char *text)
{
    for (int i = 0; text && i < entries->count; i++)
        if (strcmp(entries->entry[i].text, text) == 0)
            return i;
    return -1;
}

const char *tune_outcome_mode(const struct tune_outcome *outcome)
{
    return strcmp(outcome->text, "native") == 0 ? "-" : tune_mode_name(outcome->mode);
}

/* Seconds of one repetition of native and these, but for what is around the calls. */
static double calls_cost(const struct search *search, const int *who, int count)
{
    double each = search->cost[0];
    for (int i = 0; i < count; i++)
        each += isfinite(search->cost[who[i]]) ? search->cost[who[i]] : 0;
    return each;
}

/* Seconds of one repetition, with all. */
static double sample_cost(const struct search *search, const int *who, int count)
{
    return calls_cost(search, who, count) * fmax(search->aside, 1);
}

/* Native and these. */
static bool run(struct search *search, int stage, const int *who, int count, int repetitions,
                double share, struct tune_samples *samples)
{
    struct tune_batch batch = {.op = search->op,
                               .block = search->block,
                               .stage = stage,
                               .count = count + 1,
                               .candidates = {search->entries->entry[0].text},
                               .repetitions = repetitions,
                               .seconds = PATIENCE * share * search->budget};
    for (int i = 0; i < count; i++)
        batch.candidates[i + 1] = search->entries->entry[who[i]].text;
    if (!search->lab->run(search->lab->context, &batch, samples))
        return false;
    search->cost[0] = tune_cost(samples, 0);
    for (int i = 0; i < count; i++)
        search->cost[who[i]] = tune_cost(samples, i + 1);
    search->outcome->largest = samples->largest;
    const double calls = calls_cost(search, who, count);
    if (samples->each > 0 && calls > 0)
        search->aside = samples->each / calls;
    return true;
}

/* Seconds of a sample of native, whose calls take so long, in all modes. */
static double native_cost(double native)
{
    double seconds = 0;
    for (int mode = 0; mode < TUNE_MODE_COUNT; mode++)
        seconds += native * tune_mode_calls((enum tune_mode)mode, native);
    return seconds;
}

/* So many repetitions as a share of the budget allows. */
static int fitting(const struct search *search, const int *who, int count, double share, int least,
                   int most)
{
    const double each = sample_cost(search, who, count);
    const double number = each > 0 ? share * search->budget / each : most;
    return number < least ? least : number > most ? most : (int)number;
}

/* Puts a batch's survivors behind those of others. */
static int gather(const struct tune_samples *samples, int keep, const int *who, int *kept,
                  int count)
{
    int survivors[TUNE_BATCH_MOST];
    const int found = tune_halve(samples, keep, survivors);
    for (int i = 0; i < found; i++)
        kept[count + i] = who[survivors[i] - 1];
    return count + found;
}

/* Everything a few times, as far as there is time, in groups; of each the better half goes on, and
 * what memory and time allow. Returns how many, -1: memory is short. */
static int try_all(struct search *search, int *kept)
{
    int who[GROUP], left = 0;
    double spent = 0;
    for (int first = 1; first < search->entries->count && spent <= TRIAL_SHARE * search->budget;
         first += GROUP) {
        struct tune_samples samples;
        int count = 0;
        while (count < GROUP && first + count < search->entries->count) {
            who[count] = first + count;
            count++;
        }
        if (!run(search, TUNE_STAGE_TRIAL + (first - 1) / GROUP, who, count, TRIAL_REPETITIONS,
                 TRIAL_SHARE, &samples))
            return -1;
        left = gather(&samples, (count + 2) / 2, who, kept, left);
        tune_samples_clear(&samples);
        spent += sample_cost(search, who, count) * (TRIAL_REPETITIONS + 1);
    }
    return left;
}

/* Returns how many are left; -1: memory is short. */
static int halve(struct search *search, int *who, int count)
{
    for (int round = 0; count > FEW; round++) {
        struct tune_samples samples;
        int kept[TUNE_BATCH_MOST];
        const int wanted = ROUND_REPETITIONS << (round < 3 ? round : 3),
                  repetitions = fitting(search, who, count, ROUND_SHARE, TRIAL_REPETITIONS, wanted);
        if (!run(search, TUNE_STAGE_ROUND + round, who, count, repetitions, ROUND_SHARE, &samples))
            return -1;
        count = gather(&samples, (count + 1) / 2, who, kept, 0);
        memcpy(who, kept, (size_t)count * sizeof *who);
        tune_samples_clear(&samples);
    }
    return count;
}

/* An entry once. */
static int add(int *who, int count, int entry)
{
    for (int i = 0; i < count; i++)
        if (who[i] == entry)
            return count;
    if (entry > 0)
        who[count++] = entry;
    return count;
}

/* The entry that wins; -1: memory is short. */
static int decide(struct search *search, const int *who, int count, int favourite)
{
    struct tune_samples samples;
    int simplicity[TUNE_BATCH_MOST] = {0}, liked = -1;
    const int repetitions = fitting(search, who, count, LAST_SHARE, LAST_LEAST, LAST_MOST);
    for (int i = 0; i < count; i++) {
        simplicity[i + 1] = search->entries->entry[who[i]].simplicity;
        liked = who[i] == favourite ? i + 1 : liked;
    }
    if (!run(search, TUNE_STAGE_FINAL, who, count, repetitions, LAST_SHARE, &samples))
        return -1;
    const int winner = tune_pick(&samples, simplicity, liked);
    const struct measure_interval native =
        measure_interval(tune_samples_of(&samples, 0, 0), samples.repetitions);
    search->outcome->busy = measure_busy(&native);
    search->outcome->native = native.median;
    tune_samples_clear(&samples);
    return winner > 0 ? who[winner - 1] : 0;
}

static void take(struct search *search, int entry, const struct tune_gain *gain)
{
    struct tune_outcome *outcome = search->outcome;
    memcpy(outcome->text, search->entries->entry[entry].text, sizeof outcome->text);
    outcome->simplicity = search->entries->entry[entry].simplicity;
    outcome->gain = gain->times;
    outcome->mode = gain->mode;
}

/* Whether one candidate of a batch is clearly faster than another in all cases. */
static bool beats(const struct tune_samples *samples, int better, int worse)
{
    for (int c = 0; c < samples->cases; c++)
        if (!(measure_ratio(tune_samples_of(samples, worse, c), tune_samples_of(samples, better, c),
                            samples->repetitions)
                  .low > 1))
            return false;
    return true;
}

/* Of samples of native, the winner (unless that is native) and the built-in table's choice. */
static void judge(struct search *search, const struct tune_samples *samples, const int *who,
                  int count, int winner, int builtin)
{
    struct tune_outcome *outcome = search->outcome;
    int chosen = 0; /* place in the batch */
    outcome->pairs = samples->repetitions;
    outcome->withdrawn = winner > 0;
    for (int i = 1; i <= count; i++) {
        const struct tune_gain gain = tune_gain(samples, i);
        if (who[i - 1] == builtin)
            outcome->builtin_gain = gain.times.median;
        if (!(gain.times.low > 1) || (chosen > 0 && !beats(samples, i, chosen)))
            continue;
        take(search, who[i - 1], &gain);
        chosen = i;
        outcome->withdrawn = false;
    }
}

/*
 * The winner's curse: of several measured ones the luckiest wins. So the winner's gain is that of
 * samples which had no say in its choice, and without one native stays; or what the built-in table
 * takes, which was chosen before anything was measured here.
 */
static bool hold_out(struct search *search, int winner, bool tried)
{
    static const struct tune_gain one = {.times = {1, 1, 1, 1}};
    struct tune_samples samples;
    const int builtin = tried ? search->entries->builtin : 0;
    int who[2] = {0}, count = add(who, 0, winner);
    count = add(who, count, builtin);
    search->outcome->builtin_gain = 1;
    take(search, 0, &one);
    if (count == 0)
        return true;
    const int repetitions = fitting(search, who, count, LAST_SHARE, LAST_LEAST, LAST_MOST);
    if (!run(search, TUNE_STAGE_HELD_OUT, who, count, repetitions, LAST_SHARE, &samples))
        return false;
    judge(search, &samples, who, count, winner, builtin);
    tune_samples_clear(&samples);
    return true;
}

bool tune_cell(const struct tune_lab *lab, enum shunt_op op, int64_t block,
               const struct tune_entries *entries, const char *favourite, double budget,
               struct tune_outcome *outcome)
{
    struct search search = {.lab = lab,
                            .entries = entries,
                            .op = op,
                            .block = block,
                            .budget = budget,
                            .outcome = outcome};
    int who[TUNE_BATCH_MOST];
    const int liked = tune_entries_find(entries, favourite);
    *outcome = (struct tune_outcome){0};
    int count = try_all(&search, who);
    if (count >= 0)
        count = halve(&search, who, count);
    if (count < 0)
        return false;
    /* Those to be compared with, unless the trial showed that they cannot run. */
    const bool tried = entries->builtin > 0 && isfinite(search.cost[entries->builtin]);
    if (liked > 0 && isfinite(search.cost[liked]))
        count = add(who, count, liked);
    if (tried)
        count = add(who, count, entries->builtin);
    const int winner = decide(&search, who, count, liked);
    outcome->measured = winner >= 0 && hold_out(&search, winner, tried);
    return outcome->measured;
}

bool tune_between(const struct tune_lab *lab, enum shunt_op op, struct tune_size *size,
                  const struct tune_outcome *lower, const struct tune_outcome *upper, double budget,
                  enum tune_side *side)
{
    struct tune_outcome ignored = {0};
    struct tune_entries entries = {.count = 1, .entry = {{.text = "native"}}};
    struct tune_samples samples;
    int who[2], count = 0, low = 0, high = 0;
    if (lower->simplicity > 0)
        low = who[count++] = entries.count++;
    if (upper->simplicity > 0)
        high = who[count++] = entries.count++;
    memcpy(entries.entry[low].text, lower->text, sizeof lower->text);
    memcpy(entries.entry[high].text, upper->text, sizeof upper->text);
    struct search search = {.lab = lab,
                            .entries = &entries,
                            .op = op,
                            .block = size->block,
                            .budget = budget,
                            .cost = {native_cost(fmax(lower->native, upper->native))},
                            .outcome = &ignored};
    const int repetitions = fitting(&search, who, 0, 1.0 / (count + 1), LAST_LEAST, LAST_MOST);
    if (!run(&search, TUNE_STAGE_THRESHOLD, who, count, repetitions, 1, &samples))
        return false;
    size->largest = samples.largest;
    const struct measure_interval below = tune_gain(&samples, low).times,
                                  above = tune_gain(&samples, high).times;
    const bool lower_gains = low > 0 && below.low > 1, upper_gains = high > 0 && above.low > 1;
    tune_samples_clear(&samples);
    if (lower_gains && (!upper_gains || below.median >= above.median))
        *side = TUNE_SIDE_LOWER;
    else if (upper_gains)
        *side = TUNE_SIDE_UPPER;
    else
        *side = low == 0 ? TUNE_SIDE_LOWER : high == 0 ? TUNE_SIDE_UPPER : TUNE_SIDE_NATIVE;
    return true;
}

double tune_cell_estimate(const struct tune_entries *entries, int distributions)
{
    const double native = entries->entry[0].predicted;
    double all = 0, last = 0;
    for (int i = 0; i < entries->count; i++) {
        const double times = entries->entry[i].predicted / native;
        const double known = isfinite(times) && times < TUNE_HOPELESS ? times : 1;
        all += known * (TRIAL_REPETITIONS + 1);
        last = i < FEW ? last + known : last;
    }
    return distributions * native_cost(native) *
           (all + ROUND_REPETITIONS * all / 2 + 2 * LAST_MOST * last);
}
