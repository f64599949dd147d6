/* SPDX-License-Identifier: BSD-3-Clause */
/* candidates.h: what is compared. Collective. */
#ifndef SHUNT_BENCH_CANDIDATES_H
#define SHUNT_BENCH_CANDIDATES_H

#include "tools/bench/bench.h"

void bench_candidates_open(struct bench *bench);
/* One of them, routed on `world`; closed with shunt_comm_close. */
void bench_candidate_open(struct bench_candidate *candidate,
                          const struct bench_selection *selection, MPI_Comm world);
void bench_candidates_close(struct bench *bench);
/* Name, parameters, and whether it can be measured in this case (else the reason); equal on all
 * ranks. */
bool bench_candidate_fits(const struct bench *bench, const struct bench_case *c,
                          const struct bench_candidate *candidate, struct bench_result *result);
/* Whether it really runs (after a first call), and does not fall back. Likewise. */
bool bench_candidate_runs(const struct bench_case *c, struct bench_result *result);
void bench_candidate_call(const struct bench_candidate *candidate, const struct bench_case *c);

#endif
