/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * simulate.h: runs the schedules of all ranks against each other, without MPI.
 *
 * Messages are matched per pair of ranks in order. A round ends only when all its messages have met
 * their partner (as if every send were synchronous), so that a schedule that could deadlock does.
 */
#ifndef SHUNT_TESTS_SIMULATE_H
#define SHUNT_TESTS_SIMULATE_H

#include "algorithms/registry.h"

/*
 * Builds and runs `algorithm` for every rank. Returns NULL when every block reached its destination
 * exactly once and the bounds of the registry hold (temporary slots in range, no place overwritten
 * while in use, memory bound not exceeded), both with blocks in slots and with messages that stay
 * where they arrived (schedules with local copies: in slots only); otherwise what went wrong
 * (static buffer).
 */
const char *simulate(const struct shunt_algorithm *algorithm, const struct shunt_layout *layout,
                     const struct shunt_params *params);

#endif
