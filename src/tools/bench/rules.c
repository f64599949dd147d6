/* SPDX-License-Identifier: BSD-3-Clause */
/* rules.c: see rules.h. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "tools/bench/rules.h"

/* Cases of one operation that are one size: those with the same block, and those whose sizes
 * overlap with theirs. */
struct group {
    enum shunt_op op;
    int64_t block;
    struct shunt_range largest;
    double *least, *greatest; /* arrays of candidate_count: gains over the cases; least: 0 if any */
    int case_count;
};

bool bench_rules_add(struct bench_rules *rules, enum shunt_op op, int64_t block, int64_t largest,
                     const double *gains)
{
    const size_t bytes = (size_t)rules->candidate_count * sizeof *gains;
    struct bench_rule_case *cases =
        realloc(rules->cases, ((size_t)rules->case_count + 1) * sizeof *cases);
    double *copy = malloc(bytes + 1);
    if (cases)
        rules->cases = cases;
    if (!cases || !copy) {
        free(copy);
        return false;
    }
    if (bytes > 0)
        memcpy(copy, gains, bytes);
    rules->cases[rules->case_count] =
        (struct bench_rule_case){.op = op, .block = block, .largest = largest};
    rules->cases[rules->case_count++].gains = copy;
    return true;
}

void bench_rules_clear(struct bench_rules *rules)
{
    for (int i = 0; i < rules->case_count; i++)
        free(rules->cases[i].gains);
    free(rules->cases);
    rules->cases = NULL;
    rules->case_count = 0;
}

/* The candidate with the greatest of these gains, -1: none is above 0, native wins. */
static int find_winner(const double *gains, int count)
{
    int best = -1;
    for (int k = 0; k < count; k++)
        if (gains[k] > 0 && (best < 0 || gains[k] > gains[best]))
            best = k;
    return best;
}

/* Joins `from` to `to`; `from` is empty afterwards. */
static void join(struct group *to, struct group *from, int candidates)
{
    for (int k = 0; k < candidates; k++) {
        to->least[k] = from->least[k] < to->least[k] ? from->least[k] : to->least[k];
        to->greatest[k] = from->greatest[k] > to->greatest[k] ? from->greatest[k] : to->greatest[k];
    }
    if (from->largest.low < to->largest.low)
        to->largest.low = from->largest.low;
    if (from->largest.high > to->largest.high)
        to->largest.high = from->largest.high;
    to->case_count += from->case_count;
    free(from->least);
    free(from->greatest);
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
    const size_t bytes = (size_t)candidates * sizeof(double);
    *group = (struct group){.op = c->op,
                            .block = c->block,
                            .largest = {c->largest, c->largest},
                            .least = malloc(bytes + 1),
                            .greatest = malloc(bytes + 1),
                            .case_count = 1};
    if (!group->least || !group->greatest) {
        free(group->least);
        free(group->greatest);
        return false;
    }
    memcpy(group->least, c->gains, bytes);
    memcpy(group->greatest, c->gains, bytes);
    return true;
}

/* One group that grew may overlap with others by now. */
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

static int ascending(const void *a, const void *b)
{
    const struct group *x = a, *y = b;
    if (x->op != y->op)
        return x->op < y->op ? -1 : 1;
    return (x->largest.low > y->largest.low) - (x->largest.low < y->largest.low);
}

/* Adds what the group won to the rules: to the last one, if that won the size before it. */
static void add_rule(struct bench_rule *found, int *count, const struct group *group, int winner,
                     bool next)
{
    struct bench_rule *last = next && *count > 0 ? &found[*count - 1] : NULL;
    if (!last) {
        last = &found[(*count)++];
        *last = (struct bench_rule){.op = group->op, .candidate = winner, .block = group->largest};
        last->least_gain = group->least[winner];
    }
    last->block.high = group->largest.high;
    if (group->least[winner] < last->least_gain)
        last->least_gain = group->least[winner];
    if (group->greatest[winner] > last->greatest_gain)
        last->greatest_gain = group->greatest[winner];
    last->case_count += group->case_count;
}

struct bench_rule *bench_rules_find(const struct bench_rules *rules, int *count)
{
    const size_t room = (size_t)rules->case_count + 1;
    struct group *groups = calloc(room, sizeof *groups);
    struct bench_rule *found = calloc(room, sizeof *found);
    int made = 0;
    bool good = groups && found;
    *count = 0;
    for (int i = 0; good && i < rules->case_count; i++) {
        good = group_of(&groups[made], &rules->cases[i], rules->candidate_count);
        made += good;
    }
    if (good) {
        made = settle(groups, made, rules->candidate_count);
        qsort(groups, (size_t)made, sizeof *groups, ascending);
    }
    for (int i = 0, before = -1; good && i < made; i++) {
        const int winner = find_winner(groups[i].least, rules->candidate_count);
        const bool next = i > 0 && groups[i - 1].op == groups[i].op && winner == before;
        if (winner >= 0)
            add_rule(found, count, &groups[i], winner, next);
        before = winner;
    }
    for (int i = 0; groups && i < made; i++) {
        free(groups[i].least);
        free(groups[i].greatest);
    }
    free(groups);
    if (good && *count > 0)
        return found;
    free(found);
    *count = 0;
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
    snprintf(text, capacity,
             "{ id = \"%d rank%s, %s\"; ranks = %d; nodes = %d; ppn = ", rules->ranks,
             rules->ranks == 1 ? "" : "s", block, rules->ranks, rules->nodes);
    if (rules->ppn_min == rules->ppn_max)
        append(text, capacity, "%d", rules->ppn_max);
    else
        append(text, capacity, "\"%d-%d\"", rules->ppn_min, rules->ppn_max);
    append(text, capacity, "; block = \"%s\"; algorithm = \"%.*s\";", block, name, candidate);
    append_parameters(candidate + name, text, capacity);
    append(text, capacity, " }");
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
