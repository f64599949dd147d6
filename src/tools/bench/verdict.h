/* SPDX-License-Identifier: BSD-3-Clause */
/* verdict.h: who wins: of one case, and as rules for a decision file. Rank 0 only. */
#ifndef SHUNT_BENCH_VERDICT_H
#define SHUNT_BENCH_VERDICT_H

#include "tools/bench/bench.h"

/* Whether there are enough repetitions to tell who wins. */
bool bench_verdict_can_tell(const struct bench *bench);

/* Whether there are rules to be found: algorithms are measured beside native. */
bool bench_verdict_wanted(const struct bench *bench);

/* False with a message when the file of --rules cannot be written. */
bool bench_verdict_open(struct bench *bench);
/* False (said) when it could not be written. */
bool bench_verdict_close(struct bench *bench);

/* The fastest algorithm of a case, if it is clear of native; otherwise NULL. */
const struct bench_result *bench_verdict_winner(const struct bench *bench,
                                                const struct bench_result *results);

/* Takes a case down, and brings the file of rules up to date. */
void bench_verdict_add(struct bench *bench, const struct bench_case *c,
                       const struct bench_result *results);

/* The rules for people, after the last case. */
void bench_verdict_print(const struct bench *bench);

#endif
