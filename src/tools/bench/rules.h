/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rules.h: from measured cases to rules of a decision file. No MPI.
 *
 * A rule is written only for what was measured: this layout, and block sizes from one that its
 * algorithm won to the next one that it won. All else is left to the library.
 */
#ifndef SHUNT_BENCH_RULES_H
#define SHUNT_BENCH_RULES_H

#include <stdint.h>
#include <stdio.h>

#include "algorithms/operation.h"
#include "route/table.h"

enum { BENCH_RULE_ROOM = 400 };

/* One candidate in one case. */
struct bench_rule_score {
    double gain; /* how many times as fast as native; 0 unless that is clear */
    bool best;   /* with a gain: the fastest, or not clearly slower than that */
};

/* One case. */
struct bench_rule_case {
    enum shunt_op op;
    int64_t block;   /* as asked for: cases with the same one are the same size; -1: from a file */
    int64_t largest; /* bytes of the largest block of the call, which rules test */
    struct bench_rule_score *scores; /* array of candidate_count, owned */
};

struct bench_rules {
    int ranks, nodes, ppn_min, ppn_max;
    enum shunt_crowd oversubscribed; /* a condition, as it was measured */
    const char *label;               /* of the layout, in the ids of rules; NULL: "8 ranks" */
    int candidate_count;
    const char *const *candidates; /* array: "parlogna:radix=sqrt(P)", as the user gave them */
    int case_count;
    struct bench_rule_case *cases; /* owned */
};

struct bench_rule {
    enum shunt_op op;
    int candidate;
    struct shunt_range block;         /* bytes */
    double least_gain, greatest_gain; /* of the cases */
    int case_count;
};

/* Adds a case, copying its scores. False when memory is short. */
bool bench_rules_add(struct bench_rules *rules, enum shunt_op op, int64_t block, int64_t largest,
                     const struct bench_rule_score *scores);
void bench_rules_clear(struct bench_rules *rules);

/*
 * The rules, by operation and ascending size. A size is won by what gains in each of its cases and
 * is the best there, or by that with the greatest least gain where nothing is the best in all;
 * native wins where nothing gains in all. Where several won, that is taken which won most
 * neighbouring sizes: they are one rule. An array to be freed, with its length in *count; NULL when
 * memory is short or there is none.
 */
struct bench_rule *bench_rules_find(const struct bench_rules *rules, int *count);

/* `{ id = "8 ranks, 16-512"; ranks = 8; ...; algorithm = "parlogna"; radix = "sqrt(P)"; }` */
void bench_rule_print(const struct bench_rules *rules, const struct bench_rule *rule, char *text,
                      size_t capacity);

/* The lists of a decision file, of the operations in `ops` (bits), each with "native" at its end;
 * each line behind `indent`. */
void bench_rules_write(const struct bench_rules *rules, unsigned ops, const char *indent,
                       FILE *stream);

/* A line of a comment, which a text of others must not end. */
void bench_rules_comment(FILE *stream, const char *label, const char *text);

#endif
