/* SPDX-License-Identifier: BSD-3-Clause */
/* rules.c: see rules.h. */
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "tools/bench/rules.h"

/* One candidate over the cases of a group. */
struct tally {
    double least, greatest; /* gains; least: 0 if any is */
    bool best;              /* in all of them */
    bool won;               /* this size, as others may have too */
};

/* Cases of one operation that are one size: those with the same block, and those whose sizes
 * overlap with theirs. */
struct group {
    enum shunt_op op;
    int64_t block;
    struct shunt_range largest;
    struct tally *of; /* array of candidate_count */
    int case_count;
};

bool bench_rules_add(struct bench_rules *rules, enum shunt_op op, int64_t block, int64_t largest,
                     const struct bench_rule_score *scores)
{
    const size_t count = (size_t)rules->candidate_count;
    struct bench_rule_score *copy = calloc(count + 1, sizeof *copy);
    struct bench_rule_case *cases =
        realloc(rules->cases, ((size_t)rules->case_count + 1) * sizeof *cases);
    if (cases)
        rules->cases = cases;
    if (!cases || !copy) {
        free(copy);
        return false;
    }
    for (size_t k = 0; k < count; k++)
        copy[k] = scores[k];
    rules->cases[rules->case_count] =
        (struct bench_rule_case){.op = op, .block = block, .largest = largest};
    rules->cases[rules->case_count++].scores = copy;
    return true;
}

void bench_rules_clear(struct bench_rules *rules)
{
    for (int i = 0; i < rules->case_count; i++)
        free(rules->cases[i].scores);
    free(rules->cases);
    rules->cases = NULL;
    rules->case_count = 0;
}

/* Joins `from` to `to`; `from` is empty afterwards. */
static void join(struct group *to, struct group *from, int candidates)
{
    for (int k = 0; k < candidates; k++) {
        struct tally *mine = &to->of[k], *other = &from->of[k];
        mine->least = other->least < mine->least ? other->least : mine->least;
        mine->greatest = other->greatest > mine->greatest ? other->greatest : mine->greatest;
        mine->best &= other->best;
    }
    if (from->largest.low < to->largest.low)
        to->largest.low = from->largest.low;
    if (from->largest.high > to->largest.high)
        to->largest.high = from->largest.high;
    to->case_count += from->case_count;
    free(from->of);
    from->of = NULL;
}

static bool same_size(const struct group *a, const struct group *b)
{
    return a->op == b->op &&
           ((a->block == b->block && a->block >= 0) ||
            (a->largest.low <= b->largest.high && b->largest.low <= a->largest.high));
}

/* A group of one case; false when memory is short. */
static bool group_of(struct group *group, const struct bench_rule_case *c, int candidates)
{
    *group = (struct group){.op = c->op,
                            .block = c->block,
                            .largest = {c->largest, c->largest},
                            .of = calloc((size_t)candidates + 1, sizeof *group->of),
                            .case_count = 1};
    for (int k = 0; group->of && k < candidates; k++) {
        const struct bench_rule_score *score = &c->scores[k];
        group->of[k] = (struct tally){score->gain, score->gain, score->best, false};
    }
    return group->of;
}

/* Joins groups of one size; one that grew may overlap with others by now. Returns how many remain.
 */
static int settle(struct group *groups, int count, int candidates)
{
    for (int i = 0; i < count; i++) {
        for (int k = i + 1; k < count; k++) {
            if (!same_size(&groups[i], &groups[k]))
                continue;
            join(&groups[i], &groups[k], candidates);
            groups[k] = groups[--count];
            i = -1; /* from the beginning */
            break;
        }
    }
    return count;
}

static void find_winners(struct group *group, int candidates)
{
    int most = -1;
    bool some = false;
    for (int k = 0; k < candidates; k++) {
        struct tally *tally = &group->of[k];
        tally->won = tally->least > 0 && tally->best;
        some |= tally->won;
        if (tally->least > 0 && (most < 0 || tally->least > group->of[most].least))
            most = k;
    }
    if (!some && most >= 0)
        group->of[most].won = true;
}

static int ascending(const void *a, const void *b)
{
    const struct group *x = a, *y = b;
    if (x->op != y->op)
        return x->op < y->op ? -1 : 1;
    return (x->largest.low > y->largest.low) - (x->largest.low < y->largest.low);
}

/* The rule for the groups from the first one on that a candidate won one after the other; with no
 * cases where it won none. */
static struct bench_rule rule_of(const struct group *groups, int count, int candidate,
                                 int *groups_won)
{
    struct bench_rule rule = {.op = groups->op, .candidate = candidate, .block = groups->largest};
    int i;
    for (i = 0; i < count && groups[i].op == groups->op && groups[i].of[candidate].won; i++) {
        const struct tally *tally = &groups[i].of[candidate];
        rule.block.high = groups[i].largest.high;
        if (i == 0 || tally->least < rule.least_gain)
            rule.least_gain = tally->least;
        if (tally->greatest > rule.greatest_gain)
            rule.greatest_gain = tally->greatest;
        rule.case_count += groups[i].case_count;
    }
    *groups_won = i;
    return rule;
}

/* Puts the rules into `found`; returns how many. */
static int choose(struct bench_rule *found, const struct group *groups, int count, int candidates)
{
    int made = 0;
    for (int i = 0, next; i < count; i = next) {
        int longest = 0;
        for (int k = 0; k < candidates; k++) {
            int won;
            const struct bench_rule rule = rule_of(&groups[i], count - i, k, &won);
            if (won == 0 || won < longest ||
                (won == longest && rule.least_gain <= found[made].least_gain))
                continue;
            longest = won;
            found[made] = rule;
        }
        made += longest > 0;
        next = i + (longest > 0 ? longest : 1);
    }
    return made;
}

struct bench_rule *bench_rules_find(const struct bench_rules *rules, int *count)
{
    const size_t room = (size_t)rules->case_count + 1;
    struct group *groups = calloc(room, sizeof *groups);
    struct bench_rule *found = calloc(room, sizeof *found);
    int made = 0;
    bool good = groups && found;
    *count = 0;
    for (int i = 0; good && i < rules->case_count; i++)
        good = group_of(&groups[made++], &rules->cases[i], rules->candidate_count);
    if (good) {
        made = settle(groups, made, rules->candidate_count);
        qsort(groups, (size_t)made, sizeof *groups, ascending);
        for (int i = 0; i < made; i++)
            find_winners(&groups[i], rules->candidate_count);
        *count = choose(found, groups, made, rules->candidate_count);
    }
    for (int i = 0; groups && i < made; i++)
        free(groups[i].of);
    free(groups);
    if (*count > 0)
        return found;
    free(found);
    return NULL;
}

/* Adds to a text that keeps room for its end. */
static void append(char *text, size_t capacity, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void append(char *text, size_t capacity, const char *format, ...)
{
    const size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, capacity - used, format, arguments);
    va_end(arguments);
}

static void print_range(struct shunt_range range, char *text, size_t capacity)
{
    char low[24], high[24];
    shunt_size_print(range.low, low, sizeof low);
    shunt_size_print(range.high, high, sizeof high);
    if (range.low == range.high)
        snprintf(text, capacity, "%s", low);
    else
        snprintf(text, capacity, "%s-%s", low, high);
}

/* `; radix = 4; metadata = "fused"` of ":radix=4:metadata=fused": numbers need no quotes. */
static void append_parameters(const char *text, char *rule, size_t capacity)
{
    while (*text == ':') {
        const char *name = text + 1, *equals = strchr(name, '=');
        if (!equals)
            return;
        const int length = (int)strcspn(equals + 1, ":");
        const char *value = equals + 1,
                   *quote = (int)strspn(value, "0123456789") >= length && length < 10 ? "" : "\"";
        append(rule, capacity, " %.*s = %s%.*s%s;", (int)(equals - name), name, quote, length,
               value, quote);
        text = value + length;
    }
}

void bench_rule_print(const struct bench_rules *rules, const struct bench_rule *rule, char *text,
                      size_t capacity)
{
    const char *candidate = rules->candidates[rule->candidate];
    const int name = (int)strcspn(candidate, ":");
    char block[64];
    print_range(rule->block, block, sizeof block);
    if (rules->label)
        snprintf(text, capacity, "{ id = \"%s", rules->label);
    else
        snprintf(text, capacity, "{ id = \"%d rank%s", rules->ranks, rules->ranks == 1 ? "" : "s");
    append(text, capacity, ", %s\"; ranks = %d; nodes = %d; ppn = ", block, rules->ranks,
           rules->nodes);
    if (rules->ppn_min == rules->ppn_max)
        append(text, capacity, "%d", rules->ppn_max);
    else
        append(text, capacity, "\"%d-%d\"", rules->ppn_min, rules->ppn_max);
    if (rules->oversubscribed != SHUNT_CROWD_ANY)
        append(text, capacity, "; oversubscribed = %s",
               rules->oversubscribed == SHUNT_CROWD_YES ? "true" : "false");
    append(text, capacity, "; block = \"%s\"; algorithm = \"%.*s\";", block, name, candidate);
    append_parameters(candidate + name, text, capacity);
    append(text, capacity, " }");
}

void bench_rules_comment(FILE *stream, const char *label, const char *text)
{
    fprintf(stream, "# %s", label);
    for (; *text; text++)
        fputc(iscntrl((unsigned char)*text) ? ' ' : *text, stream);
    fputc('\n', stream);
}

void bench_rules_write(const struct bench_rules *rules, unsigned ops, const char *indent,
                       FILE *stream)
{
    int count;
    char text[BENCH_RULE_ROOM];
    struct bench_rule *found = bench_rules_find(rules, &count);
    for (int op = 0; op < SHUNT_OP_COUNT; op++) {
        if (!(ops & 1u << op))
            continue;
        fprintf(stream, "%s%s = (\n", indent, shunt_op_name((enum shunt_op)op));
        for (int i = 0; i < count; i++) {
            const struct bench_rule *rule = &found[i];
            if (rule->op != (enum shunt_op)op)
                continue;
            bench_rule_print(rules, rule, text, sizeof text);
            fprintf(stream, "%s  # ", indent);
            if (rule->greatest_gain - rule->least_gain >= 0.005)
                fprintf(stream, "%.2f to ", rule->least_gain);
            fprintf(stream, "%.2f times as fast as native, %d case%s measured\n",
                    rule->greatest_gain, rule->case_count, rule->case_count == 1 ? "" : "s");
            fprintf(stream, "%s  %s,\n", indent, text);
        }
        fprintf(stream, "%s  { id = \"rest\"; algorithm = \"native\"; }\n%s);\n", indent, indent);
    }
    free(found);
}
